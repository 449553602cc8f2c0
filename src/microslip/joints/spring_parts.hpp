#pragma once
// What springs have in common: the deflection is all their state, and they lose nothing.

#include "microslip/joints/law.hpp"

namespace microslip {

template <class T>
class SpringParts {
 public:
  using Scalar = T;
  static constexpr MemoryKind memory = MemoryKind::none;
  static constexpr SliderCount sliders = SliderCount::none;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = false;
  static constexpr bool has_backbone = true;

  struct State {
    T u{};  ///< deflection [length]
  };
  struct Trial : TrialBase<T> {
    T u{};
  };

  void commit(State& state, const Trial& trial) const { state.u = trial.u; }
  [[nodiscard]] T dissipated_energy(const State& /*state*/) const { return T(0.0); }
  [[nodiscard]] T dissipation(T /*amplitude*/) const { return T(0.0); }
};

}  // namespace microslip
