#pragma once
// Linear spring: F = k u.

#include "microslip/joints/law.hpp"

namespace microslip {

template <class T = double>
class Linear {
 public:
  using Scalar = T;
  static constexpr bool return_point_memory = true;

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
