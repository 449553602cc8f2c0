#pragma once
// Quantiles of the normal and of Student's distribution.

#include <cmath>
#include <numbers>

namespace microslip {

/// z with a chance `confidence` of |normal number| <= z: erf(z/sqrt(2)) = confidence, by Newton's method.
inline double normal_reach(double confidence) {
  const double beyond = 1.0 - confidence;
  double z = 0.0;  // erfc is convex beyond 0: the iterates rise to the root
  for (int i = 0; i < 200; ++i) {
    const double off = std::erfc(z / std::numbers::sqrt2) - beyond;
    const double step = off / (std::sqrt(2.0 / std::numbers::pi) * std::exp(-0.5 * z * z));
    z += step;
    if (std::abs(step) <= 1e-12 * (1.0 + z)) break;
  }
  return z;
}

/// Chance of a normal number below z; of one beyond z: normal_share(-z).
inline double normal_share(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// z with normal_share(z) = share, 0 < share <= 1/2: a rational start (Abramowitz and Stegun 26.2.23, to 4.5e-4) and
/// three steps of Halley's method; to rounding, relative to share.
inline double normal_quantile_below(double share) {
  const double t = std::sqrt(-2.0 * std::log(share));
  double z = (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int i = 0; i < 3; ++i) {
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
    if (density == 0.0) break;
    const double step = (normal_share(z) - share) / density;
    z -= step / (1.0 + 0.5 * z * step);
  }
  return z;
}

/// The same for 0 < share < 1.
inline double normal_quantile(double share) {
  return share <= 0.5 ? normal_quantile_below(share) : -normal_quantile_below(1.0 - share);
}

/// The same of Student's t with nu >= 1 degrees of freedom, not only whole ones. Up to nu = 40 from the incomplete beta
/// function, to 1e-10; beyond by the expansion in 1/nu to its fourth power, 99.9 % to 1e-6 (Abramowitz and Stegun
/// 26.5.27, 26.7.5).
[[nodiscard]] double student_reach(double confidence, double nu);

}  // namespace microslip
