#pragma once
// All kinds of analyses, and [[analysis]] -> analyses.

#include <memory>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"

namespace microslip {

/// What `kind = "..."` may be, in the order in which messages name them.
[[nodiscard]] std::vector<std::string_view> analysis_kinds();

/// One analysis from its table, without a name. Parameter studies are refused.
[[nodiscard]] std::unique_ptr<Analysis> read_analysis(const TableReader& reader, const StudyParts& parts);

/// All of a study; later ones may name earlier ones.
[[nodiscard]] std::vector<AnalysisPointer> read_analyses(const TableReader& root, StudyParts parts);

}  // namespace microslip
