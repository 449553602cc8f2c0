#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/qsma/backbones.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/report/number_text.hpp"

namespace microslip {
namespace {

/// y over modal amplitude, one curve a mode.
Curve over_amplitude(const QsmaAnalysis& analysis, const char* column) {
  Curve curve = curve_of("", "q", column);
  if (analysis.modes.size() > 1) curve.split = {"mode"};
  return curve;
}

/// How much the other modes move with each of the analysis.
std::vector<Figure> ratio_figures(const QsmaAnalysis& analysis) {
  std::vector<Figure> figures;
  for (const int mode : analysis.modes) {
    if (figures.size() == figures_of_a_kind) break;
    Figure figure = figure_of(fmt::format("ratio-{}", mode + 1), fmt::format("Other modes beside mode {}", mode + 1),
                              modal_amplitude_axis(true), {"q_s/q", "-", false}, {},
                              "Static displacements under the slow load, over that of the mode.");
    for (const int other : analysis.ratios) {
      if (other == mode || figure.curves.size() == curves_in_a_figure) continue;
      Curve curve = curve_of("", "q", column_of("ratio", std::to_string(other + 1)), fmt::format("mode {}", other + 1));
      curve.where = {{"mode", mode + 1.0}};
      figure.curves.push_back(std::move(curve));
    }
    if (!figure.curves.empty()) figures.push_back(std::move(figure));
  }
  return figures;
}

Figure backbone_figure(const System& system) {
  Figure backbones =
      figure_of("backbones", "Backbones of the joints", {"deflection", "length", false}, {"force", "force", false}, {},
                "Force on the virgin curve, up to the largest deflection of the loading.");
  for (std::size_t j = 0; j < system.joints().size() && backbones.curves.size() < curves_in_a_figure; ++j) {
    if (!has_backbone(system.joints()[j].law)) continue;
    Curve curve = curve_of("backbones", "u", "f", system.joints()[j].name);
    curve.where = {{"joint", static_cast<double>(j) + 1.0}};
    backbones.curves.push_back(std::move(curve));
  }
  return backbones;
}

std::string mode_in_words(const QsmaFacts::Mode& mode, const UnitLabels& units) {
  const double fall = 1.0 - mode.omega[1] / mode.omega[0];
  std::string words =
      fmt::format("Mode {}: the frequency {} from {} to {} {} ({:.2g} %)", mode.mode, fall < 0.0 ? "rises" : "falls",
                  engineering(mode.omega[0]), engineering(mode.omega[1]), units.of("rad/time"), 100.0 * std::abs(fall));
  words += fmt::format(" as the modal amplitude grows from {} to {} {};", engineering(mode.q[0], 3),
                       engineering(mode.q[1], 3), units.of("sqrt(mass) length"));
  words += fmt::format(" the damping ratio is {} at the smallest amplitude and at most {}, at {}.",
                       engineering(mode.zeta[0], 3), engineering(mode.largest_zeta, 3),
                       engineering(mode.q_of_largest_zeta, 3));
  return words;
}

}  // namespace

std::vector<Figure> QsmaAnalysis::figures(const System& system) const {
  std::vector<Figure> result = {
      figure_of("frequency", "Frequency over amplitude", modal_amplitude_axis(true), {"frequency", "rad/time", false},
                {over_amplitude(*this, "omega")},
                "Secant frequency of each mode: the stuck one at small amplitude, lower once the joints slip."),
      figure_of("damping", "Damping over amplitude", modal_amplitude_axis(true), damping_ratio_axis(true),
                {over_amplitude(*this, "zeta")},
                "Damping ratio that a ring-down shows. A power law of amplitude in microslip is a straight line; "
                "it falls again where a joint slips as a whole.")};
  for (Figure& figure : ratio_figures(*this)) result.push_back(std::move(figure));
  Figure backbones = backbone_figure(system);
  if (!backbones.curves.empty()) result.push_back(std::move(backbones));
  return result;
}

std::string QsmaAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<QsmaFacts>();
  if (facts == nullptr || facts->modes.empty()) return words::no_result(summary);
  std::string words = "Frequency and damping over amplitude by quasi-static loading.";
  for (std::size_t i = 0; i < facts->modes.size() && i < words::modes_in_words; ++i) {
    words += " " + mode_in_words(facts->modes[i], units);
  }
  return words + words::more_modes(facts->modes.size());
}

std::string QsmaAnalysis::method_in_words() const {
  return "quasi-static modal analysis";
}

std::string QsmaAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<QsmaFacts>();
  return fmt::format(
      "Quasi-static modal analysis: a slow ramp of the load alpha M phi in the shape of the {} mode, alpha from {:g} "
      "to {:g}, other modes {}; no time integration. {} points with {} evaluations of the joints; joint forces to a "
      "relative tolerance of {:g}.",
      word_of(options.load_shape, load_shapes), ramp.from, ramp.to,
      options.other_modes == OtherModes::vibrating ? "vibrating" : "at rest", facts != nullptr ? facts->points : 0,
      facts != nullptr ? facts->joint_evaluations : 0, options.tolerance);
}

}  // namespace microslip
