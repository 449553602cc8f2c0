#pragma once
// How far a solution is from that of slightly other equations, to first order: at the same lambda or, along a curve
// that may be turning back, normal to it. Unknowns are scaled, (dy/|y|, dlambda/Lambda), Lambda 1 % of lambda.

#include <Eigen/Core>

#include "microslip/numerics/continuation.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {

class CurveStep {
 public:
  /// R_y and R_lambda at a solution; without a tangent lambda stays as it is. `rounding`: see LeastNormLu.
  CurveStep(const Eigen::MatrixXd& jacobian, const Eigen::VectorXd& by_lambda, const CurvePoint& at,
            double rounding = 1e-13);

  /// The same by the factors of the last point of a continuation, which must outlive it.
  CurveStep(const Continuation& factors, const CurvePoint& at);

  /// The scaled step that changes R by so much; its last entry is that of lambda, along a curve.
  [[nodiscard]] Eigen::VectorXd answer(const Eigen::VectorXd& change) const;
  [[nodiscard]] Eigen::VectorXd dy(const Eigen::VectorXd& step) const { return size_ * step.head(n_); }
  [[nodiscard]] double dlambda(const Eigen::VectorXd& step) const { return step.size() > n_ ? scale_ * step(n_) : 0.0; }
  /// The step and the one along the tangent that takes dlambda back: the length of both in y over that of the first.
  [[nodiscard]] double steepness(const Eigen::VectorXd& step) const;

 private:
  Eigen::Index n_;
  double size_, scale_;  ///< |y|, Lambda
  Eigen::VectorXd y_tangent_;
  double lambda_tangent_;
  LeastNormLu lu_;
  const Continuation* factors_ = nullptr;  ///< instead
};

/// |y| of what moves: of series, `series` coefficients each, without the means.
[[nodiscard]] double moving_size(const Eigen::VectorXd& y, int series);
/// Of samples of modal displacements and velocities (a column each): the largest distance from the mean position,
/// velocities over the scale of frequencies.
[[nodiscard]] double moving_size(const Eigen::MatrixXd& d, const Eigen::MatrixXd& v, double omega_scale);

}  // namespace microslip
