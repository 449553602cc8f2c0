#pragma once
// kind = "fit_iwan_distribution": the distribution of slider strengths of a joint or mode from curves of force over
// deflection, as a law for a joint, and Segalman's four parameters beside it.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/choice.hpp"
#include "microslip/analyses/read_curve.hpp"
#include "microslip/identify/distribution_fit.hpp"
#include "microslip/identify/iwan4_curve_fit.hpp"
#include "microslip/identify/spline_distribution.hpp"

namespace microslip {

/// What the force of the data is.
enum class ForceKind {
  total,      ///< of the joint and the linear stiffness K_inf beside it
  nonlinear,  ///< of the joint alone: K_inf = 0
  residual,   ///< total - K_0 u, K_0 the stiffness at rest
};

struct FitIwanDistributionAnalysis final : Analysis {
  static constexpr std::string_view kind = "fit_iwan_distribution";
  FitIwanDistributionAnalysis() : Analysis(kind) {}

  std::vector<CurveSource> data;
  ForceKind force = ForceKind::total;
  double stuck_stiffness = 0.0;  ///< K_0 of ForceKind::residual
  bool spline = false;           ///< the procedure of Paper III
  DistributionFitOptions options;
  SplineDistributionOptions spline_options;

  /// The numbers have bands.
  [[nodiscard]] bool has_bands() const { return !spline && options.bands; }

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] nlohmann::ordered_json settings() const override;
  [[nodiscard]] std::vector<std::string> tables() const override;
  [[nodiscard]] AnalysisSummary run(AnalysisRun& with) const override;
  [[nodiscard]] std::vector<Figure> figures(const System& system) const override;
  [[nodiscard]] std::string in_words(const AnalysisSummary& summary, const UnitLabels& units) const override;
  [[nodiscard]] std::string how(const AnalysisSummary& summary) const override;
  [[nodiscard]] std::vector<std::string> sources() const override { return analyses_of(data); }
  [[nodiscard]] std::vector<std::string> other_files() const override;
};

/// What the keys force, method, weights and sliders may say.
inline constexpr Choice<ForceKind> force_kind_choices[] = {
    {"total", ForceKind::total}, {"nonlinear", ForceKind::nonlinear}, {"residual", ForceKind::residual}};
inline constexpr Choice<bool> by_spline_choices[] = {{"sliders", false}, {"spline", true}};
inline constexpr Choice<bool> weigh_by_log_u_choices[] = {{"points", false}, {"log_u", true}};
inline constexpr Choice<bool> spread_sliders_choices[] = {{"spread", true}, {"points", false}};

struct FitIwanDistributionFacts final : Facts {
  /// Points at which the band of the loss is wider than twice the loss, and the last of them.
  struct Undetermined {
    std::size_t points = 0;
    double to = 0.0;  ///< [length]
  };
  /// Of the fit by sliders.
  struct Sliders {
    double noise = 0.0;                   ///< standard deviation of f [force]
    std::vector<double> noise_of_curves;  ///< the same, a curve each
    double smoothing = 0.0;
    double effective_unknowns = 0.0;
    std::size_t cells = 0;
  };
  /// Segalman's four parameters beside the sliders.
  struct FourParameters {
    Iwan4CurveFit fit;
    double dissipation_difference = 0.0;  ///< root mean square of ln(D/D of the sliders)
    std::optional<bool> enough;           ///< what they leave is no more than noise; nothing where noise is not known
  };
  std::size_t points = 0;
  bool bands = false;                                              ///< the numbers that follow have some
  Banded slip_force, stiffness, phi_max, residual, end_stiffness;  ///< as in DistributionFit
  bool macroslip = false;
  Undetermined undetermined;
  double misfit = 0.0;             ///< root mean square [force]
  int negative_sliders = 0;        ///< of the spline procedure, set to 0
  std::optional<Sliders> sliders;  ///< nothing: of the spline procedure
  FourParameters iwan4;

  [[nodiscard]] nlohmann::ordered_json to_json() const override;
};

[[nodiscard]] std::unique_ptr<Analysis> read_fit_iwan_distribution_analysis(const TableReader& reader,
                                                                            const StudyParts& parts);

}  // namespace microslip
