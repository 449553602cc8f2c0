#pragma once
// Means over half a turn, (1/pi) integral from 0 to pi of f(cos phi) dphi, by the trapezoidal rule.
//
// The integrand is even and periodic in phi, so that the rule converges geometrically for analytic f. Its nodes are
// nested: doubling the intervals uses every value again, and the change is an estimate of the error before it.

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace microslip {

inline constexpr int most_cosine_intervals = 4096;

namespace detail {
/// cos(pi i/most_cosine_intervals), with cos(pi/2) = 0 exactly and the second half the mirror of the first.
inline const double* cosine_table() {
  static const auto table = [] {
    std::array<double, most_cosine_intervals + 1> values{};
    for (int i = 0; 2 * i < most_cosine_intervals; ++i) {
      const double z = std::cos(std::numbers::pi * i / most_cosine_intervals);
      values[static_cast<std::size_t>(i)] = z;
      values[static_cast<std::size_t>(most_cosine_intervals - i)] = -z;
    }
    return values;
  }();
  return table.data();
}
}  // namespace detail

template <std::size_t Count>
struct CosineMean {
  std::array<double, Count> value{};
  double change = 0.0;  ///< largest relative change at the last doubling
  int intervals = 0;
  bool converged = false;  ///< change <= tolerance; false also where f is not finite
};

/// f(z) returns Count numbers of one sign each. At least 16 intervals, at most `most` (a power of 2).
template <std::size_t Count, class Function>
CosineMean<Count> cosine_mean(Function&& f, double tolerance, int most = most_cosine_intervals) {
  const double* z = detail::cosine_table();
  CosineMean<Count> mean;
  const auto first = f(z[0]), last = f(z[most_cosine_intervals]);
  std::array<double, Count> sum{};
  for (std::size_t k = 0; k < Count; ++k) sum[k] = 0.5 * (first[k] + last[k]);
  for (int intervals = 1; intervals <= most; intervals *= 2) {
    const int stride = most_cosine_intervals / intervals;
    if (intervals > 1) {
      for (int i = stride; i < most_cosine_intervals; i += 2 * stride) {
        const auto value = f(z[i]);
        for (std::size_t k = 0; k < Count; ++k) sum[k] += value[k];
      }
    }
    mean.change = 0.0;
    mean.intervals = intervals;
    for (std::size_t k = 0; k < Count; ++k) {
      const double next = sum[k] / intervals;
      if (!std::isfinite(next)) {
        mean.value[k] = next;
        return mean;
      }
      const double change = next == 0.0 ? std::abs(mean.value[k]) : std::abs((next - mean.value[k]) / next);
      if (change > mean.change) mean.change = change;
      mean.value[k] = next;
    }
    if (intervals >= 16 && mean.change <= tolerance) {
      mean.converged = true;
      return mean;
    }
  }
  return mean;
}

}  // namespace microslip
