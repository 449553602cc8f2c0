#pragma once
// Quadratic programmes with unknowns >= 0: the normal equations of non-negative least squares.
//
//   minimise  1/2 x^T H x - b^T x,   x >= 0,   H symmetric positive definite
//
// where the first few unknowns may have any sign.
//
// Principal pivoting: guess which unknowns are positive, solve for them by Cholesky, exchange every unknown that is
// negative, and every zero whose gradient Hx - b is negative. A few factorisations suffice where Lawson and Hanson need
// one for each unknown. When the number of exchanges has not fallen for a few rounds, only the last of them is made
// (Murty's rule), which ends for every H that is positive definite: the result is the exact minimum, up to rounding.
//
// Ref: Judice and Pires 1994, A block principal pivoting algorithm; Kim and Park 2011, SIAM J. Sci. Comput. 33.

#include <Eigen/Core>
#include <vector>

namespace microslip {

struct NonnegativeSolution {
  Eigen::VectorXd x;
  std::vector<int> positive;  ///< unknowns that may be positive, ascending; the others are 0
  int factorisations = 0;
  bool converged = false;  ///< false: H is not positive definite to rounding
};

/// `start`: a guess of the positive ones, ascending; empty: all of them. The first `free` unknowns have any sign and
/// count among the positive.
[[nodiscard]] NonnegativeSolution solve_nonnegative(const Eigen::MatrixXd& h, const Eigen::VectorXd& b,
                                                    const std::vector<int>& start = {}, int free = 0);

}  // namespace microslip
