#pragma once
// Steady quasi-static cycles of the Bouc-Wen law and its relation to Segalman's Iwan element.
//
// Between the tips (X, z*) and (-X, -z*) the law moves through one direction, split at z = 0; each part is the
// hypergeometric relation u = z/A 2F1(1, 1/n; 1 + 1/n; b |z|^n/A), b = gamma +- beta, of Shetty, (II-16), which
// numerics/power_flow.hpp inverts to rounding. z* is the root of z(-X; z*) + z* = 0, whose slope 1 + dz/dz* is
// positive. Along the family of cycles dz*/dX = 2 g(z*)/(1 + dz/dz*), so that cycles between given forces follow by
// Newton.
//
// To first order in |z|^n, with A = 1 and h = (1-alpha) k_0, a steady cycle has the tip z* = X - gamma X^(n+1)/(n+1)
// and loses 4 beta h X^(n+2)/(n+2): gamma bends the secant, beta alone dissipates. The tip of the Iwan element is
// K_T X - R X^(chi+2)/((chi+1)(chi+2)) and its loss 4 R X^(chi+3)/((chi+2)(chi+3)): the same with h = K_T and
//   n = 1 + chi,   gamma = R/((chi+1) K_T),   beta = R/((chi+2) K_T)
// The first loading differs: it bends with beta + gamma.

#include "microslip/joints/bouc_wen.hpp"
#include "microslip/joints/iwan4.hpp"

namespace microslip {

struct BoucWenCycle {
  bool found = false;
  double amplitude = 0.0;    ///< X [length]
  double force = 0.0;        ///< at the tip [force]
  double z = 0.0;            ///< z* [length]
  double dissipation = 0.0;  ///< of the cycle [energy]
  double tip_slope = 0.0;    ///< dforce/dX along the family of cycles [force/length]
};

/// The steady cycle u = -X .. X, X > 0.
[[nodiscard]] BoucWenCycle cycle_of_amplitude(const BoucWen<double>& law, double amplitude);

/// The steady cycle between -force and force > 0, of the law and a spring `beside` it [force/length]. Not found when
/// the force is more than the law can give.
[[nodiscard]] BoucWenCycle cycle_of_force(const BoucWen<double>& law, double force, double beside = 0.0);

/// The law whose steady cycles are those of the Iwan element with a spring `residual` beside it, to first order in
/// the slip; A = 1, n = 1 + chi. Throws std::invalid_argument for chi <= -0.99.
[[nodiscard]] BoucWen<double>::Parameters bouc_wen_like(const PowerSlope<double>& iwan, double residual = 0.0);
[[nodiscard]] inline BoucWen<double>::Parameters bouc_wen_like(const Iwan4Backbone<double>& iwan,
                                                               double residual = 0.0) {
  return bouc_wen_like(iwan.power_slope(), residual);
}

/// What is known of a set of parameters.
struct BoucWenAdmissibility {
  bool law = false;         ///< k_0, A, beta, beta + gamma > 0, 0 <= alpha <= 1: the law takes them
  bool bounded = false;     ///< |z| stays below z_max in any motion from rest: beta + gamma > 0, beta >= 0
  int ikhouane = 0;         ///< class I (1): bounded from any z; II (2): from |z| <= z_basin only; 0: neither
  bool passive = false;     ///< never gives back what it has dissipated: |gamma| <= beta
  bool dissipates = false;  ///< loses energy in every steady cycle: beta > 0
  double z_max = 0.0;       ///< (A/(beta+gamma))^(1/n) [length]
  double z_basin = 0.0;     ///< (A/(gamma-beta))^(1/n), infinite for class I [length]
};
[[nodiscard]] BoucWenAdmissibility admissibility(const BoucWen<double>::Parameters& p);

}  // namespace microslip
