#pragma once
// Nonlinear least squares on the forces of the Bouc-Wen law: step 2 of bouc_wen_fit.hpp, with any of its coordinates
// held.

#include <array>

#include "microslip/identify/bouc_wen_residuals.hpp"

namespace microslip {

using BoucWenHeld = std::array<bool, bouc_wen_size>;

struct BoucWenBounds {
  BoucWenVector low, high;
};
inline constexpr double highest_alpha = 0.9999;

/// Of ln k_0 and ln A: 4 either way of where they start; of n: the range given.
[[nodiscard]] BoucWenBounds bouc_wen_bounds(const BoucWenVector& start, double n_low, double n_high);

struct BoucWenMinimum {
  BoucWenVector x{};
  double square = 0.0;  ///< the sum of squares, misfit squared
  bool converged = false;
  bool usable = false;
  int iterations = 0;
};

/// From x, within the bounds but for what is held, until a step changes the sum of squares by less than `tolerance` of
/// it. One thread: the same numbers on every run.
[[nodiscard]] BoucWenMinimum minimise_forces(BoucWenResiduals& residuals, BoucWenVector x, const BoucWenHeld& held,
                                             const BoucWenBounds& bounds, int max_iterations, double tolerance = 1e-10);

}  // namespace microslip
