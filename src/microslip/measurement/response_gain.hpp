#pragma once
// How many times as large one measured response is as another that ought to be the same.

#include <Eigen/Core>

namespace microslip {

/// g = sum w Re(conj(a) b)/sum w |a|^2, w the reciprocal variance; what the noise of a adds to |a|^2 is taken off.
struct ResponseGain {
  double value = 0.0, error = 0.0;  ///< standard error
  bool known = false;               ///< a stands out of its noise

  /// From 1, by 7 % and five standard errors.
  [[nodiscard]] bool differs() const;
};

/// Errors: standard deviations of real and of imaginary part, each. Lines where they are not positive and finite count
/// nothing.
[[nodiscard]] ResponseGain gain_between(const Eigen::VectorXcd& a, const Eigen::VectorXd& a_error,
                                        const Eigen::VectorXcd& b, const Eigen::VectorXd& b_error);

}  // namespace microslip
