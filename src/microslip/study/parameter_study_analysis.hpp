#pragma once
// kind = "parameter_study": any analysis over a grid or a list of parameters, one row of headline numbers a
// combination.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/study/analysis_parts.hpp"

namespace microslip {

class ParameterGrid;

struct ParameterStudyAnalysis {
  static constexpr std::string_view kind = "parameter_study";
  std::string name;
  std::shared_ptr<const ParameterGrid> grid;
  int threads = 1;
  std::optional<bool> warm_start;  ///< nothing: where it cannot change the result
};

/// `root` is the whole study, of which every combination is a copy with other values.
[[nodiscard]] ParameterStudyAnalysis read_parameter_study_analysis(const TableReader& reader, const TableReader& root,
                                                                   const StudyParts& parts);
[[nodiscard]] const std::vector<std::string>& sources(const ParameterStudyAnalysis& analysis);
[[nodiscard]] std::vector<std::string> table_parts(const ParameterStudyAnalysis& analysis);
[[nodiscard]] std::string describe(const ParameterStudyAnalysis& analysis);
/// The table is the same, bit for bit, for any number of threads.
[[nodiscard]] AnalysisSummary run(const ParameterStudyAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const ParameterStudyAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const ParameterStudyAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const ParameterStudyAnalysis& analysis, const AnalysisSummary& summary);

}  // namespace microslip
