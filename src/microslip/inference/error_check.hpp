#pragma once
// Whether the sum of squares S rises as standard errors say: with parameter k held t of its errors off and the others
// fitted anew, those at an end of the box too, by t^2. Looked for at three errors and twice as far each time, as long
// as S rises by less than 9: a way w with a rise R implies an error of w/sqrt(R), R = 4 at least. What a descent has
// found is no less than the least S, so this is never too large.
//
// So it is beside a bend of the model that few rows see, as macroslip that only the ends of a loop reach: noise makes a
// narrow minimum there, and beyond the bend the rows say nothing. profile.hpp has the range itself.

#include <functional>
#include <string>
#include <vector>

#include "microslip/inference/descent.hpp"
#include "microslip/inference/information.hpp"

namespace microslip {

/// Enlarges `errors` where they are too small by a factor of 1.5 or more, with `determined`. A sentence that tells
/// which; empty: none. Of parameters that are determined and have three errors to an end of the box. `half`: S/2, with
/// the least value `least` at `x`. `stopped` is asked before every evaluation.
[[nodiscard]] std::string check_errors(const LocalFunction& half,
                                       const std::vector<ResidualProblem::Parameter>& parameters,
                                       const Eigen::VectorXd& x, double least, const std::function<bool()>& stopped,
                                       Information& information);

}  // namespace microslip
