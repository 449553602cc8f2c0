// Derivatives of a period, beside its motion (period_map.hpp).

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/period_map.hpp"

namespace microslip {
namespace {

/// y += a x.
void add(double a, const double* x, Eigen::Index n, double* y) {
  for (Eigen::Index i = 0; i < n; ++i) y[i] += a * x[i];
}

}  // namespace

/// The derivatives at the start, where the joints have found their forces.
void PeriodMap::vary_start() {
  const auto unknowns = static_cast<Eigen::Index>(equation_.size());
  dd_.setZero();
  dv_.setZero();
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    dd_(i, i) = 1.0;
    dv_(basis_.kept + i, i) = 1.0;
  }
  du_.setZero();
  dvr_.setZero();
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    for (Eigen::Index i = 0; i < basis_.kept; ++i) {
      du_(i, j) = (*psi_)(i, j);
      dvr_(basis_.kept + i, j) = (*psi_)(i, j);
    }
    const auto ground = joint_ground_(j);
    du_(parameters_ - 1, j) += ground.real();
    dvr_(parameters_ - 1, j) -= omega_ * ground.imag();
    dvr_(parameters_ - 2, j) -= level_ * ground.imag();
  }
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(unknowns, unknowns);
  for (std::size_t j = 0; j < tracks_.size(); ++j) {
    gains_[j] = 1.0;
    slopes_[j] = 0.0;
    follow(tracks_[j], equation_.deflection()[j], equation_.response().stiffness[j], false);
  }
  vary_joints(none, none);
}

/// Of the modal force at the start.
void PeriodMap::vary_start_force() {
  const auto unknowns = static_cast<Eigen::Index>(equation_.size());
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    const double w2 = basis_.omega(i) * basis_.omega(i), damping = basis_.damping(i, i) - absolute_damping_;
    const std::complex<double> amplitude =
        modal_force_(i) + std::complex<double>(w2, omega_ * damping) * modal_ground_(i);
    dg_(parameters_ - 1, i) = amplitude.real();
    dg_(parameters_ - 2, i) = (std::complex<double>(0.0, level_ * damping) * modal_ground_(i)).real();
    for (Eigen::Index j = 0; j < unknowns; ++j) {
      add(-(*psi_)(i, j), dx_.col(j).data(), parameters_, dg_.col(i).data());
    }
  }
}

/// The derivatives over the step that has just been taken.
void PeriodMap::vary(int n) {
  const Eigen::Index p = parameters_, unknowns = static_cast<Eigen::Index>(equation_.size());
  const double tau = 2.0 * std::numbers::pi * n / steps_, c = std::cos(tau), s = std::sin(tau);
  const double step_by_omega = -step_ / omega_;
  du_.setZero();
  dvr_.setZero();
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    double *d = dd_.col(i).data(), *v = dv_.col(i).data();
    const double* g = dg_.col(i).data();
    const double t00 = t00_(i), t01 = t01_(i), t10 = t10_(i), t11 = t11_(i), b0d = b0d_(i), b0v = b0v_(i);
    for (Eigen::Index k = 0; k < p; ++k) {
      const double old = d[k];
      d[k] = t00 * old + t01 * v[k] + b0d * g[k];
      v[k] = t10 * old + t11 * v[k] + b0v * g[k];
    }
    // Load by level and omega, and the length of the step; the load stands in dg_ for the correction below.
    const double w2 = basis_.omega(i) * basis_.omega(i), damping = basis_.damping(i, i) - absolute_damping_;
    const std::complex<double> amplitude =
        modal_force_(i) + std::complex<double>(w2, omega_ * damping) * modal_ground_(i);
    const std::complex<double> rate = std::complex<double>(0.0, level_ * damping) * modal_ground_(i);
    const double by_level = amplitude.real() * c - amplitude.imag() * s;
    const double by_omega = rate.real() * c - rate.imag() * s;
    const double force_rate = (force_(i) - old_force_(i)) / step_;
    d[p - 1] += b1d_(i) * by_level;
    v[p - 1] += b1v_(i) * by_level;
    d[p - 2] += b1d_(i) * by_omega + step_by_omega * (now_.v(i) - b1d_(i) * force_rate);
    v[p - 2] += b1v_(i) * by_omega + step_by_omega * (now_.a(i) - b1v_(i) * force_rate);
    double* load = dg_.col(i).data();
    std::fill(load, load + p, 0.0);
    load[p - 1] = by_level;
    load[p - 2] = by_omega;
    for (Eigen::Index j = 0; j < unknowns; ++j) {
      add((*psi_)(i, j), d, p, du_.col(j).data());
      if (equation_.needs_rates()) add((*psi_)(i, j), v, p, dvr_.col(j).data());
    }
  }
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    const auto ground = joint_ground_(j);
    du_(p - 1, j) += ground.real() * c - ground.imag() * s;
    dvr_(p - 1, j) -= omega_ * (ground.real() * s + ground.imag() * c);
    dvr_(p - 2, j) -= level_ * (ground.real() * s + ground.imag() * c);
  }
  vary_joints(stepper_->compliance().displacement, stepper_->compliance().rate);
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    for (Eigen::Index j = 0; j < unknowns; ++j) {
      const double psi = (*psi_)(i, j);
      if (psi == 0.0) continue;
      const double* x = dx_.col(j).data();
      add(-psi, x, p, dg_.col(i).data());
      add(-psi * b1d_(i), x, p, dd_.col(i).data());
      add(-psi * b1v_(i), x, p, dv_.col(i).data());
    }
  }
}

/// x = f(u) - k0 u + c v for joints, c v for dampers; u = u* - A x, v = v* - Av x:
/// (I + K A + C Av) dx = K du* + C dv* + memory part.
void PeriodMap::vary_joints(const Eigen::MatrixXd& a, const Eigen::MatrixXd& a_rate) {
  const Eigen::Index p = parameters_, unknowns = static_cast<Eigen::Index>(equation_.size());
  if (unknowns == 0) return;
  const auto components = static_cast<Eigen::Index>(system_->components());
  Eigen::VectorXd k = Eigen::VectorXd::Zero(unknowns), c = Eigen::VectorXd::Zero(unknowns);
  for (Eigen::Index j = 0; j < components; ++j) {
    double tangent = equation_.response().stiffness[static_cast<std::size_t>(j)];
    const Track& track = tracks_[static_cast<std::size_t>(j)];
    if (track.memory == MemoryKind::fading) {
      tangent = track.residual + track.z_stiffness * slopes_[static_cast<std::size_t>(j)];
    }
    k(j) = tangent - system_->stuck_joint_stiffness()(j, j);
    c(j) = equation_.response().damping[static_cast<std::size_t>(j)] + system_->joint_damping()(j, j);
  }
  const auto& dampers = system_->structure().dampers();
  for (Eigen::Index j = components; j < unknowns; ++j) {
    c(j) = dampers[static_cast<std::size_t>(j - components)].coefficient;
  }
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    double* x = dx_.col(j).data();
    std::fill(x, x + p, 0.0);
    add(k(j), du_.col(j).data(), p, x);
    if (c(j) != 0.0) add(c(j), dvr_.col(j).data(), p, x);
    if (j < components && tracks_[static_cast<std::size_t>(j)].memory != MemoryKind::none) {
      add(1.0, tracks_[static_cast<std::size_t>(j)].memory_part.data(), p, x);
    }
  }
  const Eigen::MatrixXd matrix =
      Eigen::MatrixXd::Identity(unknowns, unknowns) + k.asDiagonal() * a + (c.asDiagonal() * a_rate).eval();
  dx_ = (dx_ * inverse(matrix).transpose()).eval();
  du_.noalias() -= dx_ * a.transpose();
  for (Eigen::Index j = 0; j < components; ++j) {
    const double tangent = k(j) + system_->stuck_joint_stiffness()(j, j);
    settle(tracks_[static_cast<std::size_t>(j)], equation_.deflection()[static_cast<std::size_t>(j)], tangent,
           du_.col(j).data());
  }
}

/// The derivatives of the unknowns at the end, `to`; without those of the reversals where these are others.
void PeriodMap::set_derivative(const PeriodState& from, const PeriodState& to, PeriodDerivative& derivative) const {
  const Eigen::Index size = from.size(), moving = 2 * basis_.kept + static_cast<Eigen::Index>(from.z.size());
  const bool alike = from.alike(to);
  Eigen::MatrixXd all(alike ? size : moving, parameters_);
  all.topRows(basis_.kept) = dd_.transpose();
  all.middleRows(basis_.kept, basis_.kept) = dv_.transpose();
  Eigen::Index row = 2 * basis_.kept;
  const auto set_row = [&](const Row& values) {
    all.row(row++) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), parameters_);
  };
  for (const Track& track : tracks_) {
    if (track.memory == MemoryKind::fading) set_row(track.dz);
  }
  if (alike) {
    for (const Track& track : tracks_) {
      for (const Reversal& reversal : track.period) set_row(reversal.du);
    }
  }
  derivative.motion = all.topLeftCorner(moving, size);
  derivative.monodromy = alike ? all.leftCols(size).eval() : Eigen::MatrixXd();
  derivative.by_omega = all.col(parameters_ - 2);
  derivative.by_level = all.col(parameters_ - 1);
}

}  // namespace microslip
