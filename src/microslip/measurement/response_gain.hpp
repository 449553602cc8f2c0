#pragma once
// How many times as large one measured response is as another that ought to be the same.

#include <Eigen/Core>

namespace microslip {

/// g = +-sqrt(B/A), A = sum w |a|^2 and B = sum w |b|^2 less what noise adds to them, w the reciprocal variance, with
/// the sign of sum w Re(conj(a) b). Of sizes alone: what moves a resonance (one of half-width 1 by d takes that last
/// sum down by 1/(1 + d^2/4)) leaves them; but g goes with 1/sqrt(zeta).
struct ResponseGain {
  double value = 0.0, error = 0.0;  ///< standard error
  bool known = false;               ///< a stands out of its noise

  /// From 1, by 7 % and five standard errors.
  [[nodiscard]] bool differs() const;
};

/// Errors: standard deviations of real and of imaginary part, each. Lines where they are not positive and finite count
/// nothing. `correlation` of lines 1, 2, ... apart, in both: see ModalLines. With C of it, n noise of covariance
/// s_k s_l c(k - l) in each part,
///   var A = 4 (w s a)^H C (w s a) + 4 (w s^2)^T |C|^2 (w s^2),
/// the second term of the squares of noise. What is taken off, N = sum 2 w s^2, is known as its level is, by
/// `noise_freedom` degrees of freedom n (0: known): 2 N^2/n more at most, as if all lines lay in one band of the noise
/// and each of both had a level of its own.
[[nodiscard]] ResponseGain gain_between(const Eigen::VectorXcd& a, const Eigen::VectorXd& a_error,
                                        const Eigen::VectorXcd& b, const Eigen::VectorXd& b_error,
                                        const Eigen::VectorXcd& correlation, double noise_freedom = 0.0);

}  // namespace microslip
