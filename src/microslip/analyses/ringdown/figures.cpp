#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/analyses/ringdown/tables.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

Axis amplitude_axis(const RingdownAnalysis& analysis) {
  return {analysis.single_channel() ? "amplitude" : "modal amplitude", analysis.amplitude_unit(), true};
}

/// One for each mode and record.
Curve rows_of(const RingdownAnalysis& analysis, const std::string& x, const std::string& y, const std::string& label,
              bool clean) {
  Curve curve = curve_of("", x, y, label);
  if (analysis.modes.size() > 1 || !analysis.from.empty()) curve.split = {"mode"};
  if (analysis.several()) curve.split.emplace_back("record");
  curve.where = {{"clean", clean ? 1.0 : 0.0}};
  return curve;
}

/// Rows of one mode alone, and those in which another mode is strong.
std::vector<Curve> clean_and_other(const RingdownAnalysis& analysis, const std::string& x, const std::string& y) {
  std::vector<Curve> curves;
  for (const bool clean : {true, false}) {
    Curve curve = rows_of(analysis, x, y, clean ? "" : "with another mode", clean);
    curve.style = CurveStyle::dots;
    curves.push_back(std::move(curve));
  }
  if (curves.front().split.empty()) curves.front().label = "one mode alone";
  if (!analysis.computed.curves.empty() && x == "q") {
    Curve computed = curve_of(computed_part, x, y, "computed");
    computed.split = {"mode"};
    if (analysis.computed.curves.size() > 1) computed.split.emplace_back("source");
    curves.push_back(std::move(computed));
  }
  return curves;
}

/// The same over amplitude, measured ones between the ends of their bands.
std::vector<Curve> with_bands(const RingdownAnalysis& analysis, const std::string& y, const std::string& ends) {
  std::vector<Curve> curves = clean_and_other(analysis, "q", y);
  if (analysis.measured.empty()) return curves;
  for (const char* end : {"low", "high"}) {
    curves.push_back(rows_of(analysis, "q", fmt::format("{}_{}", ends, end), fmt::format("95 %, {}", end), true));
  }
  return curves;
}

/// Numbers of the modes in the table, where they are known before it runs.
std::vector<int> known_modes(const RingdownAnalysis& analysis) {
  if (!analysis.modes.empty()) return analysis.modes;
  if (!analysis.measured.empty() && analysis.measured.front().modes.size() == 1) return analysis.measured.front().modes;
  return {};
}

/// Amplitudes of all modes over time: which record is whose.
Figure dominance_figure(const RingdownAnalysis& analysis) {
  Curve curve = curve_of(dominance_part, "time", "amplitude");
  curve.split = {"mode"};
  if (analysis.several()) curve.split.emplace_back("record");
  return figure_of("dominance", "Amplitudes of the modes over time", time_axis(),
                   {"amplitude", analysis.spectrum_unit(), true}, {std::move(curve)},
                   analysis.bands_of_fit ? "Each mode in its band." : "By the modal filter alone, without bands.");
}

}  // namespace

std::vector<Figure> RingdownAnalysis::figures(const System&) const {
  const std::string bands = measured.empty()
                                ? ""
                                : "\"95 %\": ends of the band of each clean row alone, from noise and from "
                                  "the offset of the sensor; other modes are not in it. ";
  std::vector<Figure> result = {
      figure_of("frequency", "Frequency over amplitude", amplitude_axis(*this), frequency_axis(),
                with_bands(*this, "frequency_hz", "frequency"), bands + "The ring-down runs from right to left."),
      figure_of("damping", "Damping over amplitude", amplitude_axis(*this), damping_ratio_axis(true),
                with_bands(*this, "zeta", "zeta"),
                bands + "A power law of amplitude, as in microslip, is a straight line."),
      figure_of("decay", "Amplitude over time", time_axis(), amplitude_axis(*this), clean_and_other(*this, "time", "q"),
                "Linear damping is a straight line.")};
  const std::vector<int> known = known_modes(*this);
  if (!known.empty()) {
    std::vector<std::string> names;
    for (const int mode : known) names.push_back(std::to_string(mode));
    Figure spectrum =
        each_over("spectrum", "Spectrum of the whole ring-down", "spectrum", "frequency_hz", frequency_axis(),
                  "amplitude", {"amplitude", spectrum_unit(), true}, names, "One-sided, no window.");
    for (Curve& curve : spectrum.curves) {
      if (several()) curve.split = {"record"};
      curve.label = single_channel() ? "" : fmt::format("mode {}", curve.label);
    }
    result.push_back(std::move(spectrum));
  }
  if (by_shapes()) result.push_back(dominance_figure(*this));
  return result;
}

namespace {

std::string unclean_words(const RingdownFacts::Mode& mode) {
  const long unclean = mode.rows - mode.clean_rows;
  if (unclean <= 0) return "";
  return fmt::format(" {} of {} of mode {} {} another mode that is too strong.", unclean,
                     words::count_of(mode.rows, "row"), mode.mode, unclean == 1 ? "has" : "have");
}

std::string difference_words(const std::vector<CurveDifference>& differences) {
  std::string words;
  for (const CurveDifference& each : differences) {
    if (each.rows == 0) continue;
    words += fmt::format(
        " Computed by {}, mode {}{}: frequency {:+.2g} %, damping {:+.2g} % beside the measured ones at "
        "equal amplitude, in the mean of {}.",
        each.source, each.mode, each.record.empty() ? "" : " of " + each.record, 100.0 * each.frequency,
        100.0 * each.zeta, words::count_of(each.rows, "row"));
  }
  return words;
}

std::string power_law_words(const PowerLawFit& fit, const std::string& of_mode) {
  return fmt::format(" Damping{} follows {}{} q^{} between q = {} and {}.", of_mode,
                     fit.zeta_0 > 0.0 ? fmt::format("{} + ", words::number(fit.zeta_0)) : std::string(),
                     words::number(fit.c), words::number(fit.chi + 1.0), words::number(fit.from),
                     words::number(fit.to));
}

std::string method_words(const RingdownAnalysis& analysis) {
  const RingdownOptions& points = analysis.turning_points;
  if (analysis.hilbert) {
    return fmt::format(
        "Hilbert transform, a smooth fit to phase and logarithm of the envelope, {} cycles cut off at each end.",
        words::number(analysis.hilbert_options.trim_cycles));
  }
  if (points.half_cycles > 0) {
    return fmt::format("Turning points of the signal, {} half-cycles a row.", points.half_cycles);
  }
  return fmt::format(
      "Turning points of the signal, as many half-cycles a row as the noise asks for to know damping to {}.",
      words::percent(points.accuracy));
}

std::string band_words(const RingdownAnalysis& analysis, const RingdownFacts* facts) {
  if (analysis.band) {
    return fmt::format(" Band-pass of order {} without phase from {} to {} cycles a unit of time.", analysis.band_order,
                       words::number(analysis.band->low), words::number(analysis.band->high));
  }
  if (!analysis.bands_of_fit || facts == nullptr) return "";
  std::vector<std::string> parts;
  std::set<int> told;
  for (const RingdownFacts::Mode& mode : facts->modes) {
    if (!mode.band || !told.insert(mode.mode).second) continue;
    parts.push_back(
        fmt::format("{} to {} of mode {}", words::number(mode.band->low), words::number(mode.band->high), mode.mode));
  }
  return fmt::format(" Band-passes of order {} without phase, in cycles a unit of time: {}.", analysis.band_order,
                     fmt::join(parts, ", "));
}

}  // namespace

std::string RingdownAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<RingdownFacts>();
  if (facts == nullptr || facts->modes.empty()) return words::no_result(summary);
  std::vector<AmplitudeSpan> clean;
  std::string unclean;
  for (const RingdownFacts::Mode& mode : facts->modes) {
    unclean += unclean_words(mode);
    if (mode.clean) clean.push_back(*mode.clean);
  }
  std::string words = clean.empty() ? std::string("No row is of one mode alone: 0 results to tell.")
                                    : words::amplitude_words_of_all(clean, amplitude_unit(), units);
  words += unclean + difference_words(facts->differences);
  const auto fitted = std::find_if(facts->modes.begin(), facts->modes.end(),
                                   [](const RingdownFacts::Mode& mode) { return mode.power_law.found; });
  if (fitted == facts->modes.end()) return words;
  const bool several = facts->modes.size() > 1;
  return words + power_law_words(fitted->power_law, several ? fmt::format(" of mode {}", fitted->mode) : "");
}

std::string RingdownAnalysis::method_in_words() const {
  return hilbert ? "Hilbert transform" : "turning points";
}

std::string RingdownAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<RingdownFacts>();
  std::string words = method_words(*this);
  if (facts != nullptr && !facts->modes.empty()) {
    long rows = 0, clean = 0;
    for (const RingdownFacts::Mode& mode : facts->modes) {
      rows += mode.rows;
      clean += mode.clean_rows;
    }
    words += fmt::format(" {}, in {} of them no other mode is stronger than {}.", words::count_of(rows, "row"), clean,
                         words::percent(most_other));
  }
  words += band_words(*this, facts);
  if (transient) {
    const bool moved = facts != nullptr && facts->motion;
    words += fmt::format(" {}", integration_in_words(*transient, moved ? &*facts->motion : nullptr));
  }
  return words;
}

}  // namespace microslip
