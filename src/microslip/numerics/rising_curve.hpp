#pragma once
// The first summit of a curve that starts upwards.

#include <cmath>
#include <optional>

namespace microslip {

/// First x between 0 and `end` (either sign) where slope(x) falls to 0 or below, to rounding; `steps` intervals are
/// looked at. Nothing when the slope stays positive.
template <class Slope>
std::optional<double> first_summit(Slope&& slope, double end, int steps) {
  double low = 0.0;
  for (int i = 1; i <= steps; ++i) {
    double high = end * i / steps;
    if (slope(high) > 0.0) {
      low = high;
      continue;
    }
    for (int halving = 0; halving < 200; ++halving) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      (slope(middle) > 0.0 ? low : high) = middle;
    }
    return high;
  }
  return std::nullopt;
}

}  // namespace microslip
