#include <fmt/format.h>
#include <fmt/ranges.h>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/fit_modal_iwan/analysis.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

std::string words_of(const FitModalIwanFacts::Mode& mode, const UnitLabels& units) {
  const ModalIwanFit& fit = mode.fit;
  if (!mode.has_parameters()) return fmt::format("Mode {} has no fit: {}.", mode.mode, fit.message);
  const ModalIwanParameters<double>& p = fit.parameters;
  std::string words = fmt::format(
      "Mode {}: Kinf = {}, KT = {}, FS = {}, chi = {}, beta = {}, zeta0 = {}; frequencies within {}, damping within {} "
      "(root mean square).",
      mode.mode, words::quantity(p.k_inf, "1/time^2", units), words::quantity(p.k_t, "1/time^2", units),
      words::number(p.f_s), words::number(p.chi), words::number(p.beta), words::number(p.zeta0),
      words::percent(fit.omega_residual), words::percent(fit.zeta_residual));
  if (!fit.undetermined.empty()) {
    words += fmt::format(" The data do not determine {}.", fmt::join(fit.undetermined, ", "));
  }
  return words;
}

}  // namespace

std::vector<Figure> FitModalIwanAnalysis::figures(const System&) const {
  const auto pair = [](const char* column) {
    Curve measured = curve_of("curves", "q", column, "data");
    Curve fit = curve_of("curves", "q", fmt::format("{}_fit", column), "fit");
    measured.split = fit.split = {"mode"};
    measured.style = CurveStyle::dots;
    return std::vector<Curve>{measured, fit};
  };
  std::vector<Figure> result = {figure_of("frequency", "Frequency over amplitude: data and fit",
                                          modal_amplitude_axis(true), {"frequency", "rad/time", false}, pair("omega")),
                                figure_of("damping", "Damping over amplitude: data and fit", modal_amplitude_axis(true),
                                          damping_ratio_axis(true), pair("zeta"))};
  if (compare.empty()) return result;
  Curve off = curve_of("compare", "q", "zeta_off");
  off.split = {"mode"};
  off.style = CurveStyle::dots;
  result.push_back(figure_of("compare", "Damping of the fit over that of other ring-downs, less 1",
                             modal_amplitude_axis(true), {"relative difference", "-", false}, {off},
                             "Ring-downs to which nothing was fitted: below 0 where other modes move the joints too."));
  return result;
}

std::string FitModalIwanAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<FitModalIwanFacts>();
  if (facts == nullptr) return words::no_result(summary);
  constexpr std::size_t most = 4;
  std::string words;
  for (std::size_t i = 0; i < facts->modes.size() && i < most; ++i) {
    if (i > 0) words += " ";
    words += words_of(facts->modes[i], units);
  }
  if (facts->modes.size() > most) {
    words += fmt::format(" {} more modes are in the table.", facts->modes.size() - most);
  }
  return words;
}

std::string FitModalIwanAnalysis::how(const AnalysisSummary& summary) const {
  long points = 0;
  if (const auto* facts = summary.facts_as<FitModalIwanFacts>()) {
    for (const FitModalIwanFacts::Mode& mode : facts->modes) points += mode.fit.points;
  }
  return fmt::format(
      "Nonlinear least squares from several starts with exact derivatives, {} of frequency ({}) and damping ({}), {}. "
      "Standard errors from the covariance at the minimum.",
      words::count_of(points, "point"), options.omega_form == OmegaForm::secant ? "secant" : "first harmonic",
      word_of(options.zeta_form, zeta_form_choices),
      options.weigh_by_log_q ? "every stretch of the logarithm of amplitude counts alike" : "every point counts alike");
}

}  // namespace microslip
