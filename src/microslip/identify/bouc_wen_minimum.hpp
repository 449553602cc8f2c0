#pragma once
// Nonlinear least squares on the forces of the Bouc-Wen law: step 2 of bouc_wen_fit.hpp, with any of its coordinates
// held.

#include "microslip/identify/bouc_wen_residuals.hpp"
#include "microslip/identify/bounded_minimum.hpp"

namespace microslip {

using BoucWenHeld = std::array<bool, bouc_wen_size>;

inline constexpr double highest_alpha = 0.9999;

/// Of ln k_0 and ln A: 4 either way of where they start; of n: the range given.
[[nodiscard]] CoordinateBox bouc_wen_box(const BoucWenVector& start, double n_low, double n_high,
                                         const BoucWenHeld& held);

/// From x, within the box, until a step changes the sum of squares, misfit squared, by less than `tolerance` of it.
[[nodiscard]] BoundedMinimum minimise_forces(BoucWenResiduals& residuals, const BoucWenVector& x,
                                             const CoordinateBox& box, int max_iterations, double tolerance = 1e-10);

}  // namespace microslip
