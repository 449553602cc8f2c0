#pragma once
// Half the sum of squares of white rows and of normal priors, for given discrepancies: what least squares go down.

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "microslip/inference/descent.hpp"
#include "microslip/inference/residual_problem.hpp"

namespace microslip {

class HalfSquares {
 public:
  HalfSquares(const ResidualProblem& problem, std::vector<double> discrepancy)
      : problem_(&problem), discrepancy_(std::move(discrepancy)) {}

  LocalModel operator()(const Eigen::VectorXd& x) const;

 private:
  const ResidualProblem* problem_;
  std::vector<double> discrepancy_;
};

}  // namespace microslip
