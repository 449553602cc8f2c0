#include "microslip/periodic/peak_condition.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace microslip {

double PeakCondition::last_amplitude(const HarmonicBalance& equations, double level) {
  const int harmonics = equations.harmonics();
  if (scanner_ == nullptr || scanner_->harmonics() != harmonics) scanner_ = std::make_unique<SeriesScanner>(harmonics);
  const Eigen::MatrixXd q = equations.last_displacements(level, {dof_});
  const HalfRange range = scanner_->half_range(q.data());
  Eigen::VectorXd least(q.rows());
  weights_.resize(q.rows());
  series_basis(harmonics, range.tau_max, weights_.data());
  series_basis(harmonics, range.tau_min, least.data());
  weights_ = 0.5 * (weights_ - least);
  return range.value;
}

bool PeakCondition::derivatives(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level,
                                Value& value) {
  if (!equations.residual(y, omega, level, value.r, &value.r_y, &value.r_omega, &value.r_level)) return false;
  value.amplitude = last_amplitude(equations, level);
  a_ = equations.displacement_gradient(dof_, weights_, level);
  return std::isfinite(value.amplitude) && a_.y.allFinite() && std::isfinite(a_.omega);
}

/// Columns of y and omega and rows of R and A by their scales.
bool PeakCondition::solve_border(Value& value) {
  const Eigen::Index n = value.r.size();
  bordered_.resize(n + 2, n + 2);
  bordered_.topLeftCorner(n, n) = value.r_y;
  bordered_.block(0, n, n, 1) = (omega_scale_ / y_scale_) * value.r_omega;
  bordered_.block(n, 0, 1, n) = (y_scale_ / amplitude_scale_) * a_.y.transpose();
  bordered_(n, n) = omega_scale_ / amplitude_scale_ * a_.omega;
  bordered_.block(0, n + 1, n + 1, 1) = left_;
  bordered_.block(n + 1, 0, 1, n + 1) = right_.transpose();
  bordered_(n + 1, n + 1) = 0.0;
  const Eigen::VectorXd last = Eigen::VectorXd::Unit(n + 2, n + 1);
  lu_.compute(bordered_);
  const Eigen::VectorXd v = lu_.solve(last), w = lu_.solve_transposed(last);
  if (!v.allFinite() || !w.allFinite()) return false;
  v_ = v.head(n + 1);
  w_ = w.head(n + 1);
  value.g = v(n + 1);
  value.y_tangent = y_scale_ * v_.head(n);
  value.omega_tangent = omega_scale_ * v_(n);
  return true;
}

Eigen::VectorXd PeakCondition::pulled_back(const Value& value) const {
  const Eigen::Index n = value.r.size();
  const Eigen::VectorXd lambda = w_.head(n) / y_scale_;
  const double alpha = w_(n) / amplitude_scale_;
  Eigen::VectorXd result(n + 2);
  result.head(n).noalias() = value.r_y.transpose() * lambda;
  result.head(n) += alpha * a_.y;
  result(n) = lambda.dot(value.r_omega) + alpha * a_.omega;
  result(n + 1) = lambda.dot(value.r_level) + alpha * a_.level;
  return result;
}

void PeakCondition::difference(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level,
                               Value& value) {
  const Eigen::Index n = y.size();
  const auto side = [&](double e) -> Eigen::VectorXd {
    if (!derivatives(equations, y + e * value.y_tangent, omega + e * value.omega_tangent, level, beside_)) {
      return Eigen::VectorXd::Constant(n + 2, std::numeric_limits<double>::quiet_NaN());
    }
    return pulled_back(beside_);
  };
  const Eigen::VectorXd slope = (side(step) - side(-step)) / (2.0 * step);
  value.g_y = -slope.head(n);
  value.g_omega = -slope(n);
  value.g_level = -slope(n + 1);
  // Along the curve d^2 A/ds^2 = -(dg/dz . v)/alpha.
  value.maximum = (value.g_y.dot(value.y_tangent) + value.g_omega * value.omega_tangent) * w_(n) > 0.0;
}

bool PeakCondition::evaluate(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level,
                             bool with_gradient, Value& value) {
  if (!derivatives(equations, y, omega, level, value) || !solve_border(value)) return false;
  if (!with_gradient) return true;
  difference(equations, y, omega, level, value);
  return value.g_y.allFinite() && std::isfinite(value.g_omega);
}

double PeakCondition::lagrangian(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level) {
  Eigen::VectorXd r;
  if (!equations.residual(y, omega, level, r, nullptr, nullptr, nullptr)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const Eigen::Index n = y.size();
  return w_.head(n).dot(r) / y_scale_ + w_(n) / amplitude_scale_ * last_amplitude(equations, level);
}

void PeakCondition::set_scales(const Eigen::VectorXd& y, double omega, double amplitude) {
  constexpr double share_of_omega = 0.01;  // counts as much as all of the motion, as in HarmonicBalance::errors
  y_scale_ = y.norm();
  omega_scale_ = share_of_omega * omega;
  amplitude_scale_ = amplitude;
}

bool PeakCondition::set_frame(HarmonicBalance& equations, const Eigen::VectorXd& y, double omega, double level) {
  constexpr int tries = 3;
  const Eigen::Index n = y.size();
  right_ = left_ = Eigen::VectorXd::Unit(n + 1, n);
  Value value;
  if (!derivatives(equations, y, omega, level, value)) return false;
  set_scales(y, omega, value.amplitude);
  if (!(y_scale_ > 0.0 && amplitude_scale_ > 0.0)) return false;
  for (int i = 0; i < tries; ++i) {
    if (!solve_border(value)) return false;
    right_ = v_.normalized();
    left_ = w_.normalized();
  }
  return true;
}

void PeakCondition::set_frame(const Eigen::VectorXd& y, double omega, double amplitude) {
  const Eigen::Index n = y.size();
  const double old_y = y_scale_, old_omega = omega_scale_, old_amplitude = amplitude_scale_;
  set_scales(y, omega, amplitude);
  right_.head(n) = old_y / y_scale_ * v_.head(n);
  right_(n) = old_omega / omega_scale_ * v_(n);
  left_.head(n) = y_scale_ / old_y * w_.head(n);
  left_(n) = amplitude_scale_ / old_amplitude * w_(n);
  right_.normalize();
  left_.normalize();
}

double PeakCondition::amplitude_share() const {
  return std::abs(w_(w_.size() - 1)) / w_.norm();
}

void PeakCondition::carry_over(const HarmonicBalance& equations, int old_harmonics) {
  for (Eigen::VectorXd* border : {&right_, &left_}) {
    const Eigen::Index n = border->size() - 1;
    const double last = (*border)(n);
    const Eigen::VectorXd series = equations.with_harmonics(border->head(n), old_harmonics);
    border->resize(series.size() + 1);
    *border << series, last;
    border->normalize();
  }
}

}  // namespace microslip
