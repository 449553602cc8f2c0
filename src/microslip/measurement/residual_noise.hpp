#pragma once
// Noise of frequency responses from what a fit leaves of them: a level for each function times a profile over the lines
// that all functions share, a mean over neighbouring lines.

#include <Eigen/Core>

namespace microslip {

/// 1/standard deviation of real and imaginary part, lines x functions. `unknowns`: that were fitted to a function.
[[nodiscard]] Eigen::MatrixXd weights_from_residuals(const Eigen::MatrixXcd& residuals, double unknowns);

}  // namespace microslip
