#pragma once
// The prior of one parameter: its quantiles, and the parameter as a function of a standard normal z,
//
//   F(x) = Phi(z),   F the distribution of the prior in its box,   dx/dz = phi(z)/f(x)
//
// z has no bounds, and a priori it is standard normal whatever the prior: what samplers of posteriors move in.

#include "microslip/inference/residual_problem.hpp"

namespace microslip {

/// Standard deviation in the box: the unit of the parameter, so far as the prior goes.
[[nodiscard]] double prior_deviation(const ResidualProblem::Parameter& parameter);

/// Below this x lies the share `u` of the prior, 0 < u < 1.
[[nodiscard]] double prior_quantile(const ResidualProblem::Parameter& parameter, double u);

struct PriorPoint {
  double x = 0.0;      ///< in the box
  double slope = 0.0;  ///< dx/dz
};
[[nodiscard]] PriorPoint from_standard(const ResidualProblem::Parameter& parameter, double z);
/// Between -most and most, where the box ends.
[[nodiscard]] double to_standard(const ResidualProblem::Parameter& parameter, double x, double most = 8.0);

}  // namespace microslip
