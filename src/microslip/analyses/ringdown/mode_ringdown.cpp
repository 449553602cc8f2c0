#include "microslip/analyses/ringdown/mode_ringdown.hpp"

#include <algorithm>

#include "microslip/modal/band_signal.hpp"

namespace microslip {
namespace {

/// The signals of a motion as one mode is taken from them.
struct RingdownSignals {
  std::vector<SampledMotion> signals;
  std::vector<int> numbers;   ///< of their modes
  bool rest_is_last = false;  ///< of a single channel
  BandNoise noise = {};
};

/// Keeps the band in the signal of the mode; of a single channel the rest of it stands for the other modes.
void keep_band_of_mode(const Band& band, int order, const MeasuredMotion& motion, std::size_t index,
                       RingdownSignals& all) {
  all.rest_is_last = motion.single_channel;
  if (all.rest_is_last) {
    all.signals.push_back(motion.signals[index]);
    all.numbers.push_back(0);
  }
  all.noise = keep_band(all.signals, index, band.low, band.high, order);
  if (!all.rest_is_last) return;
  const std::vector<double>& kept = all.signals[index].values;
  for (std::size_t i = 0; i < kept.size(); ++i) all.signals.back().values[i] -= kept[i];
}

RingdownCurve ringdown_curve(const RingdownAnalysis& analysis, const SampledMotion& signal, const BandNoise& noise) {
  const auto run = [&](auto options, auto method) {
    options.remove_offset = !analysis.measured.empty();
    if (!noise.filter.empty()) {
      options.noise = noise.white;
      options.noise_filter = noise.filter;
    }
    return method(signal, options);
  };
  return analysis.hilbert ? run(analysis.hilbert_options, hilbert_ringdown)
                          : run(analysis.turning_points, turning_point_ringdown);
}

PowerLawFit power_law_of_clean_rows(const ModeRingdown& mode) {
  std::vector<double> q, zeta;
  for (std::size_t i = 0; i < mode.others.size(); ++i) {
    if (!mode.clean(i)) continue;
    q.push_back(mode.curve.points[i].q);
    zeta.push_back(mode.curve.points[i].zeta);
  }
  return fit_power_law(q, zeta);
}

std::optional<Band> band_of(const RingdownAnalysis& analysis, const MeasuredMotion& motion, std::size_t index) {
  if (analysis.bands_of_fit && index < motion.bands.size()) return motion.bands[index];
  return analysis.band;
}

}  // namespace

ModeRingdown mode_ringdown(const RingdownAnalysis& analysis, const MeasuredMotion& motion,
                           const std::vector<SampledMotion>& in_bands, std::size_t index, double least_noise) {
  ModeRingdown result;
  result.mode = motion.modes[index];
  result.most_other = analysis.most_other;
  result.band = band_of(analysis, motion, index);
  RingdownSignals all{in_bands, motion.modes};
  all.signals[index] = motion.signals[index];
  if (result.band) keep_band_of_mode(*result.band, analysis.band_order, motion, index, all);
  all.noise.white = std::max(all.noise.white, least_noise);
  result.ends_show = all.noise.ends_show;
  SampledMotion& signal = all.signals[index];
  if (signal.values.size() < 16) {
    result.curve.message = "nothing left between the ends of the band-pass";
    return result;
  }
  result.curve = ringdown_curve(analysis, signal, all.noise);
  for (double& value : signal.values) value -= result.curve.offset.value;
  result.others = all.rest_is_last
                      ? rest_of_channel(signal, all.signals.back(), static_cast<int>(all.signals.size()) - 1,
                                        all.noise.white, result.curve.points)
                      : strongest_others(all.signals, index, result.curve.points);
  for (OtherMode& other : result.others) {
    if (other.index >= 0) other.index = all.numbers[static_cast<std::size_t>(other.index)];
  }
  result.fit = power_law_of_clean_rows(result);
  return result;
}

}  // namespace microslip
