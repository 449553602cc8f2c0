#pragma once
// How much of the axis each point stands for: half the way between its neighbours, at the ends half the way to the
// only one. Sums over points then become integrals, however unevenly they lie.

#include <algorithm>
#include <span>
#include <vector>

namespace microslip {

/// `x` ascending.
inline std::vector<double> stretch_weights(std::span<const double> x) {
  std::vector<double> weights(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    weights[i] = 0.5 * (x[std::min(i + 1, x.size() - 1)] - x[i > 0 ? i - 1 : i]);
  }
  return weights;
}

}  // namespace microslip
