#pragma once
// What a standard error, the curvature at one minimum, cannot tell: other minima, and profiles that are flat beyond it.

#include <vector>

#include "microslip/identify/modal_iwan_minimum.hpp"

namespace microslip {

/// `minima`: all that fit as well, the chosen one first. Parameters and derived quantities that differ between them by
/// more than two standard errors (and 1 %) become undetermined.
void add_other_minima(const ModalIwanResiduals& residuals, const std::vector<FitMinimum>& minima,
                      const std::array<bool, modal_iwan_size>& free, ModalIwanFit& fit);

/// Each free parameter is held two standard errors aside and the others are fitted anew. Where the sum of squares rises
/// by less than a tenth of what its curvature promises, the parameter is undetermined, and so is what is derived and
/// moves with it by more than one standard error (and 1 %).
void add_flat_profiles(const ModalIwanResiduals& residuals, const FitVector& x, const FitBox& box,
                       const std::array<bool, modal_iwan_size>& free, ModalIwanFit& fit);

}  // namespace microslip
