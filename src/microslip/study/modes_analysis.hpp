#pragma once
// kind = "modes": frequencies stuck and slipped, damping ratios, shapes.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/study/analysis_parts.hpp"

namespace microslip {

struct ModesAnalysis {
  static constexpr std::string_view kind = "modes";
  std::string name;
  int count = 0;  ///< lowest modes
};

[[nodiscard]] ModesAnalysis read_modes_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] std::vector<std::string> table_parts(const ModesAnalysis& analysis);
[[nodiscard]] std::string describe(const ModesAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const ModesAnalysis& analysis, AnalysisRun& with);

}  // namespace microslip
