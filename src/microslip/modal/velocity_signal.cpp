#include "microslip/modal/velocity_signal.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "microslip/modal/zero_crossings.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

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
  const std::size_t last = extreme.size() - 1, half = last < 6 ? 1 : 3;
  return binomial_mean(extreme, std::clamp(k, half, last - half) - half, 2 * half);
}

/// Samples between the first and the last zero of an acceleration, where the velocity has its extremes.
struct BetweenZeros {
  std::span<const double> zeros;
  std::size_t first, last;

  explicit BetweenZeros(std::span<const double> of)
      : zeros(of), first(static_cast<std::size_t>(std::ceil(of.front()))), last(static_cast<std::size_t>(of.back())) {}

  /// The line through the middle of what has these values at the zeros.
  [[nodiscard]] std::vector<double> drift(std::span<const double> extreme) const {
    std::vector<double> centre, line;
    for (std::size_t k = 0; k < zeros.size(); ++k) centre.push_back(middle(extreme, k));
    std::size_t k = 0;
    for (std::size_t i = first; i <= last; ++i) {
      const auto x = static_cast<double>(i);
      while (k + 2 < zeros.size() && x > zeros[k + 1]) ++k;
      const double share = (x - zeros[k]) / (zeros[k + 1] - zeros[k]);
      line.push_back(centre[k] + share * (centre[k + 1] - centre[k]));
    }
    return line;
  }
};

SampledMotion integrated(const SampledMotion& acceleration, const BetweenZeros& between) {
  const SampleIntegral integral(acceleration.values);
  std::vector<double> extreme;
  for (const double x : between.zeros) extreme.push_back(integral.to(x));
  SampledMotion velocity{acceleration.time(static_cast<double>(between.first)), acceleration.step, Quantity::velocity,
                         between.drift(extreme)};
  for (std::size_t i = 0; i < velocity.values.size(); ++i) {
    velocity.values[i] = acceleration.step * (integral.at_sample(between.first + i) - velocity.values[i]);
  }
  return velocity;
}

/// What an offset of 1 that was left in the acceleration leaves in the velocity: the drift takes it out but for the
/// ends.
std::vector<double> offset_integrated(double step, const BetweenZeros& between) {
  std::vector<double> left = between.drift(between.zeros);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = step * (static_cast<double>(between.first + i) - left[i]);
  return left;
}

}  // namespace

VelocitySignal velocity_signal(const SampledMotion& given, double noise, std::span<const Biquad> filter, double floor,
                               bool remove_offset) {
  require_signal(given);
  if (noise < 0.0 && !filter.empty()) throw std::invalid_argument("noise must be given for a filtered signal");
  VelocitySignal result;
  result.white_noise = noise >= 0.0 ? noise : white_noise(given.values);
  const auto deviation = [&](Quantity quantity, double half_period) {
    return VelocityNoise(quantity, result.white_noise, filter, given.step, half_period).deviation();
  };
  result.signal_noise = deviation(Quantity::velocity, 0.0);
  if (given.quantity == Quantity::displacement) {
    result.motion = differentiated(given);
    result.noise = deviation(Quantity::displacement, 0.0);
    return result;
  }
  SampledMotion motion = given;
  const bool velocity = given.quantity == Quantity::velocity;
  if (remove_offset && filter.empty()) {  // a band-pass has taken it out
    result.offset = sensor_offset(given.values, result.signal_noise, floor, velocity);
    for (double& value : motion.values) value -= result.offset.value;
  }
  const bool uncertain = result.offset.error > 0.0;
  if (velocity) {
    if (uncertain) result.offset_left.assign(motion.values.size(), 1.0);
    result.motion = std::move(motion);
    result.noise = result.signal_noise;
    return result;
  }
  const std::vector<double> zeros = zero_crossings(motion.values, result.signal_noise, floor);
  result.motion = {given.start, given.step, Quantity::velocity, {}};
  if (zeros.size() < 3) return result;
  const BetweenZeros between(zeros);
  result.motion = integrated(motion, between);
  if (uncertain) result.offset_left = offset_integrated(given.step, between);
  const double half_period = given.step * (zeros.back() - zeros.front()) / static_cast<double>(zeros.size() - 1);
  result.noise = deviation(Quantity::acceleration, half_period);
  return result;
}

}  // namespace microslip
