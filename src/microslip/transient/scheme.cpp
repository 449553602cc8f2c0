#include "microslip/transient/scheme.hpp"

#include <stdexcept>
#include <unsupported/Eigen/MatrixFunctions>

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

/// One mode of the alpha family.
void set_alpha_mode(const AlphaFamily& f, double h, double w2, double c, DiagonalScheme& scheme, Eigen::Index i) {
  const double s = (1.0 - f.am) + (1.0 - f.af) * (f.gamma * h * c + f.beta * h * h * w2);
  // Predictors of displacement and velocity, and the acceleration, as rows over (eta, eta', eta'').
  const Row d0(1.0, h, h * h * (0.5 - f.beta));
  const Row v0(0.0, 1.0, h * (1.0 - f.gamma));
  const Row old_residual(w2, c, 0.0);
  const Row a = -((1.0 - f.af) * (c * v0 + w2 * d0) + f.af * old_residual + f.am * Row(0.0, 0.0, 1.0)) / s;
  scheme.transition.row(i).segment(0, 3) = d0 + f.beta * h * h * a;
  scheme.transition.row(i).segment(3, 3) = v0 + f.gamma * h * a;
  scheme.transition.row(i).segment(6, 3) = a;
  const Row force(f.beta * h * h, f.gamma * h, 1.0);
  scheme.from_new.row(i) = force * ((1.0 - f.af) / s);
  scheme.from_old.row(i) = force * (f.af / s);
}

/// One mode exactly: d/dt (eta, eta', g, g') with g' constant; the exponential covers every damping and omega = 0.
void set_exact_mode(double h, double w2, double c, DiagonalScheme& scheme, Eigen::Index i) {
  Eigen::Matrix4d generator;
  generator << 0.0, 1.0, 0.0, 0.0,  //
      -w2, -c, 1.0, 0.0,            //
      0.0, 0.0, 0.0, 1.0 / h,       // state 4 is g[n+1] - g[n]
      0.0, 0.0, 0.0, 0.0;
  const Eigen::Matrix4d e = (generator * h).exp();
  const auto set_row = [&](int r, double d, double v, double old_force, double new_force) {
    scheme.transition.row(i).segment(3 * r, 3) = Row(d, v, 0.0);
    scheme.from_old(i, r) = old_force;
    scheme.from_new(i, r) = new_force;
  };
  for (int r = 0; r < 2; ++r) set_row(r, e(r, 0), e(r, 1), e(r, 2) - e(r, 3), e(r, 3));
  // eta'' = g - c eta' - omega^2 eta at the new time.
  const auto combine = [&](double of_d, double of_v) { return -w2 * of_d - c * of_v; };
  set_row(2, combine(e(0, 0), e(1, 0)), combine(e(0, 1), e(1, 1)), combine(e(0, 2) - e(0, 3), e(1, 2) - e(1, 3)),
          1.0 + combine(e(0, 3), e(1, 3)));
}

}  // namespace

DiagonalScheme diagonal_scheme(const TransientOptions& options, double step, const Eigen::VectorXd& omega,
                               const Eigen::VectorXd& damping) {
  const Eigen::Index n = omega.size();
  DiagonalScheme scheme{Eigen::ArrayXXd(n, 9), Eigen::ArrayXXd(n, 3), Eigen::ArrayXXd(n, 3), false};
  for (Eigen::Index i = 0; i < n; ++i) {
    const double w2 = omega(i) * omega(i);
    if (options.scheme == Scheme::modal_exact) {
      set_exact_mode(step, w2, damping(i), scheme, i);
    } else {
      set_alpha_mode(alpha_family(options), step, w2, damping(i), scheme, i);
    }
  }
  scheme.uses_old_force = (scheme.from_old != 0.0).any();
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
      ((1.0 - f.am) * identity + (1.0 - f.af) * (f.gamma * h * damping + f.beta * h * h * w2)).inverse();

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
