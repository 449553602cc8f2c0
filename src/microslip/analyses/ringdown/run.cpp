#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/analyses/ringdown/free_motion.hpp"
#include "microslip/analyses/ringdown/mode_ringdown.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/input/load_resolution.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fft.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

constexpr const char* spectrum_part = "spectrum";
constexpr std::size_t fewest_ringdown_samples = 16;

struct RingdownRow {
  const ModeRingdown& mode;
  std::size_t row = 0;

  [[nodiscard]] const RingdownPoint& point() const { return mode.curve.points[row]; }
  [[nodiscard]] const OtherMode& other() const { return mode.others[row]; }
};

Table<RingdownRow> ringdown_table(const std::string& length) {
  const auto of_point = [](auto member) {
    return [member](const RingdownRow& row) { return static_cast<double>(row.point().*member); };
  };
  using Point = RingdownPoint;
  Table<RingdownRow> table;
  table.add({"mode", "-", "number, from 1"}, [](const RingdownRow& row) { return static_cast<double>(row.mode.mode); });
  table.add({"time", "time", "middle of the half-cycles that the row was computed from"}, of_point(&Point::time));
  table.add({"q", length, "amplitude of displacement, half-range", Scale::logarithmic}, of_point(&Point::q));
  table.add({"v", length + "/time", "amplitude of velocity, omega q"}, of_point(&Point::v));
  table.add({"omega", "rad/time", "frequency"}, of_point(&Point::omega));
  table.add({"frequency_hz", "1/time", "the same in cycles"},
            [](const RingdownRow& row) { return row.point().omega / two_pi; });
  table.add({"zeta", "-", "damping ratio", Scale::logarithmic}, of_point(&Point::zeta));
  table.add({"omega_error", "rad/time", "standard error from noise in the signal"}, of_point(&Point::omega_error));
  table.add({"zeta_error", "-", "standard error from noise in the signal"}, of_point(&Point::zeta_error));
  table.add({"other_mode", "-", "strongest other mode over the cycle around this time; 0: none, or outside the band"},
            [](const RingdownRow& row) { return static_cast<double>(std::max(row.other().index, 0)); });
  table.add({"other_ratio", "-", "its root mean square over that of this mode"},
            [](const RingdownRow& row) { return row.other().ratio; });
  table.add({"clean", "-", "1: other_ratio is at most max_other"},
            [](const RingdownRow& row) { return row.mode.clean(row.row) ? 1.0 : 0.0; });
  table.add({"half_cycles", "-", "that the row was computed from"}, of_point(&Point::half_cycles));
  return table;
}

void write_curves(const RingdownAnalysis& analysis, const std::vector<ModeRingdown>& curves, Sink& sink) {
  Table<RingdownRow> table = ringdown_table(analysis.amplitude_unit());
  table.begin(sink);
  for (const ModeRingdown& curve : curves) {
    for (std::size_t i = 0; i < curve.curve.points.size(); ++i) table.write({curve, i}, sink);
  }
}

/// A row is a line of the spectra.
void write_spectra(const RingdownAnalysis& analysis, const MeasuredMotion& motion,
                   const std::vector<std::size_t>& chosen, const std::vector<ModeRingdown>& curves, Sink& sink) {
  double highest = 0.0;
  for (const ModeRingdown& curve : curves) {
    for (const RingdownPoint& p : curve.curve.points) highest = std::max(highest, p.omega / two_pi);
  }
  const double to = analysis.spectrum_to > 0.0 ? analysis.spectrum_to : 5.0 * highest;
  std::vector<Spectrum> spectra;
  for (const std::size_t index : chosen) {
    spectra.push_back(spectrum(motion.signals[index].values, motion.signals[index].step));
  }
  const auto frequency = [&](std::size_t line) { return static_cast<double>(line) * spectra.front().bin; };
  const std::string unit = analysis.spectrum_unit();
  Table<std::size_t> table;
  table.add({"frequency_hz", "1/time", "cycles"}, frequency);
  for (std::size_t s = 0; s < chosen.size(); ++s) {
    const int mode = motion.modes[chosen[s]];
    table.add({fmt::format("amplitude[{}]", mode), unit, "of the signal at this frequency, whole ring-down",
               Scale::logarithmic},
              [&spectra, s](std::size_t line) { return spectra[s].amplitude[line]; });
    table.add({fmt::format("psd[{}]", mode), fmt::format("({})^2*time", unit),
               "one-sided power spectral density of the signal", Scale::logarithmic},
              [&spectra, s](std::size_t line) { return spectra[s].psd[line]; });
  }
  table.begin(sink);
  for (std::size_t line = 0; line < spectra.front().amplitude.size(); ++line) {
    if (to > 0.0 && frequency(line) > to) break;
    table.write(line, sink);
  }
}

AmplitudeSpan span_of(int mode, const RingdownPoint& first, const RingdownPoint& last) {
  return {mode, {first.q, last.q}, {first.omega / two_pi, last.omega / two_pi}, {first.zeta, last.zeta}};
}

/// From the first row of this mode alone to the last, which is what a reader takes the numbers for.
std::optional<AmplitudeSpan> clean_span(const ModeRingdown& curve) {
  const RingdownPoint *first = nullptr, *last = nullptr, *largest = nullptr;
  for (std::size_t i = 0; i < curve.others.size(); ++i) {
    if (!curve.clean(i)) continue;
    const RingdownPoint& point = curve.curve.points[i];
    if (first == nullptr) first = &point;
    last = &point;
    if (largest == nullptr || point.zeta > largest->zeta) largest = &point;
  }
  if (first == nullptr) return std::nullopt;
  AmplitudeSpan span = span_of(curve.mode, *first, *last);
  span.largest_zeta = largest->zeta;
  return span;
}

RingdownFacts::Mode facts_of(const ModeRingdown& curve) {
  const std::vector<RingdownPoint>& points = curve.curve.points;
  RingdownFacts::Mode facts;
  facts.mode = curve.mode;
  facts.rows = static_cast<long>(points.size());
  for (std::size_t i = 0; i < curve.others.size(); ++i) facts.clean_rows += curve.clean(i) ? 1 : 0;
  facts.noise = curve.curve.noise;
  facts.offset = curve.curve.offset;
  if (!points.empty()) facts.all = span_of(curve.mode, points.front(), points.back());
  facts.clean = clean_span(curve);
  facts.power_law = curve.fit;
  return facts;
}

ordered_json json_of(const RingdownFacts::Mode& mode) {
  ordered_json json;
  json["mode"] = mode.mode;
  json["rows"] = mode.rows;
  json["clean_rows"] = mode.clean_rows;
  json["noise"] = mode.noise;
  if (mode.offset.error > 0.0) {
    json["offset"] = mode.offset.value;
    json["offset_error"] = mode.offset.error;
  }
  if (mode.all) {
    json["q"] = mode.all->q;
    json["frequency_hz"] = mode.all->frequency_hz;
    json["zeta"] = mode.all->zeta;
  }
  if (mode.clean) {
    json["clean_q"] = mode.clean->q;
    json["clean_frequency_hz"] = mode.clean->frequency_hz;
    json["clean_zeta"] = mode.clean->zeta;
    if (mode.clean->largest_zeta) json["clean_largest_zeta"] = *mode.clean->largest_zeta;
  }
  if (const PowerLawFit& fit = mode.power_law; fit.found) {
    json["power_law"] = {{"c", fit.c},         {"chi", fit.chi}, {"zeta_0", fit.zeta_0},
                         {"from_q", fit.from}, {"to_q", fit.to}, {"residual", fit.residual}};
  }
  return json;
}

/// Places of the modes to process among the signals.
std::vector<std::size_t> chosen_signals(const RingdownAnalysis& analysis, const MeasuredMotion& motion) {
  std::vector<std::size_t> chosen;
  for (const int mode : analysis.modes) {
    const auto at = std::find(motion.modes.begin(), motion.modes.end(), mode);
    chosen.push_back(static_cast<std::size_t>(at - motion.modes.begin()));
  }
  if (chosen.empty()) chosen.push_back(static_cast<std::size_t>(std::max(0, dominant(motion.signals))));
  return chosen;
}

/// A step that does not see the loads; a hit within the record.
std::string remarks(const RingdownAnalysis& analysis) {
  if (analysis.transient) {
    return unresolved_loads(analysis.transient->loads, analysis.transient->options.step);
  }
  if (analysis.measured->no_hit_found && !analysis.start) {
    return "the table has forces, but no hit that stands out of their noise and is over before its end: the ring-down "
           "begins at the largest value, and may be forced; give its start";
  }
  const std::optional<double>& second = analysis.measured->second_hit;
  if (!second || (analysis.start && *analysis.start > *second)) return "";
  return fmt::format("the force rises again at {:.6g}, a second hit: from there on it is no free motion", *second);
}

/// An offset that stands out of its error and would have been seen in the last row, or one that is not known and may
/// be seen there.
std::string offset_taken_off(const RingdownAnalysis& analysis, const ModeRingdown& curve, const UnitLabels& units) {
  const SensorOffset& offset = curve.curve.offset;
  if (!analysis.measured || curve.curve.points.empty()) return "";
  const RingdownPoint& last = curve.curve.points.back();
  const bool acceleration = analysis.measured->signals.front().quantity == Quantity::acceleration;
  const double amplitude = acceleration ? last.omega * last.v : last.v;
  const double ratio = std::abs(offset.value) / amplitude;
  constexpr double seen = 0.01;  // zeta would be off by pi/2 of it
  constexpr double much = 0.1;   // of the last amplitude
  if (offset.error > much * amplitude) {
    return fmt::format(
        "mode {}: the middle of the signal is not known better than {:.2g} {}, {:.2g} of the amplitude in the last "
        "row: it drifts, or the record is short; the errors of the rows hold that, and band_hz takes a drift off",
        curve.mode, offset.error, units.of(analysis.spectrum_unit()), offset.error / amplitude);
  }
  if (!(std::abs(offset.value) > 4.0 * offset.error && ratio > seen)) return "";
  return fmt::format(
      "mode {}: an offset of the sensor, {:.4g} +- {:.1g} {}, was taken off the signal; in the last row it would be "
      "{:.2g} of its amplitude",
      curve.mode, offset.value, offset.error, units.of(analysis.spectrum_unit()), ratio);
}

/// What is to be said of the curves beside their numbers.
void tell_of_curves(const RingdownAnalysis& analysis, const std::vector<ModeRingdown>& curves, Results& results,
                    AnalysisSummary& summary) {
  for (const ModeRingdown& curve : curves) {
    if (curve.curve.points.empty() && summary.ending == Ending::completed) {
      summary.ending = Ending::no_convergence;
      summary.message = fmt::format("mode {}: {}", curve.mode, curve.curve.message);
    }
  }
  for (const ModeRingdown& curve : curves) add_message(offset_taken_off(analysis, curve, results.units()), summary);
  if (std::any_of(curves.begin(), curves.end(), [](const ModeRingdown& curve) { return curve.ends_show; })) {
    add_message(
        "the record is short for so narrow a band: the ends of the filter show in the rows, and their errors tell of "
        "the noise only",
        summary);
    results.doubt(analysis.name, "the ends of its band-pass show in its rows");
  }
}

void write_tables(const RingdownAnalysis& analysis, const MeasuredMotion& motion,
                  const std::vector<std::size_t>& chosen, const std::vector<ModeRingdown>& curves, Results& results) {
  TableSink rows = results.table(analysis.name);
  write_curves(analysis, curves, rows);
  rows.close();
  TableSink spectra = results.table(analysis.name, spectrum_part);
  write_spectra(analysis, motion, chosen, curves, spectra);
  spectra.close();
}

}  // namespace

ordered_json RingdownFacts::to_json() const {
  ordered_json json = ordered_json::object();
  if (motion) motion->add_to(json);
  if (dominant_mode) json["dominant_mode"] = *dominant_mode;
  for (const Mode& mode : modes) json["modes"].push_back(json_of(mode));
  return json;
}

std::string RingdownFacts::in_a_line() const {
  return motion ? motion->in_a_line() : "";
}

std::string RingdownAnalysis::amplitude_unit() const {
  return single_channel() ? "length" : "sqrt(mass) length";
}

std::string RingdownAnalysis::spectrum_unit() const {
  const Quantity quantity = measured ? measured->signals.front().quantity : Quantity::velocity;
  return amplitude_unit() + (quantity == Quantity::acceleration ? "/time^2"
                             : quantity == Quantity::velocity   ? "/time"
                                                                : "");
}

nlohmann::ordered_json RingdownAnalysis::settings() const {
  ordered_json json;
  json["method"] = word_of(hilbert, ringdown_methods);
  json["modes"] = modes;
  if (start) json["start"] = *start;
  if (band) json["band_hz"] = {band->first, band->second};
  if (hilbert) {
    json["trim_cycles"] = hilbert_options.trim_cycles;
    json["pieces"] = hilbert_options.pieces;
  } else {
    json["half_cycles"] = turning_points.half_cycles;
    json["accuracy"] = turning_points.accuracy;
  }
  json["max_other"] = most_other;
  if (transient) {
    json["duration"] = transient->options.duration;
    json["step"] = transient->options.step;
    json["every"] = transient->record.every;
  }
  return json;
}

std::string RingdownAnalysis::describe() const {
  const std::string what = single_channel() ? "one channel"
                           : modes.empty()  ? "the dominating mode"
                                            : words::mode_list(modes);
  return fmt::format(
      "{} by {}, {}", what, hilbert ? "the Hilbert transform" : "turning points",
      transient ? transient->describe() : fmt::format("{} measured samples", measured->signals.front().values.size()));
}

std::vector<std::string> RingdownAnalysis::tables() const {
  return {"", spectrum_part};
}

std::vector<std::string> RingdownAnalysis::load_names() const {
  return transient ? transient->load_names() : std::vector<std::string>{};
}

std::vector<int> RingdownAnalysis::mode_numbers() const {
  return single_channel() ? measured->modes : modes;
}

AnalysisSummary RingdownAnalysis::run(AnalysisRun& with) const {
  const FreeMotion free =
      transient ? simulated_free_motion(*transient, *start, with) : measured_free_motion(*measured, start);
  const MeasuredMotion& motion = free.motion;
  AnalysisSummary summary;
  summary.ending = free.ending;
  summary.message = free.message;
  RingdownFacts facts;
  facts.motion = free.facts;
  if (motion.signals.empty() || motion.signals.front().values.size() < fewest_ringdown_samples) {
    if (summary.ending == Ending::completed) {
      summary.ending = Ending::no_convergence;
      summary.message = motion.signals.empty() ? "no mode vibrates" : "fewer than 16 samples of ring-down";
    }
  } else {
    const int strongest = dominant(motion.signals);
    if (strongest >= 0) facts.dominant_mode = motion.modes[static_cast<std::size_t>(strongest)];
    const std::vector<std::size_t> chosen = chosen_signals(*this, motion);
    std::vector<ModeRingdown> curves;
    for (const std::size_t index : chosen) {
      curves.push_back(mode_ringdown(*this, motion, index));
      facts.modes.push_back(facts_of(curves.back()));
    }
    tell_of_curves(*this, curves, with.results, summary);
    write_tables(*this, motion, chosen, curves, with.results);
    summary.files = table_files();
  }
  if (facts.motion) add_message(energy_doubt(facts.motion->energy.ledger, true), summary);
  summary.sum_up(std::move(facts));
  add_message(remarks(*this), summary);
  return summary;
}

void RingdownAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  if (const MemorySink* table = tables.find()) add_mode_curves(*table, result);
}

std::vector<HeadlineNumber> RingdownAnalysis::drawn_headline(const System&) const {
  return drawn_mode_curves(modes);
}

}  // namespace microslip
