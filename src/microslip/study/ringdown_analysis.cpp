#include "microslip/study/ringdown_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "microslip/modal/band_signal.hpp"
#include "microslip/modal/modal_filter.hpp"
#include "microslip/modal/power_law_fit.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fft.hpp"
#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/load_resolution.hpp"

namespace microslip {
namespace {

using nlohmann::ordered_json;

/// Rows of a transient -> velocities of the stuck modes that vibrate, phi_r^T M v, from a time on.
class ModalSink final : public Sink {
 public:
  ModalSink(const System& system, int modes, double start, double step)
      : size_(system.size()), start_(start), step_(step) {
    const Modes& all = system.stuck_modes();
    const Eigen::Index kept = modes > 0 ? modes : all.omega.size();
    filter_ = mass_filter(all.shapes.middleCols(all.rigid, kept - all.rigid), system.structure().mass());
    motion_.signals.resize(static_cast<std::size_t>(filter_.rows()), {start, step, Quantity::velocity, {}});
    for (Eigen::Index r = 0; r < filter_.rows(); ++r) motion_.modes.push_back(static_cast<int>(all.rigid + r) + 1);
  }
  void begin(std::span<const Column>) override {}
  void row(std::span<const double> values) override {
    const double time = values[0];
    if (time < start_ - 1e-9 * step_) return;
    // The last row of a run is off the grid when the number of steps is no multiple of `every`.
    if (!motion_.signals.empty() && !motion_.signals[0].values.empty() && time - last_ < 0.5 * step_) return;
    const Eigen::Map<const Eigen::VectorXd> velocity(values.data() + 1 + size_, size_);
    modal_.noalias() = filter_ * velocity;
    for (std::size_t r = 0; r < motion_.signals.size(); ++r) {
      SampledMotion& signal = motion_.signals[r];
      if (signal.values.empty()) signal.start = time;
      signal.values.push_back(modal_(static_cast<Eigen::Index>(r)));
    }
    last_ = time;
  }
  [[nodiscard]] MeasuredMotion take() { return std::move(motion_); }

 private:
  Eigen::Index size_;
  double start_, step_, last_ = 0.0;
  Eigen::MatrixXd filter_;
  Eigen::VectorXd modal_;
  MeasuredMotion motion_;
};

/// What is processed, from the start of the ring-down on.
struct ProcessedMotion {
  MeasuredMotion measured;
  Ending ending = Ending::completed;
  std::string message;
};

ProcessedMotion simulated(const TransientAnalysis& transient, double start, AnalysisRun& with,
                          AnalysisSummary& summary) {
  ModalSink sink(with.system, transient.options.modes, start, transient.options.step * transient.record.every);
  const TransientResult result = simulate_into(transient, with, sink);
  add_facts(result, with.system, summary);
  return {sink.take(), result.ending, result.message};
}

/// From the given time, or from the largest sum of squares after the hit and before a second one.
ProcessedMotion cut(MeasuredMotion measured, const std::optional<double>& start) {
  const SampledMotion& grid = measured.signals.front();
  std::size_t first = 0;
  if (start) {
    first = static_cast<std::size_t>(std::max(0.0, std::ceil((*start - grid.start) / grid.step - 1e-6)));
  } else {
    double largest = 0.0;
    const double hit = measured.hit_end ? (*measured.hit_end - grid.start) / grid.step + 0.5 : 0.0;
    auto end = static_cast<double>(grid.values.size()) - 16.0;
    if (measured.second_hit) end = std::min(end, (*measured.second_hit - grid.start) / grid.step - 0.5);
    first = static_cast<std::size_t>(hit);
    for (std::size_t i = first; static_cast<double>(i) < end; ++i) {
      double sum = 0.0;
      for (const SampledMotion& signal : measured.signals) sum += signal.values[i] * signal.values[i];
      if (sum <= largest) continue;
      largest = sum;
      first = i;
    }
  }
  for (SampledMotion& signal : measured.signals) {
    signal.start = signal.time(static_cast<double>(first));
    signal.values.erase(signal.values.begin(), signal.values.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return {std::move(measured), Ending::completed, ""};
}

struct ModeCurve {
  int mode = 0;
  RingdownCurve curve;
  std::vector<OtherMode> others;  ///< `index` is the number of a mode; 0: of no mode known
  PowerLawFit fit;
  bool ends_show = false;  ///< of the band-pass
};

ModeCurve process(const RingdownAnalysis& analysis, const MeasuredMotion& motion, std::size_t index) {
  ModeCurve result;
  result.mode = motion.modes[index];
  std::vector<SampledMotion> signals = motion.signals;
  std::vector<int> numbers = motion.modes;
  RingdownOptions points = analysis.turning_points;
  HilbertOptions hilbert = analysis.hilbert_options;
  points.remove_offset = hilbert.remove_offset = analysis.measured.has_value();
  if (analysis.band) {
    const auto [low, high] = *analysis.band;
    if (motion.single_channel) {  // the rest of the channel stands for the other modes
      signals.push_back(motion.signals[index]);
      numbers.push_back(0);
    }
    const BandNoise noise = keep_band(signals, index, low, high);
    result.ends_show = noise.ends_show;
    points.noise = hilbert.noise = noise.white;
    points.noise_filter = hilbert.noise_filter = noise.filter;
    if (motion.single_channel) {
      for (std::size_t i = 0; i < signals[index].values.size(); ++i) {
        signals.back().values[i] -= signals[index].values[i];
      }
    }
  }
  if (signals[index].values.size() < 16) {
    result.curve.message = "nothing left between the ends of the band-pass";
    return result;
  }
  result.curve =
      analysis.hilbert ? hilbert_ringdown(signals[index], hilbert) : turning_point_ringdown(signals[index], points);
  for (double& value : signals[index].values) value -= result.curve.offset.value;
  result.others = analysis.band && motion.single_channel
                      ? rest_of_channel(signals[index], signals.back(), static_cast<int>(signals.size()) - 1,
                                        points.noise, result.curve.points)
                      : strongest_others(signals, index, result.curve.points);
  std::vector<double> q, zeta;
  for (std::size_t i = 0; i < result.others.size(); ++i) {
    if (result.others[i].ratio <= analysis.most_other) {
      q.push_back(result.curve.points[i].q);
      zeta.push_back(result.curve.points[i].zeta);
    }
    if (result.others[i].index >= 0) result.others[i].index = numbers[static_cast<std::size_t>(result.others[i].index)];
  }
  result.fit = fit_power_law(q, zeta);
  return result;
}

void write_curves(const RingdownAnalysis& analysis, const std::vector<ModeCurve>& curves, Sink& sink) {
  const bool channel = analysis.measured && analysis.measured->single_channel;
  const std::string length = channel ? "length" : "sqrt(mass) length";
  const std::vector<Column> columns = {
      {"mode", "-", "number, from 1"},
      {"time", "time", "middle of the half-cycles that the row was computed from"},
      {"q", length, "amplitude of displacement, half-range", Scale::logarithmic},
      {"v", length + "/time", "amplitude of velocity, omega q"},
      {"omega", "rad/time", "frequency"},
      {"frequency_hz", "1/time", "the same in cycles"},
      {"zeta", "-", "damping ratio", Scale::logarithmic},
      {"omega_error", "rad/time", "standard error from noise in the signal"},
      {"zeta_error", "-", "standard error from noise in the signal"},
      {"other_mode", "-", "strongest other mode over the cycle around this time; 0: none, or outside the band"},
      {"other_ratio", "-", "its root mean square over that of this mode"},
      {"clean", "-", "1: other_ratio is at most max_other"},
      {"half_cycles", "-", "that the row was computed from"}};
  sink.begin(columns);
  for (const ModeCurve& curve : curves) {
    for (std::size_t i = 0; i < curve.curve.points.size(); ++i) {
      const RingdownPoint& p = curve.curve.points[i];
      const OtherMode& other = curve.others[i];
      const double values[] = {static_cast<double>(curve.mode),
                               p.time,
                               p.q,
                               p.v,
                               p.omega,
                               p.omega / two_pi,
                               p.zeta,
                               p.omega_error,
                               p.zeta_error,
                               static_cast<double>(std::max(other.index, 0)),
                               other.ratio,
                               other.ratio <= analysis.most_other ? 1.0 : 0.0,
                               static_cast<double>(p.half_cycles)};
      sink.row(values);
    }
  }
}

void write_spectra(const RingdownAnalysis& analysis, const MeasuredMotion& motion,
                   const std::vector<std::size_t>& chosen, const std::vector<ModeCurve>& curves, Sink& sink) {
  double highest = 0.0;
  for (const ModeCurve& curve : curves) {
    for (const RingdownPoint& p : curve.curve.points) highest = std::max(highest, p.omega / two_pi);
  }
  const double to = analysis.spectrum_to > 0.0 ? analysis.spectrum_to : 5.0 * highest;
  std::vector<Column> columns = {{"frequency_hz", "1/time", "cycles"}};
  std::vector<Spectrum> spectra;
  for (const std::size_t index : chosen) {
    const int mode = motion.modes[index];
    const std::string unit = spectrum_unit(analysis);
    columns.push_back({fmt::format("amplitude[{}]", mode), unit, "of the signal at this frequency, whole ring-down",
                       Scale::logarithmic});
    columns.push_back({fmt::format("psd[{}]", mode), fmt::format("({})^2*time", unit),
                       "one-sided power spectral density of the signal", Scale::logarithmic});
    spectra.push_back(spectrum(motion.signals[index].values, motion.signals[index].step));
  }
  sink.begin(columns);
  std::vector<double> values(columns.size());
  for (std::size_t k = 0; k < spectra.front().amplitude.size(); ++k) {
    values[0] = static_cast<double>(k) * spectra.front().bin;
    if (to > 0.0 && values[0] > to) break;
    for (std::size_t s = 0; s < spectra.size(); ++s) {
      values[1 + 2 * s] = spectra[s].amplitude[k];
      values[2 + 2 * s] = spectra[s].psd[k];
    }
    sink.row(values);
  }
}

ordered_json headline(const ModeCurve& curve, double most_other) {
  ordered_json json;
  json["mode"] = curve.mode;
  json["rows"] = curve.curve.points.size();
  json["clean_rows"] = std::count_if(curve.others.begin(), curve.others.end(),
                                     [&](const OtherMode& other) { return other.ratio <= most_other; });
  json["noise"] = curve.curve.noise;
  if (curve.curve.offset.error > 0.0) {
    json["offset"] = curve.curve.offset.value;
    json["offset_error"] = curve.curve.offset.error;
  }
  if (!curve.curve.points.empty()) {
    const RingdownPoint &first = curve.curve.points.front(), &last = curve.curve.points.back();
    json["q"] = {first.q, last.q};
    json["frequency_hz"] = {first.omega / two_pi, last.omega / two_pi};
    json["zeta"] = {first.zeta, last.zeta};
  }
  // Rows of this mode alone, which is what a reader takes the numbers for.
  const RingdownPoint *first_clean = nullptr, *last_clean = nullptr, *largest = nullptr;
  for (std::size_t i = 0; i < curve.others.size(); ++i) {
    if (!(curve.others[i].ratio <= most_other)) continue;
    const RingdownPoint& point = curve.curve.points[i];
    if (first_clean == nullptr) first_clean = &point;
    last_clean = &point;
    if (largest == nullptr || point.zeta > largest->zeta) largest = &point;
  }
  if (first_clean != nullptr) {
    json["clean_q"] = {first_clean->q, last_clean->q};
    json["clean_frequency_hz"] = {first_clean->omega / two_pi, last_clean->omega / two_pi};
    json["clean_zeta"] = {first_clean->zeta, last_clean->zeta};
    json["clean_largest_zeta"] = largest->zeta;
  }
  if (curve.fit.found) {
    json["power_law"] = {{"c", curve.fit.c},         {"chi", curve.fit.chi}, {"zeta_0", curve.fit.zeta_0},
                         {"from_q", curve.fit.from}, {"to_q", curve.fit.to}, {"residual", curve.fit.residual}};
  }
  return json;
}

ordered_json settings(const RingdownAnalysis& analysis) {
  ordered_json json;
  json["kind"] = std::string(RingdownAnalysis::kind);
  json["method"] = analysis.hilbert ? "hilbert" : "peaks";
  json["modes"] = analysis.modes;
  if (analysis.start) json["start"] = *analysis.start;
  if (analysis.band) json["band_hz"] = {analysis.band->first, analysis.band->second};
  if (analysis.hilbert) {
    json["trim_cycles"] = analysis.hilbert_options.trim_cycles;
    json["pieces"] = analysis.hilbert_options.pieces;
  } else {
    json["half_cycles"] = analysis.turning_points.half_cycles;
    json["accuracy"] = analysis.turning_points.accuracy;
  }
  json["max_other"] = analysis.most_other;
  if (analysis.transient) {
    json["duration"] = analysis.transient->options.duration;
    json["step"] = analysis.transient->options.step;
    json["every"] = analysis.transient->record.every;
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

}  // namespace

std::string spectrum_unit(const RingdownAnalysis& analysis) {
  const bool channel = analysis.measured && analysis.measured->single_channel;
  const Quantity quantity = analysis.measured ? analysis.measured->signals.front().quantity : Quantity::velocity;
  return std::string(channel ? "length" : "sqrt(mass) length") + (quantity == Quantity::acceleration ? "/time^2"
                                                                  : quantity == Quantity::velocity   ? "/time"
                                                                                                     : "");
}

std::vector<std::string> table_parts(const RingdownAnalysis&) {
  return {"", "spectrum"};
}

std::string describe(const RingdownAnalysis& analysis) {
  const std::string what = analysis.measured && analysis.measured->single_channel ? "one channel"
                           : analysis.modes.empty()                               ? "the dominating mode"
                                                    : fmt::format("mode{} {}", analysis.modes.size() > 1 ? "s" : "",
                                                                  fmt::join(analysis.modes, ", "));
  return fmt::format("{} by {}, {}", what, analysis.hilbert ? "the Hilbert transform" : "turning points",
                     analysis.transient
                         ? describe(*analysis.transient)
                         : fmt::format("{} measured samples", analysis.measured->signals.front().values.size()));
}

/// A step that does not see the loads; a hit within the record.
static std::string remarks(const RingdownAnalysis& analysis) {
  if (analysis.transient) {
    return analysis.transient->events ? ""
                                      : unresolved_loads(analysis.transient->loads, analysis.transient->options.step);
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
static std::string offset_taken_off(const RingdownAnalysis& analysis, const ModeCurve& curve, const UnitLabels& units) {
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
        "row: "
        "it drifts, or the record is short; the errors of the rows hold that, and band_hz takes a drift off",
        curve.mode, offset.error, units.of(spectrum_unit(analysis)), offset.error / amplitude);
  }
  if (!(std::abs(offset.value) > 4.0 * offset.error && ratio > seen)) return "";
  return fmt::format(
      "mode {}: an offset of the sensor, {:.4g} +- {:.1g} {}, was taken off the signal; in the last row it would be "
      "{:.2g} "
      "of its amplitude",
      curve.mode, offset.value, offset.error, units.of(spectrum_unit(analysis)), ratio);
}

AnalysisSummary run(const RingdownAnalysis& analysis, AnalysisRun& with) {
  AnalysisSummary summary;
  with.results.settings(analysis.name, settings(analysis));
  const ProcessedMotion motion = analysis.transient ? simulated(*analysis.transient, *analysis.start, with, summary)
                                                    : cut(*analysis.measured, analysis.start);
  summary.ending = motion.ending;
  summary.message = motion.message;
  const MeasuredMotion& measured = motion.measured;
  if (measured.signals.empty() || measured.signals.front().values.size() < 16) {
    if (summary.ending == Ending::completed) {
      summary.ending = Ending::no_convergence;
      summary.message = measured.signals.empty() ? "no mode vibrates" : "fewer than 16 samples of ring-down";
    }
    add_message(remarks(analysis), summary);
    return summary;
  }
  const int strongest = dominant(measured.signals);
  if (strongest >= 0) summary.facts["dominant_mode"] = measured.modes[static_cast<std::size_t>(strongest)];

  const std::vector<std::size_t> chosen = chosen_signals(analysis, measured);
  std::vector<ModeCurve> curves;
  ordered_json modes = ordered_json::array();
  for (const std::size_t index : chosen) {
    curves.push_back(process(analysis, measured, index));
    const ModeCurve& curve = curves.back();
    modes.push_back(headline(curve, analysis.most_other));
    if (curve.curve.points.empty() && summary.ending == Ending::completed) {
      summary.ending = Ending::no_convergence;
      summary.message = fmt::format("mode {}: {}", curve.mode, curve.curve.message);
    }
  }
  summary.facts["modes"] = std::move(modes);
  for (const ModeCurve& curve : curves) add_message(offset_taken_off(analysis, curve, with.results.units()), summary);
  if (std::any_of(curves.begin(), curves.end(), [](const ModeCurve& curve) { return curve.ends_show; })) {
    add_message(
        "the record is short for so narrow a band: the ends of the filter show in the rows, and their errors tell of "
        "the noise only",
        summary);
    with.results.doubt(analysis.name, "the ends of its band-pass show in its rows");
  }

  TableSink table = with.results.table(analysis.name);
  write_curves(analysis, curves, table);
  table.close();
  TableSink spectra = with.results.table(analysis.name, "spectrum");
  write_spectra(analysis, measured, chosen, curves, spectra);
  spectra.close();
  for (const auto& part : table_parts(analysis)) summary.files.push_back(table_name(analysis.name, part) + ".csv");
  add_message(remarks(analysis), summary);
  return summary;
}

}  // namespace microslip
