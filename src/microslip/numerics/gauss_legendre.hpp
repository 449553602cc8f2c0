#pragma once
// Gauss-Legendre quadrature on (0, 1) with any number of nodes: exact for polynomials up to degree 2 n - 1.

#include <cmath>
#include <numbers>
#include <vector>

namespace microslip {

struct GaussRule {
  std::vector<double> node;    ///< in (0, 1), ascending
  std::vector<double> weight;  ///< their sum is 1
};

/// Zeros of the Legendre polynomial P_n by Newton from Tricomi's estimate; n >= 1.
inline GaussRule gauss_legendre(int n) {
  GaussRule rule;
  rule.node.resize(static_cast<std::size_t>(n));
  rule.weight.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double slope = 1.0;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double p = 1.0;
      double before = 0.0;
      for (int k = 1; k <= n; ++k) {
        const double older = before;
        before = p;
        p = ((2.0 * k - 1.0) * x * before - (k - 1.0) * older) / k;
      }
      slope = n * (x * p - before) / (x * x - 1.0);
      const double step = p / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    const auto at = static_cast<std::size_t>(n - 1 - i);
    rule.node[at] = 0.5 * (1.0 + x);
    rule.weight[at] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace microslip
