#pragma once
// The velocity that a ring-down is read from, whatever was measured.

#include <span>
#include <vector>

#include "microslip/modal/sampled_motion.hpp"
#include "microslip/modal/velocity_noise.hpp"
#include "microslip/numerics/butterworth.hpp"

namespace microslip {

/// Zeros of the signal, in samples. One counts when the other side is then reached beyond 4 times the noise and a fifth
/// of the last half-cycle: ripples of noise and of weak other modes do not.
[[nodiscard]] std::vector<double> zero_crossings(std::span<const double> y, double noise, double floor);

/// Displacements, which may keep an offset, are differentiated (eighth order); accelerations are integrated and the
/// drift taken out, the line through the middle of the extremes of v.
struct VelocitySignal {
  SampledMotion motion;       ///< no values when an acceleration has too few zeros
  double noise = 0.0;         ///< standard deviation in it
  double signal_noise = 0.0;  ///< standard deviation in the signal given
  double white_noise = 0.0;   ///< standard deviation in the signal before its filter
};
/// `noise` is that of the signal before a filter without phase; < 0: estimated, without a filter. Throws
/// std::invalid_argument for fewer than 16 samples, numbers that are not finite, or a step <= 0.
[[nodiscard]] VelocitySignal velocity_signal(const SampledMotion& motion, double noise, std::span<const Biquad> filter,
                                             double floor);

}  // namespace microslip
