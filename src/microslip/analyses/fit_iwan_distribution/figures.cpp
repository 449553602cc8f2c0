#include <fmt/format.h>

#include <cmath>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/fit_iwan_distribution/analysis.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {

std::vector<Figure> FitIwanDistributionAnalysis::figures(const System&) const {
  const bool several = data.size() > 1, bands = has_bands();
  const auto of_curve = [&](const char* y, const char* label, CurveStyle style) {
    Curve curve = curve_of("curve", "u", y, label);
    if (several) curve.split = {"curve"};
    curve.style = style;
    return curve;
  };
  const std::string band = fmt::format("{} band", words::percent(options.confidence));
  const auto with_bands = [&](std::vector<Curve> curves, const char* table, const char* x, const std::string& y) {
    if (!bands) return curves;
    for (const char* end : {"_low", "_high"}) {
      curves.push_back(curve_of(table, x, y + end, band + (end[1] == 'l' ? ", lower" : ", upper")));
    }
    return curves;
  };
  const Axis strength{"strength of the sliders", "length", true};
  const Axis deflection{"deflection", "length", false};
  return {
      figure_of("distribution", "Distribution of the sliders", strength,
                {"stiffness a unit of strength", "force/length^2", true},
                with_bands({curve_of("", "phi", "rho", "distribution")}, "", "phi", "rho"),
                "Strengths without sliders are not shown; those that slip all at once at the end have no width and "
                "count in the next figure."),
      figure_of("stiffness", "Stiffness of the sliders, cell by cell", strength, {"stiffness", "force/length", false},
                with_bands({curve_of("", "phi", "k", "cells")}, "", "phi", "k"),
                "The last point: the sliders that slip at phi_max."),
      figure_of("force", "Data and sliders", deflection, {"force", "force", false},
                {of_curve("f", "data", CurveStyle::dots), of_curve("f_fit", "sliders", CurveStyle::line),
                 of_curve("f_iwan4", "four parameters", CurveStyle::line)}),
      figure_of("residual", "What the sliders leave of the data", deflection,
                {"force of the sliders less data", "force", false}, {of_curve("residual", "", CurveStyle::dots)}),
      figure_of("dissipation", "Dissipation of a cycle", {"amplitude", "length", true},
                {"energy", "force length", true},
                with_bands({of_curve("dissipation", "sliders", CurveStyle::line),
                            of_curve("dissipation_iwan4", "four parameters", CurveStyle::line)},
                           "curve", "u", "dissipation"),
                bands ? "A lower end of 0, where the loss may be none, is not shown." : "")};
}

std::string FitIwanDistributionAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<FitIwanDistributionFacts>();
  if (facts == nullptr) return words::no_result(summary);
  const auto with_band = [&](const Banded& value, const char* unit) {
    std::string text = words::quantity(value.value, unit, units);
    if (facts->bands && !std::isnan(value.low))
      text += fmt::format(" ({} to {})", words::number(value.low), words::number(value.high));
    return text;
  };
  std::string words =
      fmt::format("The sliders carry {} in macroslip with a stiffness of {} at rest; the last slips at {}",
                  with_band(facts->slip_force, "force"), with_band(facts->stiffness, "force/length"),
                  with_band(facts->phi_max, "length"));
  words += fmt::format(", the stiffness beside them is {}.", with_band(facts->residual, "force/length"));
  if (facts->bands && !std::isnan(facts->slip_force.low))
    words += fmt::format(" In brackets: bands of {}.", words::percent(options.confidence));
  const FitIwanDistributionFacts::FourParameters& four = facts->iwan4;
  words += fmt::format(" Root mean square of what is left: {}; of four parameters: {}{}.",
                       words::quantity(facts->misfit, "force", units), words::quantity(four.fit.misfit, "force", units),
                       !four.enough   ? ""
                       : *four.enough ? ", no more than noise"
                                      : ", more than noise");
  return words;
}

std::string FitIwanDistributionAnalysis::how(const AnalysisSummary& summary) const {
  const auto* found = summary.facts_as<FitIwanDistributionFacts>();
  const FitIwanDistributionFacts facts = found != nullptr ? *found : FitIwanDistributionFacts{};
  const std::string points = words::count_of(static_cast<long>(facts.points), "point");
  if (spline) {
    return fmt::format(
        "Polynomial pieces through {}, second derivatives of them as sliders (the published procedure); "
        "{} came out negative and were set to 0.",
        points, words::count_of(facts.negative_sliders, "slider"));
  }
  const FitIwanDistributionFacts::Sliders sliders = facts.sliders.value_or(FitIwanDistributionFacts::Sliders{});
  return fmt::format(
      "Nonnegative least squares of {} for {} with smoothing {} ({} effective unknowns); noise of the force {}.{}",
      points, words::count_of(static_cast<long>(sliders.cells), "cell"), words::number(sliders.smoothing),
      words::number(sliders.effective_unknowns), words::number(sliders.noise),
      has_bands() ? " Bands: the range over all sliders, smooth or not, that meet the data within their noise." : "");
}

}  // namespace microslip
