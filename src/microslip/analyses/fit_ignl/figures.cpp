#include <fmt/format.h>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/fit_ignl/analysis.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {

std::vector<Figure> FitIgnlAnalysis::figures(const System&) const {
  const Axis amplitude{"amplitude", "length", log};
  const Axis deflection{"deflection", "length", false};
  const auto dots = [](Curve curve) {
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
                    {dots(curve_of("stuck", "u", "f", "data")), curve_of("stuck", "u", "f_fit", "polynomial")}),
          figure_of("residual", "What the polynomial leaves", deflection,
                    {"force of the polynomial less data", "force", false}, {curve_of("stuck", "u", "residual")}),
          figure_of("friction", "Friction: slipping less stuck force", deflection, {"force", "force", false},
                    {dots(curve_of("friction", "u", "theta", "data")),
                     curve_of("friction", "u", "theta_fit", "Masing law and spring")}),
          orders};
}

std::string FitIgnlAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<FitIgnlFacts>();
  if (facts == nullptr) return words::no_result(summary);
  std::string words =
      fmt::format("A polynomial of order {} with k1 = {} leaves {} of the stuck force", facts->order,
                  words::quantity(facts->k.front(), "force/length", units), words::percent(facts->misfit));
  words += facts->slips ? fmt::format("; friction has a stiffness of {} at rest.",
                                      words::quantity(facts->friction_stiffness, "force/length", units))
                        : "; there is no friction.";
  if (!facts->over_amplitude) return words;
  const auto& [q, omega, zeta] = *facts->over_amplitude;
  AmplitudeSpan span;
  span.q = q;
  span.frequency_hz = {omega[0] / two_pi, omega[1] / two_pi};
  span.zeta = zeta;
  return words + " " + words::amplitude_words(span, "length", units);
}

std::string FitIgnlAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<FitIgnlFacts>();
  const SiceOptions& polynomial = options.polynomial;
  std::string words = fmt::format(
      "The polynomial by weighted least squares, its order {}; friction is what slipping takes off the stuck force, "
      "{}. Frequency from the time of half a swing, damping from its loss.",
      polynomial.order ? std::string("given") : fmt::format("chosen by cross-validation up to {}", polynomial.highest),
      facts != nullptr && facts->sliders ? "by sliders fitted to it" : "through its points");
  if (facts != nullptr && facts->sides) {
    words += fmt::format(
        " Friction of both sides differs by {} of its largest value, {} beyond noise (Masing's rules hold to {}).",
        words::percent(facts->sides->masing_difference), words::percent(facts->sides->masing_beyond_noise),
        words::percent(options.masing_tolerance));
  }
  return words;
}

}  // namespace microslip
