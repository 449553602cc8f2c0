#include <fmt/format.h>

#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/nonlinear_mode/analysis.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

bool log_amplitudes(const NonlinearModeAnalysis& analysis) {
  return analysis.amplitudes.back() >= 10.0 * analysis.amplitudes.front();
}

/// One curve a mode.
Curve mode_curve(const NonlinearModeAnalysis& analysis, const char* x, const char* y, const char* label = "") {
  Curve curve = curve_of("", x, y, label);
  if (analysis.modes.size() > 1) curve.split = {"mode"};
  return curve;
}
Curve over_amplitude(const NonlinearModeAnalysis& analysis, const char* column, const char* label = "") {
  return mode_curve(analysis, "amplitude", column, label);
}

/// Is every mode damped at every amplitude? A logarithm of nothing cannot be drawn.
bool damped(const System& system) {
  return system.damping_ratios().size() > 0 && system.damping_ratios().minCoeff() > 0.0;
}

void add_response(const NonlinearModeAnalysis& analysis, const System& system, std::vector<Figure>& result) {
  Eigen::Index most = 0;
  analysis.force.cwiseAbs().maxCoeff(&most);
  const std::string& label = system.structure().labels()[static_cast<std::size_t>(most)];
  Curve curve = curve_of("response", "frequency_hz", column_of("harmonic1", label));
  if (analysis.modes.size() > 1) curve.split.emplace_back("mode");
  if (analysis.levels.size() > 1) curve.split.emplace_back("level");
  Figure figure = figure_of("response", fmt::format("Response of the mode alone, first harmonic of {}", label),
                            frequency_axis(), {"amplitude", "length", false}, {curve},
                            "Up one side of the resonance and down the other, as far as the amplitudes go. Where the "
                            "load acts most.");
  result.push_back(std::move(figure));
}

}  // namespace

std::vector<Figure> NonlinearModeAnalysis::figures(const System& system) const {
  const bool log = log_amplitudes(*this);
  const Axis amplitude = modal_amplitude_axis(log);
  std::vector<Figure> result = {
      figure_of("frequency", "Frequency over amplitude", amplitude, frequency_axis(),
                {over_amplitude(*this, "frequency_hz")}, "Amplitude: first harmonic of the modal displacement."),
      figure_of("damping", "Damping over amplitude", amplitude, damping_ratio_axis(damped(system)),
                {over_amplitude(*this, "zeta", "ring-down"), over_amplitude(*this, "zeta_secant", "steady")},
                "Of a ring-down, and what would keep the motion going."),
      figure_of("energy", "Frequency over energy", {"energy", "force length", log}, frequency_axis(),
                {mode_curve(*this, "energy", "frequency_hz")}, "Energy at the turning point."),
      figure_of("coupling", "Share of the other modes", amplitude,
                {"largest amplitude over that of the mode", "-", false}, {over_amplitude(*this, "coupling")},
                "Any harmonic of another mode."),
      figure_of("harmonics", "Harmonics in the series", amplitude, {"harmonics", "-", false},
                {over_amplitude(*this, "harmonics")}, "As many as the tolerance asks for.")};
  for (Curve& curve : result.back().curves) curve.style = CurveStyle::steps;
  for (Figure& shapes : shape_figures(system, "Shapes over amplitude", "re", "im", {"mode", "amplitude"},
                                      "First harmonic of the displacements over the amplitude.")) {
    result.push_back(std::move(shapes));
  }
  if (!loads.empty()) add_response(*this, system, result);
  return result;
}

std::string NonlinearModeAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<NonlinearModeFacts>();
  if (facts == nullptr || facts->modes.empty()) return words::no_result(summary);
  return words::amplitude_words_of_all(facts->modes, "sqrt(mass) length", units);
}

std::string NonlinearModeAnalysis::method_in_words() const {
  return "harmonic balance";
}

std::string NonlinearModeAnalysis::how(const AnalysisSummary& summary) const {
  const auto* known = summary.facts_as<NonlinearModeFacts>();
  const NonlinearModeFacts facts = known != nullptr ? *known : NonlinearModeFacts();
  return fmt::format(
      "Periodic motions with artificial damping of the mode, by harmonic balance with up to {}: {}, {} of the "
      "equations. Estimated error of the harmonics left out: {}, relative; tolerance {}.",
      words::count_of(facts.harmonics, "harmonic"), words::count_of(static_cast<long>(facts.points), "point"),
      words::count_of(facts.iterations, "evaluation"), words::number(facts.truncation_error),
      words::number(options.tolerance));
}

}  // namespace microslip
