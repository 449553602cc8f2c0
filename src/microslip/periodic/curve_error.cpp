#include "microslip/periodic/curve_error.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {

CurveStep::CurveStep(const Eigen::MatrixXd& jacobian, const Eigen::VectorXd& by_lambda, const CurvePoint& at,
                     double rounding)
    : n_(at.y.size()),
      size_(at.y.norm()),
      scale_(0.01 * std::abs(at.lambda)),
      y_tangent_(at.y_tangent),
      lambda_tangent_(at.lambda_tangent),
      lu_(rounding) {
  if (y_tangent_.size() == 0) {
    lu_.compute(size_ * jacobian);
    return;
  }
  Eigen::MatrixXd bordered(n_ + 1, n_ + 1);
  bordered.topLeftCorner(n_, n_) = size_ * jacobian;
  bordered.topRightCorner(n_, 1) = scale_ * by_lambda;
  bordered.bottomLeftCorner(1, n_) = y_tangent_.transpose() / size_;
  bordered(n_, n_) = lambda_tangent_ / scale_;
  bordered.bottomRows(1) /= bordered.bottomRows(1).norm();
  lu_.compute(bordered);
}

CurveStep::CurveStep(const Continuation& factors, const CurvePoint& at)
    : n_(at.y.size()),
      size_(at.y.norm()),
      scale_(0.01 * std::abs(at.lambda)),
      y_tangent_(at.y_tangent),
      lambda_tangent_(at.lambda_tangent),
      factors_(&factors) {}

Eigen::VectorXd CurveStep::answer(const Eigen::VectorXd& change) const {
  if (factors_ != nullptr) {
    const auto scaled = [this](const auto& y, double lambda) {
      Eigen::VectorXd result(n_ + 1);
      result << y / size_, lambda / scale_;
      return result;
    };
    const Eigen::VectorXd step = factors_->answer(change), tangent = scaled(y_tangent_, lambda_tangent_);
    const Eigen::VectorXd any = scaled(step.head(n_), step(n_));
    return any - tangent.dot(any) / tangent.squaredNorm() * tangent;
  }
  Eigen::VectorXd right = Eigen::VectorXd::Zero(y_tangent_.size() > 0 ? n_ + 1 : n_);
  right.head(n_) = change;
  return lu_.solve(right);
}

double CurveStep::steepness(const Eigen::VectorXd& step) const {
  const double length = step.norm();
  if (step.size() == n_ || !(length > 0.0)) return 1.0;
  const double back = step(n_) * scale_ / lambda_tangent_;
  return (step.head(n_) - back / size_ * y_tangent_).norm() / length;
}

double moving_size(const Eigen::VectorXd& y, int series) {
  double square = y.squaredNorm();
  for (Eigen::Index c = 0; c < y.size(); c += series) square -= y(c) * y(c);
  return std::sqrt(std::max(square, 0.0));
}

double moving_size(const Eigen::MatrixXd& d, const Eigen::MatrixXd& v, double omega_scale) {
  const Eigen::VectorXd mean = d.rowwise().mean();
  return std::sqrt(
      ((d.colwise() - mean).colwise().squaredNorm() + v.colwise().squaredNorm() / (omega_scale * omega_scale))
          .maxCoeff());
}

}  // namespace microslip
