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
[[nodiscard]] std::vector<Figure> figures(const ModesAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const ModesAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const ModesAnalysis& analysis, const AnalysisSummary& summary);

}  // namespace microslip
