#pragma once
// [[analysis]] -> analyses.

#include <vector>

#include "microslip/study/study.hpp"

namespace microslip {

[[nodiscard]] std::vector<Analysis> read_analyses(const TableReader& root, StudyParts parts);

}  // namespace microslip
