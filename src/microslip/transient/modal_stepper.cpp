#include "microslip/transient/modal_stepper.hpp"

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/lanes.hpp"

namespace microslip {

namespace {

/// out[j] = dot(column j of a, x). Four columns at a time keep four independent sums.
void transposed_product(const Eigen::MatrixXd& a, const double* x, double* out) {
  const Eigen::Index n = a.rows();
  const Eigen::Index m = a.cols();
  const double* column = a.data();
  Eigen::Index j = 0;
  for (; j + 4 <= m; j += 4, column += 4 * n) {
    Lanes sum[4] = {};
    for (Eigen::Index i = 0; i < n; i += lane_count) {
      Lanes xi, ai;
      load(xi, x + i);
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) {
        load(ai, column + k * n + i);
        sum[k] += ai * xi;
      }
    }
    for (int k = 0; k < 4; ++k) out[j + k] = sum_of(sum[k]);
  }
  for (; j < m; ++j, column += n) {
    Lanes sum = {};
    for (Eigen::Index i = 0; i < n; i += lane_count) {
      Lanes xi, ai;
      load(xi, x + i);
      load(ai, column + i);
      sum += ai * xi;
    }
    out[j] = sum_of(sum);
  }
}

/// z += b g of one block, b: three times eight coefficients.
void add_force(const double* b, const Lanes& g, Lanes (&z)[3]) {
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    Lanes coefficient;
    load(coefficient, b + k * lane_count);
    z[k] += coefficient * g;
  }
}

void predict_diagonal(const DiagonalScheme& scheme, const ModalState& now, const double* old_force, const double* force,
                      ModalState& next) {
  const Eigen::Index n = now.d.size();
  // Pointers by themselves: a store of lanes might change those inside the vectors, for all that the compiler knows.
  const double *const d = now.d.data(), *const v = now.v.data(), *const a = now.a.data();
  const double *const transition = scheme.transition.data(), *const b0 = scheme.from_old.data(),
                      *const b1 = scheme.from_new.data();
  double *const next_d = next.d.data(), *const next_v = next.v.data(), *const next_a = next.a.data();
  for (Eigen::Index i = 0; i < n; i += lane_count) {
    Lanes old[3], z[3], coefficient, g;
    load(old[0], d + i);
    load(old[1], v + i);
    load(old[2], a + i);
    const double* t = transition + 9 * i;
#pragma GCC unroll 3
    for (int r = 0; r < 3; ++r) {
      load(coefficient, t + 3 * r * lane_count);
      z[r] = coefficient * old[0];
#pragma GCC unroll 2
      for (int c = 1; c < 3; ++c) {
        load(coefficient, t + (3 * r + c) * lane_count);
        z[r] += coefficient * old[c];
      }
    }
    if (old_force != nullptr) {
      load(g, old_force + i);
      add_force(b0 + 3 * i, g, z);
    }
    if (force != nullptr) {
      load(g, force + i);
      add_force(b1 + 3 * i, g, z);
    }
    store(next_d + i, z[0]);
    store(next_v + i, z[1]);
    store(next_a + i, z[2]);
  }
}

void correct_diagonal(const DiagonalScheme& scheme, const Eigen::MatrixXd& psi, const double* x, ModalState& next,
                      double* joint_force) {
  const Eigen::Index n = psi.rows();
  const Eigen::Index m = psi.cols();
  const double *const columns = psi.data(), *const b1 = scheme.from_new.data();
  double *const d = next.d.data(), *const v = next.v.data(), *const a = next.a.data();
  for (Eigen::Index i = 0; i < n; i += lane_count) {
    Lanes g = {}, z[3], column;
    for (Eigen::Index j = 0; j < m; ++j) {
      load(column, columns + j * n + i);
      g += column * x[j];
    }
    store(joint_force + i, g);
    load(z[0], d + i);
    load(z[1], v + i);
    load(z[2], a + i);
    add_force(b1 + 3 * i, -g, z);
    store(d + i, z[0]);
    store(v + i, z[1]);
    store(a + i, z[2]);
  }
}

}  // namespace

ModalStepper::ModalStepper(const TransientOptions& options, double step, const Eigen::VectorXd& omega,
                           const Eigen::MatrixXd& damping, bool diagonal, std::shared_ptr<const Eigen::MatrixXd> psi,
                           const Eigen::MatrixXd& residual)
    : step_(step), psi_(std::move(psi)) {
  if (diagonal) {
    DiagonalScheme scheme = diagonal_scheme(options, step, omega, damping.diagonal());
    uses_old_force_ = scheme.uses_old_force;
    const auto by_force = [&](int row) { return coefficient_of_modes(scheme.from_new, 3, row, omega.size()); };
    compliance_.displacement = times(psi_->transpose() * by_force(0).asDiagonal(), *psi_) + residual;
    compliance_.rate = times(psi_->transpose() * by_force(1).asDiagonal(), *psi_);
    scheme_ = std::move(scheme);
  } else {
    CoupledScheme scheme = coupled_scheme(options, step, omega, damping);
    uses_old_force_ = scheme.old_force_share != 0.0;
    coupled_response_ = times(scheme.from_new_force, *psi_);
    compliance_.displacement = scheme.d_from_a * transpose_times(*psi_, coupled_response_) + residual;
    compliance_.rate = scheme.v_from_a * transpose_times(*psi_, coupled_response_);
    scheme_ = std::move(scheme);
  }
}

void ModalStepper::predict(const ModalState& now, const Eigen::VectorXd& old_force, const Eigen::VectorXd* new_load,
                           ModalState& next, double* u_star) const {
  if (const auto* scheme = std::get_if<DiagonalScheme>(&scheme_)) {
    predict_diagonal(*scheme, now, uses_old_force_ ? old_force.data() : nullptr,
                     new_load != nullptr ? new_load->data() : nullptr, next);
  } else {
    const auto& s = std::get<CoupledScheme>(scheme_);
    next.a.noalias() = s.from_d * now.d;
    next.a.noalias() += s.from_v * now.v;
    next.a.noalias() += s.from_a * now.a;
    if (uses_old_force_) next.a.noalias() += s.old_force_share * (s.from_new_force * old_force);
    if (new_load != nullptr) next.a.noalias() += s.from_new_force * *new_load;
    next.d = now.d + s.h * now.v + s.d_from_old_a * now.a + s.d_from_a * next.a;
    next.v = now.v + s.v_from_old_a * now.a + s.v_from_a * next.a;
  }
  transposed_product(*psi_, next.d.data(), u_star);
}

void ModalStepper::predict_rates(const ModalState& next, double* v_star) const {
  transposed_product(*psi_, next.v.data(), v_star);
}

void ModalStepper::correct(const double* x, ModalState& next, Eigen::VectorXd& joint_force) const {
  if (const auto* scheme = std::get_if<DiagonalScheme>(&scheme_)) {
    correct_diagonal(*scheme, *psi_, x, next, joint_force.data());
  } else {
    const auto& s = std::get<CoupledScheme>(scheme_);
    const Eigen::Map<const Eigen::VectorXd> forces(x, psi_->cols());
    joint_force.noalias() = *psi_ * forces;
    next.a.noalias() -= coupled_response_ * forces;
    next.d.noalias() -= s.d_from_a * coupled_response_ * forces;
    next.v.noalias() -= s.v_from_a * coupled_response_ * forces;
  }
}

}  // namespace microslip
