#pragma once
// kind = "fit_bouc_wen": parameters of the Bouc-Wen law from hysteresis loops or histories, as a law for a joint.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/identify/bouc_wen_fit.hpp"
#include "microslip/study/analysis_parts.hpp"
#include "microslip/study/read_curve.hpp"

namespace microslip {

struct FitBoucWenAnalysis {
  static constexpr std::string_view kind = "fit_bouc_wen";
  std::string name;
  std::vector<CurveSource> data;
  std::optional<Motion> motion;  ///< none: each curve as it looks
  BoucWenFitOptions options;
};

[[nodiscard]] FitBoucWenAnalysis read_fit_bouc_wen_analysis(const TableReader& reader, const StudyParts& parts);
/// Names of the analyses whose tables it reads.
[[nodiscard]] inline std::vector<std::string> sources(const FitBoucWenAnalysis& analysis) {
  return analyses_of(analysis.data);
}
[[nodiscard]] std::vector<std::string> table_parts(const FitBoucWenAnalysis& analysis);
/// Files that are no tables.
[[nodiscard]] std::vector<std::string> other_files(const FitBoucWenAnalysis& analysis);
[[nodiscard]] std::string describe(const FitBoucWenAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const FitBoucWenAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const FitBoucWenAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const FitBoucWenAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const FitBoucWenAnalysis& analysis, const AnalysisSummary& summary);

}  // namespace microslip
