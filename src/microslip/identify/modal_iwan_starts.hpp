#pragma once
// Starting values of a modal Iwan fit. On a grid of (chi, beta, phi_max) the curves of omega^2 are linear in K_inf and
// K_T, those of zeta in zeta0: each grid point is completed by linear least squares, and the best go on.

#include <vector>

#include "microslip/identify/modal_iwan_residuals.hpp"

namespace microslip {

/// Best first, each with another phi_max; at most `count`. `fixed`: parameters that are given.
[[nodiscard]] std::vector<ModalIwanParameters<double>> modal_iwan_starts(
    const ModalIwanResiduals& residuals, const std::array<std::optional<double>, modal_iwan_size>& fixed, int count);

}  // namespace microslip
