#pragma once
// Lines k/T of a discrete transform that are kept: those in a band, without those of the mean and of half the sampling
// rate.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace microslip {

struct LineRange {
  std::size_t first = 1, count = 0;
  double length = 0.0;  ///< T

  /// `samples`: of the transform, `step` apart. `high` = 0: to the end.
  static LineRange in_band(double low, double high, std::size_t samples, double step) {
    const double length = static_cast<double>(samples) * step, end = static_cast<double>(samples / 2 - 1);
    constexpr double rounding = 1e-9;
    const double first = std::max(1.0, std::ceil(low * length - rounding));
    const double last = high > 0.0 ? std::min(end, std::floor(high * length + rounding)) : end;
    return {static_cast<std::size_t>(first), last >= first ? static_cast<std::size_t>(last - first) + 1 : 0, length};
  }
  [[nodiscard]] Eigen::VectorXd frequencies() const {
    const auto lines = static_cast<Eigen::Index>(count);
    return (Eigen::VectorXd::LinSpaced(lines, 0.0, static_cast<double>(lines - 1)).array() +
            static_cast<double>(first)) /
           length;
  }
};

}  // namespace microslip
