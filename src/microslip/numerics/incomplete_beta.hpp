#pragma once
// Incomplete beta function, not normalised:
//   B(z; a, b) = integral from 0 to z of t^(a-1) (1-t)^(b-1) dt,   0 <= z <= 1,   a, b > 0
// For z <= 1/2 by its power series z^a sum (1-b)_n z^n/(n! (a+n)), whose terms fall at least as fast as 2^-n; beyond by
// B(a, b) - B(1-z; b, a). Ref: Abramowitz and Stegun, 6.6.

#include <cmath>
#include <limits>

namespace microslip {

[[nodiscard]] inline double complete_beta(double a, double b) {
  return std::exp(std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b));
}

[[nodiscard]] inline double incomplete_beta(double z, double a, double b) {
  if (z > 0.5) return complete_beta(a, b) - incomplete_beta(1.0 - z, b, a);
  if (z <= 0.0) return 0.0;
  double factor = 1.0;  // (1-b)_n z^n/n!
  double sum = 1.0 / a;
  for (int n = 1; n < 1000; ++n) {
    factor *= z * (n - b) / n;
    const double term = factor / (a + n);
    sum += term;
    if (std::abs(term) <= 0.25 * std::numeric_limits<double>::epsilon() * std::abs(sum)) break;
  }
  return std::pow(z, a) * sum;
}

}  // namespace microslip
