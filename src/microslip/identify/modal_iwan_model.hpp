#pragma once
// Frequency and damping over amplitude of a modal Iwan oscillator (mass-normalised),
//
//   q'' + 2 zeta0 omega0 q' + K_inf q + F_iwan(q) = p,   omega0^2 = K_inf + K_T,
//
// in closed form. With alpha(q) = K_inf q + F0(q), D the loss of the element per cycle and all losses
// D_t = D + 2 pi zeta0 omega0 omega q^2:
//
//   omega   first harmonic   sqrt(K_inf + K1(q))              what a ring-down follows
//           secant           sqrt(alpha/q)
//   zeta    tangent          D_t/(2 pi q^2 (K_inf + F0'))     decay of a ring-down; jumps at phi_max, where F0' does
//           decrement        the same over a cycle, see below; continuous
//           secant           D/(2 pi alpha q) + zeta0 omega0/omega
//
// Decrement. In a free motion a half swing of half-range X starts at the force alpha + D_t/(4X) and ends at
// -(alpha - D_t/(4X)): without viscous damping this is exact (no net work along a Masing branch). The half swings
// before and after the one of half-range q are therefore the roots of
//
//   h-(X_before) = h+(q),   h+(X_after) = h-(q),   h+-(X) = alpha(X) +- D_t(X)/(4X)
//
// and delta = ln(X_before/X_after)/2 over pi is the damping, zeta = delta/sqrt(pi^2 + delta^2), as a ring-down by
// turning points evaluates it. Where the tangent does not change over the cycle it equals the tangent form; across
// the onset of macroslip it goes from one side to the other as a measured curve does.
//
// Templated on its scalar: with Dual numbers every curve carries its exact derivatives by the parameters.
// Ref: Lacayo thesis, 2.2.1, as corrected in docs/verification.md; docs/theory.md, "Fitting a modal Iwan model".

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/joints/iwan4_harmonic.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {

enum class OmegaForm { first_harmonic, secant };
enum class ZetaForm { decrement, tangent, secant };

template <class T = double>
struct ModalIwanParameters {
  T k_inf{};  ///< stiffness left in macroslip [1/time^2]
  T zeta0{};  ///< linear damping ratio of the stuck mode
  T f_s{};    ///< macroslip force [length sqrt(mass)/time^2]
  T k_t{};    ///< stiffness of the stuck joint [1/time^2]
  T chi{};    ///< > -1
  T beta{};   ///< >= 0
};

template <class T = double>
class ModalIwanModel {
 public:
  explicit ModalIwanModel(const ModalIwanParameters<T>& p)
      : k_inf_(p.k_inf),
        omega0_(root(p.k_inf + p.k_t)),
        damping_(2.0 * std::numbers::pi * p.zeta0 * omega0_),
        joint_(Iwan4Backbone<T>::from_physical(p.f_s, p.k_t, p.chi, p.beta)),
        harmonic_(joint_),
        plain_(Iwan4Backbone<double>::from_distribution(value_of(joint_.r()), value_of(joint_.s()),
                                                        value_of(joint_.phi_max()), value_of(p.chi))) {}

  [[nodiscard]] const Iwan4Backbone<T>& joint() const { return joint_; }
  [[nodiscard]] T omega0() const { return omega0_; }
  [[nodiscard]] T phi_max() const { return joint_.phi_max(); }

  [[nodiscard]] T alpha(T q) const { return k_inf_ * q + joint_.at(q).force; }
  [[nodiscard]] T omega(T q, OmegaForm form) const {
    if (form == OmegaForm::secant) return root(alpha(q) / q);
    return root(k_inf_ + harmonic_.stiffness(q));
  }
  [[nodiscard]] T zeta(T q, ZetaForm form) const {
    if (form == ZetaForm::decrement) return decrement(q);
    if (form == ZetaForm::secant) {
      const T force = alpha(q);
      return joint_.dissipation(q) / (two_pi * force * q) + damping_ / (two_pi * root(force / q));
    }
    return (joint_.dissipation(q) / (q * q) + viscous(q)) / (two_pi * tangent(q));
  }

 private:
  static T root(const T& x) {
    using std::sqrt;
    return sqrt(x);
  }
  [[nodiscard]] T tangent(T q) const { return k_inf_ + joint_.at(q).slope; }
  /// D_t - D over q^2.
  [[nodiscard]] T viscous(T q) const { return damping_ * omega(q, OmegaForm::first_harmonic); }

  /// h+ or h-; `loss`: viscous D_t - D over X^2, taken at the middle half swing.
  [[nodiscard]] T turning_force(T x, double sign, T loss) const {
    return alpha(x) + 0.25 * sign * (joint_.dissipation(x) / x + loss * x);
  }
  /// h+ or h- as a number, with its slope; D' = 4 (F0 - X F0') on a Masing loop.
  struct TurningForce {
    double value, slope;
  };
  [[nodiscard]] TurningForce turning_number(double x, double sign, double loss) const {
    const auto point = plain_.at(x);
    const double k = value_of(k_inf_), d = plain_.dissipation(x) / x;
    return {k * x + point.force + 0.25 * sign * (d + loss * x),
            k + point.slope + 0.25 * sign * ((4.0 * (point.force - x * point.slope) - d) / x + loss)};
  }

  /// The root of h(X) = target, in (0, q) for h+ and beyond q for h-: Newton within a bracket.
  [[nodiscard]] T half_swing(double q, double sign, T target, T loss) const {
    const double wanted = value_of(target), viscous_loss = value_of(loss);
    constexpr double least = 1e-6;  // of q: a motion that ends within a half swing
    double low = sign > 0.0 ? least * q : q, high = q;
    if (sign < 0.0) {
      do high *= 2.0;
      while (turning_number(high, sign, viscous_loss).value < wanted && high < 1e100 * q);
    }
    double x = q;
    for (int i = 0; i < 100; ++i) {
      const TurningForce h = turning_number(x, sign, viscous_loss);
      (h.value < wanted ? low : high) = x;
      double next = x - (h.value - wanted) / h.slope;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      const double change = std::abs(next - x);
      x = next;
      if (change <= 1e-14 * x || !(high - low > 1e-15 * x)) break;
    }
    return with_derivative(x, turning_force(T(x), sign, loss) - target, turning_number(x, sign, viscous_loss).slope);
  }
  /// The root as a function of the parameters: dX = -d(h - target)/h'.
  static double with_derivative(double x, double, double) { return x; }
  template <int N>
  static Dual<N> with_derivative(double x, const Dual<N>& excess, double slope) {
    Dual<N> result(x);
    result.derivative = -excess.derivative / slope;
    return result;
  }

  [[nodiscard]] T decrement(T q) const {
    using std::log;
    const T loss = viscous(q);
    const T before = half_swing(value_of(q), -1.0, turning_force(q, 1.0, loss), loss);
    const T after = half_swing(value_of(q), 1.0, turning_force(q, -1.0, loss), loss);
    const T delta = 0.5 * log(before / after);
    return delta / root(delta * delta + std::numbers::pi * std::numbers::pi);
  }

  T k_inf_;
  T omega0_;
  T damping_;  ///< 2 pi zeta0 omega0
  Iwan4Backbone<T> joint_;
  Iwan4Harmonic<T> harmonic_;
  Iwan4Backbone<double> plain_;  ///< the element without derivatives
};

extern template class ModalIwanModel<double>;

}  // namespace microslip
