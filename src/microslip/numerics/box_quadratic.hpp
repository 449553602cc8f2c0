#pragma once
// A quadratic programme in a box:
//
//   minimise  1/2 x^T H x + g^T x,   low <= x <= high,   H symmetric positive definite,  low <= 0 <= high
//
// by an active set from x = 0: Newton's step of those that are free, up to the first bound; at its end the one that is
// held with the largest pull inwards is let go. Exact up to rounding. For small problems: one factorisation a step.

#include <Eigen/Core>

namespace microslip {

struct BoxStep {
  Eigen::VectorXd x;
  double decrease = 0.0;  ///< -(1/2 x^T H x + g^T x) >= 0
  bool solved = false;    ///< false: H is not positive definite to rounding; x is feasible
};

[[nodiscard]] BoxStep solve_in_box(const Eigen::MatrixXd& h, const Eigen::VectorXd& g, const Eigen::VectorXd& low,
                                   const Eigen::VectorXd& high);

}  // namespace microslip
