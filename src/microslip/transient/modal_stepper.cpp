#include "microslip/transient/modal_stepper.hpp"

namespace microslip {

namespace {

/// out[j] = dot(column j of a, x). Four columns at a time keep four independent sums.
void transposed_product(const Eigen::MatrixXd& a, const double* __restrict x, double* __restrict out) {
  const Eigen::Index n = a.rows();
  const Eigen::Index m = a.cols();
  const double* __restrict p = a.data();
  Eigen::Index j = 0;
  for (; j + 4 <= m; j += 4, p += 4 * n) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
    for (Eigen::Index i = 0; i < n; ++i) {
      s0 += p[i] * x[i];
      s1 += p[n + i] * x[i];
      s2 += p[2 * n + i] * x[i];
      s3 += p[3 * n + i] * x[i];
    }
    out[j] = s0, out[j + 1] = s1, out[j + 2] = s2, out[j + 3] = s3;
  }
  for (; j < m; ++j, p += n) {
    double s = 0.0;
#pragma omp simd reduction(+ : s)
    for (Eigen::Index i = 0; i < n; ++i) s += p[i] * x[i];
    out[j] = s;
  }
}

/// out = a x.
void product(const Eigen::MatrixXd& a, const double* __restrict x, double* __restrict out) {
  const Eigen::Index n = a.rows();
  const Eigen::Index m = a.cols();
  const double* __restrict p = a.data();
  for (Eigen::Index i = 0; i < n; ++i) out[i] = 0.0;
  Eigen::Index j = 0;
  for (; j + 4 <= m; j += 4, p += 4 * n) {
    const double x0 = x[j], x1 = x[j + 1], x2 = x[j + 2], x3 = x[j + 3];
    for (Eigen::Index i = 0; i < n; ++i) {
      out[i] += (p[i] * x0 + p[n + i] * x1) + (p[2 * n + i] * x2 + p[3 * n + i] * x3);
    }
  }
  for (; j < m; ++j, p += n) {
    const double x0 = x[j];
    for (Eigen::Index i = 0; i < n; ++i) out[i] += p[i] * x0;
  }
}

void predict_diagonal(const DiagonalScheme& scheme, const ModalState& now, ModalState& next) {
  const Eigen::Index n = now.d.size();
  const double* __restrict t = scheme.transition.data();
  const double* __restrict d = now.d.data();
  const double* __restrict v = now.v.data();
  const double* __restrict a = now.a.data();
  double* __restrict nd = next.d.data();
  double* __restrict nv = next.v.data();
  double* __restrict na = next.a.data();
  for (Eigen::Index i = 0; i < n; ++i) {
    nd[i] = t[i] * d[i] + t[n + i] * v[i] + t[2 * n + i] * a[i];
    nv[i] = t[3 * n + i] * d[i] + t[4 * n + i] * v[i] + t[5 * n + i] * a[i];
    na[i] = t[6 * n + i] * d[i] + t[7 * n + i] * v[i] + t[8 * n + i] * a[i];
  }
}

/// next += b g, mode by mode.
void add_force(const Eigen::ArrayXXd& coefficients, const double* __restrict g, double sign, ModalState& next) {
  const Eigen::Index n = next.d.size();
  const double* __restrict b = coefficients.data();
  double* __restrict nd = next.d.data();
  double* __restrict nv = next.v.data();
  double* __restrict na = next.a.data();
  for (Eigen::Index i = 0; i < n; ++i) {
    const double force = sign * g[i];
    nd[i] += b[i] * force;
    nv[i] += b[n + i] * force;
    na[i] += b[2 * n + i] * force;
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
    compliance_.displacement = psi_->transpose() * scheme.from_new.col(0).matrix().asDiagonal() * *psi_ + residual;
    compliance_.rate = psi_->transpose() * scheme.from_new.col(1).matrix().asDiagonal() * *psi_;
    scheme_ = std::move(scheme);
  } else {
    CoupledScheme scheme = coupled_scheme(options, step, omega, damping);
    uses_old_force_ = scheme.old_force_share != 0.0;
    coupled_response_ = scheme.from_new_force * *psi_;
    compliance_.displacement = scheme.d_from_a * psi_->transpose() * coupled_response_ + residual;
    compliance_.rate = scheme.v_from_a * psi_->transpose() * coupled_response_;
    scheme_ = std::move(scheme);
  }
}

void ModalStepper::predict(const ModalState& now, const Eigen::VectorXd& old_force, const Eigen::VectorXd* load,
                           ModalState& next, double* u_star) const {
  if (const auto* scheme = std::get_if<DiagonalScheme>(&scheme_)) {
    predict_diagonal(*scheme, now, next);
    if (uses_old_force_) add_force(scheme->from_old, old_force.data(), 1.0, next);
    if (load != nullptr) add_force(scheme->from_new, load->data(), 1.0, next);
  } else {
    const auto& s = std::get<CoupledScheme>(scheme_);
    next.a.noalias() = s.from_d * now.d;
    next.a.noalias() += s.from_v * now.v;
    next.a.noalias() += s.from_a * now.a;
    if (uses_old_force_) next.a.noalias() += s.old_force_share * (s.from_new_force * old_force);
    if (load != nullptr) next.a.noalias() += s.from_new_force * *load;
    next.d = now.d + s.h * now.v + s.d_from_old_a * now.a + s.d_from_a * next.a;
    next.v = now.v + s.v_from_old_a * now.a + s.v_from_a * next.a;
  }
  transposed_product(*psi_, next.d.data(), u_star);
}

void ModalStepper::predict_rates(const ModalState& next, double* v_star) const {
  transposed_product(*psi_, next.v.data(), v_star);
}

void ModalStepper::correct(const double* x, ModalState& next, Eigen::VectorXd& joint_force) const {
  product(*psi_, x, joint_force.data());
  if (const auto* scheme = std::get_if<DiagonalScheme>(&scheme_)) {
    add_force(scheme->from_new, joint_force.data(), -1.0, next);
  } else {
    const auto& s = std::get<CoupledScheme>(scheme_);
    const Eigen::Map<const Eigen::VectorXd> forces(x, psi_->cols());
    next.a.noalias() -= coupled_response_ * forces;
    next.d.noalias() -= s.d_from_a * coupled_response_ * forces;
    next.v.noalias() -= s.v_from_a * coupled_response_ * forces;
  }
}

}  // namespace microslip
