#pragma once
// Rigid dry friction, static and kinetic.
//   sliding:   F = sign(v) f_k(t)
//   sticking:  v = 0, F whatever keeps it so, |F| <= f_s(t)
//   f_s(t) = static_level N(t),  f_k(t) = kinetic_level N(t),  N: normal load of the joint
// With N = 1 the levels are forces, else they are coefficients of friction.
//
// While the contact sticks, its force is a reaction of everything around it and no function of (u, v). `evaluate`
// therefore gives the force of *sliding* only, zero at v = 0, and no method may integrate it as if it were the law:
// System::initial_memory refuses it. The methods that know it (method = "events" and "piecewise_linear") read the two
// levels and find the events themselves.

#include <stdexcept>

#include "microslip/joints/law.hpp"

namespace microslip {

template <class T = double>
class Coulomb {
 public:
  using Scalar = T;
  static constexpr MemoryKind memory = MemoryKind::none;
  static constexpr SliderCount sliders = SliderCount::none;
  static constexpr bool rigid_friction = true;
  static constexpr bool needs_rates = true;
  static constexpr bool has_backbone = false;
  [[nodiscard]] static constexpr bool is_odd() { return true; }

  struct State {
    T u{};           ///< deflection [length]
    T dissipated{};  ///< while sliding [energy]
  };
  struct Trial : TrialBase<T> {
    T u{};
  };

  /// Per unit of normal load: 0 <= kinetic_level <= static_level, static_level > 0 [-], or [force] with N = 1.
  /// Throws std::invalid_argument.
  Coulomb(T static_level, T kinetic_level) : static_(static_level), kinetic_(kinetic_level) {
    if (!(static_ > T(0.0)) || !(kinetic_ >= T(0.0)) || !(kinetic_ <= static_)) {
      throw std::invalid_argument("rigid friction needs 0 <= kinetic level <= static level, static level > 0");
    }
  }

  [[nodiscard]] T static_level() const { return static_; }
  [[nodiscard]] T kinetic_level() const { return kinetic_; }

  /// Sliding at rate v under input.normal; see above.
  [[nodiscard]] Trial evaluate(const State& /*committed*/, const JointInput<T>& input) const {
    Trial trial;
    trial.u = input.u;
    trial.force = static_cast<double>(sign_of(input.v)) * kinetic_ * input.normal;
    return trial;
  }
  void commit(State& state, const Trial& trial) const {
    state.dissipated += trial.force * (trial.u - state.u);
    state.u = trial.u;
  }

  /// It is no spring: nothing in the modes. A contact that never slides is a constraint.
  [[nodiscard]] T stuck_stiffness() const { return T(0.0); }
  [[nodiscard]] T slipped_stiffness() const { return T(0.0); }
  [[nodiscard]] T stored_energy(const State& /*state*/) const { return T(0.0); }
  [[nodiscard]] T dissipated_energy(const State& state) const { return state.dissipated; }
  /// Per cycle of amplitude X and unit of constant normal load.
  [[nodiscard]] T dissipation(T amplitude) const { return 4.0 * kinetic_ * amplitude; }

 private:
  T static_;
  T kinetic_;
};

}  // namespace microslip
