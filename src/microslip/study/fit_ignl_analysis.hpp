#pragma once
// kind = "fit_ignl": friction and geometric nonlinearity of a mode from curves with friction stuck and slipping; its
// frequency and damping over amplitude, and two joints that do the same.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/identify/ignl_fit.hpp"
#include "microslip/study/analysis_parts.hpp"
#include "microslip/study/joint_curves.hpp"
#include "microslip/study/read_curve.hpp"

namespace microslip {

struct FitIgnlAnalysis {
  static constexpr std::string_view kind = "fit_ignl";
  std::string name;
  std::optional<JointCurves> joints;  ///< this or
  std::vector<CurveSource> data;      ///< stuck, slipping, and those of the negative side that there are
  bool stuck_negative = false, slipping_negative = false;
  IgnlFitOptions options;
  std::optional<double> from, to;  ///< amplitudes; else as far as the data go
  int points = 200;
  bool log = true;
};

[[nodiscard]] FitIgnlAnalysis read_fit_ignl_analysis(const TableReader& reader, const StudyParts& parts);
/// Names of the analyses whose tables it reads.
[[nodiscard]] inline std::vector<std::string> sources(const FitIgnlAnalysis& analysis) {
  return analyses_of(analysis.data);
}
[[nodiscard]] std::vector<std::string> table_parts(const FitIgnlAnalysis& analysis);
/// Files that are no tables.
[[nodiscard]] std::vector<std::string> other_files(const FitIgnlAnalysis& analysis);
[[nodiscard]] std::string describe(const FitIgnlAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const FitIgnlAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const FitIgnlAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const FitIgnlAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const FitIgnlAnalysis& analysis, const AnalysisSummary& summary);

/// The negative side as -u, -f, whichever way it was written.
void mirror_negative(ForceCurve& curve);

}  // namespace microslip
