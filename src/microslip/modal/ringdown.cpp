#include "microslip/modal/ringdown.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

constexpr double negligible_damping = 1e-6;  // a ratio this uncertain is good enough whatever it is

/// Zero of the straight line through samples `from` to `to`, for a crossing where noise changes the sign several times.
double zero_of_regression(std::span<const double> y, std::size_t from, std::size_t to) {
  const double centre = 0.5 * static_cast<double>(from + to);
  double sum = 0.0, moment = 0.0, square = 0.0;
  for (std::size_t i = from; i <= to; ++i) {
    const double x = static_cast<double>(i) - centre;
    sum += y[i];
    moment += x * y[i];
    square += x * x;
  }
  const double mean = sum / static_cast<double>(to - from + 1), slope = moment / square;
  const double x = centre - mean / slope;
  return slope != 0.0 && x > static_cast<double>(from) && x < static_cast<double>(to) ? x : centre;
}

/// Zeros of the signal, in samples. One counts when the other side is then reached beyond 4 times the noise and a fifth
/// of the last half-cycle: ripples of noise and of weak other modes do not.
std::vector<double> zero_crossings(std::span<const double> y, double noise, double floor) {
  std::vector<double> crossings;
  double side = 0.0, extreme = 0.0;
  bool changed = false;  // its sign, since the signal was surely on its side
  std::size_t first = 0, last = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (side == 0.0) {
      if (std::abs(y[i]) > 4.0 * noise) side = std::copysign(1.0, y[i]);
      extreme = std::abs(y[i]);
      continue;
    }
    const double here = side * y[i], threshold = std::max(4.0 * noise, 0.2 * extreme);
    if (here < 0.0 && side * y[i - 1] >= 0.0) {
      if (!changed) first = i - 1;
      changed = true;
      last = i - 1;
    }
    if (here > threshold) changed = false;
    extreme = std::max(extreme, here);
    if (-here <= threshold || !changed) continue;
    if (extreme < floor * noise) break;
    crossings.push_back(first == last
                            ? zero_between_samples(y, last)
                            : zero_of_regression(y, first > 1 ? first - 1 : 0, std::min(last + 2, y.size() - 1)));
    side = -side;
    extreme = -here;
    changed = false;
  }
  return crossings;
}

/// What the half-cycles of a signal are reduced to.
struct HalfCycles {
  std::vector<double> crossing;       ///< t_k [time]
  std::vector<double> even_crossing;  ///< (t_{k-1} + 2 t_k + t_{k+1})/4: without what alternates, from k = 1
  std::vector<double> log_amplitude;  ///< ln X_k
};

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
  result.even_crossing.assign(t.size(), 0.0);
  for (std::size_t k = 1; k + 1 < t.size(); ++k) result.even_crossing[k] = 0.25 * (t[k - 1] + 2.0 * t[k] + t[k + 1]);
  return result;
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

/// Standard deviation of ln X_k from white noise in the signal, through the area of the half-cycle.
double log_amplitude_noise(const HalfCycles& cycles, std::size_t k, double noise, double step) {
  const double half_period = cycles.crossing[k + 1] - cycles.crossing[k];
  return noise * std::sqrt(step * half_period) / (2.0 * std::exp(cycles.log_amplitude[k]));
}

/// Standard error of the slope of ln X over k - m .. k + m: half-cycles have noise of their own, which grows as they
/// decay.
double slope_error(const HalfCycles& cycles, std::size_t k, std::size_t m, double noise, double step) {
  double variance = 0.0;
  for (std::size_t j = 1; j <= m; ++j) {
    const double after = log_amplitude_noise(cycles, k + j, noise, step);
    const double before = log_amplitude_noise(cycles, k - j, noise, step);
    variance += static_cast<double>(j * j) * (after * after + before * before);
  }
  return std::sqrt(variance) / squares(m);
}

/// Standard error of the half-period over k - m .. k + m, relative. A zero jitters by noise/V of a radian, V = omega X,
/// that is by noise T^2/(pi^2 X) with T the half-period; even crossing i has the weight i - k - 1/2, so that crossing i
/// has the binomial mean of three of them.
double half_period_error(const HalfCycles& cycles, std::size_t k, std::size_t m, double noise, double half_period) {
  const auto reach = static_cast<std::ptrdiff_t>(m), centre = static_cast<std::ptrdiff_t>(k);
  const auto weight = [&](std::ptrdiff_t i) {
    return i > centre - reach && i <= centre + reach ? static_cast<double>(i - centre) - 0.5 : 0.0;
  };
  double variance = 0.0, weight_squares = 0.0;
  for (std::ptrdiff_t i = centre - reach; i <= centre + reach + 1; ++i) {
    const double w = 0.25 * (weight(i - 1) + 2.0 * weight(i) + weight(i + 1));
    const auto beside = static_cast<std::size_t>(std::clamp(i, centre - reach, centre + reach));
    const double jitter = noise * half_period / (pi * pi * std::exp(cycles.log_amplitude[beside]));
    variance += w * w * jitter * jitter;
    weight_squares += weight(i) * weight(i);
  }
  return std::sqrt(variance) / weight_squares;
}

/// m for half-cycle k; 0 when there are not enough half-cycles beside it.
std::size_t window_size(const HalfCycles& cycles, std::size_t k, double log_noise, const RingdownOptions& options) {
  const auto& l = cycles.log_amplitude;
  const std::size_t room = std::min(k, l.size() - 1 - k);
  if (options.half_cycles > 0) {
    const auto m = static_cast<std::size_t>(std::max(1, options.half_cycles / 2));
    return m <= room ? m : 0;
  }
  double moment = 0.0;
  for (std::size_t m = 1; m <= room; ++m) {
    moment += static_cast<double>(m) * (l[k + m] - l[k - m]);
    const double slope = moment / squares(m), deviation = log_noise / std::sqrt(squares(m));
    if (deviation <= std::max(options.accuracy * std::abs(slope), pi * negligible_damping)) return m;
    const double fluctuation = 4.0 * log_noise;
    if (std::abs(l[k + m] - l[k - m]) > options.most_decay + fluctuation) return m;
  }
  return 0;
}

void require_signal(const SampledMotion& motion) {
  if (motion.values.size() < 16) {
    throw std::invalid_argument("a ring-down needs at least 16 samples, got " + std::to_string(motion.values.size()));
  }
  if (!(motion.step > 0.0)) throw std::invalid_argument("the step must be > 0, got " + std::to_string(motion.step));
  for (std::size_t i = 0; i < motion.values.size(); ++i) {
    if (std::isfinite(motion.values[i])) continue;
    throw std::invalid_argument("sample " + std::to_string(i + 1) + " is not a finite number");
  }
}

SampledMotion differentiated(const SampledMotion& displacement) {
  SampledMotion velocity{displacement.time(samples_lost_by_differentiation), displacement.step, Quantity::velocity,
                         differentiate_samples(displacement.values)};
  for (double& value : velocity.values) value /= displacement.step;
  return velocity;
}

/// Mean of the extremes around k by binomial weights of order 6, or 2 where there are few; beside the ends, that of the
/// nearest k that has it. What alternates, and decays smoothly as it does, drops out.
double middle(std::span<const double> extreme, std::size_t k) {
  const auto last = extreme.size() - 1;
  if (last < 6) {
    const std::size_t j = std::clamp<std::size_t>(k, 1, last - 1);
    return 0.25 * (extreme[j - 1] + 2.0 * extreme[j] + extreme[j + 1]);
  }
  constexpr double weight[] = {20.0, 15.0, 6.0, 1.0};
  const std::size_t j = std::clamp<std::size_t>(k, 3, last - 3);
  double sum = weight[0] * extreme[j];
  for (std::size_t i = 1; i <= 3; ++i) sum += weight[i] * (extreme[j - i] + extreme[j + i]);
  return sum / 64.0;
}

/// Between the first and the last zero of the acceleration, where the velocity has its extremes.
SampledMotion integrated(const SampledMotion& acceleration, std::span<const double> zeros) {
  const SampleIntegral integral(acceleration.values);
  std::vector<double> extreme, offset;
  for (const double x : zeros) extreme.push_back(integral.to(x));
  for (std::size_t k = 0; k < zeros.size(); ++k) offset.push_back(middle(extreme, k));
  const auto first = static_cast<std::size_t>(std::ceil(zeros.front()));
  const auto last = static_cast<std::size_t>(zeros.back());
  SampledMotion velocity{acceleration.time(static_cast<double>(first)), acceleration.step, Quantity::velocity, {}};
  std::size_t k = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const auto x = static_cast<double>(i);
    while (k + 2 < zeros.size() && x > zeros[k + 1]) ++k;
    const double share = (x - zeros[k]) / (zeros[k + 1] - zeros[k]);
    const double drift = offset[k] + share * (offset[k + 1] - offset[k]);
    velocity.values.push_back(acceleration.step * (integral.at_sample(i) - drift));
  }
  return velocity;
}

/// From the changes of sign; band-passed signals have no others.
double rough_omega(const SampledMotion& motion) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < motion.values.size(); ++i) {
    changes += (motion.values[i] < 0.0) != (motion.values[i - 1] < 0.0) ? 1 : 0;
  }
  return pi * static_cast<double>(changes) / (motion.step * static_cast<double>(motion.values.size()));
}

}  // namespace

VelocitySignal velocity_signal(const SampledMotion& motion, double noise, double floor) {
  require_signal(motion);
  VelocitySignal result;
  result.signal_noise = noise >= 0.0 ? noise : white_noise(motion.values);
  if (motion.quantity == Quantity::velocity) {
    result.motion = motion;
    result.noise = result.signal_noise;
  } else if (motion.quantity == Quantity::displacement) {
    result.motion = differentiated(motion);
    result.noise = noise >= 0.0 ? noise * rough_omega(result.motion) : white_noise(result.motion.values);
  } else {
    const std::vector<double> zeros = zero_crossings(motion.values, result.signal_noise, floor);
    result.motion = {motion.start, motion.step, Quantity::velocity, {}};
    if (zeros.size() < 3) return result;
    result.motion = integrated(motion, zeros);
    const double half_cycle = motion.step * (zeros.back() - zeros.front()) / static_cast<double>(zeros.size() - 1);
    result.noise = result.signal_noise * half_cycle / pi;
  }
  return result;
}

RingdownCurve turning_point_ringdown(const SampledMotion& given, const RingdownOptions& options) {
  const auto [motion, noise, signal_noise] = velocity_signal(given, options.noise, options.floor);
  RingdownCurve curve;
  curve.noise = signal_noise;
  const HalfCycles cycles = half_cycles(motion, noise, options.floor);
  for (std::size_t k = 1; k + 1 < cycles.log_amplitude.size(); ++k) {
    const double log_noise = log_amplitude_noise(cycles, k, noise, motion.step);
    const std::size_t m = window_size(cycles, k, log_noise, options);
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
    point.zeta_error = slope_error(cycles, k, m, noise, motion.step) / pi;
    point.omega_error = point.omega * half_period_error(cycles, k, m, noise, window.half_period);
    curve.points.push_back(point);
  }
  if (curve.points.empty()) {
    curve.message = cycles.log_amplitude.size() < 3
                        ? "only " + std::to_string(cycles.log_amplitude.size()) + " half-cycles above the noise"
                        : "too few half-cycles to see the damping through the noise";
  }
  return curve;
}

}  // namespace microslip
