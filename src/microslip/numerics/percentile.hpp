#pragma once
// Percentiles of a sample, straight lines between its sorted values.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace microslip {

/// `share` in [0, 1]: 0 the least, 0.5 the median, 1 the largest. At least one value; sorts them.
inline double percentile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

/// The value in the middle, the upper one of two.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace microslip
