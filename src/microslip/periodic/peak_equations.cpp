#include "microslip/periodic/peak_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

namespace microslip {
namespace {

/// Of y in z = (y, theta).
Eigen::VectorXd motion_of(const Eigen::VectorXd& z) {
  return z.head(z.size() - 1);
}

Eigen::VectorXd joined(const Eigen::VectorXd& y, double last) {
  Eigen::VectorXd z(y.size() + 1);
  z << y, last;
  return z;
}

}  // namespace

PeakEquations::PeakEquations(const System& system, const HarmonicLoad& load, const PeakRequest& request,
                             const ResponseRecord& record, const FrequencyResponseOptions& options)
    : request_(&request), value_(request.values.front()), condition_(record.peak_dof) {
  if (request.model) {
    model_ = request.model(value_);
  } else {
    model_ = {{std::shared_ptr<const System>(), &system}, load};
  }
  curve_.emplace(*model_.system, model_.load, record, options);
}

bool PeakEquations::move_to(double value) {
  if (value == value_) return true;
  if (request_->model) {
    LoadedSystem next;
    try {
      next = request_->model(value);
      std::swap(model_, next);
      curve_->move_to(*model_.system, model_.load);
    } catch (const std::exception&) {  // next: not made, or the one before
      if (next.system != nullptr) {
        std::swap(model_, next);
        curve_->move_to(*model_.system, model_.load);
      }
      return false;
    }
    energies_.reset();
  }
  value_ = value;
  return true;
}

bool PeakEquations::evaluate(const Eigen::VectorXd& z, double value, bool with_gradient) {
  constexpr double nearby = 1e-4;  // of the motion: so much of the residual the last correction leaves
  if (known_ && known_->value == value && known_->z == z) return true;
  known_.reset();
  const double omega = omega_of(z);
  if (!(omega > 0.0) || !move_to(value) || level() == 0.0) return false;
  const bool near = !exact_ && differenced_ && (*differenced_ - z).norm() <= nearby * row_;
  if (!condition_.evaluate(curve_->equations(), motion_of(z), omega, level(), with_gradient && !near, found_)) {
    return false;
  }
  if (!with_gradient) return true;
  if (!near) differenced_ = z;
  known_ = {z, value};
  return true;
}

void PeakEquations::forget() {
  known_.reset();
  differenced_.reset();
}

void PeakEquations::take_exact_derivatives(bool exact) {
  exact_ = exact;
  forget();
}

bool PeakEquations::make_beside(double value, Beside& beside) {
  HarmonicBalance& here = curve_->equations();
  try {
    beside.model = request_->model(value);
    beside.equations =
        std::make_unique<HarmonicBalance>(*beside.model.system, beside.model.load, here.harmonics(), here.samples());
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

/// dR/dvalue, and dg/dvalue as the mixed difference of the Lagrangian; one-sided where a side makes no system.
bool PeakEquations::by_value(const Eigen::VectorXd& y, double omega, Eigen::VectorXd& r_value, double& g_value) {
  constexpr double step = 1e-4;
  const double apart = step * std::max(std::abs(value_), std::abs(request_->values.back() - request_->values.front()));
  Eigen::VectorXd r[2] = {found_.r, found_.r};
  double slope[2] = {0.0, 0.0};  // of the Lagrangian along v
  const double e = PeakCondition::step;
  const auto along = [&](HarmonicBalance& equations) {
    const auto at = [&](double s) {
      return condition_.lagrangian(equations, y + s * found_.y_tangent, omega + s * found_.omega_tangent, level());
    };
    return (at(e) - at(-e)) / (2.0 * e);
  };
  double width = 0.0;
  for (int side = 0; side < 2; ++side) {
    Beside beside;
    if (make_beside(value_ + (side == 0 ? -apart : apart), beside) &&
        beside.equations->residual(y, omega, level(), r[side], nullptr, nullptr, nullptr)) {
      slope[side] = along(*beside.equations);
      width += apart;
    } else {
      r[side] = found_.r;
      slope[side] = along(curve_->equations());
    }
  }
  if (width == 0.0) return false;
  r_value = (r[1] - r[0]) / width;
  g_value = -(slope[1] - slope[0]) / width;
  return r_value.allFinite() && std::isfinite(g_value);
}

Residual PeakEquations::residual() {
  return [this](const Eigen::VectorXd& z, double value, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                Eigen::VectorXd* by_parameter) {
    if (!evaluate(z, value, jacobian != nullptr)) return false;
    r = joined(found_.r, row_ * found_.g);
    const Eigen::Index n = found_.r.size();
    if (jacobian != nullptr) {
      jacobian->resize(n + 1, n + 1);
      jacobian->topLeftCorner(n, n) = found_.r_y;
      jacobian->topRightCorner(n, 1) = omega_1_ * found_.r_omega;
      jacobian->bottomLeftCorner(1, n) = row_ * found_.g_y.transpose();
      (*jacobian)(n, n) = row_ * omega_1_ * found_.g_omega;
    }
    if (by_parameter == nullptr) return true;
    if (!request_->model) {
      *by_parameter = joined(found_.r_level, row_ * found_.g_level);
      return true;
    }
    Eigen::VectorXd r_value;
    double g_value = 0.0;
    if (!by_value(motion_of(z), omega_of(z), r_value, g_value)) return false;
    *by_parameter = joined(r_value, row_ * g_value);
    return true;
  };
}

RelativeSize PeakEquations::size() {
  return [this](const Eigen::VectorXd& r, const Eigen::VectorXd& z) {
    return std::max(curve_->equations().relative_size(motion_of(r), motion_of(z), level()),
                    std::abs(r(r.size() - 1)) / row_);
  };
}

bool PeakEquations::begin_near(const PeriodicOrbit& orbit, double value, Eigen::VectorXd& z) {
  if (!move_to(value)) return false;
  const Eigen::VectorXd series = Eigen::Map<const Eigen::VectorXd>(orbit.deflection.data(), orbit.deflection.size());
  const Eigen::VectorXd y = curve_->equations().with_harmonics(series, orbit.harmonics);
  constexpr double share = 0.01;  // of omega, which counts as much as all of the motion
  omega_0_ = orbit.omega;
  omega_1_ = share * orbit.omega / y.norm();
  row_ = y.norm();
  z = joined(y, 0.0);
  forget();
  return condition_.set_frame(curve_->equations(), y, omega_0_, level());
}

bool PeakEquations::set_frame(const CurvePoint& at) {
  if (!evaluate(at.y, at.lambda, true)) return false;
  condition_.set_frame(motion_of(at.y), omega_of(at.y), found_.amplitude);
  row_ = motion_of(at.y).norm();
  forget();
  return true;
}

CurvePoint PeakEquations::on_response(const CurvePoint& at) {
  CurvePoint result;
  if (!evaluate(at.y, at.lambda, true)) return result;
  result.y = motion_of(at.y);
  result.lambda = omega_of(at.y);
  result.y_tangent = found_.y_tangent;
  result.lambda_tangent = found_.omega_tangent;
  result.iterations = at.iterations;
  return result;
}

bool PeakEquations::keep_frame(int old_harmonics, bool changed) {
  if (!changed) return false;
  condition_.carry_over(curve_->equations(), old_harmonics);
  forget();
  return true;
}

bool PeakEquations::refine(const CurvePoint& at) {
  const CurvePoint here = on_response(at);
  const int old = curve_->equations().harmonics();
  return here.y.size() > 0 && keep_frame(old, curve_->refine(here, Sweep::over_frequency(level())));
}

bool PeakEquations::coarsen() {
  const int old = curve_->equations().harmonics();
  return keep_frame(old, curve_->coarsen());
}

void PeakEquations::carry_over(CurvePoint& point) const {
  const double theta = point.y(point.y.size() - 1), tangent = point.y_tangent(point.y_tangent.size() - 1);
  CurvePoint motion = point;
  motion.y = motion_of(point.y);
  motion.y_tangent = motion_of(point.y_tangent);
  curve_->carry_over(motion);
  point.y = joined(motion.y, theta);
  point.y_tangent = joined(motion.y_tangent, tangent);
}

PeakPoint PeakEquations::point(const CurvePoint& at) {
  PeakPoint result;
  result.value = at.lambda;
  const CurvePoint here = on_response(at);
  if (here.y.size() == 0) {
    throw std::runtime_error(fmt::format("the joints cannot be evaluated at the peak at {:.6g}", at.lambda));
  }
  result.amplitude = found_.amplitude;
  result.maximum = found_.maximum;
  result.point = curve_->point(here, Sweep::over_frequency(level()));
  if (!energies_) energies_.emplace(*model_.system, model_.load);
  result.damping_ratio = energies_->of(result.point.orbit).damping_ratio();
  return result;
}

bool PeakEquations::responses_meet(const CurvePoint& at) {
  constexpr double rounding = 1e-4;  // the fold is located to 1e-9 of the curve
  return evaluate(at.y, at.lambda, true) && condition_.amplitude_share() < rounding;
}

}  // namespace microslip
