#include <fmt/format.h>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/fit_iwan_distribution_analysis.hpp"

namespace microslip {
namespace {

bool has_bands(const FitIwanDistributionAnalysis& analysis) {
  return !analysis.spline && analysis.options.bands;
}

}  // namespace

std::vector<Figure> figures(const FitIwanDistributionAnalysis& analysis, const System&) {
  const bool several = analysis.data.size() > 1, bands = has_bands(analysis);
  const auto of_curve = [&](const char* y, const char* label, CurveStyle style) {
    Curve curve = curve_of("curve", "u", y, label);
    if (several) curve.split = {"curve"};
    curve.style = style;
    return curve;
  };
  const std::string band = fmt::format("{} band", percent(analysis.options.confidence));
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

std::string in_words(const FitIwanDistributionAnalysis& analysis, const AnalysisSummary& summary,
                     const UnitLabels& units) {
  const auto& facts = summary.facts;
  if (!facts.contains("FS")) return no_result(summary);
  const auto with_band = [&](const char* key, const char* unit) {
    std::string text = quantity(number_in(facts, key).value_or(0.0), unit, units);
    const std::string band = std::string(key) + "_band";
    if (facts.contains(band)) {
      text += fmt::format(" ({} to {})", number(facts[band][0].get<double>()), number(facts[band][1].get<double>()));
    }
    return text;
  };
  std::string words =
      fmt::format("The sliders carry {} in macroslip with a stiffness of {} at rest; the last slips at {}",
                  with_band("FS", "force"), with_band("KT", "force/length"), with_band("phi_max", "length"));
  words += fmt::format(", the stiffness beside them is {}.", with_band("Kinf", "force/length"));
  if (has_bands(analysis)) words += fmt::format(" In brackets: bands of {}.", percent(analysis.options.confidence));
  const auto& four = facts["iwan4"];
  words += fmt::format(" Root mean square of what is left: {}; of four parameters: {}{}.",
                       quantity(number_in(facts, "misfit").value_or(0.0), "force", units),
                       quantity(number_in(four, "misfit").value_or(0.0), "force", units),
                       !four.contains("enough")     ? ""
                       : four["enough"].get<bool>() ? ", no more than noise"
                                                    : ", more than noise");
  return words;
}

std::string how(const FitIwanDistributionAnalysis& analysis, const AnalysisSummary& summary) {
  const auto& facts = summary.facts;
  const std::string points = count_of(facts.value("points", 0L), "point");
  if (analysis.spline) {
    return fmt::format(
        "Polynomial pieces through {}, second derivatives of them as sliders (the published procedure); "
        "{} came out negative and were set to 0.",
        points, count_of(facts.value("negative_sliders", 0L), "slider"));
  }
  return fmt::format(
      "Nonnegative least squares of {} for {} with smoothing {} ({} effective unknowns); noise of the force {}.{}",
      points, count_of(facts.value("cells", 0L), "cell"), number(number_in(facts, "smoothing").value_or(0.0)),
      number(number_in(facts, "effective_unknowns").value_or(0.0)), number(number_in(facts, "noise").value_or(0.0)),
      has_bands(analysis) ? " Bands: the range over all sliders, smooth or not, that meet the data within their noise."
                          : "");
}

}  // namespace microslip
