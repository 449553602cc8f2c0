#pragma once
// Linear spring: F = k u.

#include <cstddef>
#include <span>
#include <vector>

#include "microslip/joints/spring_parts.hpp"

namespace microslip {

template <class T = double>
class Linear : public SpringParts<T> {
 public:
  using typename SpringParts<T>::State;
  using typename SpringParts<T>::Trial;
  [[nodiscard]] static constexpr bool is_odd() { return true; }
  [[nodiscard]] static constexpr bool is_straight() { return true; }
  static constexpr bool straight_pieces = true;

  /// k [force/length], any finite value.
  explicit Linear(T stiffness) : stiffness_(stiffness) {}

  [[nodiscard]] Trial evaluate(const State& /*committed*/, const JointInput<T>& input) const {
    Trial trial;
    trial.force = stiffness_ * input.u;
    trial.stiffness = stiffness_;
    trial.u = input.u;
    return trial;
  }

  [[nodiscard]] static std::span<const T> corners() { return {}; }
  [[nodiscard]] static int degree() { return 1; }
  [[nodiscard]] T slope(std::size_t /*piece*/) const { return stiffness_; }
  [[nodiscard]] T offset(std::size_t /*piece*/) const { return T(0.0); }
  /// As of a polynomial: k.
  [[nodiscard]] std::vector<T> coefficients() const { return {stiffness_}; }

  [[nodiscard]] T stuck_stiffness() const { return stiffness_; }
  [[nodiscard]] T slipped_stiffness() const { return stiffness_; }
  [[nodiscard]] T stored_energy(const State& state) const { return 0.5 * stiffness_ * state.u * state.u; }

  [[nodiscard]] BackbonePoint<T> backbone(T u) const { return {stiffness_ * u, stiffness_, 0.5 * stiffness_ * u * u}; }
  [[nodiscard]] T secant_stiffness(T /*amplitude*/) const { return stiffness_; }

 private:
  T stiffness_;
};

}  // namespace microslip
