#include <fmt/format.h>

#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/modes/analysis.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {

std::vector<Figure> ModesAnalysis::figures(const System& system) const {
  Figure frequencies =
      figure_of("frequencies", "Frequencies with the joints stuck and slipping", {"mode", "-", false},
                {"frequency", "rad/time", false},
                {curve_of("", "mode", "omega_stuck", "stuck"), curve_of("", "mode", "omega_slipped", "slipping")},
                "Every joint at its tangent at rest, and at the stiffness that is left in macroslip. "
                "Both in ascending order.");
  for (Curve& curve : frequencies.curves) curve.style = CurveStyle::dots;
  Figure damping = figure_of("damping", "Damping of the stuck modes, without the joints", {"mode", "-", false},
                             damping_ratio_axis(false), {curve_of("", "mode", "zeta")});
  damping.curves.front().style = CurveStyle::dots;
  std::vector<Figure> result = {frequencies, damping};
  if (system.truncated()) return result;
  for (Figure& shapes : shape_figures(system, "Shapes of the stuck modes", "phi", "", {"mode"},
                                      "Mass-normalised, drawn to a size that can be seen.")) {
    result.push_back(std::move(shapes));
  }
  return result;
}

std::string ModesAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<ModesFacts>();
  if (facts == nullptr) return words::no_result(summary);
  const long rigid = facts->rigid_modes, elastic = facts->modes - rigid;
  if (!facts->elastic) return fmt::format("All {} are rigid.", words::count_of(rigid, "mode"));
  const auto& [stuck, slipped, zeta] = *facts->elastic;
  std::string words = fmt::format("{}: ", words::count_of(elastic, "mode"));
  if (rigid > 0)
    words = fmt::format("{} and {}: ", words::count_of(rigid, "rigid mode"), words::count_of(elastic, "mode"));
  if (elastic == 1) {
    words += fmt::format("the frequency is {} with the joints stuck and {} with all of them slipping",
                         words::frequency_text(stuck.low, units), words::frequency_text(slipped.low, units));
  } else {
    words += fmt::format("frequencies from {} to {} with the joints stuck, from {} to {} with all of them slipping",
                         words::number(stuck.low), words::frequency_text(stuck.high, units), words::number(slipped.low),
                         words::frequency_text(slipped.high, units));
  }
  if (facts->rigid_friction_joints > 0) {
    words += fmt::format(" ({} with rigid friction left out of both)",
                         words::count_of(facts->rigid_friction_joints, "joint"));
  }
  const std::string low = words::number(zeta.low), high = words::number(zeta.high);
  return words + (low == high ? fmt::format(". Without the joints the damping ratio is {}.", low)
                              : fmt::format(". Without the joints damping ratios are {} to {}.", low, high));
}

std::string ModesAnalysis::how(const AnalysisSummary&) const {
  return fmt::format(
      "Eigenvalues of stiffness and mass{}, with every joint at its tangent at rest, and again at the stiffness left "
      "in "
      "macroslip. Damping ratios are the diagonal of the modal damping.",
      in_full ? " in full" : ", the lowest by Lanczos' method and counted");
}

}  // namespace microslip
