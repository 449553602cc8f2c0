#pragma once
// Bouc-Wen law, solved exactly (no time discretisation):
//   F = alpha k_0 u + (1 - alpha) k_0 z,   dz/du = A - (gamma + beta s sgn z) |z|^n,   s = sgn du
// Within one direction and one sign of z this is dz/du = A - b |z|^n, b = gamma + beta (loading, |z| grows) or gamma -
// beta (unloading): numerics/power_flow.hpp. A step is split exactly at z = 0, so splitting a step changes nothing but
// rounding.
//   dz_1/du_1 = g(z_1),   dz_1/du_0 = -g(z_1),   dz_1/dz_0 = g(z_1)/g(z_0)
// |z| stays below z_max = (A/(beta+gamma))^(1/n).
//
// Energy: stored = alpha k_0 u^2/2 + (1-alpha) k_0 z^2/(2 A); the rest of the work is dissipated, at the rate
//   (1-alpha) (k_0/A) (beta + gamma s sgn z) |z|^(n+1) |du|
// which is never negative if |gamma| <= beta (Erlicher and Point 2004). gamma > beta is admitted: it follows power laws
// of microslip (n = 1+chi, beta = R/((chi+2) K_T), gamma = R/((chi+1) K_T)) and dissipates over closed loops, but gives
// back some of it while unloading. beta <= 0 or beta + gamma <= 0 are not: z would not stay bounded.
//
// No return-point memory: a small loop drifts.
// Ref: Wen 1976, J. Eng. Mech. 102, 249-263; Shetty dissertation, chapter II, (II-9), (II-16) as corrected in
// docs/verification.md.

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "microslip/joints/law.hpp"
#include "microslip/numerics/dual.hpp"
#include "microslip/numerics/power_flow.hpp"

namespace microslip {

template <class T = double>
class BoucWen {
 public:
  using Scalar = T;
  static constexpr MemoryKind memory = MemoryKind::fading;
  static constexpr SliderCount sliders = SliderCount::none;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = false;
  static constexpr bool has_backbone = true;
  [[nodiscard]] static constexpr bool is_odd() { return true; }

  struct Parameters {
    T k0{};        ///< > 0 [force/length]
    T alpha{};     ///< 0 <= alpha <= 1
    T a = T(1.0);  ///< A > 0
    T beta{};      ///< > 0 [1/length^n]
    T gamma{};     ///< > -beta [1/length^n]
    T n = T(1.0);  ///< >= 0.01
  };

  struct State {
    T u{};              ///< deflection [length]
    T z{};              ///< hysteretic deflection [length]
    T dissipated{};     ///< [energy]
    int direction = 0;  ///< of the last motion; 0 before the first
  };
  struct Trial : TrialBase<T> {
    T u{};
    T z{};
    T slope{};       ///< g(z_1) = dz_1/du_1
    T gain{};        ///< dz_1/dz_0
    T dissipated{};  ///< in this step [energy]
    int direction = 0;
  };

  /// Throws std::invalid_argument for parameters out of their bounds.
  explicit BoucWen(const Parameters& p)
      : p_(p), loading_(p.a, p.gamma + p.beta, p.n), unloading_(p.a, p.gamma - p.beta, p.n) {
    require(p.k0 > T(0.0), "k0 must be > 0");
    require(p.alpha >= T(0.0) && p.alpha <= T(1.0), "alpha must be in [0, 1]");
    require(p.a > T(0.0), "A must be > 0");
    require(p.beta > T(0.0), "beta must be > 0");
    require(p.beta + p.gamma > T(0.0), "beta + gamma must be > 0");
    require(p.n >= T(0.01), "n must be >= 0.01");
    for (const T& value : {p.k0, p.a, p.beta, p.gamma, p.n})
      require(std::isfinite(value_of(value)), "parameters must be finite");
  }

  [[nodiscard]] const Parameters& parameters() const { return p_; }
  /// z_max.
  [[nodiscard]] T saturation() const {
    using std::pow;
    return pow(p_.a / (p_.beta + p_.gamma), 1.0 / p_.n);
  }

  [[nodiscard]] Trial evaluate(const State& committed, const JointInput<T>& input) const;
  void commit(State& state, const Trial& trial) const {
    state.u = trial.u;
    state.z = trial.z;
    state.dissipated += trial.dissipated;
    state.direction = trial.direction;
  }

  /// (1 - alpha) k_0: force over z.
  [[nodiscard]] T z_stiffness() const { return hysteretic(); }
  [[nodiscard]] T stuck_stiffness() const { return elastic() + hysteretic() * p_.a; }
  [[nodiscard]] T slipped_stiffness() const { return elastic(); }
  [[nodiscard]] T stored_energy(const State& state) const {
    return 0.5 * elastic() * state.u * state.u + 0.5 * hysteretic() / p_.a * state.z * state.z;
  }
  [[nodiscard]] T dissipated_energy(const State& state) const { return state.dissipated; }

  [[nodiscard]] BackbonePoint<T> backbone(T u) const {
    JointInput<T> input;
    input.u = u;
    State state;
    const Trial trial = evaluate(state, input);
    commit(state, trial);
    return {trial.force, trial.stiffness, stored_energy(state) + state.dissipated};
  }

 private:
  static void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("bouc_wen: ") + what);
  }
  [[nodiscard]] T elastic() const { return p_.alpha * p_.k0; }
  [[nodiscard]] T hysteretic() const { return (1.0 - p_.alpha) * p_.k0; }

  Parameters p_;
  PowerFlow<T> loading_;    ///< |z| grows
  PowerFlow<T> unloading_;  ///< |z| falls
};

template <class T>
auto BoucWen<T>::evaluate(const State& committed, const JointInput<T>& input) const -> Trial {
  Trial trial;
  trial.u = input.u;
  T x = input.u - committed.u;
  const int moved = sign_of(x);
  trial.direction = moved != 0 ? moved : committed.direction;
  trial.gain = T(1.0);
  if (!std::isfinite(value_of(x))) {
    trial.z = trial.force = trial.stiffness = T(std::numeric_limits<double>::quiet_NaN());
    return trial;
  }

  // y = s z grows from y_0 over x >= 0: first as y = -m < 0, m falling, then as y = m >= 0.
  const bool backward = trial.direction < 0;
  if (backward) x = -x;
  T y = backward ? -committed.z : committed.z;
  T moment(0.0);  // integral of b |z|^(n+1) |du|, with its sign
  if (y < T(0.0)) {
    const auto falling = unloading_.advance(-y, -x);
    moment += (p_.gamma - p_.beta) * falling.integral;
    trial.gain *= falling.gain;
    y = -falling.m;
    x = -falling.left;
    trial.slope = unloading_.slope(falling.m);
    if (falling.reached_zero) y = T(0.0);
  }
  if (y >= T(0.0)) {
    const auto rising = loading_.advance(y, x);
    moment += (p_.gamma + p_.beta) * rising.integral;
    trial.gain *= rising.gain;
    y = rising.m;
    trial.slope = loading_.slope(y);
  }
  trial.z = backward ? -y : y;
  trial.dissipated = hysteretic() / p_.a * moment;
  trial.force = elastic() * input.u + hysteretic() * trial.z;
  trial.stiffness = elastic() + hysteretic() * trial.slope;
  return trial;
}

}  // namespace microslip
