#pragma once
// kind = "fit_iwan_distribution": the distribution of slider strengths of a joint or mode from curves of force over
// deflection, as a law for a joint, and Segalman's four parameters beside it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/identify/distribution_fit.hpp"
#include "microslip/identify/spline_distribution.hpp"
#include "microslip/study/analysis_parts.hpp"
#include "microslip/study/read_curve.hpp"

namespace microslip {

/// What the force of the data is.
enum class ForceKind {
  total,      ///< of the joint and the linear stiffness K_inf beside it
  nonlinear,  ///< of the joint alone: K_inf = 0
  residual,   ///< total - K_0 u, K_0 the stiffness at rest
};

struct FitIwanDistributionAnalysis {
  static constexpr std::string_view kind = "fit_iwan_distribution";
  std::string name;
  std::vector<CurveSource> data;
  ForceKind force = ForceKind::total;
  double stuck_stiffness = 0.0;  ///< K_0 of ForceKind::residual
  bool spline = false;           ///< the procedure of Paper III
  DistributionFitOptions options;
  SplineDistributionOptions spline_options;
};

[[nodiscard]] FitIwanDistributionAnalysis read_fit_iwan_distribution_analysis(const TableReader& reader,
                                                                              const StudyParts& parts);
/// Names of the analyses whose tables it reads.
[[nodiscard]] inline std::vector<std::string> sources(const FitIwanDistributionAnalysis& analysis) {
  return analyses_of(analysis.data);
}
[[nodiscard]] std::vector<std::string> table_parts(const FitIwanDistributionAnalysis& analysis);
/// Files that are no tables.
[[nodiscard]] std::vector<std::string> other_files(const FitIwanDistributionAnalysis& analysis);
[[nodiscard]] std::string describe(const FitIwanDistributionAnalysis& analysis);
[[nodiscard]] AnalysisSummary run(const FitIwanDistributionAnalysis& analysis, AnalysisRun& with);
[[nodiscard]] std::vector<Figure> figures(const FitIwanDistributionAnalysis& analysis, const System& system);
[[nodiscard]] std::string in_words(const FitIwanDistributionAnalysis& analysis, const AnalysisSummary& summary,
                                   const UnitLabels& units);
[[nodiscard]] std::string how(const FitIwanDistributionAnalysis& analysis, const AnalysisSummary& summary);

}  // namespace microslip
