#pragma once
// What rows say about parameters, and what they leave open. With J the white rows at a minimum, P the precision of
// normal priors, and D the standard deviations of the priors,
//
//   D (J^T J) D = E diag(lambda_k) E^T
//
// the direction e_k, in units of the priors, is known from the rows alone to 1/sqrt(lambda_k) of the prior's standard
// deviation, with the prior to 1/sqrt(1 + lambda_k). Determined: that is less than a half, lambda_k > 3. Parameters at
// an end of their box have no part in this, nor an error.
//
//   C = (J^T J + P)^-1,   infinite along what neither rows nor a normal prior hold

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/inference/residual_problem.hpp"

namespace microslip {

inline constexpr double determined_information = 3.0;

struct InformedDirection {
  Eigen::VectorXd along;     ///< of length 1, parameters over their prior_deviation; its largest component is positive
  double information = 0.0;  ///< lambda
  [[nodiscard]] bool determined() const { return information > determined_information; }
};

struct Information {
  std::vector<InformedDirection> directions;  ///< of the parameters not at an end; best known first
  Eigen::MatrixXd covariance;                 ///< C, of what is held at all; 0 of parameters at an end
  Eigen::VectorXd errors;                     ///< standard; infinite: not held by anything, NaN: at an end
  std::vector<int> at_end;                    ///< -1, 1: the parameter is at the lower, the upper end; 0
  std::vector<bool> determined;               ///< the error is less than half the prior's standard deviation

  /// Standard error of a quantity with this gradient; infinite where it leans on what nothing holds.
  [[nodiscard]] double error(const Eigen::VectorXd& gradient) const;

  Eigen::MatrixXd open;  ///< directions of x that nothing holds, in columns, orthogonal in units of the priors
  Eigen::VectorXd unit;  ///< D
};

/// `squares` = J^T J at x. A parameter nearer than 1e-6 of its range to an end is there if `gradient`, of half the sum
/// of squares with priors, pushes it out.
[[nodiscard]] Information information_of(const std::vector<ResidualProblem::Parameter>& parameters,
                                         const Eigen::MatrixXd& squares, const Eigen::VectorXd& x,
                                         const Eigen::VectorXd& gradient);

/// `0.71 K + 0.70 F`: components of a tenth of the largest or more.
[[nodiscard]] std::string in_words(const InformedDirection& direction,
                                   const std::vector<ResidualProblem::Parameter>& parameters);

/// Sentences: parameters at an end, parameters and combinations that are not determined. Empty: all are.
[[nodiscard]] std::string what_is_open(const Information& information,
                                       const std::vector<ResidualProblem::Parameter>& parameters);

}  // namespace microslip
