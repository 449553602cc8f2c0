#include "microslip/system/joint_equation.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/gauss.hpp"

namespace microslip {

JointEquation::JointEquation(const System& system, Terms terms) {
  components_ = system.components();
  const JointMemory memory = system.initial_memory();
  response_ = memory.make_response();
  bool rates = false;
  for (int j = 0; j < memory.joints(); ++j) {
    const int first = system.offset(j);
    const int width = memory.components(j);
    block_first_.push_back(first);
    block_width_.push_back(width);
    for (int i = 0; i < width; ++i) {
      for (int k = 0; k < width; ++k) {
        stuck_.push_back(system.stuck_joint_stiffness()(first + i, first + k));
        joint_damping_.push_back(terms == Terms::all ? system.joint_damping()(first + i, first + k) : 0.0);
        rates = rates || joint_damping_.back() != 0.0;
      }
      stuck_size_.push_back(system.stuck_joint_stiffness().row(first + i).cwiseAbs().maxCoeff());
      rate_size_.push_back(system.joint_damping().row(first + i).cwiseAbs().maxCoeff());
    }
    rates = rates || microslip::needs_rates(system.joints()[j].law);
  }
  if (terms == Terms::all) {
    for (const Damper& damper : system.structure().dampers()) {
      dampers_.push_back(damper.coefficient);
      stuck_size_.push_back(0.0);
      rate_size_.push_back(damper.coefficient);
      rates = true;
    }
  }
  needs_rates_ = rates && terms == Terms::all;
  size_ = components_ + static_cast<int>(dampers_.size());
  scalar_joints_ = std::all_of(block_width_.begin(), block_width_.end(), [](int width) { return width == 1; });
  single_ = size_ == 1 && components_ == 1 && !needs_rates_;
  for (auto* work : {&u_, &v_, &residual_, &step_}) work->assign(size_, 0.0);
  matrix_.assign(static_cast<std::size_t>(size_) * size_, 0.0);
}

void JointEquation::evaluate(JointMemory& memory, const JointCompliance& compliance, const double* u_star,
                             const double* v_star, double t, const double* x) {
  const double* a = compliance.displacement.data();  // column-major, but A is symmetric: rows are columns
  with_static_size(size_, [&](auto n) {
    for (int i = 0; i < n; ++i) {
      double u = u_star[i];
      for (int k = 0; k < n; ++k) u -= a[i * n + k] * x[k];
      u_[i] = u;
    }
  });
  if (needs_rates_) {
    const double* av = compliance.rate.data();
    for (int i = 0; i < size_; ++i) {
      double v = v_star[i];
      for (int k = 0; k < size_; ++k) v -= av[i * size_ + k] * x[k];
      v_[i] = v;
    }
  }
  memory.evaluate(u_.data(), v_.data(), t, response_);

  if (scalar_joints_ && !needs_rates_) {
    for (int i = 0; i < size_; ++i) residual_[i] = x[i] - (response_.force[i] - stuck_[i] * u_[i]);
    return;
  }
  std::size_t entry = 0;
  for (std::size_t j = 0; j < block_first_.size(); ++j) {
    const int first = block_first_[j];
    for (int i = 0; i < block_width_[j]; ++i) {
      double g = response_.force[first + i];
      for (int k = 0; k < block_width_[j]; ++k, ++entry) {
        g += joint_damping_[entry] * v_[first + k] - stuck_[entry] * u_[first + k];
      }
      residual_[first + i] = x[first + i] - g;
    }
  }
  for (int i = components_; i < size_; ++i) residual_[i] = x[i] - dampers_[i - components_] * v_[i];
}

double JointEquation::residual_norm(const double* u_star, const double* v_star, const double* x, int& worst) const {
  double norm = 0.0;
  for (int i = 0; i < size_; ++i) {
    double scale = i < components_ ? std::abs(response_.force[i]) : std::abs(x[i]);
    scale += stuck_size_[i] * std::abs(u_star[i]);
    if (needs_rates_) scale += rate_size_[i] * std::abs(v_star[i]);
    const double r = std::abs(residual_[i]);
    const double relative = r == 0.0 ? 0.0 : r / scale;
    if (relative <= norm) continue;
    norm = relative;
    worst = i;
    if (std::isnan(relative)) break;
  }
  return norm;
}

bool JointEquation::newton_step(const JointCompliance& compliance) {
  const double* a = compliance.displacement.data();
  const double* av = compliance.rate.data();
  for (int i = 0; i < size_; ++i) step_[i] = -residual_[i];
  if (scalar_joints_ && !needs_rates_) {  // 1 + diag(Ku) A
    return with_static_size(size_, [&](auto n) {
      for (int i = 0; i < n; ++i) {
        const double ku = response_.stiffness[i] - stuck_[i];
        for (int c = 0; c < n; ++c) matrix_[i * n + c] = ku * a[i * n + c];
        matrix_[i * n + i] += 1.0;
      }
      return solve_in_place(matrix_.data(), step_.data(), n, 1.0);
    });
  }
  std::size_t entry = 0;
  for (std::size_t j = 0; j < block_first_.size(); ++j) {
    const int first = block_first_[j];
    const int width = block_width_[j];
    for (int i = 0; i < width; ++i) {
      double* row = &matrix_[static_cast<std::size_t>(first + i) * size_];
      std::fill(row, row + size_, 0.0);
      for (int k = 0; k < width; ++k, ++entry) {
        const double ku = response_.stiffness[entry] - stuck_[entry];
        const double kv = response_.damping[entry] + joint_damping_[entry];
        const double* from = a + static_cast<std::ptrdiff_t>(first + k) * size_;
        for (int c = 0; c < size_; ++c) row[c] += ku * from[c];
        if (needs_rates_) {
          const double* rate_from = av + static_cast<std::ptrdiff_t>(first + k) * size_;
          for (int c = 0; c < size_; ++c) row[c] += kv * rate_from[c];
        }
      }
      row[first + i] += 1.0;
    }
  }
  for (int i = components_; i < size_; ++i) {
    double* row = &matrix_[static_cast<std::size_t>(i) * size_];
    const double* rate_from = av + static_cast<std::ptrdiff_t>(i) * size_;
    for (int c = 0; c < size_; ++c) row[c] = dampers_[i - components_] * rate_from[c];
    row[i] += 1.0;
  }
  return solve_in_place(matrix_.data(), step_.data(), size_, 1.0);
}

bool JointEquation::forces_are_right(const JointCompliance& compliance, const double* u_star, const double* x,
                                     double tolerance) const {
  const double* a = compliance.displacement.data();
  const int n = size_;
  for (int i = 0; i < components_; ++i) {
    double change = 0.0;
    for (int k = 0; k < n; ++k) change += a[i * n + k] * step_[k];
    change *= stuck_size_[i];
    if (std::abs(change) <= tolerance * std::abs(response_.force[i])) continue;  // ordinary joints
    double size = std::abs(u_star[i]);
    for (int k = 0; k < n; ++k) size += std::abs(a[i * n + k] * x[k]);
    if (!force_is_right(change, response_.force[i], stuck_size_[i] * size, tolerance)) return false;
  }
  return true;
}

auto JointEquation::solve(JointMemory& memory, const JointCompliance& compliance, const double* u_star,
                          const double* v_star, double t, double tolerance, int max_iterations, double* x)
    -> NewtonOutcome {
  NewtonOutcome outcome;
  outcome.converged = size_ == 0;
  double previous = 0.0;
  int backtracks = 0, force_corrections = 0;
  while (!outcome.converged && outcome.evaluations < max_iterations) {
    evaluate(memory, compliance, u_star, v_star, t, x);
    outcome.evaluations++;
    outcome.residual = residual_norm(u_star, v_star, x, outcome.worst);
    const bool first = outcome.evaluations == 1;
    const bool grew = !first && !(outcome.residual < previous);
    const bool small = outcome.residual <= tolerance;
    if (!small && grew && backtracks < max_newton_backtracks) {  // back along the last step
      backtracks++;
      for (int i = 0; i < size_; ++i) {
        step_[i] *= 0.5;
        x[i] -= step_[i];
      }
      continue;
    }
    if (std::isnan(outcome.residual) || !newton_step(compliance)) break;
    outcome.converged =
        small && (forces_are_right(compliance, u_star, x, tolerance) || force_corrections++ == max_force_corrections);
    for (int i = 0; i < size_; ++i) x[i] += step_[i];
    previous = outcome.residual;
    backtracks = 0;
  }
  return outcome;
}

}  // namespace microslip
