#pragma once
// Noise of the points of a force curve, from what a fit leaves of them:
//
//   sigma_i = s (|f_i|/max |f|)^p/sqrt(w_i),   0 <= p <= 1
//
// p = 0 is noise of one size, p = 1 noise of a share of the force. p maximises the likelihood of the residuals; where
// that is no better than p = 0 in 95 %, 2 ln(L/L_0) < 3.84, and where the points have weights of their own, p = 0.
// Forces below a thousandth of the largest count as that: no noise is known to be smaller.

#include <span>
#include <vector>

namespace microslip {

/// Standard deviations of all points, in units of f. `weight`: 1/variance up to a factor, or empty.
[[nodiscard]] std::vector<double> force_noise(std::span<const double> f, std::span<const double> residual,
                                              std::span<const double> weight);

}  // namespace microslip
