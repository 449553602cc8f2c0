#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/analyses/compare_modes/analysis.hpp"
#include "microslip/analyses/compare_modes/tables.hpp"
#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

Figure matrix_figure(const std::string& name, const std::string& title, const char* part, const std::string& column,
                     std::string caption) {
  Curve curve = curve_of(part, "measured", "model");
  curve.z = column;
  Figure figure = figure_of(name, title, {"measured mode", "-", false}, {"mode of the model", "-", false},
                            {std::move(curve)}, std::move(caption));
  figure.kind = FigureKind::map;
  figure.z = {title, "-", false};
  return figure;
}

Figure pairs_figure() {
  Curve model = curve_of(points_part, "channel", "phi_model", "model");
  Curve measured = curve_of(points_part, "channel", "phi_measured", "measured");
  model.split = measured.split = {"measured"};
  measured.style = CurveStyle::dots;
  return figure_of("pairs", "Shapes of the pairs at the points", {"channel", "-", false},
                   {"shape", "1/sqrt(mass)", false}, {std::move(model), std::move(measured)},
                   "Channels in the order of the measured shapes, which are turned and scaled to those of the model.");
}

}  // namespace

std::vector<Figure> CompareModesAnalysis::figures(const System& system) const {
  Curve differences = curve_of("", "measured", "difference");
  differences.style = CurveStyle::dots;
  std::vector<Figure> result = {
      matrix_figure("mac", "Modal assurance criterion", mac_part, "mac",
                    "1 where two shapes are the same at the points up to a factor, 0 where they have nothing in "
                    "common."),
      matrix_figure("orthogonality", "Cross-orthogonality", orthogonality_part, "cross_orthogonality",
                    "Of the measured shapes and those of the model that have a partner, by the mass at the points."),
      pairs_figure(),
      figure_of("difference", "Frequency of the model over the measured one, less 1", {"measured mode", "-", false},
                {"difference", "-", false}, {differences})};
  if (system.truncated()) return result;
  for (Figure& shapes :
       shape_figures(system, "Pairs over each other", "phi", "", {"measured"},
                     "Lines: the model. Circles: the measured shape at its points, turned and scaled to the model.")) {
    Curve measured = shapes.curves.front();
    measured.y = "measured";
    shapes.curves.push_back(std::move(measured));
    result.push_back(std::move(shapes));
  }
  return result;
}

std::string CompareModesAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels&) const {
  const auto* facts = summary.facts_as<CompareModesFacts>();
  if (facts == nullptr) return words::no_result(summary);
  const std::size_t pairs = facts->pairs.size(), all = pairs + facts->alone.size();
  if (pairs == 0) return fmt::format("None of {} measured modes has a partner in the model.", all);
  const auto [low, high] =
      std::minmax_element(facts->pairs.begin(), facts->pairs.end(),
                          [](const auto& a, const auto& b) { return a.difference < b.difference; });
  const auto worst = std::min_element(facts->pairs.begin(), facts->pairs.end(),
                                      [](const auto& a, const auto& b) { return a.mac < b.mac; });
  return fmt::format(
      "{} of {} measured modes {} a partner in the model. Its frequencies differ by {:+.2f} % to {:+.2f} %, the MAC "
      "is at least {:.4f} (mode {}).",
      pairs, all, pairs == 1 ? "has" : "have", 100.0 * low->difference, 100.0 * high->difference, worst->mac,
      worst->measured);
}

std::string CompareModesAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<CompareModesFacts>();
  std::string text = fmt::format(
      "Pairs of the largest sum of MAC times exp(-(ln(f/f_measured)/{})^2/2), each with a MAC of {} or more; shapes of "
      "the stuck modes at the measured points. The mass at the points is {}.",
      words::number(options.pairing.frequency_spread), words::number(options.pairing.least_mac),
      options.reduction == MassReduction::by_modes ? "that of the paired modes (SEREP)" : "reduced statically (Guyan)");
  if (facts != nullptr) text += fmt::format(" {} are compared.", words::count_of(facts->points, "point"));
  return text;
}

}  // namespace microslip
