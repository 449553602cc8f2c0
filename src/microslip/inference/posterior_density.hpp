#pragma once
// The posterior as a density of z, a priori standard normal: first the parameters, then the s_g that are estimated,
//
//   x_k = F_k^-1(Phi(z_k)),   s_g = c tan(pi/2 Phi(z)),   ln p = -1/2 z^T z + ln L(x, s)

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <vector>

#include "microslip/inference/residual_problem.hpp"

namespace microslip {

class PosteriorDensity {
 public:
  explicit PosteriorDensity(const ResidualProblem& problem);

  [[nodiscard]] Eigen::Index size() const;
  [[nodiscard]] Eigen::VectorXd parameters_at(const Eigen::VectorXd& z) const;
  [[nodiscard]] std::vector<double> discrepancies_at(const Eigen::VectorXd& z) const;  ///< of each group
  /// Ends of the box as if 3 standard deviations out.
  [[nodiscard]] Eigen::VectorXd z_at(const Eigen::VectorXd& x, const std::vector<double>& discrepancy) const;

  /// -infinity where the model has no answer. `curvature`, if wanted: -d^2 ln p/dz^2 by Gauss and Newton, for the
  /// discrepancies Fisher's information.
  double operator()(const Eigen::VectorXd& z, Eigen::VectorXd& gradient, Eigen::MatrixXd* curvature = nullptr) const;

 private:
  const ResidualProblem* problem_;
  std::vector<std::size_t> estimated_;  ///< groups
  std::vector<double> usual_;
};

}  // namespace microslip
