#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/peaks/analysis.hpp"
#include "microslip/analyses/response/response_curves.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

/// What all figures of peaks share: over the level or the number.
class PeakFigures {
 public:
  PeakFigures(const PeaksAnalysis& analysis, const System& system)
      : x_(analysis.parameter()),
        axis_{analysis.model ? x_ : "level of the load", analysis.model ? "" : "-",
              over_decade(analysis.values().front(), analysis.values().back())},
        stable_(analysis.tells_stability(system)) {}

  [[nodiscard]] Figure figure(std::string name, std::string title, Axis y, const std::string& column,
                              std::string caption) const {
    Curve curve = curve_of("", x_, column);
    if (stable_) curve.stable = "stable";
    Figure result =
        figure_of(std::move(name), std::move(title), axis_, std::move(y), {std::move(curve)}, std::move(caption));
    for (const auto& [type, label] : {std::pair(1.0, "fold"), std::pair(2.0, "responses meet")}) {
      Marks marks;
      marks.points = curve_of("special", x_, column, label);
      marks.points.where = {{"type", type}};
      result.marks.push_back(std::move(marks));
    }
    return result;
  }
  [[nodiscard]] const std::string& x() const { return x_; }
  [[nodiscard]] const Axis& axis() const { return axis_; }

 private:
  std::string x_;
  Axis axis_;
  bool stable_;
};

}  // namespace

std::vector<Figure> PeaksAnalysis::figures(const System& system) const {
  const PeakFigures parts(*this, system);
  const std::string dof = labels_of(system, {motions.record.peak_dof}).front();
  const std::string over = model ? "over " + parameter() : "over the level";
  const bool log = parts.axis().log;
  const std::string lines = tells_stability(system) ? " Dashed where the motion is unstable." : "";
  std::vector<Figure> result = {
      parts.figure("amplitude", fmt::format("Amplitude of {} at its peak {}", dof, over), {"amplitude", "length", log},
                   "peak_amplitude", "Half of the range of the displacement." + lines),
      parts.figure("normalised", fmt::format("Amplitude of {} at its peak over the level", dof),
                   {"amplitude over level", "length", false}, "amplitude_over_level",
                   "A linear structure has a horizontal line over the level." + lines),
      parts.figure("frequency", "Frequency of the peak " + over, frequency_axis(), "frequency_hz",
                   "Where the amplitude is stationary along the response." + lines),
      parts.figure("damping", "Damping ratio at the peak " + over, damping_ratio_axis(false), "zeta",
                   "Work of the load in a period over 4π times the kinetic energy of the first harmonic.")};
  if (!system.joints().empty()) {
    result.push_back(each_over("dissipation", "Dissipation of the joints at the peak", "", parts.x(), parts.axis(),
                               "dissipation", {"energy", "force length", false}, joint_names(system), "In a period."));
  }
  return result;
}

std::string PeaksAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<PeaksFacts>();
  if (facts == nullptr || !facts->ends) return words::no_result(summary);
  const auto& [first, last] = *facts->ends;
  std::string text = fmt::format(
      "The peak of degree of freedom {} under {} goes from {} at {} ({} {}) to {} at {} ({} {}); its damping ratio "
      "from "
      "{} to {}.",
      facts->dof, fmt::join(motions.loads, ", "), words::quantity(first.amplitude, "length", units),
      words::frequency_text(first.frequency_hz, units), parameter(), words::number(first.value),
      words::quantity(last.amplitude, "length", units), words::frequency_text(last.frequency_hz, units), parameter(),
      words::number(last.value), words::number(first.damping_ratio), words::number(last.damping_ratio));
  if (facts->folds > 0) text += fmt::format(" The curve turns back at {}.", words::count_of(facts->folds, "point"));
  if (facts->meetings > 0) {
    text += fmt::format(" At {} of them responses meet, or a detached one is born.", facts->meetings);
  }
  if (facts->tells_stability && facts->unstable_points > 0) {
    text += fmt::format(" {} of {} points are unstable.", facts->unstable_points, facts->points);
  }
  return text;
}

std::string PeaksAnalysis::how(const AnalysisSummary& summary) const {
  const auto* known = summary.facts_as<PeaksFacts>();
  const PeaksFacts facts = known != nullptr ? *known : PeaksFacts();
  return fmt::format(
      "Harmonic balance with up to {} and the condition of a peak, followed by arclength through folds; the first peak "
      "from a response between {} and {}: {}, {} of the equations. Estimated error: {} from harmonics left out, {} "
      "from "
      "sampling, relative; tolerance {}.",
      words::count_of(facts.harmonics, "harmonic"), words::number(from / two_pi), words::number(to / two_pi),
      words::count_of(facts.points, "point"), words::count_of(facts.iterations, "evaluation"),
      words::number(facts.truncation_error), words::number(facts.quadrature_error),
      words::number(motions.options.tolerance));
}

}  // namespace microslip
