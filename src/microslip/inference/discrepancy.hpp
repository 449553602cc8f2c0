#pragma once
// How large the discrepancies are, from what the model leaves at a minimum. Of each group that asks for it, the others
// held, with rows linear in the parameters around x (V: variances, P: precision of the priors, r, J: white rows):
//
//   p(s | rows) ~ p(s) |H|^(-1/2) prod v_i^(-w/2) (sum 1/v_i)^(-1/2) exp(-(r^T r - b^T H^-1 b)/2),
//   H = J^T J + P,   b = J^T r + P-gradient
//
// parameters and offset integrated out, so that rows they used up do not count twice. Estimate: the root of the mean of
// s^2 as if ln s were normal, exp(mean + variance of ln s), the variance at most 1/4: it stays finite and off 0 for any
// number of rows, and of many, nu of them left, it is SS/(nu - 2), with which z-scores have the variance 1. By
// trapezoids over ln s.

#include <Eigen/Core>
#include <vector>

#include "microslip/inference/residual_problem.hpp"

namespace microslip {

/// s_g to begin with: usual_discrepancy where it is estimated, 0 elsewhere.
[[nodiscard]] std::vector<double> first_discrepancy(const ResidualProblem& problem);

/// One round over the groups. `answer` at x with its Jacobian; `held`: parameters that do not move.
[[nodiscard]] std::vector<double> next_discrepancy(const ResidualProblem& problem,
                                                   const ResidualProblem::Answer& answer, const Eigen::VectorXd& x,
                                                   const std::vector<bool>& held, std::vector<double> discrepancy);

}  // namespace microslip
