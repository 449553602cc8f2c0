#pragma once
// [[analysis]] -> analyses.

#include <vector>

#include "microslip/study/study.hpp"

namespace microslip {

/// One analysis from its table, without a name. Parameter studies are refused.
[[nodiscard]] Analysis read_analysis(const TableReader& reader, const StudyParts& parts);

[[nodiscard]] std::vector<Analysis> read_analyses(const TableReader& root, StudyParts parts);

}  // namespace microslip
