#pragma once
// Segalman's four-parameter Iwan element, exact and continuous.
//
// Distribution of slider strengths phi [length], Lacayo (4.3):
//   rho(phi) = R phi^chi on (0, phi_max) + S delta(phi - phi_max)
// Backbone up to phi_max, F_S beyond:
//   F0(u) = K_T u - R u^(chi+2) / ((chi+1)(chi+2))
// Dissipation per cycle of amplitude X:
//   microslip   4 R X^(chi+3) / ((chi+2)(chi+3))
//   macroslip   4 F_S X - 4 [R phi_max^(chi+3)/(chi+3) + S phi_max^2]
// Physical parameters (F_S, K_T, chi, beta) and the distribution's are related by
//   phi_max = F_S (1+beta) / (K_T (beta + (chi+1)/(chi+2)))
//   R = F_S (chi+1) / (phi_max^(chi+2) (beta + (chi+1)/(chi+2))),   S = K_T - R phi_max^(chi+1)/(chi+1)
// The share of R in the largest that K_T allows, R_max = (chi+1) K_T/phi_max^(chi+1), Lacayo (3.33), is free of the
// other three, (K_T, chi, phi_max):
//   R = share R_max,   S = (1 - share) K_T,   beta = (1 - share)/share,   F_S = K_T phi_max (1 - share/(chi+2))
// Ref: Segalman 2005; Lacayo thesis, app. A and (2.8)-(2.9) as corrected in docs/verification.md.

#include <vector>

#include "microslip/joints/masing.hpp"
#include "microslip/numerics/fixed_power.hpp"

namespace microslip {

template <class T = double>
class Iwan4Backbone {
 public:
  using Scalar = T;

  /// F_S > 0: macroslip force; K_T > 0: stiffness at rest; chi > -1; beta >= 0.
  static Iwan4Backbone from_physical(T macroslip_force, T stiffness, T chi, T beta) {
    using std::pow;
    const T share = beta + (chi + 1.0) / (chi + 2.0);
    const T phi_max = macroslip_force * (1.0 + beta) / (stiffness * share);
    const T r = macroslip_force * (chi + 1.0) / (pow(phi_max, chi + 2.0) * share);
    // S from its own closed form, K_T beta/(1+beta): the difference K_T - R phi_max^(chi+1)/(chi+1) would cancel.
    return Iwan4Backbone(r, stiffness * beta / (1.0 + beta), phi_max, chi);
  }
  /// K_T > 0; chi > -1; phi_max > 0; 0 <= share <= 1: of the sliders below phi_max in K_T. 0: all slip there (Jenkins).
  static Iwan4Backbone from_share(T stiffness, T chi, T phi_max, T share) {
    using std::pow;
    const T r = share * (chi + 1.0) * stiffness / pow(phi_max, chi + 1.0);
    return Iwan4Backbone(r, (1.0 - share) * stiffness, phi_max, chi);
  }
  /// R > 0, S >= 0, phi_max > 0, chi > -1.
  static Iwan4Backbone from_distribution(T r, T s, T phi_max, T chi) { return Iwan4Backbone(r, s, phi_max, chi); }

  [[nodiscard]] T r() const { return r_; }
  [[nodiscard]] T s() const { return s_; }
  [[nodiscard]] T phi_max() const { return phi_max_; }
  [[nodiscard]] T chi() const { return power_.exponent() - 1.0; }
  /// S over the stiffness of the other sliders.
  [[nodiscard]] T beta() const { return s_ / (initial_slope_ - s_); }
  /// R over R_max: the stiffness of the sliders below phi_max over K_T.
  [[nodiscard]] T share() const { return (initial_slope_ - s_) / initial_slope_; }

  [[nodiscard]] BackboneSlope<T> at(T x) const {
    if (x >= phi_max_) return {yield_force_, T(0.0)};
    const T softening = softening_ * power_(x);  // R x^(chi+1)/(chi+1)
    return {x * (initial_slope_ - softening * inverse_power1_), initial_slope_ - softening};
  }
  [[nodiscard]] T work(T x) const {
    const T y = x < phi_max_ ? x : phi_max_;
    const T micro = y * y * (0.5 * initial_slope_ - softening_ * power_(y) * energy_share_);
    return x < phi_max_ ? micro : micro + yield_force_ * (x - phi_max_);
  }
  [[nodiscard]] T dissipation(T x) const {
    if (x < phi_max_) return 4.0 * r_ * (x * x * power_(x)) * energy_share_;
    return 4.0 * yield_force_ * x - macroslip_offset_;
  }
  /// x^(chi+1).
  [[nodiscard]] T raised(const T& x) const { return power_(x); }
  /// Makes powers cheap; worth it for a law, which is evaluated at every step.
  void tabulate() { power_.tabulate(phi_max_); }
  [[nodiscard]] T yield() const { return phi_max_; }
  [[nodiscard]] T initial_slope() const { return initial_slope_; }
  [[nodiscard]] T yield_force() const { return yield_force_; }
  [[nodiscard]] std::vector<T> corners() const { return {}; }
  [[nodiscard]] PowerSlope<T> power_slope() const {
    return {initial_slope_, r_ / (chi() + 1.0), chi() + 1.0, phi_max_, yield_force_};
  }

 private:
  Iwan4Backbone(T r, T s, T phi_max, T chi) : r_(r), s_(s), phi_max_(phi_max), power_(chi + 1.0) {
    const T n = power_.exponent();
    const T p = r * power_(phi_max);
    softening_ = r / n;
    inverse_power1_ = 1.0 / (n + 1.0);
    energy_share_ = 1.0 / ((n + 1.0) * (n + 2.0));
    initial_slope_ = p / n + s;
    yield_force_ = phi_max * (p / (n + 1.0) + s);
    macroslip_offset_ = 4.0 * phi_max * phi_max * (p / (n + 2.0) + s);
  }

  T r_{}, s_{}, phi_max_{};
  FixedPower<T> power_;   ///< x^(chi+1)
  T softening_{};         ///< R/(chi+1)
  T inverse_power1_{};    ///< 1/(chi+2)
  T energy_share_{};      ///< 1/((chi+2)(chi+3))
  T initial_slope_{};     ///< K_T
  T yield_force_{};       ///< F_S
  T macroslip_offset_{};  ///< 4 [R phi_max^(chi+3)/(chi+3) + S phi_max^2]
};

extern template class Iwan4Backbone<double>;

/// Exact iwan4 (residual = 0) and iwan6 (residual = Kinf).
template <class T = double>
using Iwan4 = Masing<Iwan4Backbone<T>>;

}  // namespace microslip
