#include "microslip/modal/modal_equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/numerics/gauss.hpp"
#include "microslip/system/joint_equation.hpp"

namespace microslip {

ModalEquilibrium::ModalEquilibrium(const QuasiStaticMode& mode, double tolerance, int max_iterations)
    : mode_(&mode),
      tolerance_(tolerance),
      max_iterations_(max_iterations),
      size_(mode.system->components()),
      memory_(mode.system->initial_memory()),
      response_(memory_.make_response()) {
  const System& system = *mode.system;
  for (int j = 0; j < memory_.joints(); ++j) {
    const Block block{system.offset(j), memory_.components(j), tells_energy(system.joints()[j].law)};
    scalar_joints_ = scalar_joints_ && block.width == 1;
    all_tell_energy_ = all_tell_energy_ && block.tells_energy;
    for (int i = 0; i < block.width; ++i) {
      for (int k = 0; k < block.width; ++k) {
        stuck_.push_back(system.stuck_joint_stiffness()(block.first + i, block.first + k));
      }
      // An open gap has no stiffness: that of the structure around it then.
      const double stuck = system.stuck_joint_stiffness().row(block.first + i).cwiseAbs().maxCoeff();
      const double around = mode.rest_compliance(block.first + i);
      scale_.push_back(stuck > 0.0 || around == 0.0 ? stuck : 1.0 / around);
    }
    blocks_.push_back(block);
  }
  for (Unknowns* unknowns : {&now_, &last_, &before_}) {
    for (auto* values : {&unknowns->x, &unknowns->slope, &unknowns->u}) values->assign(size_, 0.0);
  }
  for (auto* values : {&u_star_, &zero_, &residual_, &step_}) values->assign(size_, 0.0);
  matrix_.assign(static_cast<std::size_t>(size_) * size_, 0.0);
  others_.resize(mode.other_load.size());
  committed_.tangent = 1.0 / mode.modal_compliance;
  if (size_ > 0) memory_.evaluate(zero_.data(), zero_.data(), 0.0, response_);
  last_response_ = response_;
}

bool ModalEquilibrium::try_load(double alpha) {
  for (int i = 0; i < size_; ++i) u_star_[i] = alpha * mode_->load[i];
  const bool smooth = committed_.tangent > 0.0 && previous_.tangent > 0.0;
  guess(alpha, committed_.alpha, previous_.alpha, smooth ? 1.0 / committed_.tangent : 0.0,
        smooth ? 1.0 / previous_.tangent : 0.0);
  if (!find(mode_->compliance, u_star_.data())) return false;

  std::vector<double>& y = now_.slope;  // dx/d alpha, then dx/dq
  tangent_times_load(y.data());
  if (!solve_linear(mode_->compliance, y.data())) return false;
  const double c = mode_->modal_compliance;
  const double lost = dot_load(y);  // < 0: softening
  trial_.alpha = alpha;
  trial_.q = alpha * c - dot_load(now_.x);
  trial_.tangent = 1.0 / (c - lost);
  trial_.excess = dot_load(now_.x) / c;
  trial_.slope = lost / c * trial_.tangent;
  for (double& value : y) value *= trial_.tangent;
  return std::isfinite(trial_.tangent);
}

bool ModalEquilibrium::try_displacement(double q) {
  const double c = mode_->modal_compliance;
  for (int i = 0; i < size_; ++i) u_star_[i] = q / c * mode_->load[i];
  guess(q, committed_.q, previous_.q, 1.0, 1.0);
  if (!find(mode_->compliance_fixed_q, u_star_.data())) return false;

  std::vector<double>& y = now_.slope;
  tangent_times_load(y.data());
  for (double& value : y) value /= c;
  if (!solve_linear(mode_->compliance_fixed_q, y.data())) return false;
  trial_.q = q;
  trial_.excess = dot_load(now_.x) / c;
  trial_.alpha = q / c + trial_.excess;
  trial_.slope = dot_load(y) / c;
  trial_.tangent = 1.0 / c + trial_.slope;
  return true;
}

void ModalEquilibrium::commit() {
  if (size_ > 0) memory_.commit();
  if (!all_tell_energy_) {
    for (const Block& block : blocks_) {
      if (!block.tells_energy) work_ += work_of_step(block);
    }
  }
  previous_ = committed_;
  committed_ = trial_;
  std::swap(before_, last_);
  std::swap(last_, now_);
  std::swap(last_response_, response_);
  history_ = std::min(history_ + 1, 2);
  passed_fold_ = false;
}

void ModalEquilibrium::continue_from(const ModalEquilibrium& other) {
  memory_ = other.memory_;
  last_response_ = other.last_response_;
  last_ = other.last_;
  committed_ = previous_ = other.committed_;
  history_ = 1;
  work_ = other.work_;
  passed_fold_ = false;
}

void ModalEquilibrium::turn() {
  std::fill(last_.slope.begin(), last_.slope.end(), 0.0);
  history_ = 1;
}

const Eigen::VectorXd& ModalEquilibrium::ratios() {
  if (committed_.q == 0.0) {
    others_.setZero();
    return others_;
  }
  const Eigen::Map<const Eigen::VectorXd> x(last_.x.data(), size_);
  others_.noalias() = mode_->other_load * committed_.alpha;
  if (size_ > 0) others_.noalias() -= mode_->other_joints * x;
  others_ /= committed_.q;
  return others_;
}

double ModalEquilibrium::dissipated_energy() const {
  double sum = work_;
  for (int j = 0; j < memory_.joints(); ++j) {
    if (blocks_[j].tells_energy) sum += memory_.dissipated_energy(j);
  }
  return sum;
}

/// x at the parameter `to` (alpha or q): the cubic through values and slopes of the last two points, the tangent after
/// one point, and for steps much longer than the last. `slope_scale` turns dx/dq into the slope in that parameter.
void ModalEquilibrium::guess(double to, double from, double before, double slope_scale, double slope_scale_before) {
  const double step = to - from;
  const double width = from - before;
  const double s = width != 0.0 ? step / width : 0.0;
  if (history_ < 2 || !(s > 0.0 && s < 3.0)) {
    for (int i = 0; i < size_; ++i) now_.x[i] = last_.x[i] + step * slope_scale * last_.slope[i];
    return;
  }
  // Hermite's cubic in t = 1 + s, 0 <= t <= 1 being the last step.
  const double t = 1.0 + s;
  const double value_before = s * s * (2.0 * t + 1.0);
  const double slope_before = t * s * s * width * slope_scale_before;
  const double slope_last = t * t * s * width * slope_scale;
  for (int i = 0; i < size_; ++i) {
    now_.x[i] = last_.x[i] + value_before * (before_.x[i] - last_.x[i]) + slope_before * before_.slope[i] +
                slope_last * last_.slope[i];
  }
}

void ModalEquilibrium::evaluate(const Eigen::MatrixXd& compliance, const double* u_star) {
  const double* a = compliance.data();  // symmetric: rows are columns
  with_static_size(size_, [&](auto n) {
    for (int i = 0; i < n; ++i) {
      double u = u_star[i];
      for (int k = 0; k < n; ++k) u -= a[i * n + k] * now_.x[k];
      now_.u[i] = u;
    }
  });
  memory_.evaluate(now_.u.data(), zero_.data(), 0.0, response_);
  ++evaluations_;
  std::size_t entry = 0;
  for (const Block& block : blocks_) {
    for (int i = block.first; i < block.first + block.width; ++i) {
      double g = response_.force[i];
      for (int k = block.first; k < block.first + block.width; ++k, ++entry) g -= stuck_[entry] * now_.u[k];
      residual_[i] = now_.x[i] - g;
    }
  }
}

/// Largest |x - g| over |f| + |k u*|. Neither x nor u counts: without equilibrium they grow without bound. A little of
/// the last point does, so that a way through zero is not asked for what rounding has taken.
double ModalEquilibrium::residual_norm(const double* u_star) {
  constexpr double share = 1e-3;
  double norm = 0.0;
  for (int i = 0; i < size_; ++i) {
    const double r = std::abs(residual_[i]);
    if (r == 0.0) continue;
    const double size = std::abs(response_.force[i]) + scale_[i] * (std::abs(u_star[i]) + share * std::abs(last_.u[i]));
    const double relative = r / size;
    if (relative <= norm) continue;
    norm = relative;
    worst_ = i;
    if (std::isnan(relative)) break;
  }
  return norm;
}

void ModalEquilibrium::set_matrix(const Eigen::MatrixXd& compliance) {
  const double* a = compliance.data();
  if (scalar_joints_) {
    with_static_size(size_, [&](auto n) {
      for (int i = 0; i < n; ++i) {
        const double g = response_.stiffness[i] - stuck_[i];
        for (int k = 0; k < n; ++k) matrix_[i * n + k] = g * a[i * n + k];
        matrix_[i * n + i] += 1.0;
      }
    });
    return;
  }
  std::fill(matrix_.begin(), matrix_.end(), 0.0);
  std::size_t entry = 0;
  for (const Block& block : blocks_) {
    for (int i = block.first; i < block.first + block.width; ++i) {
      double* row = &matrix_[static_cast<std::size_t>(i) * size_];
      for (int k = block.first; k < block.first + block.width; ++k, ++entry) {
        const double g = response_.stiffness[entry] - stuck_[entry];
        const double* from = a + static_cast<std::ptrdiff_t>(k) * size_;
        for (int c = 0; c < size_; ++c) row[c] += g * from[c];
      }
      row[i] += 1.0;
    }
  }
}

bool ModalEquilibrium::solve_linear(const Eigen::MatrixXd& compliance, double* y) {
  if (size_ == 0) return true;
  set_matrix(compliance);
  return with_static_size(size_, [&](auto n) { return solve_in_place(matrix_.data(), y, n, 1.0); });
}

bool ModalEquilibrium::find(const Eigen::MatrixXd& compliance, const double* u_star) {
  passed_fold_ = false;
  const bool converged = newton(compliance, u_star);
  if (!mode_->may_fold || size_ == 0) return converged;
  set_matrix(mode_->compliance_fixed_q);
  // What has run off to infinity says nothing.
  if (!std::all_of(matrix_.begin(), matrix_.end(), [](double entry) { return std::isfinite(entry); })) return false;
  passed_fold_ = !has_positive_determinant(matrix_.data(), size_);
  return converged && !passed_fold_;
}

bool ModalEquilibrium::newton(const Eigen::MatrixXd& compliance, const double* u_star) {
  if (size_ == 0) return true;
  double last_norm = 0.0;
  int halvings = 0;
  for (int iteration = 0; iteration < max_iterations_; ++iteration) {
    evaluate(compliance, u_star);
    const double norm = residual_norm(u_star);
    if (norm <= tolerance_) return true;
    if (iteration > 0 && !(norm < last_norm) && halvings < max_newton_backtracks) {  // back along the last step
      ++halvings;
      for (int i = 0; i < size_; ++i) {
        step_[i] *= 0.5;
        now_.x[i] -= step_[i];
      }
      continue;
    }
    if (!std::isfinite(norm)) return false;
    for (int i = 0; i < size_; ++i) step_[i] = -residual_[i];
    if (!solve_linear(compliance, step_.data())) return false;
    for (int i = 0; i < size_; ++i) now_.x[i] += step_[i];
    last_norm = norm;
    halvings = 0;
  }
  return false;
}

void ModalEquilibrium::tangent_times_load(double* y) const {
  std::size_t entry = 0;
  for (const Block& block : blocks_) {
    for (int i = block.first; i < block.first + block.width; ++i) {
      y[i] = 0.0;
      for (int k = block.first; k < block.first + block.width; ++k, ++entry) {
        y[i] += (response_.stiffness[entry] - stuck_[entry]) * mode_->load[k];
      }
    }
  }
}

double ModalEquilibrium::dot_load(const std::vector<double>& values) const {
  double sum = 0.0;
  for (int i = 0; i < size_; ++i) sum += mode_->load[i] * values[i];
  return sum;
}

/// Integral of f du over the step: du (f0 + f1)/2 + du (k0 - k1) du/12.
double ModalEquilibrium::work_of_step(const Block& block) const {
  std::size_t entry = 0;
  for (const Block& other : blocks_) {
    if (other.first == block.first) break;
    entry += static_cast<std::size_t>(other.width) * other.width;
  }
  double work = 0.0;
  for (int i = block.first; i < block.first + block.width; ++i) {
    const double du = now_.u[i] - last_.u[i];
    work += 0.5 * du * (last_response_.force[i] + response_.force[i]);
    for (int k = block.first; k < block.first + block.width; ++k, ++entry) {
      work += du * (last_response_.stiffness[entry] - response_.stiffness[entry]) * (now_.u[k] - last_.u[k]) / 12.0;
    }
  }
  return work;
}

}  // namespace microslip
