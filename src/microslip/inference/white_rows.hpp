#pragma once
// Rows of an answer, divided by their standard deviations:
//
//   r_i = sqrt(w_g/v_i) (f_i + o_g - y_i),   v_i = error_i^2 + (s_g scale_i)^2,   S = sum of r_i^2
//
// with the offset o_g that makes S least where the group has one. A row that the model does not reach counts as the
// worst of its group that it does, at least as three standard deviations, so that nothing is gained by not reaching
// it; a group without any has no answer.

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "microslip/inference/residual_problem.hpp"

namespace microslip {

struct WhiteRows {
  std::string why;                   ///< not empty: there are none, and this is why
  Eigen::VectorXd residuals;         ///< 0 of rows that are not reached
  Eigen::MatrixXd jacobian;          ///< rows x parameters
  std::vector<double> squares;       ///< of each group, rows that are not reached among them
  std::vector<double> offsets;       ///< o_g of each group
  std::vector<std::size_t> missing;  ///< rows that are not reached, of each group

  [[nodiscard]] double square() const;
};

/// Whether rows that are not reached count. For what the others say about the parameters they do not.
enum class Unreached { counted, left_out };

/// `discrepancy`: s_g of each group. The Jacobian is empty where the answer has none.
[[nodiscard]] WhiteRows white_rows(const ResidualProblem& problem, const ResidualProblem::Answer& answer,
                                   std::span<const double> discrepancy, Unreached unreached = Unreached::counted);

/// v_i
[[nodiscard]] inline double variance_of(const ResidualProblem::Row& row, double discrepancy) {
  const double model = discrepancy * row.scale;
  return row.error * row.error + model * model;
}

/// sum over all rows of a group of w ln v_i, and ln of the sum of 1/v_i where the offset is free: with S, -2 times the
/// logarithm of its likelihood, offset integrated out.
struct LogVariances {
  double value = 0.0;
  double slope = 0.0;  ///< by s_g
};
[[nodiscard]] LogVariances log_variances(const ResidualProblem& problem, std::size_t group, double discrepancy);

/// Median of the prior of s_g, half a Cauchy distribution: p(s) = 2/(pi c) / (1 + (s/c)^2).
[[nodiscard]] double usual_discrepancy(const ResidualProblem& problem, std::size_t group);

}  // namespace microslip
