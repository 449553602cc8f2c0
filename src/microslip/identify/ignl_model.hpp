#pragma once
// One oscillator with a spring of geometric nonlinearity and friction beside it (IGNL: Iwan and geometric
// nonlinearity),
//
//   m x'' + c x' + P(x) + H(x) = 0,   P = k_1 x + ... + k_n x^n with everything stuck,   c = 2 zeta_0 sqrt(k_1 m)
//
// H obeys the Masing rules on the backbone theta(x) = F_0(x) - K_T x <= 0: what slip takes away. As joints: F_0 a
// Masing law, and P with k_1 - K_T in its place. Over the half-range q of a half swing, for a ring-down:
//
//   turning points x_c +- q:  the mean of P over the swing and that of friction, H_m, add to 0; the farther turning
//          point lies on first loading, H_m = +-[theta(q + |x_c|) - theta(q)]
//   W(z) = (1 - z^2) g(z),  x = x_c + q z:  work along the branch, the loss D/2 of the swing spread evenly over it;
//          down: g = g_P(z) + h((1 - z)/2),  up: g_P(z) + h((1 + z)/2),
//          h(s) = [s Theta(q) - Theta(q s)]/(s (1 - s)),  Theta the integral of theta
//   T/2  = q sqrt(m/2) integral from 0 to pi of dphi/sqrt(g(cos phi)),   omega^2 = (2 pi/T)^2 - (c/2m)^2
//   zeta = (D + D_c)/(2 pi q dE/dq),   D = 8 Theta - 4 q theta,   D_c = c integral of |x'| dx, from the same g
//   dE/dq = 2/(1/p_+ + 1/p_-) + q theta'(q),   p_+- = |P + H_m| at the turning points
//
// The papers' forms stand beside them: omega_paper^2 = omega_gnl^2 + theta/(m q) with omega_gnl the exact frequency of
// P, zeta_secant = D/(2 pi m omega_paper^2 q^2) + zeta_0.
//
// Ref: Shetty dissertation, (IV-27) to (IV-32); docs/theory.md, "Friction and geometric nonlinearity".

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "microslip/joints/law.hpp"
#include "microslip/numerics/concave_curve.hpp"
#include "microslip/system/ending.hpp"

namespace microslip {

struct IgnlModel {
  double mass = 1.0;
  double zeta0 = 0.0;
  std::vector<double> stuck;                     ///< k_1 .. k_n of P
  std::optional<ConcaveCurve<double>> friction;  ///< F_0; empty: nothing slips
  double friction_stiffness = 0.0;               ///< K_T: theta = F_0 - K_T x

  [[nodiscard]] double stuck_force(double x) const;  ///< P(x) [force]
  /// P(x) with its slope and work.
  [[nodiscard]] BackbonePoint<double> stuck_point(double x) const;
  /// First loading from rest to x, either sign: P + theta with slope and work.
  [[nodiscard]] BackbonePoint<double> first_loading(double x) const;
  /// Coefficients of the spring beside the Masing law: k_1 - K_T, k_2, ...
  [[nodiscard]] std::vector<double> spring() const;
  /// c [force time/length]
  [[nodiscard]] double damping() const;
};

struct IgnlPoint {
  double q = 0.0;      ///< half-range [length]
  double upper = 0.0;  ///< turning points [length]
  double lower = 0.0;
  double omega = 0.0;        ///< from the time of a half swing, up and down [rad/time]
  double zeta = 0.0;         ///< tangent energy
  double omega_paper = 0.0;  ///< (IV-30)
  double zeta_secant = 0.0;  ///< (IV-32)
  double omega_gnl = 0.0;    ///< of P alone, exact period
  double dissipation = 0.0;  ///< D of friction, a cycle [energy]
  double theta = 0.0;        ///< what slip takes away at q [force]
  int intervals = 0;         ///< of the quadrature
};

struct IgnlCurve {
  Ending ending = Ending::completed;  ///< limit_load: no swing of the next amplitude exists
  std::string message;
  std::vector<IgnlPoint> points;  ///< up to there
};

/// Amplitudes > 0, ascending. `tolerance`: relative, of the quadrature.
[[nodiscard]] IgnlCurve ignl_curve(const IgnlModel& model, std::span<const double> amplitudes, double tolerance = 1e-6);

/// Where the force of first loading is largest: no static solution beyond. `force` and `x` are signed.
struct LimitLoad {
  double x = 0.0, force = 0.0;
};
/// First zero of the slope between 0 and `end` (either sign), with everything stuck or slipping; sought on `steps`
/// intervals. Nothing when the force grows all the way.
[[nodiscard]] std::optional<LimitLoad> limit_load(const IgnlModel& model, double end, bool slipping, int steps = 2000);

}  // namespace microslip
