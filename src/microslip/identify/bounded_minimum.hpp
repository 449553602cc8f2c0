#pragma once
// Least squares in six coordinates within bounds (Ceres): one minimum from one start. One thread: the same numbers on
// every run.

#include <array>
#include <cstddef>
#include <functional>
#include <span>

namespace microslip {

using SixCoordinates = std::array<double, 6>;

/// Bounds of the coordinates, and which of them stay where they are.
struct CoordinateBox {
  SixCoordinates low{}, high{};
  std::array<bool, 6> held{};
};

/// Residuals at x, and their Jacobian row by row unless that is empty; false where there are none.
using SixResiduals =
    std::function<bool(const SixCoordinates& x, std::span<double> residuals, std::span<double> jacobian)>;

/// When to stop: relative change of the sum of squares, largest gradient, relative change of the coordinates.
struct StopRules {
  int iterations = 200;
  double function = 0.0, gradient = 0.0, parameter = 0.0;
};

struct BoundedMinimum {
  SixCoordinates x{};
  double cost = 0.0;  ///< half the sum of squares
  bool usable = false;
  bool converged = false;
  int iterations = 0;
};

/// From x, moved within the bounds but for what is held.
[[nodiscard]] BoundedMinimum bounded_minimum(const SixResiduals& residuals, std::size_t count, SixCoordinates x,
                                             const CoordinateBox& box, const StopRules& rules);

}  // namespace microslip
