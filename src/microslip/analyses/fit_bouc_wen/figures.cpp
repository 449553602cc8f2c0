#include <fmt/format.h>

#include <cmath>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/fit_bouc_wen/analysis.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {

std::vector<Figure> FitBoucWenAnalysis::figures(const System&) const {
  const bool several = data.size() > 1;
  const auto of_curve = [&](const char* y, const char* label, CurveStyle style) {
    Curve curve = curve_of("curve", "u", y, label);
    if (several) curve.split = {"curve"};
    curve.style = style;
    return curve;
  };
  const Axis deflection{"deflection", "length", false};
  const Axis amplitude{"amplitude of the cycle", "length", true};
  std::vector<Figure> result = {
      figure_of("loops", "Data and law", deflection, {"force", "force", false},
                {of_curve("f", "data", CurveStyle::dots), of_curve("f_fit", "Bouc–Wen", CurveStyle::line)}),
      figure_of("residual", "What the law leaves of the data", deflection,
                {"force of the law less data", "force", false}, {of_curve("residual", "", CurveStyle::line)}),
      figure_of("dissipation", "Dissipation of the law's steady cycles", amplitude, {"energy", "force length", true},
                {curve_of("cycles", "amplitude", "dissipation")}),
      figure_of("damping", "Damping of the law's steady cycles", amplitude, damping_ratio_axis(true),
                {curve_of("cycles", "amplitude", "zeta_secant")}, "Dissipation over 2π force times amplitude.")};
  if (!options.n) {
    Curve misfit = curve_of("", "n", "misfit", "stage");
    misfit.split = {"stage"};
    misfit.style = CurveStyle::dots;
    result.push_back(
        figure_of("candidates", "Misfit over the exponent", {"exponent n", "-", false},
                  {"misfit over the nonlinear part of the force", "-", false}, {misfit},
                  "Stages: 0 the start, 1 least squares in the slopes, 2 forces with n held, 3 forces with "
                  "n free."));
  }
  return result;
}

std::string FitBoucWenAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<FitBoucWenFacts>();
  if (facts == nullptr) return words::no_result(summary);
  const auto& [p, misfit, work_error] = facts->best;
  return fmt::format(
      "The law with k0 = {}, alpha = {}, A = {}, beta = {}, gamma = {} and n = {} leaves {} of the nonlinear part of "
      "the force; its loops' areas or the work of its histories are off by at most {}.",
      words::quantity(p.k0, "force/length", units), words::number(p.alpha), words::number(p.a), words::number(p.beta),
      words::number(p.gamma), words::number(p.n), words::percent(misfit), words::percent(work_error));
}

std::string FitBoucWenAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<FitBoucWenFacts>();
  std::string words = fmt::format(
      "Linear least squares in the slopes{}{}, {} iterations in all.",
      options.n ? fmt::format(" with n = {}", words::number(*options.n))
                : fmt::format(" for {} exponents from {} to {}", options.n_points, words::number(options.n_low),
                              words::number(options.n_high)),
      options.polish ? ", then least squares in the force with exact derivatives from the best of them" : "",
      facts == nullptr ? 0 : facts->iterations);
  if (facts != nullptr && std::isfinite(facts->sensitivity)) {
    words += fmt::format(" In the direction that the data feel least a unit step changes the misfit by {}.",
                         words::number(facts->sensitivity));
  }
  return words;
}

}  // namespace microslip
