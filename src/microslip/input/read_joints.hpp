#pragma once
// [[joint]] -> joints.

#include <vector>

#include "microslip/joints/catalogue.hpp"
#include "microslip/structure/linear_structure.hpp"
#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// The law of one joint, as it is written.
[[nodiscard]] LawSpec read_law(const TableReader& joint);

[[nodiscard]] std::vector<Joint> read_joints(const TableReader& root, const LinearStructure& structure);

}  // namespace microslip
