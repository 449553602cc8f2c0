#include "microslip/analyses/compare_records/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "microslip/analyses/compare_records/common_times.hpp"
#include "microslip/analyses/compare_records/modal_parts.hpp"
#include "microslip/analyses/ringdown/free_motion.hpp"
#include "microslip/analyses/ringdown/modal_signals.hpp"
#include "microslip/numerics/butterworth.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

constexpr double settled = 3.0;  // over the width of a band: the ends of a band-pass

/// Root mean square of the part of white noise that passes a band.
double noise_in_band(double white, const std::optional<Band>& band, double step) {
  return band ? white * std::sqrt(std::min(1.0, 2.0 * (band->high - band->low) * step)) : white;
}

std::vector<double> in_band(std::vector<double> values, const std::optional<Band>& band, double step, int order) {
  if (band) filter_without_phase(values, band_pass(band->low * step, band->high * step, order));
  return values;
}

ComparedSignal compared_channel(const CompareRecordsAnalysis& analysis, const RecordPair& pair, std::size_t c) {
  const SampledMotion& own = pair.measured.signals[c];
  const int order = analysis.curves.band_order;
  ComparedSignal signal;
  signal.channel = c;
  signal.noise = noise_in_band(white_noise(own.values), analysis.band, own.step);
  signal.measured = in_band(own.values, analysis.band, own.step, order);
  signal.simulated = in_band(pair.simulated.signals[c].values, analysis.band, own.step, order);
  return signal;
}

/// The component of a mode at the point.
ComparedSignal compared_mode(const ModalPair& modes, std::size_t r, std::size_t point,
                             const std::vector<SampledMotion>& measured, const std::vector<SampledMotion>& simulated) {
  const double share = modes.at_point(static_cast<Eigen::Index>(r));
  const SampledMotion& raw = modes.measured.signals[r];
  ComparedSignal signal;
  signal.mode = modes.measured.modes[r];
  signal.channel = point;
  signal.noise = std::abs(share) * noise_in_band(white_noise(raw.values), modes.measured.bands[r], raw.step);
  signal.measured = measured[r].values;
  signal.simulated = simulated[r].values;
  for (std::vector<double>* values : {&signal.measured, &signal.simulated}) {
    for (double& value : *values) value *= share;
  }
  return signal;
}

/// From the end of the hit to the end of the common times, less what the narrowest band needs to settle; or as asked.
void set_span(const CompareRecordsAnalysis& analysis, const MeasuredMotion& measured, const std::vector<Band>& bands,
              RecordComparison& result) {
  const std::size_t count = measured.signals.front().values.size();
  double narrowest = analysis.band ? analysis.band->high - analysis.band->low : 0.0;
  for (const Band& band : bands)
    narrowest = narrowest > 0.0 ? std::min(narrowest, band.high - band.low) : band.high - band.low;
  const double cut = narrowest > 0.0 ? settled / narrowest : 0.0;
  const double last = result.time(count - 1);
  double from = measured.hit_end.value_or(result.start + cut), to = last - cut;
  if (analysis.span) std::tie(from, to) = *analysis.span;
  const auto place = [&](double time) {
    return static_cast<std::size_t>(
        std::clamp(std::ceil((time - result.start) / result.step - 1e-6), 0.0, static_cast<double>(count)));
  };
  result.begin = place(from);
  result.end = std::min(count, place(to) + 1);
  if (result.begin + 16 <= result.end) return;
  throw std::invalid_argument(fmt::format("both are known at fewer than 16 samples from {:.6g} to {:.6g}", from, to));
}

/// Mean of `simulated` over `measured`, less 1, at equal amplitude, between its rows by straight lines over ln q; over
/// the measured rows of the span.
void compare_curves(const ComparedCurves& curves, double from, double to, CompareRecordsFacts::Signal& facts) {
  std::vector<RingdownPoint> points = curves.simulated.curve.points;
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.q < b.q; });
  double simulated_zeta = 0.0, measured_zeta = 0.0;  // sums: where modes beat, a single one may be near zero
  for (const RingdownPoint& row : curves.measured.curve.points) {
    if (row.time < from || row.time > to) continue;
    const auto above = std::lower_bound(points.begin(), points.end(), row.q,
                                        [](const RingdownPoint& point, double q) { return point.q < q; });
    if (above == points.begin() || above == points.end()) {
      ++facts.beyond;
      continue;
    }
    const RingdownPoint &low = *(above - 1), &high = *above;
    const double share = high.q > low.q ? std::log(row.q / low.q) / std::log(high.q / low.q) : 0.0;
    facts.frequency += (low.omega + share * (high.omega - low.omega)) / row.omega - 1.0;
    simulated_zeta += low.zeta + share * (high.zeta - low.zeta);
    measured_zeta += row.zeta;
    ++facts.rows;
  }
  if (facts.rows == 0) return;
  facts.frequency /= static_cast<double>(facts.rows);
  facts.zeta = simulated_zeta / measured_zeta - 1.0;
}

/// Both motions from the same time on.
void add_curves(const CompareRecordsAnalysis& analysis, const ModalPair& modes, RecordComparison& result) {
  MeasuredMotion measured = modes.measured, simulated = modes.simulated;
  const FreeMotion first = measured_free_motion(std::move(measured), analysis.curves.start);
  const FreeMotion second = measured_free_motion(std::move(simulated), first.motion.signals.front().start);
  const auto bands_of = [&](const FreeMotion& free) { return in_bands(free.motion, analysis.curves.band_order); };
  const std::vector<SampledMotion> a = bands_of(first), b = bands_of(second);
  for (std::size_t r = 0; r < modes.measured.modes.size(); ++r) {
    result.curves.push_back(
        {mode_ringdown(analysis.curves, first.motion, a, r),
         mode_ringdown(analysis.curves, second.motion, b, r, white_noise(first.motion.signals[r].values))});
    for (const auto& [curve, whose] : {std::pair{&result.curves.back().measured, "measured"},
                                       std::pair{&result.curves.back().simulated, "simulated"}}) {
      if (curve->curve.points.empty()) {
        result.notes.push_back(fmt::format("mode {}, {}: no curve: {}", curve->mode, whose, curve->curve.message));
      } else if (curve->ends_show) {
        result.notes.push_back(
            fmt::format("mode {}, {}: the record is short for its band, and the ends of the filter show in its curve",
                        curve->mode, whose));
      }
    }
  }
}

/// Integrators of second order lower the frequency by (omega step)^2/12 of it.
void note_period_error(const CompareRecordsAnalysis& analysis, const ModalPair& modes, RecordComparison& result) {
  constexpr double seen = 0.1;  // [rad] over the span
  const double duration = result.step * static_cast<double>(result.end - result.begin);
  for (std::size_t r = 0; r < modes.frequency_hz.size(); ++r) {
    const double omega = two_pi * modes.frequency_hz[r], shift = analysis.period_error * omega * omega;
    if (shift * omega * duration < seen) continue;
    result.notes.push_back(
        fmt::format("the step of {} lowers the frequency of mode {} by about {:.2g} of it, {:.2g} rad over the span: "
                    "take a shorter one, or method = \"modal_exact\"",
                    analysis.simulated, modes.measured.modes[r], shift, shift * omega * duration));
  }
}

void tell_difference(const CompareRecordsAnalysis& analysis, ComparedSignal& signal, RecordComparison& result) {
  const SignalPair pair(signal.simulated, signal.measured, signal.noise);
  signal.phase = pair.phase(result.begin, result.end);
  CompareRecordsFacts::Signal facts;
  facts.mode = signal.mode;
  facts.channel = analysis.channels[signal.channel].name;
  facts.difference = pair.over(result.begin, result.end);
  result.differences.push_back(std::move(facts));
  signal.measured_envelope = pair.measured_envelope();
  signal.simulated_envelope = pair.simulated_envelope();
}

}  // namespace

RecordComparison compare_records(const CompareRecordsAnalysis& analysis, AnalysisRun& with) {
  RecordComparison result;
  RecordPair pair = record_pair(analysis, with);
  result.resampled = pair.resampled;
  result.resampling_error = pair.resampling_error;
  const SampledMotion& grid = pair.measured.signals.front();
  result.start = grid.start;
  result.step = grid.step;
  result.point =
      static_cast<std::size_t>(std::find(pair.measured.channels.begin(), pair.measured.channels.end(), analysis.point) -
                               pair.measured.channels.begin());
  const auto go_on = [&](double fraction) {
    result.interrupted = with.observer && !with.observer(fraction);
    return !result.interrupted;
  };
  if (!go_on(0.2)) return result;
  ModalPair modes;
  if (analysis.modal()) {
    modes = modal_pair(analysis, pair, result.point, with);
    result.unit_modal_mass = modes.measured.unit_modal_mass;
    result.notes = modes.notes;
  }
  set_span(analysis, pair.measured, modes.measured.bands, result);
  for (std::size_t c = 0; c < analysis.channels.size(); ++c)
    result.signals.push_back(compared_channel(analysis, pair, c));
  if (!go_on(0.4)) return result;
  if (analysis.modal()) {
    const int order = analysis.curves.band_order;
    const std::vector<SampledMotion> measured = in_bands(modes.measured, order),
                                     simulated = in_bands(modes.simulated, order);
    for (std::size_t r = 0; r < modes.measured.modes.size(); ++r) {
      result.signals.push_back(compared_mode(modes, r, result.point, measured, simulated));
    }
    if (!go_on(0.6)) return result;
    add_curves(analysis, modes, result);
    note_period_error(analysis, modes, result);
  }
  for (ComparedSignal& signal : result.signals) tell_difference(analysis, signal, result);
  for (std::size_t r = 0; r < result.curves.size(); ++r) {
    compare_curves(result.curves[r], result.time(result.begin), result.time(result.end - 1),
                   result.differences[analysis.channels.size() + r]);
  }
  static_cast<void>(go_on(1.0));
  return result;
}

}  // namespace microslip
