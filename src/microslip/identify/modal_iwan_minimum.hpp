#pragma once
// One minimum of the residuals of a modal Iwan fit, from one start, within bounds.

#include <array>

#include "microslip/identify/modal_iwan_residuals.hpp"

namespace microslip {

/// Bounds of the fit coordinates, and which of them stay where they are.
struct FitBox {
  FitVector low{}, high{};
  std::array<bool, modal_iwan_size> held{};
};

struct FitMinimum {
  FitVector x{};
  double cost = 0.0;  ///< half the sum of squares
  bool usable = false;
  bool converged = false;
  int iterations = 0;
};

/// `tolerance`: relative change of the sum of squares at which to stop. The same numbers on every run.
[[nodiscard]] FitMinimum minimise(const ModalIwanResiduals& residuals, FitVector x, const FitBox& box,
                                  int max_iterations, double tolerance);

}  // namespace microslip
