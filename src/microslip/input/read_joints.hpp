#pragma once
// [[joint]] -> joints.

#include <vector>

#include "microslip/structure/linear_structure.hpp"
#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

[[nodiscard]] std::vector<Joint> read_joints(const TableReader& root, const LinearStructure& structure);

}  // namespace microslip
