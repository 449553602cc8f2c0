#pragma once
// Signals of known frequency and damping.

#include <cmath>
#include <numbers>
#include <random>

#include "microslip/modal/ringdown.hpp"

namespace microslip::testing {

/// Free decay of an oscillator of natural frequency 1 (rad/time): displacement e^{-zeta t} cos(w_d t + phase), exactly,
/// or its derivatives.
inline SampledMotion linear_decay(double zeta, double samples_a_period, double periods,
                                  Quantity quantity = Quantity::velocity, double phase = 0.7) {
  const double damped = std::sqrt(1.0 - zeta * zeta);
  const double step = 2.0 * std::numbers::pi / samples_a_period;
  SampledMotion motion{3.0, step, quantity, {}};
  const auto count = static_cast<std::size_t>(periods * samples_a_period);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = step * static_cast<double>(i), e = std::exp(-zeta * t), a = damped * t + phase;
    const double x = e * std::cos(a), v = -zeta * x - damped * e * std::sin(a), acceleration = -2.0 * zeta * v - x;
    motion.values.push_back(quantity == Quantity::displacement ? x : quantity == Quantity::velocity ? v : acceleration);
  }
  return motion;
}

/// White noise whose standard deviation is 40 dB below the amplitude 1 at the start.
inline SampledMotion with_noise(SampledMotion motion, unsigned seed, double deviation = 0.01) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal(0.0, deviation);
  for (double& value : motion.values) value += normal(generator);
  return motion;
}

}  // namespace microslip::testing
