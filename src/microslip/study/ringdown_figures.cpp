#include <fmt/format.h>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"
#include "microslip/study/ringdown_analysis.hpp"

namespace microslip {
namespace {

bool single_channel(const RingdownAnalysis& analysis) {
  return analysis.measured && analysis.measured->single_channel;
}

std::string amplitude_unit(const RingdownAnalysis& analysis) {
  return single_channel(analysis) ? "length" : "sqrt(mass) length";
}

Axis amplitude_axis(const RingdownAnalysis& analysis) {
  return {single_channel(analysis) ? "amplitude" : "modal amplitude", amplitude_unit(analysis), true};
}

/// Rows of one mode alone, and those in which another mode is strong.
std::vector<Curve> clean_and_other(const RingdownAnalysis& analysis, const std::string& x, const std::string& y) {
  std::vector<Curve> curves;
  for (const bool clean : {true, false}) {
    Curve curve = curve_of("", x, y, clean ? "" : "with another mode");
    if (analysis.modes.size() > 1) curve.split = {"mode"};
    curve.where = {{"clean", clean ? 1.0 : 0.0}};
    curve.style = CurveStyle::dots;
    curves.push_back(std::move(curve));
  }
  if (analysis.modes.size() <= 1) curves.front().label = "one mode alone";
  return curves;
}

/// Numbers of the modes in the table, where they are known before it runs.
std::vector<int> known_modes(const RingdownAnalysis& analysis) {
  if (!analysis.modes.empty()) return analysis.modes;
  if (analysis.measured && analysis.measured->modes.size() == 1) return analysis.measured->modes;
  return {};
}

}  // namespace

std::vector<Figure> figures(const RingdownAnalysis& analysis, const System&) {
  std::vector<Figure> result = {
      figure_of("frequency", "Frequency over amplitude", amplitude_axis(analysis), frequency_axis(),
                clean_and_other(analysis, "q", "frequency_hz"), "The ring-down runs from right to left."),
      figure_of("damping", "Damping over amplitude", amplitude_axis(analysis), damping_ratio_axis(true),
                clean_and_other(analysis, "q", "zeta"),
                "A power law of amplitude, as in microslip, is a straight line."),
      figure_of("decay", "Amplitude over time", time_axis(), amplitude_axis(analysis),
                clean_and_other(analysis, "time", "q"), "Linear damping is a straight line.")};
  const std::vector<int> modes = known_modes(analysis);
  if (!modes.empty()) {
    std::vector<std::string> names;
    for (const int mode : modes) names.push_back(std::to_string(mode));
    Figure spectrum =
        each_over("spectrum", "Spectrum of the whole ring-down", "spectrum", "frequency_hz", frequency_axis(),
                  "amplitude", {"amplitude", spectrum_unit(analysis), true}, names, "One-sided, no window.");
    for (Curve& curve : spectrum.curves)
      curve.label = single_channel(analysis) ? "" : fmt::format("mode {}", curve.label);
    result.push_back(std::move(spectrum));
  }
  return result;
}

std::string in_words(const RingdownAnalysis& analysis, const AnalysisSummary& summary, const UnitLabels& units) {
  if (!summary.facts.contains("modes")) return no_result(summary);
  const auto& modes = summary.facts["modes"];
  nlohmann::ordered_json clean = nlohmann::ordered_json::array();
  std::string unclean;
  for (const auto& mode : modes) {
    const long number = mode.value("mode", 0L), rows = mode.value("rows", 0L), good = mode.value("clean_rows", 0L);
    if (rows > good) {
      unclean += fmt::format(" {} of {} of mode {} {} another mode that is too strong.", rows - good,
                             count_of(rows, "row"), number, rows - good == 1 ? "has" : "have");
    }
    if (!mode.contains("clean_q")) continue;
    clean.push_back({{"mode", number},
                     {"q", mode["clean_q"]},
                     {"frequency_hz", mode["clean_frequency_hz"]},
                     {"zeta", mode["clean_zeta"]},
                     {"largest_zeta", mode["clean_largest_zeta"]}});
  }
  std::string words = clean.empty() ? std::string("No row is of one mode alone: 0 results to tell.")
                                    : amplitude_words_of_all(clean, amplitude_unit(analysis), units);
  words += unclean;
  for (const auto& mode : modes) {
    if (!mode.contains("power_law")) continue;
    const auto& fit = mode["power_law"];
    const double floor = number_in(fit, "zeta_0").value_or(0.0);
    words += fmt::format(" Damping{} follows {}{} q^{} between q = {} and {}.",
                         modes.size() > 1 ? fmt::format(" of mode {}", mode.value("mode", 0)) : std::string(),
                         floor > 0.0 ? fmt::format("{} + ", number(floor)) : std::string(),
                         number(number_in(fit, "c").value_or(0.0)), number(number_in(fit, "chi").value_or(0.0) + 1.0),
                         number(number_in(fit, "from_q").value_or(0.0)), number(number_in(fit, "to_q").value_or(0.0)));
    break;
  }
  return words;
}

std::string method_of(const RingdownAnalysis& analysis) {
  return analysis.hilbert ? "Hilbert transform" : "turning points";
}

std::string how(const RingdownAnalysis& analysis, const AnalysisSummary& summary) {
  std::string words =
      analysis.hilbert ? fmt::format(
                             "Hilbert transform, a smooth fit to phase and logarithm of the envelope, {} "
                             "cycles cut off at each end.",
                             number(analysis.hilbert_options.trim_cycles))
      : analysis.turning_points.half_cycles > 0
          ? fmt::format("Turning points of the signal, {} half-cycles a row.", analysis.turning_points.half_cycles)
          : fmt::format(
                "Turning points of the signal, as many half-cycles a row as the noise asks for "
                "to know damping to {}.",
                percent(analysis.turning_points.accuracy));
  if (summary.facts.contains("modes")) {
    long rows = 0, clean = 0;
    for (const auto& mode : summary.facts["modes"]) {
      rows += mode.value("rows", 0L);
      clean += mode.value("clean_rows", 0L);
    }
    words += fmt::format(" {}, in {} of them no other mode is stronger than {}.", count_of(rows, "row"), clean,
                         percent(analysis.most_other));
  }
  if (analysis.band) {
    words += fmt::format(" Band-pass without phase from {} to {} cycles a unit of time.", number(analysis.band->first),
                         number(analysis.band->second));
  }
  if (analysis.transient) words += fmt::format(" {}", how(*analysis.transient, summary));
  return words;
}

}  // namespace microslip
