#pragma once
// Noise of a ring-down: white in the signal that was measured, coloured by a band-pass and by what makes a velocity of
// it. What it does to half-cycles of the length T, over angles theta = 2 pi f h of the sampling step h:
//   density in the velocity     S = sigma^2 |H|^2 |G|^2, H the filter without phase, G that of a quantity:
//     displacement  G = 2i sum_k w_k sin(k theta)/h                  central differences of eighth order
//     acceleration  G = -i h J (1 - cos^7 phi), phi = theta T/(2h)   J = 1/theta but for the quadrature; the drift off
//   area of a half-cycle        |A|^2 = |2 h J sin phi|^2
//                 acceleration  |-i h J (2 h J sin phi - T cos^6 phi (3 + cos 2 phi)/4)/G|^2
// White noise makes half-cycles that have nothing to do with each other. Coloured noise does not: turning points of a
// displacement are shared by two of them, and a narrow filter rings over many.

#include <cstddef>
#include <span>
#include <vector>

#include "microslip/modal/sampled_motion.hpp"
#include "microslip/numerics/butterworth.hpp"

namespace microslip {

class VelocityNoise {
 public:
  /// `half_period` in time, of the signal; accelerations need it. `white` is the standard deviation before the filter.
  VelocityNoise(Quantity quantity, double white, std::span<const Biquad> filter, double step, double half_period);

  /// Of the velocity.
  [[nodiscard]] double deviation() const;
  /// Two-sided density of the velocity at a frequency [rad/time], so that white noise has sigma^2 step.
  [[nodiscard]] double density(double omega) const;

  /// How errors of half-cycles, each seen with the sign of its half-cycle, go together: covariances at lags 0, 1, ...
  /// half-cycles. `most` lags at most; fewer where there is nothing left.
  struct Covariances {
    std::vector<double> area;  ///< of the integral of the noise over half-cycles
    std::vector<double> zero;  ///< of the noise at their ends
  };
  [[nodiscard]] Covariances half_cycles(std::size_t most) const;

 private:
  /// |G|^2 and the gain of areas, |A|^2 |G|^2.
  struct Gains {
    double velocity, area;
  };
  [[nodiscard]] Gains gains(double angle) const;
  [[nodiscard]] double filtered(double angle) const;  ///< |H|^2
  /// Angles that resolve the filter.
  [[nodiscard]] std::size_t angles(double longest_lag) const;

  Quantity quantity_;
  double variance_, step_, half_period_, settling_;
  std::vector<Biquad> filter_;
};

/// Variance of a least-squares slope over `count` errors in a row with these covariances, over what it would be if they
/// were independent.
[[nodiscard]] double slope_variance_factor(std::span<const double> covariances, std::size_t count);

}  // namespace microslip
