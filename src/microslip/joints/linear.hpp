#pragma once
// Linear spring: F = k u.

#include <cstddef>
#include <span>
#include <vector>

#include "microslip/joints/law.hpp"

namespace microslip {

template <class T = double>
class Linear {
 public:
  using Scalar = T;
  static constexpr MemoryKind memory = MemoryKind::none;
  static constexpr SliderCount sliders = SliderCount::none;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = false;
  static constexpr bool has_backbone = true;
  [[nodiscard]] static constexpr bool is_odd() { return true; }
  [[nodiscard]] static constexpr bool is_straight() { return true; }
  static constexpr bool straight_pieces = true;

  struct State {
    T u{};  ///< deflection [length]
  };
  struct Trial : TrialBase<T> {
    T u{};
  };

  /// k [force/length], any finite value.
  explicit Linear(T stiffness) : stiffness_(stiffness) {}

  [[nodiscard]] Trial evaluate(const State& /*committed*/, const JointInput<T>& input) const {
    Trial trial;
    trial.force = stiffness_ * input.u;
    trial.stiffness = stiffness_;
    trial.u = input.u;
    return trial;
  }
  void commit(State& state, const Trial& trial) const { state.u = trial.u; }

  [[nodiscard]] static std::span<const T> corners() { return {}; }
  [[nodiscard]] static int degree() { return 1; }
  [[nodiscard]] T slope(std::size_t /*piece*/) const { return stiffness_; }
  [[nodiscard]] T offset(std::size_t /*piece*/) const { return T(0.0); }
  /// As of a polynomial: k.
  [[nodiscard]] std::vector<T> coefficients() const { return {stiffness_}; }

  [[nodiscard]] T stuck_stiffness() const { return stiffness_; }
  [[nodiscard]] T slipped_stiffness() const { return stiffness_; }
  [[nodiscard]] T stored_energy(const State& state) const { return 0.5 * stiffness_ * state.u * state.u; }
  [[nodiscard]] T dissipated_energy(const State& /*state*/) const { return T(0.0); }

  [[nodiscard]] BackbonePoint<T> backbone(T u) const { return {stiffness_ * u, stiffness_, 0.5 * stiffness_ * u * u}; }
  [[nodiscard]] T dissipation(T /*amplitude*/) const { return T(0.0); }
  [[nodiscard]] T secant_stiffness(T /*amplitude*/) const { return stiffness_; }

 private:
  T stiffness_;
};

}  // namespace microslip
