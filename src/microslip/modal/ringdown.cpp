#include "microslip/modal/ringdown.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "microslip/modal/velocity_noise.hpp"
#include "microslip/modal/velocity_signal.hpp"
#include "microslip/modal/zero_crossings.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

constexpr double negligible_damping = 1e-6;  // a ratio this uncertain is good enough whatever it is

/// What the half-cycles of a signal are reduced to.
struct HalfCycles {
  std::vector<double> crossing;       ///< t_k [time]
  std::vector<double> even_crossing;  ///< (t_{k-1} + 2 t_k + t_{k+1})/4: without what alternates, from k = 1
  std::vector<double> log_amplitude;  ///< ln X_k
};

std::vector<double> without_alternation(std::span<const double> t) {
  std::vector<double> even(t.size(), 0.0);
  for (std::size_t k = 1; k + 1 < t.size(); ++k) even[k] = 0.25 * (t[k - 1] + 2.0 * t[k] + t[k + 1]);
  return even;
}

HalfCycles half_cycles(const SampledMotion& motion, double noise, double floor) {
  HalfCycles result;
  if (motion.values.size() < interpolation_points) return result;
  const std::vector<double> position = zero_crossings(motion.values, noise, floor);
  if (position.empty()) return result;
  const SampleIntegral integral(motion.values);
  double before = 0.0;
  for (std::size_t k = 0; k < position.size(); ++k) {
    const double here = integral.to(position[k]);
    if (k > 0) result.log_amplitude.push_back(std::log(0.5 * motion.step * std::abs(here - before)));
    before = here;
    result.crossing.push_back(motion.time(position[k]));
  }
  const auto& t = result.crossing;
  result.even_crossing = without_alternation(t);
  return result;
}

/// What one standard error of the offset that was taken off does to them: the noise leaves r(t) in the velocity, which
/// adds its areas with alternating signs, 2X delta ln X, and moves the zeros by -+ r/(omega^2 X).
HalfCycles effect_of_offset(const HalfCycles& cycles, const VelocitySignal& signal) {
  const std::size_t count = cycles.log_amplitude.size();
  HalfCycles effect{std::vector<double>(count + 1, 0.0), std::vector<double>(count + 1, 0.0),
                    std::vector<double>(count, 0.0)};
  if (count == 0 || signal.offset_left.empty()) return effect;
  const SampleIntegral integral(signal.offset_left);
  const auto sample = [&](std::size_t k) { return (cycles.crossing[k] - signal.motion.start) / signal.motion.step; };
  double here = integral.to(sample(0));
  double sign = signal.offset.error;
  for (std::size_t k = 0; k < count; ++k, sign = -sign) {
    const double next = integral.to(sample(k + 1)), x = std::exp(cycles.log_amplitude[k]);
    const double omega = pi / (cycles.crossing[k + 1] - cycles.crossing[k]);
    effect.log_amplitude[k] = sign * signal.motion.step * (next - here) / (2.0 * x);
    effect.crossing[k] = -sign * interpolate_samples(signal.offset_left, sample(k)) / (omega * omega * x);
    here = next;
  }
  effect.crossing[count] = -effect.crossing[count - 1];
  effect.even_crossing = without_alternation(effect.crossing);
  return effect;
}

/// Regression over the half-cycles k - m .. k + m.
struct Window {
  double half_period, slope, log_amplitude;
};

/// sum j^2 for j = -m .. m.
double squares(std::size_t m) {
  return static_cast<double>(m * (m + 1) * (2 * m + 1)) / 3.0;
}

Window regression(const HalfCycles& cycles, std::size_t k, std::size_t m) {
  double time = 0.0, time_squares = 0.0, slope = 0.0, mean = 0.0, curvature = 0.0;
  const auto& t = cycles.even_crossing;
  const auto& l = cycles.log_amplitude;
  for (std::size_t j = 1; j <= m; ++j) {  // crossings k + 1/2 -+ (j - 1/2)
    const double x = static_cast<double>(j) - 0.5;
    time += x * (t[k + j] - t[k + 1 - j]);
    time_squares += 2.0 * x * x;
  }
  const double count = 2.0 * static_cast<double>(m) + 1.0, average_square = squares(m) / count;
  mean = l[k];
  curvature = -average_square * l[k];
  double fourth = average_square * average_square;
  for (std::size_t j = 1; j <= m; ++j) {
    const double x = static_cast<double>(j), even = l[k + j] + l[k - j], bump = x * x - average_square;
    slope += x * (l[k + j] - l[k - j]);
    mean += even;
    curvature += bump * even;
    fourth += 2.0 * bump * bump;
  }
  // The parabola of least squares: its value at the centre does not lag behind a bent decay.
  return {time / time_squares, slope / squares(m), mean / count - curvature / fourth * average_square};
}

/// What noise does to half-cycles. Their errors go together as far as the noise is coloured: the variances of slopes
/// are those of independent errors times a factor that depends on m.
class HalfCycleErrors {
 public:
  HalfCycleErrors(const HalfCycles& cycles, const VelocityNoise& noise) : cycles_(cycles) {
    const VelocityNoise::Covariances covariances = noise.half_cycles(cycles.crossing.size());
    area_ = covariances.area;
    for (std::size_t d = 0; d + 2 < covariances.zero.size() || d < 3; ++d) {  // of even crossings: (1, 4, 6, 4, 1)/16
      const auto zero = [&](std::size_t lag) { return lag < covariances.zero.size() ? covariances.zero[lag] : 0.0; };
      even_zero_.push_back(
          (6.0 * zero(d) + 4.0 * (zero(d + 1) + zero(d > 0 ? d - 1 : 1)) + zero(d + 2) + zero(d > 1 ? d - 2 : 2 - d)) /
          16.0);
    }
  }
  /// Standard deviation of ln X_k.
  [[nodiscard]] double log_amplitude(std::size_t k) const {
    return 0.5 * std::sqrt(area_[0]) / std::exp(cycles_.log_amplitude[k]);
  }
  /// Standard deviation of a slope over 2m + 1 half-cycles over that of independent errors.
  [[nodiscard]] double slope_factor(std::size_t m) {
    while (slope_factor_.size() <= m) {
      slope_factor_.push_back(std::sqrt(slope_variance_factor(area_, 2 * slope_factor_.size() + 1)));
    }
    return slope_factor_[m];
  }
  /// Standard error of the slope of ln X over k - m .. k + m; noise grows as half-cycles decay.
  [[nodiscard]] double slope(std::size_t k, std::size_t m) {
    double variance = 0.0;
    for (std::size_t j = 1; j <= m; ++j) {
      const double after = log_amplitude(k + j), before = log_amplitude(k - j);
      variance += static_cast<double>(j * j) * (after * after + before * before);
    }
    return slope_factor(m) * std::sqrt(variance) / squares(m);
  }
  /// Standard error of the half-period over k - m .. k + m, relative. A zero jitters by noise/V of a radian,
  /// V = omega X, that is by noise T^2/(pi^2 X) with T the half-period; even crossing i has the weight i - k - 1/2.
  [[nodiscard]] double half_period(std::size_t k, std::size_t m, double half_period) const {
    const double even_deviation = std::sqrt(even_zero_[0] * slope_variance_factor(even_zero_, 2 * m));
    double variance = 0.0, weight_squares = 0.0;
    for (std::size_t j = 1; j <= m; ++j) {
      const double weight = static_cast<double>(j) - 0.5;
      for (const std::size_t beside : {k + j, k - j}) {
        const double jitter = even_deviation * half_period / (pi * pi * std::exp(cycles_.log_amplitude[beside]));
        variance += weight * weight * jitter * jitter;
      }
      weight_squares += 2.0 * weight * weight;
    }
    return std::sqrt(variance) / weight_squares;
  }

 private:
  const HalfCycles& cycles_;
  std::vector<double> area_, even_zero_;  ///< covariances
  std::vector<double> slope_factor_;
};

/// Standard error of the slope of ln X over k - m .. k + m beside the ends of an integrated acceleration, whose drift
/// there is that of the nearest half-cycle that has one: white noise wanders off it. Elsewhere 0: HalfCycleErrors has
/// it.
double slope_beside_ends(const HalfCycles& cycles, const VelocitySignal& signal, std::size_t k, std::size_t m) {
  const std::size_t reach = signal.drift->reach() + 1;
  if (k - m >= reach && k + m + reach < cycles.log_amplitude.size()) return 0.0;
  const auto sample = [&](std::size_t crossing) {
    return static_cast<std::size_t>((cycles.crossing[crossing] - signal.motion.start) / signal.motion.step + 0.5);
  };
  const std::size_t from = sample(k - m);
  std::vector<double> weights(sample(k + m + 1) - from, 0.0);
  double sign = 1.0;
  for (std::size_t i = k - m; i <= k + m; ++i, sign = -sign) {
    const double x = static_cast<double>(i) - static_cast<double>(k), amplitude = std::exp(cycles.log_amplitude[i]);
    const double weight = sign * x / (squares(m) * 2.0 * amplitude);
    for (std::size_t s = sample(i); s < sample(i + 1); ++s) weights[s - from] = weight;
  }
  const double area = signal.motion.step * signal.motion.step;  // of an integral of an integral
  return area * signal.white_noise * signal.drift->deviation(weights, from);
}

/// m for half-cycle k; 0 when there are not enough half-cycles beside it.
std::size_t window_size(const HalfCycles& cycles, std::size_t k, HalfCycleErrors& errors,
                        const RingdownOptions& options) {
  const auto& l = cycles.log_amplitude;
  const std::size_t room = std::min(k, l.size() - 1 - k);
  if (options.half_cycles > 0) {
    const auto m = static_cast<std::size_t>(std::max(1, options.half_cycles / 2));
    return m <= room ? m : 0;
  }
  const double log_noise = errors.log_amplitude(k);
  double moment = 0.0;
  for (std::size_t m = 1; m <= room; ++m) {
    moment += static_cast<double>(m) * (l[k + m] - l[k - m]);
    const double slope = moment / squares(m);
    const double deviation = log_noise * errors.slope_factor(m) / std::sqrt(squares(m));
    if (deviation <= std::max(options.accuracy * std::abs(slope), pi * negligible_damping)) return m;
    const double fluctuation = 4.0 * log_noise;
    if (std::abs(l[k + m] - l[k - m]) > options.most_decay + fluctuation) return m;
  }
  return 0;
}

}  // namespace

RingdownCurve turning_point_ringdown(const SampledMotion& given, const RingdownOptions& options) {
  const VelocitySignal signal =
      velocity_signal(given, options.noise, options.noise_filter, options.floor, options.remove_offset);
  RingdownCurve curve;
  curve.noise = signal.signal_noise;
  curve.offset = signal.offset;
  const HalfCycles cycles = half_cycles(signal.motion, signal.noise, options.floor);
  const std::size_t count = cycles.log_amplitude.size();
  const double half_period =
      count > 0 ? (cycles.crossing.back() - cycles.crossing.front()) / static_cast<double>(count) : 1.0;
  HalfCycleErrors errors(
      cycles, VelocityNoise(given.quantity, signal.white_noise, options.noise_filter, given.step, half_period));
  const bool drifts = signal.drift && options.noise_filter.empty();  // a band-pass leaves nothing that wanders
  const HalfCycles offset_effect = effect_of_offset(cycles, signal);
  for (std::size_t k = 1; k + 1 < count; ++k) {
    const std::size_t m = window_size(cycles, k, errors, options);
    if (m == 0) continue;
    const Window window = regression(cycles, k, m);
    RingdownPoint point;
    point.time = 0.5 * (cycles.even_crossing[k] + cycles.even_crossing[k + 1]);
    point.omega = pi / window.half_period;
    const double gamma = window.slope / window.half_period;
    point.zeta = -gamma / std::hypot(point.omega, gamma);
    point.q = std::exp(window.log_amplitude);
    point.v = point.omega * point.q;
    point.half_cycles = static_cast<int>(2 * m + 1);
    const Window by_offset = regression(offset_effect, k, m);
    const double beside_ends = drifts ? slope_beside_ends(cycles, signal, k, m) : 0.0;
    point.zeta_error = std::hypot(beside_ends > 0.0 ? beside_ends : errors.slope(k, m), by_offset.slope) / pi;
    point.omega_error = point.omega * std::hypot(errors.half_period(k, m, window.half_period),
                                                 by_offset.half_period / window.half_period);
    curve.points.push_back(point);
  }
  if (curve.points.empty()) {
    curve.message = count < 3 ? "only " + std::to_string(count) + " half-cycles above the noise"
                              : "too few half-cycles to see the damping through the noise";
  }
  return curve;
}

}  // namespace microslip
