#pragma once
// How far a parameter can go: the ends of its range over which the least sum of squares, all other parameters fitted
// anew, rises by no more than z^2 (profile likelihood; z of the normal distribution, discrepancies as in the fit).
// Unlike a standard error it holds where the model bends, and says where there is no end.

#include <cstddef>
#include <functional>

#include "microslip/inference/least_squares.hpp"

namespace microslip {

struct ProfileRange {
  double low = 0.0, high = 0.0;
  bool low_is_end = false, high_is_end = false;  ///< of the box: the rows set no limit there
  std::size_t evaluations = 0;
  bool found = false;  ///< false: a descent did not come to rest, or it was stopped
};

/// Of parameter k around `fit.x`.
[[nodiscard]] ProfileRange profile_range(const ResidualProblem& problem, const LeastSquares& fit, std::size_t parameter,
                                         double confidence = 0.95, const std::function<bool()>& stopped = {});

}  // namespace microslip
