#pragma once
// Iwan element with a uniform distribution of sliders, exact and continuous.
//
// Backbone, with the residual spring alpha k:
//   F0(u) = alpha k u + k u - k^2 u^2/(4 f_q)   up to u_y = 2 f_q/k,   alpha k u + f_q beyond
// Dissipation per cycle of amplitude X:
//   microslip   k^2 X^3/(3 f_q)
//   macroslip   4 f_q X - 16 f_q^2/(3 k)
// Ref: Wang, MHBM paper, (17)-(20) as corrected in docs/verification.md.

#include <vector>

#include "microslip/joints/masing.hpp"

namespace microslip {

template <class T = double>
class IwanUniformBackbone {
 public:
  using Scalar = T;

  /// k > 0: stiffness of the sliders at rest [force/length]; f_q > 0: slip force [force].
  IwanUniformBackbone(T stiffness, T slip_force)
      : stiffness_(stiffness), slip_force_(slip_force), yield_(2.0 * slip_force / stiffness) {}

  [[nodiscard]] BackboneSlope<T> at(T x) const {
    if (x >= yield_) return {slip_force_, T(0.0)};
    const T share = x / yield_;  // of the sliders that slip
    return {stiffness_ * x * (1.0 - 0.5 * share), stiffness_ * (1.0 - share)};
  }
  [[nodiscard]] T work(T x) const {
    if (x >= yield_) return slip_force_ * (x - yield_ / 3.0);
    return stiffness_ * x * x * (0.5 - x / (6.0 * yield_));
  }
  [[nodiscard]] T dissipation(T x) const {
    if (x >= yield_) return 4.0 * slip_force_ * (x - 2.0 * yield_ / 3.0);
    return 2.0 * stiffness_ * x * x * x / (3.0 * yield_);
  }
  [[nodiscard]] T yield() const { return yield_; }
  [[nodiscard]] T initial_slope() const { return stiffness_; }
  [[nodiscard]] T yield_force() const { return slip_force_; }
  [[nodiscard]] std::vector<T> corners() const { return {}; }
  [[nodiscard]] PowerSlope<T> power_slope() const {
    return {stiffness_, stiffness_ / yield_, T(1.0), yield_, slip_force_};
  }

 private:
  T stiffness_;
  T slip_force_;
  T yield_;  ///< 2 f_q/k
};

template <class T = double>
using IwanUniform = Masing<IwanUniformBackbone<T>>;

/// alpha >= 0: residual stiffness over k.
template <class T>
[[nodiscard]] IwanUniform<T> iwan_uniform(T stiffness, T slip_force, T alpha) {
  return IwanUniform<T>(IwanUniformBackbone<T>(stiffness, slip_force), alpha * stiffness);
}

}  // namespace microslip
