#pragma once
// Jenkins element: a spring in series with a Coulomb slider.
//   F = clamp(k_t (u - w), -F_s, F_s),   w: slider position
// The slider is dragged along whenever |u - w| would exceed F_s/k_t and dissipates F_s |dw|.
// Steady cycle of amplitude X > F_s/k_t: D = 4 F_s (X - F_s/k_t).
// Ref: Lacayo thesis, app. A.

#include <cmath>
#include <vector>

#include "microslip/joints/law.hpp"
#include "microslip/numerics/dual.hpp"

namespace microslip {

/// Jenkins elements in parallel, by growing strength.
template <class T = double>
struct SliderGrid {
  std::vector<T> stiffness;  ///< k > 0 [force/length]
  std::vector<T> strength;   ///< phi > 0 [length]
};

template <class T = double>
class Jenkins {
 public:
  using Scalar = T;
  static constexpr MemoryKind memory = MemoryKind::reversals;
  static constexpr SliderCount sliders = SliderCount::one;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = false;
  static constexpr bool has_backbone = true;
  [[nodiscard]] static constexpr bool is_odd() { return true; }

  struct State {
    T u{};                  ///< deflection [length]
    T slider{};             ///< w [length]
    T dissipated{};         ///< [energy]
    bool slipping = false;  ///< in the last step
  };
  struct Trial : TrialBase<T> {
    T u{};
    T slider{};
    bool slipping = false;
  };

  /// The backbone at x >= 0, of a law that outlives it.
  struct Shape {
    const Jenkins* law;
    [[nodiscard]] BackboneSlope<T> at(T x) const {
      const auto point = law->backbone(x);
      return {point.force, point.slope};
    }
    [[nodiscard]] T yield() const { return law->strength_; }
    [[nodiscard]] T initial_slope() const { return law->stiffness_; }
    [[nodiscard]] std::vector<T> corners() const { return {}; }
    [[nodiscard]] SliderGrid<T> grid() const { return {{law->stiffness_}, {law->strength_}}; }
  };

  /// k_t > 0 [force/length], F_s > 0 [force].
  Jenkins(T stiffness, T slip_force)
      : stiffness_(stiffness), slip_force_(slip_force), strength_(slip_force / stiffness) {}

  [[nodiscard]] Trial evaluate(const State& committed, const JointInput<T>& input) const {
    Trial trial;
    trial.u = input.u;
    trial.slider = committed.slider;
    const T stretch = input.u - committed.slider;
    if (stretch > strength_) {
      trial.slider = input.u - strength_;
      trial.force = slip_force_;
      trial.slipping = true;
    } else if (stretch < -strength_) {
      trial.slider = input.u + strength_;
      trial.force = -slip_force_;
      trial.slipping = true;
    } else {
      trial.force = stiffness_ * stretch;
      trial.stiffness = stiffness_;
    }
    return trial;
  }
  void commit(State& state, const Trial& trial) const {
    using std::abs;
    state.dissipated += slip_force_ * abs(trial.slider - state.slider);
    state.u = trial.u;
    state.slider = trial.slider;
    state.slipping = trial.slipping;
  }

  [[nodiscard]] Shape shape() const { return {this}; }
  [[nodiscard]] static T residual() { return T(0.0); }
  [[nodiscard]] T stuck_stiffness() const { return stiffness_; }
  [[nodiscard]] T slipped_stiffness() const { return T(0.0); }
  [[nodiscard]] T stored_energy(const State& state) const {
    return 0.5 * stiffness_ * (state.u - state.slider) * (state.u - state.slider);
  }
  [[nodiscard]] T dissipated_energy(const State& state) const { return state.dissipated; }

  [[nodiscard]] BackbonePoint<T> backbone(T u) const {
    using std::abs;
    const T x = abs(u);
    if (x > strength_) {
      return {u < T(0.0) ? -slip_force_ : slip_force_, T(0.0), slip_force_ * (x - 0.5 * strength_)};
    }
    return {stiffness_ * u, stiffness_, 0.5 * stiffness_ * u * u};
  }
  [[nodiscard]] T dissipation(T amplitude) const {
    return amplitude > strength_ ? 4.0 * slip_force_ * (amplitude - strength_) : T(0.0);
  }
  [[nodiscard]] T secant_stiffness(T amplitude) const {
    return amplitude > strength_ ? slip_force_ / amplitude : stiffness_;
  }
  /// The only slider, whatever strength is asked for.
  [[nodiscard]] T slider_position(const State& state, T /*strength*/) const { return state.slider; }
  [[nodiscard]] T max_slider_strength() const { return strength_; }
  [[nodiscard]] T slipped_fraction(const State& state) const { return T(state.slipping ? 1.0 : 0.0); }

 private:
  T stiffness_;
  T slip_force_;
  T strength_;  ///< F_s/k_t
};

}  // namespace microslip
