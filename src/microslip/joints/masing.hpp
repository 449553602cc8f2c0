#pragma once
// Masing laws: a backbone, the Masing rules and return-point memory. Every parallel-series Iwan element, whatever its
// distribution of sliders, is one of these, so none of them needs sliders.
//
// With an odd, concave backbone F0 that is constant beyond u_y:
//   virgin curve, centred at c:                      F = F0(u - c)
//   branch that left the reversal (u_r, F_r) to s:   F = F_r + 2 s F0(|u - u_r|/2),  dF/du = F0'(|u - u_r|/2)
// A branch that reaches the reversal before u_r closes a minor loop: both are dropped and the older branch goes on.
// A branch from the first reversal that reaches its mirror point in c is back on the virgin curve. On the virgin curve
// beyond u_y (macroslip) the centre drifts: c = u - s u_y.
//
// Energy, with D(X) the dissipation of a full cycle of amplitude X: the virgin curve has dissipated D(|u - c|)/4, a
// branch D(|u - u_r|/2)/2 since its reversal, a closed minor loop D of its half-width, drift F_S per length.
//
// The state is the current point and the stack of unclosed reversals. In a decaying motion it grows by one entry a
// half-cycle: that is the memory. Branches shorter than rounding are not kept.
//
// Ref: Iwan 1966; Segalman 2005; docs/theory.md, "The exact Masing element".

#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "microslip/joints/law.hpp"
#include "microslip/numerics/dual.hpp"

namespace microslip {

/// What a backbone offers, all for x >= 0 (the law applies symmetry):
///   using Scalar;
///   BackboneSlope<Scalar> at(x)       force and slope, F0(x) and F0'(x)
///   Scalar work(x)                    integral of F0 from 0 to x
///   Scalar dissipation(x)             D(x), full cycle of amplitude x; = 8 work(x) - 4 x F0(x), in a form that does
///                                     not cancel
///   Scalar yield() const              u_y: beyond it the backbone is constant
///   Scalar initial_slope() const, yield_force() const
///   std::vector<Scalar> corners()     where the slope is not smooth before u_y, ascending
///   void tabulate()                   where it pays: prepares for many evaluations
///   PowerSlope<Scalar> power_slope()  where it is one: averaging then knows its steady cycles
template <class B>
concept MasingBackbone = requires(const B& backbone, typename B::Scalar x) {
  { backbone.at(x) } -> std::same_as<BackboneSlope<typename B::Scalar>>;
  { backbone.work(x) } -> std::convertible_to<typename B::Scalar>;
  { backbone.dissipation(x) } -> std::convertible_to<typename B::Scalar>;
  { backbone.yield() } -> std::convertible_to<typename B::Scalar>;
  { backbone.initial_slope() } -> std::convertible_to<typename B::Scalar>;
  { backbone.yield_force() } -> std::convertible_to<typename B::Scalar>;
  { backbone.corners() } -> std::same_as<std::vector<typename B::Scalar>>;
};

/// F0' = stiffness - softening x^power up to the end, then 0.
template <class T>
struct PowerSlope {
  T stiffness{};  ///< [force/length]
  T softening{};  ///< [force/length^(power+1)]
  T power{};      ///< > 0
  T end{};        ///< u_y [length]
  T end_force{};  ///< F0(u_y) [force]
};

template <class Backbone_>
class Masing {
 public:
  using Backbone = Backbone_;
  using Scalar = typename Backbone::Scalar;
  static constexpr MemoryKind memory = MemoryKind::reversals;
  static constexpr SliderCount sliders = SliderCount::many;
  static constexpr bool rigid_friction = false;
  static constexpr bool needs_rates = false;
  static constexpr bool has_backbone = true;
  [[nodiscard]] static constexpr bool is_odd() { return true; }
  static_assert(MasingBackbone<Backbone>, "the functions of a backbone are listed above");

  /// An unclosed reversal with the energies of the path to it (closed minor loops are kept apart).
  struct Reversal {
    Scalar u{};           ///< deflection [length]
    Scalar f{};           ///< hysteretic force [force]
    Scalar stored{};      ///< recoverable energy there [energy]
    Scalar dissipated{};  ///< dissipated along the path to it [energy]
  };

  struct State {
    Scalar u{};                       ///< current deflection [length]
    Scalar f{};                       ///< current hysteretic force, without the residual spring [force]
    Scalar center{};                  ///< c of the virgin curve [length]
    Scalar loops{};                   ///< dissipated in closed loops and in drift [energy]
    int direction = 0;                ///< of the last motion; 0 before the first
    std::vector<Reversal> reversals;  ///< oldest first
  };

  struct Trial : TrialBase<Scalar> {
    Scalar u{};
    Scalar f{};
    Scalar center{};
    int direction = 0;
    bool reverses = false;   ///< the committed point becomes a reversal first
    std::size_t closed = 0;  ///< then so many entries of the stack are dropped from its top
  };

  /// `residual`: stiffness of a spring in parallel, what is left in macroslip [force/length].
  explicit Masing(Backbone backbone, Scalar residual = Scalar(0.0))
      : backbone_(std::move(backbone)), residual_(residual) {
    if constexpr (requires { backbone_.tabulate(); }) backbone_.tabulate();
  }

  [[nodiscard]] const Backbone& shape() const { return backbone_; }
  [[nodiscard]] Scalar residual() const { return residual_; }
  [[nodiscard]] Scalar stuck_stiffness() const { return backbone_.initial_slope() + residual_; }
  [[nodiscard]] Scalar slipped_stiffness() const { return residual_; }

  [[nodiscard]] Trial evaluate(const State& committed, const JointInput<Scalar>& input) const;
  void commit(State& state, const Trial& trial) const;

  [[nodiscard]] Scalar stored_energy(const State& state) const {
    return 0.5 * residual_ * state.u * state.u + path_energy(state).stored;
  }
  [[nodiscard]] Scalar dissipated_energy(const State& state) const { return state.loops + path_dissipation(state); }

  [[nodiscard]] BackbonePoint<Scalar> backbone(Scalar u) const {
    using std::abs;
    const Scalar x = abs(u);
    const auto point = backbone_.at(x);
    return {(u < Scalar(0.0) ? -point.force : point.force) + residual_ * u, point.slope + residual_,
            backbone_.work(x) + 0.5 * residual_ * u * u};
  }
  [[nodiscard]] Scalar dissipation(Scalar amplitude) const { return backbone_.dissipation(amplitude); }
  [[nodiscard]] Scalar secant_stiffness(Scalar amplitude) const {
    return amplitude > Scalar(0.0) ? backbone_.at(amplitude).force / amplitude + residual_ : stuck_stiffness();
  }
  [[nodiscard]] Scalar max_slider_strength() const { return backbone_.yield(); }
  [[nodiscard]] Scalar slider_position(const State& state, Scalar strength) const;
  [[nodiscard]] Scalar slipped_fraction(const State& state) const {
    return Scalar(1.0) - backbone_.at(branch_length(state)).slope / backbone_.initial_slope();
  }

 private:
  struct Energies {
    Scalar stored{};
    Scalar dissipated{};
  };

  /// |u - c| on the virgin curve, |u - u_r|/2 on a branch: the argument of the backbone.
  [[nodiscard]] Scalar branch_length(const State& state) const {
    using std::abs;
    return state.reversals.empty() ? abs(state.u - state.center) : 0.5 * abs(state.u - state.reversals.back().u);
  }

  /// Energies of the path to the current point, without closed loops:
  ///   virgin   stored = W(X) - D(X)/4 = X F0(X) - W(X),   W: work
  ///   branch   stored = stored_r + s F_r d + d F0(d/2),   d = |u - u_r|
  [[nodiscard]] Energies path_energy(const State& state) const {
    const Scalar x = branch_length(state);
    const Scalar dissipated = path_dissipation(state);
    if (state.reversals.empty()) return {backbone_.work(x) - dissipated, dissipated};
    const Reversal& from = state.reversals.back();
    return {from.stored + from.f * (state.u - from.u) + 2.0 * x * backbone_.at(x).force, dissipated};
  }
  [[nodiscard]] Scalar path_dissipation(const State& state) const {
    const Scalar x = branch_length(state);
    if (state.reversals.empty()) return 0.25 * backbone_.dissipation(x);
    return state.reversals.back().dissipated + 0.5 * backbone_.dissipation(x);
  }

  Backbone backbone_;
  Scalar residual_;
};

template <class Backbone>
[[gnu::always_inline]] inline auto Masing<Backbone>::evaluate(const State& committed,
                                                              const JointInput<Scalar>& input) const -> Trial {
  Trial trial;
  trial.u = input.u;
  trial.center = committed.center;
  const Scalar travel = input.u - committed.u;
  if (travel == Scalar(0.0)) {
    trial.direction = committed.direction;
  } else if (travel > Scalar(0.0)) {
    trial.direction = 1;
  } else if (travel < Scalar(0.0)) {
    trial.direction = -1;
  } else {  // NaN in, NaN out
    trial.f = trial.force = trial.stiffness = Scalar(std::numeric_limits<double>::quiet_NaN());
    return trial;
  }
  const bool up = trial.direction > 0;
  trial.reverses = trial.direction != committed.direction && committed.direction != 0;

  // The stack of this trial is committed.reversals plus, if the motion reverses, the committed point; `top` counts its
  // entries that are still open.
  const Reversal* stack = committed.reversals.data();
  const std::size_t stacked = committed.reversals.size();
  const std::size_t entries = stacked + (trial.reverses ? 1 : 0);
  std::size_t top = entries;
  const auto u_at = [&](std::size_t i) -> const Scalar& { return i < stacked ? stack[i].u : committed.u; };
  const auto passed = [&](const Scalar& u) { return up ? input.u >= u : input.u <= u; };
  while (top >= 2 && passed(u_at(top - 2))) top -= 2;
  if (top == 1 && passed(2.0 * committed.center - u_at(0))) top = 0;
  trial.closed = entries - top;

  if (top == 0) {
    const Scalar offset = input.u - committed.center;
    const bool positive = offset >= Scalar(0.0);
    const Scalar x = positive ? offset : -offset;
    const auto point = backbone_.at(x);
    trial.f = positive ? point.force : -point.force;
    trial.stiffness = point.slope + residual_;
    if (x > backbone_.yield()) trial.center = positive ? input.u - backbone_.yield() : input.u + backbone_.yield();
  } else {
    const bool fresh = top > stacked;  // the branch leaves the committed point
    const Scalar& u_r = fresh ? committed.u : stack[top - 1].u;
    const Scalar& f_r = fresh ? committed.f : stack[top - 1].f;
    const auto point = backbone_.at(up ? 0.5 * (input.u - u_r) : 0.5 * (u_r - input.u));
    trial.f = up ? f_r + 2.0 * point.force : f_r - 2.0 * point.force;
    trial.stiffness = point.slope + residual_;
  }
  trial.force = trial.f + residual_ * input.u;
  return trial;
}

template <class Backbone>
void Masing<Backbone>::commit(State& state, const Trial& trial) const {
  using std::abs;
  if (trial.reverses) {
    const Energies path = path_energy(state);
    state.reversals.push_back({state.u, state.f, path.stored, path.dissipated});
  }
  for (std::size_t left = trial.closed; left > 0;) {
    const std::size_t n = state.reversals.size();
    if (left >= 2) {  // a minor loop between the last two reversals
      state.loops += backbone_.dissipation(0.5 * abs(state.reversals[n - 1].u - state.reversals[n - 2].u));
      state.reversals.resize(n - 2);
      left -= 2;
    } else {  // from the first reversal through its mirror point: the virgin curve counts D/4 of the 3D/4 so far
      state.loops += 0.5 * backbone_.dissipation(abs(state.reversals[0].u - state.center));
      state.reversals.clear();
      left = 0;
    }
  }
  if (state.reversals.empty()) state.loops += backbone_.yield_force() * abs(trial.center - state.center);
  state.u = trial.u;
  state.f = trial.f;
  state.center = trial.center;
  state.direction = trial.direction;

  // A branch no longer than rounding: forget its reversal and go on along the branch before it.
  if (trial.reverses && state.reversals.size() >= 2) {
    const Scalar& from = state.reversals.back().u;
    if (abs(state.u - from) <= 2.0 * std::numeric_limits<double>::epsilon() * abs(from)) {
      state.reversals.pop_back();
      state.direction = -state.direction;
    }
  }
}

/// The slider of strength `phi` starts at 0 and is dragged along whenever |u - x| would exceed phi:
/// it follows the tips of the path that remain in memory, clamp(x, u - phi, u + phi) at each.
template <class Backbone>
auto Masing<Backbone>::slider_position(const State& state, Scalar strength) const -> Scalar {
  Scalar x = state.center;
  const auto drag = [&](const Scalar& u) {
    if (u - x > strength) x = u - strength;
    if (x - u > strength) x = u + strength;
  };
  for (const Reversal& reversal : state.reversals) drag(reversal.u);
  drag(state.u);
  return x;
}

}  // namespace microslip
