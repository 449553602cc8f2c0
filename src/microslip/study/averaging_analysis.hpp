#pragma once
// kind = "averaging": the motion of one mode in time, the joints by the closed forms of their steady cycle.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/study/analysis_parts.hpp"
#include "microslip/study/history_tables.hpp"
#include "microslip/transient/averaging.hpp"

namespace microslip {

struct AveragingAnalysis {
  static constexpr std::string_view kind = "averaging";
  std::string name;
  std::vector<Load> loads;
  AveragingOptions options;
  Record record;
  std::optional<PsdOptions> psd;
  Eigen::VectorXd q;  ///< initial, empty: zero
  Eigen::VectorXd v;  ///< initial, empty: zero
};

[[nodiscard]] AveragingAnalysis read_averaging_analysis(const TableReader& reader, const StudyParts& parts);
[[nodiscard]] std::vector<std::string> table_parts(const AveragingAnalysis& analysis);
[[nodiscard]] std::string describe(const AveragingAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const AveragingAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const AveragingAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const AveragingAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const AveragingAnalysis& analysis, const AnalysisSummary& summary);
[[nodiscard]] std::string method_of(const AveragingAnalysis& analysis);

}  // namespace microslip
