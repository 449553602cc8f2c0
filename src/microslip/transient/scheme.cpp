#include "microslip/transient/scheme.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <unsupported/Eigen/MatrixFunctions>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/lanes.hpp"

namespace microslip {

namespace {

struct AlphaFamily {
  double am = 0.0, af = 0.0, gamma = 0.5, beta = 0.25;
};

AlphaFamily alpha_family(const TransientOptions& options) {
  switch (options.scheme) {
    case Scheme::newmark:
      return {0.0, 0.0, options.gamma, options.beta};
    case Scheme::hht: {
      const double a = options.alpha;
      return {0.0, a, 0.5 + a, 0.25 * (1.0 + a) * (1.0 + a)};
    }
    case Scheme::generalized_alpha: {
      const double rho = options.rho_infinity;
      const double am = (2.0 * rho - 1.0) / (rho + 1.0);
      const double af = rho / (rho + 1.0);
      return {am, af, 0.5 - am + af, 0.25 * (1.0 - am + af) * (1.0 - am + af)};
    }
    case Scheme::modal_exact:
      break;
  }
  throw std::invalid_argument(
      "modal_exact needs damping that is diagonal in the modes: use modal or Rayleigh damping "
      "and discrete dampers, or another method");
}

using Row = Eigen::Array<double, 1, 3>;

/// The recurrence of one mode: z[n+1] = transition z[n] + from_old g[n] + from_new g[n+1].
struct ModeRecurrence {
  Eigen::Array<double, 3, 3, Eigen::RowMajor> transition;
  Row from_old, from_new;
};

/// One mode of the alpha family.
ModeRecurrence alpha_mode(const AlphaFamily& f, double h, double w2, double c) {
  const double s = (1.0 - f.am) + (1.0 - f.af) * (f.gamma * h * c + f.beta * h * h * w2);
  // Predictors of displacement and velocity, and the acceleration, as rows over (eta, eta', eta'').
  const Row d0(1.0, h, h * h * (0.5 - f.beta));
  const Row v0(0.0, 1.0, h * (1.0 - f.gamma));
  const Row old_residual(w2, c, 0.0);
  const Row a = -((1.0 - f.af) * (c * v0 + w2 * d0) + f.af * old_residual + f.am * Row(0.0, 0.0, 1.0)) / s;
  ModeRecurrence mode;
  mode.transition.row(0) = d0 + f.beta * h * h * a;
  mode.transition.row(1) = v0 + f.gamma * h * a;
  mode.transition.row(2) = a;
  const Row force(f.beta * h * h, f.gamma * h, 1.0);
  mode.from_new = force * ((1.0 - f.af) / s);
  mode.from_old = force * (f.af / s);
  return mode;
}

/// One mode exactly: d/dt (eta, eta', g, g') with g' constant; the exponential covers every damping and omega = 0. It
/// is taken of (eta, s eta', s^2 g, s^2 (g[n+1] - g[n])), s about the step or 1/omega, whichever is less: with seconds
/// for units a fast mode would have entries of 1 and omega^2 side by side, and the exponential lose as many digits. A
/// power of two costs none.
ModeRecurrence exact_mode(double h, double w2, double c) {
  const double fastest = w2 > 0.0 ? std::min(h, 1.0 / std::sqrt(w2)) : h;
  const double s = std::ldexp(1.0, std::ilogb(fastest)), length = h / s;
  Eigen::Matrix4d generator;
  generator << 0.0, length, 0.0, 0.0,                      //
      -w2 * s * s * length, -c * s * length, length, 0.0,  //
      0.0, 0.0, 0.0, 1.0,                                  //
      0.0, 0.0, 0.0, 0.0;
  const Eigen::Vector4d scale(1.0, 1.0 / s, 1.0 / (s * s), 1.0 / (s * s));
  const Eigen::Matrix4d e = scale.asDiagonal() * generator.exp() * scale.cwiseInverse().asDiagonal();
  ModeRecurrence mode;
  const auto set_row = [&](int r, double d, double v, double old_force, double new_force) {
    mode.transition.row(r) = Row(d, v, 0.0);
    mode.from_old(r) = old_force;
    mode.from_new(r) = new_force;
  };
  for (int r = 0; r < 2; ++r) set_row(r, e(r, 0), e(r, 1), e(r, 2) - e(r, 3), e(r, 3));
  // eta'' = g - c eta' - omega^2 eta at the new time.
  const auto combine = [&](double of_d, double of_v) { return -w2 * of_d - c * of_v; };
  set_row(2, combine(e(0, 0), e(1, 0)), combine(e(0, 1), e(1, 1)), combine(e(0, 2) - e(0, 3), e(1, 2) - e(1, 3)),
          1.0 + combine(e(0, 3), e(1, 3)));
  return mode;
}

}  // namespace

Eigen::VectorXd coefficient_of_modes(const Eigen::VectorXd& blocks, int rows, int k, Eigen::Index count) {
  Eigen::VectorXd result(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    result(i) = blocks((i / lane_count * rows + k) * lane_count + i % lane_count);
  }
  return result;
}

DiagonalScheme diagonal_scheme(const TransientOptions& options, double step, const Eigen::VectorXd& omega,
                               const Eigen::VectorXd& damping) {
  const Eigen::Index n = omega.size();
  assert(n % lane_count == 0);
  DiagonalScheme scheme;
  scheme.transition.resize(9 * n);
  scheme.from_old.resize(3 * n);
  scheme.from_new.resize(3 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double w2 = omega(i) * omega(i);
    const ModeRecurrence mode = options.scheme == Scheme::modal_exact
                                    ? exact_mode(step, w2, damping(i))
                                    : alpha_mode(alpha_family(options), step, w2, damping(i));
    const Eigen::Index block = i / lane_count;
    const Eigen::Index lane = i % lane_count;
    for (int k = 0; k < 9; ++k) scheme.transition[(9 * block + k) * lane_count + lane] = mode.transition(k / 3, k % 3);
    for (int k = 0; k < 3; ++k) {
      scheme.from_old[(3 * block + k) * lane_count + lane] = mode.from_old(k);
      scheme.from_new[(3 * block + k) * lane_count + lane] = mode.from_new(k);
    }
    scheme.uses_old_force = scheme.uses_old_force || (mode.from_old != 0.0).any();
  }
  return scheme;
}

CoupledScheme coupled_scheme(const TransientOptions& options, double step, const Eigen::VectorXd& omega,
                             const Eigen::MatrixXd& damping) {
  const AlphaFamily f = alpha_family(options);
  const Eigen::Index n = omega.size();
  const double h = step;
  const Eigen::MatrixXd w2 = omega.array().square().matrix().asDiagonal();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(n, n);
  const Eigen::MatrixXd inverse =
      microslip::inverse((1.0 - f.am) * identity + (1.0 - f.af) * (f.gamma * h * damping + f.beta * h * h * w2));

  CoupledScheme scheme;
  scheme.h = h;
  scheme.d_from_old_a = h * h * (0.5 - f.beta);
  scheme.d_from_a = h * h * f.beta;
  scheme.v_from_old_a = h * (1.0 - f.gamma);
  scheme.v_from_a = h * f.gamma;
  scheme.from_d = -inverse * w2;
  scheme.from_v = -inverse * (damping + (1.0 - f.af) * h * w2);
  scheme.from_a =
      -inverse * ((1.0 - f.af) * (scheme.v_from_old_a * damping + scheme.d_from_old_a * w2) + f.am * identity);
  scheme.from_new_force = (1.0 - f.af) * inverse;
  scheme.old_force_share = f.af / (1.0 - f.af);
  return scheme;
}

}  // namespace microslip
