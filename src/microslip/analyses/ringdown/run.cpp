#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/analyses/ringdown/free_motion.hpp"
#include "microslip/analyses/ringdown/modal_signals.hpp"
#include "microslip/analyses/ringdown/mode_ringdown.hpp"
#include "microslip/analyses/ringdown/remarks.hpp"
#include "microslip/analyses/ringdown/tables.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t fewest_ringdown_samples = 16;

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
  facts.band = curve.band;
  return facts;
}

ordered_json json_of(const RingdownFacts::Mode& mode) {
  ordered_json json;
  json["mode"] = mode.mode;
  if (!mode.record.empty()) json["record"] = mode.record;
  if (mode.band) json["band_hz"] = {mode.band->low, mode.band->high};
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

/// Places of the modes to process among the signals, the same in every record: those asked for, all of a fit, or the
/// one that dominates the first record.
std::vector<std::size_t> chosen_signals(const RingdownAnalysis& analysis, const MeasuredMotion& motion,
                                        std::optional<int> dominating) {
  std::vector<std::size_t> chosen;
  std::vector<int> wanted = analysis.from.empty() || !analysis.modes.empty() ? analysis.modes : motion.modes;
  if (wanted.empty()) wanted.push_back(dominating.value_or(motion.modes.front()));
  for (const int mode : wanted) {
    const auto at = std::find(motion.modes.begin(), motion.modes.end(), mode);
    chosen.push_back(static_cast<std::size_t>(at - motion.modes.begin()));
  }
  return chosen;
}

/// The records in modal coordinates; throws std::invalid_argument where the fit further up does not make them.
std::vector<MeasuredMotion> modal_records(const RingdownAnalysis& analysis, const Results& results) {
  if (analysis.from.empty()) return analysis.measured;
  const MeasuredModes* modes = results.left<MeasuredModes>(analysis.from);
  if (modes == nullptr || modes->shapes.cols() == 0) {
    throw std::invalid_argument(fmt::format("analysis {} left no modes", analysis.from));
  }
  for (const int mode : analysis.modes) {
    if (std::find(modes->numbers.begin(), modes->numbers.end(), mode) != modes->numbers.end()) continue;
    throw std::invalid_argument(fmt::format("analysis {} found no mode {}", analysis.from, mode));
  }
  std::vector<MeasuredMotion> records;
  for (const MeasuredMotion& record : analysis.measured) {
    records.push_back(filtered_by(*modes, record));
    records.back().unit_modal_mass = modes->unit_modal_mass;
    if (!analysis.bands_of_fit || !records.back().bands.empty()) continue;
    throw std::invalid_argument(
        fmt::format("record {}: a frequency of the fit is above 0.45 of the sampling rate", record.name));
  }
  return records;
}

/// Numbers of the modes that were processed.
std::vector<int> processed_modes(const std::vector<RecordRingdown>& records) {
  std::vector<int> modes;
  for (const RecordRingdown& record : records) {
    for (const ModeRingdown& curve : record.curves) {
      if (std::find(modes.begin(), modes.end(), curve.mode) == modes.end()) modes.push_back(curve.mode);
    }
  }
  return modes;
}

/// Amplitudes of shapes that are scaled in another way than those of the model.
void tell_scales(const std::vector<ComputedCurve>& curves, AnalysisSummary& summary) {
  constexpr double much = 0.05;
  std::vector<std::string> parts;
  for (const ComputedCurve& curve : curves) {
    const double scale = std::abs(curve.scale);
    if (curve.source == 1 && !(std::abs(scale - 1.0) < much)) {
      parts.push_back(fmt::format("mode {} {:.3g} times that", curve.mode, scale));
    }
  }
  if (parts.empty()) return;
  add_remark(fmt::format("measured shapes have not the size of those of the model, and amplitudes q are its reciprocal "
                         "of computed ones: {}; is their scale, by the driving point, right?",
                         fmt::join(parts, ", ")),
             summary);
}

/// Curves of the model beside the measured ones.
void compare_with_computed(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                           Results& results, RingdownFacts& facts, AnalysisSummary& summary) {
  if (analysis.computed.curves.empty()) return;
  const std::vector<int> modes = processed_modes(records);
  const std::vector<ComputedCurve> curves = computed_curves(analysis.computed, modes, results);
  write_computed_table(analysis.name, analysis.amplitude_unit(), curves, results);  // of the model: unit modal mass
  for (const RecordRingdown& record : records) {
    for (const ModeRingdown& measured : record.curves) {
      for (const ComputedCurve& curve : curves) {
        if (curve.mode != measured.mode) continue;
        CurveDifference difference = difference_of(measured, curve);
        difference.source = analysis.computed.curves[static_cast<std::size_t>(curve.source) - 1].name;
        if (analysis.several()) difference.record = record.motion.name;
        facts.differences.push_back(std::move(difference));
      }
    }
  }
  for (const int mode : modes) {
    const auto of = [mode](const ComputedCurve& curve) { return curve.mode == mode; };
    if (std::none_of(curves.begin(), curves.end(), of)) {
      add_remark(fmt::format("there is no computed curve of mode {}", mode), summary);
    }
  }
  tell_scales(curves, summary);
}

/// All records from the start of their ring-downs on; one without samples where there is none.
std::vector<FreeMotion> free_motions(const RingdownAnalysis& analysis, AnalysisRun& with) {
  std::vector<FreeMotion> motions;
  if (analysis.transient) {
    motions.push_back(simulated_free_motion(*analysis.transient, *analysis.start, with));
    return motions;
  }
  try {
    for (MeasuredMotion& record : modal_records(analysis, with.results)) {
      motions.push_back(measured_free_motion(std::move(record), analysis.start));
    }
  } catch (const std::invalid_argument& error) {
    motions = {FreeMotion{{}, Ending::no_convergence, error.what(), {}}};
  }
  return motions;
}

/// Is there something to process? If not, the summary says why.
bool enough(const MeasuredMotion& motion, AnalysisSummary& summary) {
  if (!motion.signals.empty() && motion.signals.front().values.size() >= fewest_ringdown_samples) return true;
  if (summary.ending == Ending::completed) {
    summary.ending = Ending::no_convergence;
    summary.message = motion.signals.empty() ? "no mode vibrates" : "fewer than 16 samples of ring-down";
  }
  return false;
}

void process(const RingdownAnalysis& analysis, RecordRingdown& record, RingdownFacts& facts) {
  const MeasuredMotion& motion = record.motion;
  const int strongest = dominant(motion.signals);
  if (strongest >= 0) record.dominant_mode = motion.modes[static_cast<std::size_t>(strongest)];
  if (!facts.dominant_mode) facts.dominant_mode = record.dominant_mode;
  record.chosen = chosen_signals(analysis, motion, facts.dominant_mode);
  record.in_bands = analysis.bands_of_fit ? in_bands(motion, analysis.band_order) : motion.signals;
  for (const std::size_t index : record.chosen) {
    record.curves.push_back(mode_ringdown(analysis, motion, record.in_bands, index));
    facts.modes.push_back(facts_of(record.curves.back()));
    if (analysis.several()) facts.modes.back().record = motion.name;
  }
}

}  // namespace

ordered_json RingdownFacts::to_json() const {
  ordered_json json = ordered_json::object();
  if (motion) motion->add_to(json);
  if (dominant_mode) json["dominant_mode"] = *dominant_mode;
  for (const Mode& mode : modes) json["modes"].push_back(json_of(mode));
  for (const Cleanest& each : cleanest) json["cleanest"].push_back({{"mode", each.mode}, {"record", each.record}});
  for (const CurveDifference& each : differences) {
    ordered_json item = {{"computed", each.source}, {"mode", each.mode}, {"model", each.model}};
    if (!each.record.empty()) item["record"] = each.record;
    item["rows"] = each.rows;
    item["rows_beyond"] = each.out;
    if (each.rows > 0) {
      item["frequency_difference"] = each.frequency;
      item["zeta_difference"] = each.zeta;
    }
    json["differences"].push_back(std::move(item));
  }
  return json;
}

std::string RingdownFacts::in_a_line() const {
  return motion ? motion->in_a_line() : "";
}

std::string RingdownAnalysis::amplitude_unit(bool unit_modal_mass) const {
  return single_channel() || !unit_modal_mass ? "length" : "sqrt(mass) length";
}

std::string RingdownAnalysis::spectrum_unit(bool unit_modal_mass) const {
  const Quantity quantity = measured.empty() ? Quantity::velocity : measured.front().signals.front().quantity;
  return amplitude_unit(unit_modal_mass) + (quantity == Quantity::acceleration ? "/time^2"
                                            : quantity == Quantity::velocity   ? "/time"
                                                                               : "");
}

nlohmann::ordered_json RingdownAnalysis::settings() const {
  ordered_json json;
  json["method"] = word_of(hilbert, ringdown_methods);
  json["modes"] = modes;
  if (start) json["start"] = *start;
  if (!from.empty()) json["from"] = from;
  for (const MeasuredMotion& record : measured) json["data"].push_back(record.name);
  if (band) json["band_hz"] = {band->low, band->high};
  if (bands_of_fit) json["band_hz"] = "auto";
  if (band || bands_of_fit) json["band_order"] = band_order;
  if (hilbert) {
    json["trim_cycles"] = hilbert_options.trim_cycles;
    json["pieces"] = hilbert_options.pieces;
  } else {
    json["half_cycles"] = turning_points.half_cycles;
    json["accuracy"] = turning_points.accuracy;
  }
  json["max_other"] = most_other;
  for (const ComputedSources::Source& source : computed.curves) json["computed"].push_back(source.name);
  if (!computed.pairs.empty()) json["pairs"] = computed.pairs;
  if (transient) {
    json["duration"] = transient->options.duration;
    json["step"] = transient->options.step;
    json["every"] = transient->record.every;
  }
  return json;
}

std::string RingdownAnalysis::describe() const {
  const std::string what = single_channel() ? "one channel"
                           : !modes.empty() ? words::mode_list(modes)
                           : from.empty()   ? "the dominating mode"
                                            : fmt::format("the modes of {}", from);
  std::size_t samples = 0;
  for (const MeasuredMotion& record : measured) samples += record.signals.front().values.size();
  const std::string where = several() ? fmt::format(" in {} records", measured.size()) : "";
  return fmt::format("{} by {}, {}", what, hilbert ? "the Hilbert transform" : "turning points",
                     transient ? transient->describe() : fmt::format("{} measured samples{}", samples, where));
}

std::vector<std::string> RingdownAnalysis::sources() const {
  std::vector<std::string> names;
  if (!from.empty()) names.push_back(from);
  if (!computed.pairs.empty()) names.push_back(computed.pairs);
  for (const ComputedSources::Source& source : computed.curves) names.push_back(source.name);
  return names;
}

std::vector<std::string> RingdownAnalysis::tables() const {
  std::vector<std::string> parts = {"", spectrum_part};
  if (by_shapes()) parts.insert(parts.end(), {modal_signals_part, dominance_part});
  if (!computed.curves.empty()) parts.emplace_back(computed_part);
  return parts;
}

std::vector<std::string> RingdownAnalysis::load_names() const {
  return transient ? transient->load_names() : std::vector<std::string>{};
}

std::vector<int> RingdownAnalysis::mode_numbers() const {
  return single_channel() ? measured.front().modes : modes;
}

AnalysisSummary RingdownAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary;
  RingdownFacts facts;
  std::vector<RecordRingdown> records;
  bool processed = true;
  for (FreeMotion& free : free_motions(*this, with)) {
    summary.ending = free.ending;
    summary.message = free.message;
    facts.motion = free.facts;
    records.emplace_back();
    records.back().motion = std::move(free.motion);
    processed = processed && enough(records.back().motion, summary);
    if (!processed) break;
    process(*this, records.back(), facts);
    if (several() && with.observer &&
        !with.observer(static_cast<double>(records.size()) / static_cast<double>(measured.size() + 1))) {
      summary.ending = Ending::interrupted;
      summary.message = "";
      return summary;
    }
  }
  for (const RecordRingdown& record : records) {
    for (const std::string& note : record.motion.notes) {
      add_message(several() ? record.motion.name + ": " + note : note, summary);
      with.results.doubt(name, note);
    }
  }
  if (processed) {
    tell_of_chosen(*this, records, summary);
    tell_cleanest(*this, facts, summary);
    tell_of_curves(*this, records, with.results, summary);
    write_ringdown_tables(*this, records, with.results);
    compare_with_computed(*this, records, with.results, facts, summary);
    summary.files = table_files();
  }
  if (facts.motion) add_message(energy_doubt(facts.motion->energy.ledger, true), summary);
  summary.sum_up(std::move(facts));
  tell_of_records(*this, with.results, summary);
  return summary;
}

void RingdownAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  if (const MemorySink* table = tables.find()) add_mode_curves(*table, result);
}

std::vector<HeadlineNumber> RingdownAnalysis::drawn_headline(const System&) const {
  return drawn_mode_curves(modes);
}

}  // namespace microslip
