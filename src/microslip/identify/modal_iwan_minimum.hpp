#pragma once
// One minimum of the residuals of a modal Iwan fit, from one start, within bounds.

#include "microslip/identify/bounded_minimum.hpp"
#include "microslip/identify/modal_iwan_residuals.hpp"

namespace microslip {

using FitBox = CoordinateBox;
using FitMinimum = BoundedMinimum;

/// `tolerance`: relative change of the sum of squares at which to stop.
[[nodiscard]] FitMinimum minimise(const ModalIwanResiduals& residuals, const FitVector& x, const FitBox& box,
                                  int max_iterations, double tolerance);

}  // namespace microslip
