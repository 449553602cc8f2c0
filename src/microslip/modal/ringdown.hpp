#pragma once
// Amplitude, frequency and damping of one mode along its ring-down, from the turning points of its motion.
//
// With t_k the zeros of the velocity (the turning points of the displacement) the half-cycle k from t_k to t_{k+1} has
//   amplitude  X_k = |integral of v over it|/2     half the way between two turning points: no offset, no peak to find
//   frequency  omega = pi/(dt/dk)
//   damping    gamma = (d ln X/dk)/(dt/dk),  zeta = -gamma/sqrt(omega^2 + gamma^2)
// where d/dk are least-squares slopes over 2m + 1 half-cycles centred at half-cycle k, so that all four numbers belong
// to the same instant; m = 1 is central differences, of second order in the change of amplitude a cycle. See
// docs/theory.md, "Ring-down".

#include <string>
#include <vector>

#include "microslip/modal/sampled_motion.hpp"
#include "microslip/modal/sensor_offset.hpp"
#include "microslip/numerics/butterworth.hpp"

namespace microslip {

struct RingdownPoint {
  double time = 0.0;
  double q = 0.0;            ///< amplitude of displacement, half-range
  double v = 0.0;            ///< amplitude of velocity, omega q
  double omega = 0.0;        ///< [rad/time]
  double zeta = 0.0;         ///< ratio
  int half_cycles = 0;       ///< that the point was computed from
  double omega_error = 0.0;  ///< standard errors: white noise in the signal, and what is not known of an offset
  double zeta_error = 0.0;
};

struct RingdownOptions {
  int half_cycles = 0;      ///< 2m + 1 >= 3; 0: as few as the noise allows
  double noise = -1.0;      ///< standard deviation of white noise in the signal; < 0: estimated
  double accuracy = 0.02;   ///< of zeta against the noise; m grows until it is reached ...
  double most_decay = 0.7;  ///< ... or ln X changes by more than this
  double floor = 10.0;      ///< ends where the amplitude of the velocity falls below floor times its noise
  std::vector<Biquad> noise_filter = {};  ///< that the signal and its noise went through without phase; give `noise`,
                                          ///< which is that before the filter
  bool remove_offset = true;  ///< of the sensor, where a velocity or an acceleration has one; without a filter
};

struct RingdownCurve {
  std::vector<RingdownPoint> points;  ///< one a half-cycle, in time
  double noise = 0.0;                 ///< standard deviation in the signal, after the filter
  SensorOffset offset;                ///< taken off the signal
  std::string message;                ///< why there are no points
};

/// Throws std::invalid_argument for fewer than 16 samples, numbers that are not finite, or a step <= 0.
[[nodiscard]] RingdownCurve turning_point_ringdown(const SampledMotion& motion, const RingdownOptions& options = {});

}  // namespace microslip
