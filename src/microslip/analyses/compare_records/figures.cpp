#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "microslip/analyses/compare_records/analysis.hpp"
#include "microslip/analyses/compare_records/tables.hpp"
#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/words.hpp"

namespace microslip {
namespace {

Curve of_each_mode(Curve curve) {
  curve.split = {"mode"};
  return curve;
}

/// Both of each mode; one figure a mode, as far as they are known.
std::vector<Figure> mode_figures(const CompareRecordsAnalysis& analysis) {
  std::vector<Figure> result;
  const Axis signal{"component of the mode", analysis.unit(), false};
  const std::vector<int> numbers = analysis.shapes ? analysis.shapes->numbers : std::vector<int>{};
  for (std::size_t i = 0; i < numbers.size() && i < figures_of_a_kind; ++i) {
    Curve measured = curve_of(compared_modes_part, "time", "measured", "measured");
    Curve simulated = curve_of(compared_modes_part, "time", "simulated", "simulated");
    for (Curve* curve : {&measured, &simulated}) curve->where = {{"mode", static_cast<double>(numbers[i])}};
    result.push_back(figure_of(fmt::format("mode-{}", numbers[i]), fmt::format("Mode {}, both", numbers[i]),
                               time_axis(), signal, {std::move(measured), std::move(simulated)},
                               numbers.size() > figures_of_a_kind && i + 1 == figures_of_a_kind
                                   ? fmt::format("More modes are in {}-{}.csv.", analysis.name, compared_modes_part)
                                   : ""));
  }
  result.push_back(
      figure_of("envelopes", "Envelopes of the modes", time_axis(), {"envelope", analysis.unit(), true},
                {of_each_mode(curve_of(compared_modes_part, "time", "measured_envelope", "measured")),
                 of_each_mode(curve_of(compared_modes_part, "time", "simulated_envelope", "simulated"))},
                "Components of the modes at the point, in their bands. Linear damping is a straight line."));
  result.push_back(figure_of("phase", "Phase of the simulated modes before the measured ones", time_axis(),
                             {"phase", "rad", false}, {of_each_mode(curve_of(compared_modes_part, "time", "phase"))},
                             "A straight line is a difference of frequency."));
  return result;
}

std::vector<Figure> curve_figures(const CompareRecordsAnalysis& analysis) {
  const Axis amplitude{"modal amplitude", analysis.curves.amplitude_unit(), true};
  const auto both = [](const std::string& y) {
    std::vector<Curve> curves;
    for (const auto& [number, label] : {std::pair{1.0, "measured"}, std::pair{2.0, "simulated"}}) {
      Curve curve = of_each_mode(curve_of(compared_curves_part, "q", y, label));
      curve.where = {{"record", number}};
      curve.style = CurveStyle::dots;
      curves.push_back(std::move(curve));
    }
    return curves;
  };
  return {figure_of("frequency", "Frequency over amplitude, both", amplitude, frequency_axis(), both("frequency_hz"),
                    "The ring-downs run from right to left."),
          figure_of("damping", "Damping over amplitude, both", amplitude, damping_ratio_axis(false), both("zeta"))};
}

const CompareRecordsFacts::Signal* point_among(const CompareRecordsFacts& facts) {
  const auto at = std::find_if(facts.signals.begin(), facts.signals.end(),
                               [&](const auto& signal) { return signal.mode == 0 && signal.channel == facts.point; });
  return at == facts.signals.end() ? nullptr : &*at;
}

}  // namespace

std::vector<Figure> CompareRecordsAnalysis::figures(const System&) const {
  const Axis signal{"signal", unit(), false};
  std::vector<Figure> result = {
      figure_of("record", "Record over record", time_axis(), signal,
                {curve_of(compared_record_part, "time", column_of("measured", point), "measured"),
                 curve_of(compared_record_part, "time", column_of("simulated", point), "simulated")},
                band ? fmt::format("Both through a band-pass from {} to {} cycles a unit of time.",
                                   words::number(band->low), words::number(band->high))
                     : ""),
      figure_of("record-envelopes", "Envelopes of the records", time_axis(), {"envelope", unit(), true},
                {curve_of(compared_record_part, "time", column_of("measured_envelope", point), "measured"),
                 curve_of(compared_record_part, "time", column_of("simulated_envelope", point), "simulated")}),
      figure_of("spectra", "Spectra over the span", frequency_axis(), {"amplitude", unit(), true},
                {curve_of(compared_spectra_part, "frequency_hz", "measured", "measured"),
                 curve_of(compared_spectra_part, "frequency_hz", "simulated", "simulated")},
                "One-sided, no window.")};
  if (!modal()) return result;
  for (Figure& figure : mode_figures(*this)) result.push_back(std::move(figure));
  for (Figure& figure : curve_figures(*this)) result.push_back(std::move(figure));
  return result;
}

std::string CompareRecordsAnalysis::in_words(const AnalysisSummary& summary, const UnitLabels& units) const {
  const auto* facts = summary.facts_as<CompareRecordsFacts>();
  if (facts == nullptr) return words::no_result(summary);
  std::string text;
  if (const CompareRecordsFacts::Signal* at = point_among(*facts)) {
    const SignalDifference& d = at->difference;
    text = fmt::format(
        "From {} to {} of the record the simulated signal at {} has {} times the size of the measured one; their "
        "normalised error is {} (noise alone: {}), their time-response assurance {:.3f}.",
        words::number(facts->from), words::quantity(facts->to, "time", units), facts->point,
        words::number(d.size_ratio), words::number(d.normalised_error), words::number(d.noise_error), d.assurance);
  }
  for (const CompareRecordsFacts::Signal& signal : facts->signals) {
    if (signal.mode == 0 || !(signal.difference.used > 0.0)) continue;
    const SignalDifference& d = signal.difference;
    text += fmt::format(
        " Mode {}: envelope {:+.2g} % in the mean, {:.2g} % in root mean square; phase from {:+.2g} to "
        "{:+.2g} rad",
        signal.mode, 100.0 * d.envelope_mean, 100.0 * d.envelope_rms, d.phase_first, d.phase_last);
    text += signal.rows == 0 ? std::string(".")
                             : fmt::format("; at equal amplitude frequency {:+.2g} %, damping {:+.2g} %.",
                                           100.0 * signal.frequency, 100.0 * signal.zeta);
  }
  return text;
}

std::string CompareRecordsAnalysis::how(const AnalysisSummary& summary) const {
  const auto* facts = summary.facts_as<CompareRecordsFacts>();
  std::string text =
      "Both motions at the times of the one that was sampled more slowly, the other by a sinc under a Kaiser window of "
      "32 lobes";
  if (facts != nullptr && facts->resampling_error > 0.0) {
    text += fmt::format(" (uncertain: {} of its largest value)", words::number(facts->resampling_error));
  }
  text += ". Envelope and phase by the Hilbert transform.";
  if (!modal()) return text;
  text += fmt::format(
      " Modes by the pseudo-inverse of the shapes{}; each in a Butterworth band-pass of order {}, forwards "
      "and backwards, the same for both.",
      mass_filter ? ", of the simulated motion by mass orthogonality" : " in both", curves.band_order);
  return text + (curves.hilbert ? " Frequency and damping by the Hilbert transform."
                                : " Frequency and damping by turning points.");
}

}  // namespace microslip
