#pragma once
// Unilateral spring: F = k max(u - g, 0).
//
// g > 0: open at rest. g < 0: preloaded, F(0) = -k g. The stored energy counts from the state at rest.

#include <cstddef>
#include <span>

#include "microslip/joints/spring_parts.hpp"

namespace microslip {

template <class T = double>
class Gap : public SpringParts<T> {
 public:
  using typename SpringParts<T>::State;
  using typename SpringParts<T>::Trial;
  [[nodiscard]] static constexpr bool is_odd() { return false; }
  [[nodiscard]] static constexpr bool is_straight() { return false; }
  static constexpr bool straight_pieces = true;

  /// k > 0 [force/length]; gap: deflection at contact [length].
  Gap(T stiffness, T gap) : stiffness_(stiffness), gap_(gap) {}

  [[nodiscard]] Trial evaluate(const State& /*committed*/, const JointInput<T>& input) const {
    Trial trial;
    trial.u = input.u;
    if (input.u <= gap_) return trial;
    trial.force = stiffness_ * (input.u - gap_);
    trial.stiffness = stiffness_;
    return trial;
  }

  [[nodiscard]] T gap() const { return gap_; }
  [[nodiscard]] T stiffness() const { return stiffness_; }
  [[nodiscard]] std::span<const T> corners() const { return {&gap_, 1}; }
  [[nodiscard]] static int degree() { return 1; }
  /// Open before the corner, closed behind it.
  [[nodiscard]] T slope(std::size_t piece) const { return piece == 0 ? T(0.0) : stiffness_; }
  [[nodiscard]] T offset(std::size_t piece) const { return piece == 0 ? T(0.0) : -stiffness_ * gap_; }
  /// Tangent at rest: k if preloaded, 0 if open or just touching.
  [[nodiscard]] T stuck_stiffness() const { return gap_ < T(0.0) ? stiffness_ : T(0.0); }
  [[nodiscard]] T slipped_stiffness() const { return stuck_stiffness(); }
  [[nodiscard]] T stored_energy(const State& state) const { return work(state.u); }

  /// Neither odd nor, if preloaded, through (0,0).
  [[nodiscard]] BackbonePoint<T> backbone(T u) const {
    if (u <= gap_) return {T(0.0), T(0.0), work(u)};
    return {stiffness_ * (u - gap_), stiffness_, work(u)};
  }

 private:
  /// Integral of F from 0 to u.
  [[nodiscard]] T work(const T& u) const {
    if (gap_ < T(0.0)) {
      if (u <= gap_) return -0.5 * stiffness_ * gap_ * gap_;
      return stiffness_ * u * (0.5 * u - gap_);
    }
    if (u <= gap_) return T(0.0);
    return 0.5 * stiffness_ * (u - gap_) * (u - gap_);
  }

  T stiffness_;
  T gap_;
};

}  // namespace microslip
