#include "microslip/analyses/ringdown/remarks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "microslip/analyses/channel_units.hpp"
#include "microslip/input/load_resolution.hpp"

namespace microslip {
namespace {

/// A hit within a record.
std::string remark_of(const MeasuredMotion& record, const std::optional<double>& start) {
  if (record.no_hit_found && !start) {
    return "the table has forces, but no hit that stands out of their noise and is over before its end: the ring-down "
           "begins at the largest value, and may be forced; give its start";
  }
  const std::optional<double>& second = record.second_hit;
  if (!second || (start && *start > *second)) return "";
  return fmt::format("the force rises again at {:.6g}, a second hit: from there on it is no free motion", *second);
}

/// An offset that stands out of its error and would have been seen in the last row, or one that is not known and may
/// be seen there.
std::string offset_taken_off(const RingdownAnalysis& analysis, const MeasuredMotion& motion, const ModeRingdown& curve,
                             const UnitLabels& units) {
  const SensorOffset& offset = curve.curve.offset;
  if (analysis.measured.empty() || curve.curve.points.empty()) return "";
  const RingdownPoint& last = curve.curve.points.back();
  const bool acceleration = analysis.measured.front().signals.front().quantity == Quantity::acceleration;
  const double amplitude = acceleration ? last.omega * last.v : last.v;
  const double ratio = std::abs(offset.value) / amplitude;
  constexpr double seen = 0.01;  // zeta would be off by pi/2 of it
  constexpr double much = 0.1;   // of the last amplitude
  if (offset.error > much * amplitude) {
    return fmt::format(
        "mode {}: the middle of the signal is not known better than {:.2g} {}, {:.2g} of the amplitude in the last "
        "row: it drifts, or the record is short; the errors of the rows hold that, and band_hz takes a drift off",
        curve.mode, offset.error, units.of(analysis.spectrum_unit(motion.unit_modal_mass)), offset.error / amplitude);
  }
  if (!(std::abs(offset.value) > 4.0 * offset.error && ratio > seen)) return "";
  return fmt::format(
      "mode {}: an offset of the sensor, {:.4g} +- {:.1g} {}, was taken off the signal; in the last row it would be "
      "{:.2g} of its amplitude",
      curve.mode, offset.value, offset.error, units.of(analysis.spectrum_unit(motion.unit_modal_mass)), ratio);
}

/// Why a curve has no rows. Of the modes of a fit in several records some are never excited: then the others count.
void tell_empty(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                AnalysisSummary& summary) {
  std::vector<std::string> empty;
  std::size_t curves = 0;
  for (const RecordRingdown& record : records) {
    for (const ModeRingdown& curve : record.curves) {
      ++curves;
      if (!curve.curve.points.empty()) continue;
      empty.push_back(fmt::format("{}mode {}: {}", analysis.several() ? record.motion.name + ", " : "", curve.mode,
                                  curve.curve.message));
    }
  }
  if (empty.empty()) return;
  if (analysis.from.empty() || empty.size() == curves) {
    if (summary.ending != Ending::completed) return;
    summary.ending = Ending::no_convergence;
    summary.message = empty.front();
    return;
  }
  for (const std::string& text : empty) add_remark(text, summary);
}

}  // namespace

void tell_of_records(const RingdownAnalysis& analysis, Results& results, AnalysisSummary& summary) {
  if (analysis.transient) {
    add_message(unresolved_loads(analysis.transient->loads, analysis.transient->options.step), summary);
  }
  std::vector<ChannelUnit> units;
  for (const MeasuredMotion& record : analysis.measured)
    units.insert(units.end(), record.units.begin(), record.units.end());
  if (const std::string foreign = foreign_units(units, results.units()); !foreign.empty()) {
    add_message(foreign, summary);
    results.doubt(analysis.name, "a channel is in another unit than the study");
  }
  for (const MeasuredMotion& record : analysis.measured) {
    const std::string remark = remark_of(record, analysis.start);
    if (!remark.empty()) add_message(analysis.several() ? record.name + ": " + remark : remark, summary);
  }
}

void tell_of_curves(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records, Results& results,
                    AnalysisSummary& summary) {
  tell_empty(analysis, records, summary);
  bool ends_show = false;
  for (const RecordRingdown& record : records) {
    for (const ModeRingdown& curve : record.curves) {
      const std::string offset = offset_taken_off(analysis, record.motion, curve, results.units());
      if (!offset.empty()) add_message(analysis.several() ? record.motion.name + ", " + offset : offset, summary);
      ends_show = ends_show || curve.ends_show;
    }
  }
  if (!ends_show) return;
  add_message(
      "the record is short for so narrow a band: the ends of the filter show in the rows, and their errors tell of "
      "the noise only",
      summary);
  results.doubt(analysis.name, "the ends of its band-pass show in its rows");
}

void tell_of_chosen(const RingdownAnalysis& analysis, const std::vector<RecordRingdown>& records,
                    AnalysisSummary& summary) {
  const RecordRingdown& first = records.front();
  if (!first.motion.unit_modal_mass) {
    add_remark(
        fmt::format("the shapes of {} have a largest component of 1, not unit modal mass: amplitudes are motions "
                    "of that component",
                    analysis.from),
        summary);
  }
  if (!first.motion.channels_to_spare) {
    add_remark("there are as many channels as modes: nothing tells whether their signs, gains and places are right",
               summary);
  }
  if (!analysis.from.empty() || !analysis.modes.empty() || !first.dominant_mode) return;
  std::vector<std::string> others;
  for (const RecordRingdown& record : records) {
    if (!record.dominant_mode || *record.dominant_mode == *first.dominant_mode) continue;
    others.push_back(fmt::format("mode {} dominates {}", *record.dominant_mode, record.motion.name));
  }
  if (others.empty()) return;
  add_message(fmt::format("mode {}, which dominates {}, is taken from all records, but {}: say mode",
                          *first.dominant_mode, first.motion.name, fmt::join(others, ", ")),
              summary);
}

void tell_cleanest(const RingdownAnalysis& analysis, RingdownFacts& facts, AnalysisSummary& summary) {
  if (!analysis.several()) return;
  std::map<int, double> widest;
  for (const RingdownFacts::Mode& mode : facts.modes) {
    const auto [at, added] = widest.try_emplace(mode.mode, 0.0);
    if (added) facts.cleanest.push_back({mode.mode, ""});
    if (!mode.clean) continue;
    const double range = std::abs(std::log(mode.clean->q.front() / mode.clean->q.back()));
    if (!(range > at->second)) continue;
    at->second = range;
    std::find_if(facts.cleanest.begin(), facts.cleanest.end(), [&](const auto& each) {
      return each.mode == mode.mode;
    })->record = mode.record;
  }
  std::vector<std::string> parts;
  for (const RingdownFacts::Cleanest& each : facts.cleanest) {
    parts.push_back(each.record.empty() ? fmt::format("mode {} in none", each.mode)
                                        : fmt::format("mode {} in {}", each.mode, each.record));
  }
  add_remark(fmt::format("cleanest: {}", fmt::join(parts, ", ")), summary);
}

}  // namespace microslip
