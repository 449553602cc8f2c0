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

/// The same of Student's t with nu >= 1 degrees of freedom, not only whole ones. Up to nu = 40 from the incomplete beta
/// function, to 1e-10; beyond by the expansion in 1/nu to its fourth power, 99.9 % to 1e-6 (Abramowitz and Stegun
/// 26.5.27, 26.7.5).
[[nodiscard]] double student_reach(double confidence, double nu);

}  // namespace microslip
