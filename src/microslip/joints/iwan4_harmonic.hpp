#pragma once
// First harmonic of the loop of Segalman's element, in micro- and macroslip.
//
// A Masing loop of amplitude X has the mean stiffness (docs/theory.md, "Quasi-static modal analysis")
//   K1(X) = 8/(pi X^2) * integral from 0 to X of F0'(y) sqrt(y (X - y)) dy
// With F0' = K_T - R y^(chi+1)/(chi+1) up to phi_max and 0 beyond, and x = min(phi_max/X, 1),
//   K1(X) = 8/pi [ K_T b(x, 3/2) - R X^(chi+1)/(chi+1) b(x, chi + 5/2) ],
// b: incomplete beta function (numerics/incomplete_beta.hpp). In microslip x = 1 and b is complete.

#include <numbers>

#include "microslip/joints/iwan4.hpp"
#include "microslip/numerics/incomplete_beta.hpp"

namespace microslip {

template <class T = double>
class Iwan4Harmonic {
 public:
  explicit Iwan4Harmonic(const Iwan4Backbone<T>& backbone)
      : stiffness_(backbone.initial_slope()),
        power_(backbone.chi() + 1.0),
        softening_(backbone.r() / power_),
        phi_max_(backbone.phi_max()),
        micro_(incomplete_beta(T(1.0), power_ + 1.5)) {}

  /// K1 of the element alone [force/length].
  [[nodiscard]] T stiffness(T amplitude) const {
    using std::pow;
    constexpr double factor = 8.0 / std::numbers::pi;
    const T softening = softening_ * pow(amplitude, power_);
    if (amplitude <= phi_max_) return stiffness_ - factor * softening * micro_;
    const T x = phi_max_ / amplitude;
    return factor * (stiffness_ * incomplete_beta(x, T(1.5)) - softening * incomplete_beta(x, power_ + 1.5));
  }

 private:
  T stiffness_;  ///< K_T
  T power_;      ///< chi + 1
  T softening_;  ///< R/(chi+1)
  T phi_max_;
  T micro_;  ///< b(1, chi + 5/2)
};

}  // namespace microslip
