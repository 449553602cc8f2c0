#include <fmt/format.h>
#include <fmt/ranges.h>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/fit_modal_iwan_analysis.hpp"

namespace microslip {

std::vector<Figure> figures(const FitModalIwanAnalysis&, const System&) {
  const auto pair = [](const char* column) {
    Curve data = curve_of("curves", "q", column, "data");
    Curve fit = curve_of("curves", "q", fmt::format("{}_fit", column), "fit");
    data.split = fit.split = {"mode"};
    data.style = CurveStyle::dots;
    return std::vector<Curve>{data, fit};
  };
  return {figure_of("frequency", "Frequency over amplitude: data and fit", modal_amplitude_axis(true),
                    {"frequency", "rad/time", false}, pair("omega")),
          figure_of("damping", "Damping over amplitude: data and fit", modal_amplitude_axis(true),
                    damping_ratio_axis(true), pair("zeta"))};
}

std::string in_words(const FitModalIwanAnalysis&, const AnalysisSummary& summary, const UnitLabels& units) {
  if (!summary.facts.contains("modes")) return no_result(summary);
  const auto& modes = summary.facts["modes"];
  constexpr std::size_t most = 4;
  std::string words;
  for (std::size_t i = 0; i < modes.size() && i < most; ++i) {
    const auto& mode = modes[i];
    const auto value = [&](const char* key) { return number_in(mode, key).value_or(0.0); };
    if (i > 0) words += " ";
    if (!mode.contains("KT")) {
      words += fmt::format("Mode {} has no fit: {}.", mode.value("mode", 0), mode.value("message", std::string()));
      continue;
    }
    words += fmt::format(
        "Mode {}: Kinf = {}, KT = {}, FS = {}, chi = {}, beta = {}, zeta0 = {}; frequencies within {}, damping within "
        "{} "
        "(root mean square).",
        mode.value("mode", 0), quantity(value("Kinf"), "1/time^2", units), quantity(value("KT"), "1/time^2", units),
        number(value("FS")), number(value("chi")), number(value("beta")), number(value("zeta0")),
        percent(value("omega_residual")), percent(value("zeta_residual")));
    if (mode.contains("undetermined") && !mode["undetermined"].empty()) {
      words += fmt::format(" The data do not determine {}.",
                           fmt::join(mode["undetermined"].get<std::vector<std::string>>(), ", "));
    }
  }
  if (modes.size() > most) words += fmt::format(" {} more modes are in the table.", modes.size() - most);
  return words;
}

std::string how(const FitModalIwanAnalysis& analysis, const AnalysisSummary& summary) {
  long points = 0;
  if (summary.facts.contains("modes")) {
    for (const auto& mode : summary.facts["modes"]) points += mode.value("points", 0L);
  }
  const ModalIwanFitOptions& options = analysis.options;
  return fmt::format(
      "Nonlinear least squares from several starts with exact derivatives, {} of frequency ({}) and damping ({}), {}. "
      "Standard errors from the covariance at the minimum.",
      count_of(points, "point"), options.omega_form == OmegaForm::secant ? "secant" : "first harmonic",
      options.zeta_form == ZetaForm::secant    ? "secant"
      : options.zeta_form == ZetaForm::tangent ? "tangent"
                                               : "decrement",
      options.weigh_by_log_q ? "every stretch of the logarithm of amplitude counts alike" : "every point counts alike");
}

}  // namespace microslip
