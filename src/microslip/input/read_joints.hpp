#pragma once
// [[joint]] -> joints.

#include <vector>

#include "microslip/structure/linear_structure.hpp"
#include "microslip/toml/table_reader.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

[[nodiscard]] std::vector<Joint> read_joints(const TableReader& root, const LinearStructure& structure);

}  // namespace microslip
