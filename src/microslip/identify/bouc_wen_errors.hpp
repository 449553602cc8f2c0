#pragma once
// Standard errors of a Bouc-Wen fit, from what the fit leaves of the data.
//
// Linear: with the Jacobian J of the weighted residuals at the minimum, H = J^T J,
//   C = H^-1 [sum over records of s^2 sum over i, k of c^|i-k| j_i j_k^T] H^-1
// s^2 the variance of a record's residuals, c the correlation of its neighbours (residual_correlation.hpp). Directions
// that do not move the forces give infinity.
//
// A constant force is taken off a loop's residuals before, where no parameter could take it off: a preload, a zero of
// the load cell, a loop that is not steady yet.
//
// Where the minimum is flat (a linear error of a coordinate above 0.1) the sum of squares is no parabola: the
// coordinate is held away from its best value on either side, the others follow, until the sum has risen by 4 to 9
// variances or the coordinate is at its bound. These points, and the minima of all candidates, count with the rise
// D <= 9 in variances as the error |p - p_best|/sqrt(max(D, 1)); on a parabola that is never more than the linear one.
// Variances of the sum: trace(C H)/parameters, in its units.

#include <optional>
#include <vector>

#include "microslip/identify/bouc_wen_fit.hpp"
#include "microslip/identify/bouc_wen_minimum.hpp"

namespace microslip {

struct BoucWenErrors {
  BoucWenEstimates error{};  ///< 0: given
  double independent = 0.0;  ///< residuals that are
  double offset = 0.0;       ///< largest mean force that a loop has and the law has not, over its nonlinear part
  std::optional<BoucWen<double>::Parameters> improved;  ///< a lower minimum was met on the way
  bool interrupted = false;                             ///< coordinates are left to be followed
};

/// `minima`: parameters and misfits of candidates that were minimised. Adds to `iterations`.
[[nodiscard]] BoucWenErrors bouc_wen_errors(const std::vector<HysteresisRecord>& records,
                                            const BoucWen<double>::Parameters& best, double length,
                                            const std::vector<BoucWenCandidate>& minima, const BoucWenHeld& held,
                                            const BoucWenFitOptions& options, int& iterations,
                                            const Observer& observer = {});

}  // namespace microslip
