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

SampledMotion integrated(const SampledMotion& acceleration, const IntegrationDrift& drift) {
  const SampleIntegral integral(acceleration.values);
  std::vector<double> extreme;
  for (const double x : drift.zeros()) extreme.push_back(integral.to(x));
  SampledMotion velocity{acceleration.time(static_cast<double>(drift.first())), acceleration.step, Quantity::velocity,
                         drift.line(extreme)};
  for (std::size_t i = 0; i < velocity.values.size(); ++i) {
    velocity.values[i] = acceleration.step * (integral.at_sample(drift.first() + i) - velocity.values[i]);
  }
  return velocity;
}

/// What an offset of 1 that was left in the acceleration leaves in the velocity: the drift takes it out but for the
/// ends.
std::vector<double> offset_integrated(double step, const IntegrationDrift& drift) {
  std::vector<double> left = drift.line(drift.zeros());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = step * (static_cast<double>(drift.first() + i) - left[i]);
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
  std::vector<double> zeros = zero_crossings(motion.values, result.signal_noise, floor);
  result.motion = {given.start, given.step, Quantity::velocity, {}};
  if (zeros.size() < 3) return result;
  const double half_period = given.step * (zeros.back() - zeros.front()) / static_cast<double>(zeros.size() - 1);
  const IntegrationDrift& drift = result.drift.emplace(std::move(zeros));
  result.motion = integrated(motion, drift);
  if (uncertain) result.offset_left = offset_integrated(given.step, drift);
  result.noise = deviation(Quantity::acceleration, half_period);
  return result;
}

}  // namespace microslip
