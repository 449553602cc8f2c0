#pragma once
// The velocity that a ring-down is read from, whatever was measured.

#include <optional>
#include <span>
#include <vector>

#include "microslip/modal/integration_drift.hpp"
#include "microslip/modal/sampled_motion.hpp"
#include "microslip/modal/sensor_offset.hpp"
#include "microslip/modal/velocity_noise.hpp"
#include "microslip/numerics/butterworth.hpp"

namespace microslip {

/// Displacements, which may keep an offset, are differentiated (eighth order). Of velocities and accelerations the
/// offset of the sensor is taken off (sensor_offset.hpp); accelerations are then integrated and the drift taken out,
/// the line through the middle of the extremes of v.
struct VelocitySignal {
  SampledMotion motion;                        ///< no values when an acceleration has too few zeros
  double noise = 0.0;                          ///< standard deviation in it
  double signal_noise = 0.0;                   ///< standard deviation in the signal given
  double white_noise = 0.0;                    ///< standard deviation in the signal before its filter
  SensorOffset offset = {};                    ///< taken off the signal given
  std::optional<IntegrationDrift> drift = {};  ///< of an acceleration, by its samples
  std::vector<double> offset_left = {};  ///< what 1 more of it would leave in each value of `motion`; none: no matter
};
/// `noise` is that of the signal before a filter without phase; < 0: estimated, without a filter. A filtered signal has
/// no offset to remove. Throws std::invalid_argument for fewer than 16 samples, numbers that are not finite, or a
/// step <= 0.
[[nodiscard]] VelocitySignal velocity_signal(const SampledMotion& given, double noise, std::span<const Biquad> filter,
                                             double floor, bool remove_offset);

}  // namespace microslip
