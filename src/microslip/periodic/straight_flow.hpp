#pragma once
// Exact flow of small disturbances while all joints are straight lines, whatever the frequency of the highest mode:
//
//   d'' + C d' + Omega^2 d + Psi (kappa Psi^T d + gamma Psi^T v + rest) = 0,   all constant, as z' = A z + b.
//
// With A = R Lambda L, L R = 1: z(t) = R [e^(Lambda t) L z(0) + (e^(Lambda t) - 1)/Lambda L b], in real numbers, one
// eigenvalue of each conjugate pair.

#include <Eigen/Core>

#include "microslip/periodic/joint_variation.hpp"

namespace microslip {

class StraightFlow {
 public:
  /// `omega`, `damping`: of the modes; `directions`: Psi.
  StraightFlow(const Eigen::VectorXd& omega, const Eigen::VectorXd& damping, const Rows& directions,
               const Eigen::MatrixXd& kappa, const Eigen::MatrixXd& gamma);

  /// The eigenvectors are far enough from each other; else nothing may be run.
  [[nodiscard]] bool holds() const { return rounding_ < most_rounding; }
  /// What they lose of the digits, relative.
  [[nodiscard]] double rounding() const { return rounding_; }
  [[nodiscard]] bool is_of(const Eigen::MatrixXd& kappa, const Eigen::MatrixXd& gamma) const {
    return kappa_ == kappa && gamma_ == gamma;
  }

  /// From d, v to those after `time`.
  void run(double time, const Rows& rest, Rows& d, Rows& v);

 private:
  Eigen::MatrixXd kappa_, gamma_;
  static constexpr double most_rounding = 1e-9;
  double rounding_ = 1.0;
  double scale_ = 1.0;  ///< of frequencies: the state is (d, v/scale)
  Eigen::VectorXcd values_;
  Rows left_, right_;             ///< real parts of all L (R), then their imaginary parts
  Rows forced_;                   ///< L b for each rest
  Rows state_, parts_, by_rest_;  ///< workspace
};

}  // namespace microslip
