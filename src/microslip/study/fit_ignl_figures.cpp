#include <fmt/format.h>

#include <numbers>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/fit_ignl_analysis.hpp"

namespace microslip {

std::vector<Figure> figures(const FitIgnlAnalysis& analysis, const System&) {
  const Axis amplitude{"amplitude", "length", analysis.log};
  const Axis deflection{"deflection", "length", false};
  const auto data = [](Curve curve) {
    curve.style = CurveStyle::dots;
    return curve;
  };
  Figure frequency =
      figure_of("frequency", "Frequency over amplitude", amplitude, {"frequency", "rad/time", false},
                {curve_of("", "q", "omega", "ring-down"), curve_of("", "q", "omega_paper", "secant"),
                 curve_of("", "q", "omega_gnl", "nothing slips")},
                "Ring-down: from the time of half a swing. Secant: the formula of the paper. Bounds: 95 % bands of "
                "friction of either side.");
  Figure damping = figure_of("damping", "Damping over amplitude", amplitude, damping_ratio_axis(false),
                             {curve_of("", "q", "zeta", "ring-down"), curve_of("", "q", "zeta_secant", "secant")});
  for (const char* end : {"low", "high"}) {
    frequency.curves.push_back(curve_of("", "q", fmt::format("omega_{}", end), fmt::format("bound, {}", end)));
    damping.curves.push_back(curve_of("", "q", fmt::format("zeta_{}", end), fmt::format("bound, {}", end)));
  }
  Figure orders = figure_of("orders", "Choice of the polynomial's order", {"order", "-", false}, {"misfit", "-", true},
                            {curve_of("orders", "order", "misfit", "of the points"),
                             curve_of("orders", "order", "validation", "of points left out")},
                            "Root mean square over that of the data.");
  for (Curve& curve : orders.curves) curve.style = CurveStyle::line_and_dots;
  return {frequency,
          damping,
          figure_of("stuck", "Stuck force: data and polynomial", deflection, {"force", "force", false},
                    {data(curve_of("stuck", "u", "f", "data")), curve_of("stuck", "u", "f_fit", "polynomial")}),
          figure_of("residual", "What the polynomial leaves", deflection,
                    {"force of the polynomial less data", "force", false}, {curve_of("stuck", "u", "residual")}),
          figure_of("friction", "Friction: slipping less stuck force", deflection, {"force", "force", false},
                    {data(curve_of("friction", "u", "theta", "data")),
                     curve_of("friction", "u", "theta_fit", "Masing law and spring")}),
          orders};
}

std::string in_words(const FitIgnlAnalysis&, const AnalysisSummary& summary, const UnitLabels& units) {
  const auto& facts = summary.facts;
  if (!facts.contains("order")) return no_result(summary);
  std::string words = fmt::format("A polynomial of order {} with k1 = {} leaves {} of the stuck force",
                                  facts.value("order", 0), quantity(facts["k"][0].get<double>(), "force/length", units),
                                  percent(number_in(facts, "misfit").value_or(0.0)));
  words += facts.value("friction", std::string()) == "none"
               ? std::string("; there is no friction.")
               : fmt::format("; friction has a stiffness of {} at rest.",
                             quantity(number_in(facts, "KT").value_or(0.0), "force/length", units));
  if (!facts.contains("q")) return words;
  nlohmann::ordered_json mode = {{"q", facts["q"]}, {"zeta", facts["zeta"]}};
  for (const auto& omega : facts["omega"])
    mode["frequency_hz"].push_back(omega.get<double>() / (2.0 * std::numbers::pi));
  return words + " " + amplitude_words(mode, "length", units);
}

std::string how(const FitIgnlAnalysis& analysis, const AnalysisSummary& summary) {
  const SiceOptions& polynomial = analysis.options.polynomial;
  std::string words = fmt::format(
      "The polynomial by weighted least squares, its order {}; friction is what slipping takes off the stuck force, "
      "{}. "
      "Frequency from the time of half a swing, damping from its loss.",
      polynomial.order ? std::string("given") : fmt::format("chosen by cross-validation up to {}", polynomial.highest),
      summary.facts.value("friction", std::string()) == "sliders" ? "by sliders fitted to it" : "through its points");
  if (const auto difference = number_in(summary.facts, "masing_difference")) {
    words += fmt::format(
        " Friction of both sides differs by {} of its largest value, {} beyond noise (Masing's rules hold to "
        "{}).",
        percent(*difference), percent(number_in(summary.facts, "masing_beyond_noise").value_or(0.0)),
        percent(analysis.options.masing_tolerance));
  }
  return words;
}

}  // namespace microslip
