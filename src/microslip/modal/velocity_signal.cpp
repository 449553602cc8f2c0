#include "microslip/modal/velocity_signal.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

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

}  // namespace

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

VelocitySignal velocity_signal(const SampledMotion& motion, double noise, std::span<const Biquad> filter,
                               double floor) {
  require_signal(motion);
  if (noise < 0.0 && !filter.empty()) throw std::invalid_argument("noise must be given for a filtered signal");
  VelocitySignal result;
  result.white_noise = noise >= 0.0 ? noise : white_noise(motion.values);
  const auto deviation = [&](Quantity quantity, double half_period) {
    return VelocityNoise(quantity, result.white_noise, filter, motion.step, half_period).deviation();
  };
  result.signal_noise = deviation(Quantity::velocity, 0.0);
  if (motion.quantity == Quantity::velocity) {
    result.motion = motion;
    result.noise = result.signal_noise;
  } else if (motion.quantity == Quantity::displacement) {
    result.motion = differentiated(motion);
    result.noise = deviation(Quantity::displacement, 0.0);
  } else {
    const std::vector<double> zeros = zero_crossings(motion.values, result.signal_noise, floor);
    result.motion = {motion.start, motion.step, Quantity::velocity, {}};
    if (zeros.size() < 3) return result;
    result.motion = integrated(motion, zeros);
    const double half_period = motion.step * (zeros.back() - zeros.front()) / static_cast<double>(zeros.size() - 1);
    result.noise = deviation(Quantity::acceleration, half_period);
  }
  return result;
}

}  // namespace microslip
