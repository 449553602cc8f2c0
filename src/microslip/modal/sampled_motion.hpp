#pragma once
// One coordinate of a motion, evenly sampled.

#include <vector>

#include "microslip/measurement/quantity.hpp"

namespace microslip {

/// Samples of one modal coordinate or channel at start, start + step, ...
struct SampledMotion {
  double start = 0.0;  ///< [time]
  double step = 0.0;   ///< [time]
  Quantity quantity = Quantity::velocity;
  std::vector<double> values;

  [[nodiscard]] double time(double sample) const { return start + step * sample; }
};

}  // namespace microslip
