#pragma once
// What a joint law is.
//
// A law is parameters only and immutable; its memory is a value that the caller owns (`State`). `evaluate` is pure: it
// returns a `Trial` with the force, its derivatives and whatever `commit` needs to turn the old state into the new one
// without evaluating again. A trial that is thrown away leaves no trace, copying a state is how one branches, rolls
// back or checkpoints, and any number of threads may share a law.
//
// Every built-in law is a template on its scalar `T`: `double` in production, `Dual<N>` where derivatives are to be
// carried through the history, with respect to inputs, states or parameters.
//
// What a built-in law must offer is the concept JointLaw at the end of this file; any_law.hpp checks it for every law,
// part by part (keeps_its_contract), so that the compiler names what is missing.
// Its parts, in words:
//   using Scalar, State, Trial;
//   Trial evaluate(const State&, const JointInput<Scalar>&) const;   // pure
//   void  commit(State&, const Trial&) const;
//   Scalar stuck_stiffness() const;       tangent at rest, what the joint adds to K0
//   Scalar slipped_stiffness() const;     stiffness left in macroslip
//   Scalar stored_energy(const State&) const;       recoverable energy, zero in the initial state
//   Scalar dissipated_energy(const State&) const;   since the initial state, from closed forms
// what it is, so that no method has to know it by name (law_traits.hpp asks the same of any Law):
//   static constexpr MemoryKind memory;       how it remembers
//   static constexpr SliderCount sliders;     none, one, or many of different strengths
//   static constexpr bool rigid_friction;     sticks: its force is then no function of the motion
//   static constexpr bool needs_rates;        the force depends on v
//   static constexpr bool has_backbone;       there is a virgin curve, `backbone`
//   bool is_odd() const;                      F(-history) = -F(history)
// and what goes with these answers:
//   has_backbone          BackbonePoint<Scalar> backbone(Scalar u) const;      virgin curve: force, slope, work
//   sliders not none      Scalar slider_position(const State&, Scalar phi) const;   of the slider of strength phi
//                         Scalar max_slider_strength() const;       phi_max: all sliders slip beyond it [length]
//                         Scalar slipped_fraction(const State&) const;   share of the stuck hysteretic stiffness
//   memory none (a spring), unless it is rigid friction
//                         bool is_straight() const;                 F = k u; static constexpr where all are, or none
//                         static constexpr bool straight_pieces;    straight lines between its corners
//                         std::span<const Scalar> corners() const;  where the slope jumps, ascending [length]
//                         int degree() const;                       of the polynomial between corners; 0: it is none
//     straight_pieces     Scalar slope(i) const, offset(i) const;   F = slope u + offset before corner i
//   memory reversals      shape() const, residual() const;          see MasingLaw
//   memory fading         State::u, z; Trial::z, slope, gain;       see FadingLaw
//                         Scalar z_stiffness() const;
//   memory sliders        template <class U> with_scalar<U>() const, Scalar decay_reach() const;   see SliderLaw
//                         void list_onsets(const State&, int direction, std::vector<SlipOnset<Scalar>>&) const;
//                         static constexpr bool exact_tangent;
//   rigid_friction        Scalar static_level() const, kinetic_level() const;   per unit of normal load
// A law may offer besides, where the mathematics allows,
//   Scalar dissipation(Scalar X) const;               per steady cycle of amplitude X, reached by growing motion
//   Scalar secant_stiffness(Scalar X) const;          force at the tip of that cycle / X
// and what steady_cycle.cpp names for averaging.
//
// Forces and deflections follow the study: u = W^T q, the joint pulls back with W F.

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

/// What a scalar joint sees at one instant.
template <class T = double>
struct JointInput {
  T u{};                ///< deflection [length]
  T v{};                ///< its rate [length/time]
  double t = 0.0;       ///< time [time]
  double normal = 0.0;  ///< normal load [force]; used by laws that say so
};

/// The part of a trial that every law has. `Derived` trials add what their commit needs.
template <class T = double>
struct TrialBase {
  T force{};      ///< F [force]
  T stiffness{};  ///< dF/du, consistent with the history [force/length]
  T damping{};    ///< dF/dv [force time/length]
};

/// A point of the virgin curve.
template <class T = double>
struct BackbonePoint {
  T force{};  ///< F0(u)
  T slope{};  ///< F0'(u)
  T work{};   ///< integral of F0 from 0 to u
};

/// A point of the part of it that slips.
template <class T = double>
struct BackboneSlope {
  T force{};
  T slope{};
};

/// -1, 0 or 1.
template <class T>
int sign_of(const T& x) {
  return (x > T(0.0)) - (x < T(0.0));
}

/// How a law remembers the motion that came before.
enum class MemoryKind {
  none,       ///< not at all: a spring, or rigid friction
  reversals,  ///< by its unclosed reversal points (Masing); a cycle closes at once
  fading,     ///< by a deflection z of its own, which every cycle brings closer to its steady loop
  sliders,    ///< by positions of sliders that no list of reversals tells
  unknown     ///< a user's own law
};

enum class SliderCount { none, one, many };

/// Settles on a closed loop after one cycle.
constexpr bool closes_at_once(MemoryKind memory) {
  switch (memory) {
    case MemoryKind::none:
    case MemoryKind::reversals:
      return true;
    case MemoryKind::fading:
    case MemoryKind::sliders:
    case MemoryKind::unknown:
      return false;
  }
  return false;
}

/// Straight lines between the corners: F = slope(i) u + offset(i) before corner i.
template <class L>
concept TellsLines = requires(const L& law, std::size_t piece) {
  { law.slope(piece) } -> std::convertible_to<typename L::Scalar>;
  { law.offset(piece) } -> std::convertible_to<typename L::Scalar>;
};

/// Memoryless: the force is a function of the deflection.
template <class L>
concept SpringLaw = requires(const L& law) {
  requires L::memory == MemoryKind::none;
  requires !L::rigid_friction;
  { law.is_straight() } -> std::same_as<bool>;
  { L::straight_pieces } -> std::convertible_to<bool>;
  { law.corners() } -> std::same_as<std::span<const typename L::Scalar>>;
  { law.degree() } -> std::same_as<int>;
  requires !L::straight_pieces || TellsLines<L>;
};

/// F = k u whatever the parameters.
template <class L>
concept StraightLaw = SpringLaw<L> && requires {
  requires L::is_straight();
};

/// Masing rules on a backbone: shape() tells, for x >= 0 and without the spring residual(), force and slope at x, where
/// all slips (yield), the slope at 0, and the corners before: where the slope is not smooth.
template <class L>
concept MasingLaw = requires(const L& law, typename L::Scalar x) {
  requires L::memory == MemoryKind::reversals;
  requires L::sliders != SliderCount::none;
  requires L::has_backbone;
  { law.shape().at(x).force } -> std::convertible_to<typename L::Scalar>;
  { law.shape().at(x).slope } -> std::convertible_to<typename L::Scalar>;
  { law.shape().yield() } -> std::convertible_to<typename L::Scalar>;
  { law.shape().initial_slope() } -> std::convertible_to<typename L::Scalar>;
  { law.shape().corners() } -> std::same_as<std::vector<typename L::Scalar>>;
  { law.residual() } -> std::convertible_to<typename L::Scalar>;
};

/// F = slipped_stiffness() u + z_stiffness() z, z_1 = Z(z_0, u_1 - u_0): a trial tells slope = dz_1/du_1 = -dz_1/du_0
/// and gain = dz_1/dz_0 > 0. Over a cycle gains multiply to less than 1; one step may have more, as while a Bouc-Wen
/// law with gamma > beta unloads. A state at deflection u is (u, z), the rest of it as new.
template <class L>
concept FadingLaw = requires(const L& law, typename L::State& state, const typename L::Trial& trial) {
  requires L::memory == MemoryKind::fading;
  requires std::same_as<decltype(state.u), typename L::Scalar> && std::same_as<decltype(state.z), typename L::Scalar>;
  { trial.z } -> std::convertible_to<typename L::Scalar>;
  { trial.slope } -> std::convertible_to<typename L::Scalar>;
  { trial.gain } -> std::convertible_to<typename L::Scalar>;
  { law.z_stiffness() } -> std::convertible_to<typename L::Scalar>;
};

/// Where sliders ahead begin to slip one by one, or a continuum of them after another.
template <class T>
struct SlipOnset {
  T u{};     ///< deflection [length]
  T drop{};  ///< F falls by so much there, along the motion; 0: only the slope has a corner [force]
};

/// Periods are run until they repeat, derivatives by the same law in dual numbers: with_scalar<U>(). exact_tangent: the
/// force has jumps at single deflections at most, and its tangent tells the rest. decay_reach(): a steady cycle of
/// amplitude X after a slow decay depends on what came before up to the amplitude decay_reach() X. list_onsets(): of a
/// motion from `state` to `direction`, without end; F between two onsets is smooth.
template <class L>
concept SliderLaw = requires(const L& law) {
  requires L::memory == MemoryKind::sliders;
  requires L::sliders != SliderCount::none;
  requires L::has_backbone;
  { law.template with_scalar<typename L::Scalar>() } -> std::same_as<L>;
  { L::exact_tangent } -> std::convertible_to<bool>;
  { law.decay_reach() } -> std::convertible_to<typename L::Scalar>;
  requires requires(const typename L::State& state, std::vector<SlipOnset<typename L::Scalar>>& list) {
    law.list_onsets(state, 1, list);
  };
};

/// Sticks and slides: levels of both forces per unit of normal load.
template <class L>
concept RigidFrictionLaw = requires(const L& law) {
  requires L::rigid_friction;
  requires L::memory == MemoryKind::none;
  requires L::sliders == SliderCount::none;
  { law.static_level() } -> std::convertible_to<typename L::Scalar>;
  { law.kinetic_level() } -> std::convertible_to<typename L::Scalar>;
};

/// Evaluates, commits, and tells its stiffness and energy.
template <class L>
concept EvaluatesLaw = std::copyable<L> && std::default_initializable<typename L::State> &&
    std::copyable<typename L::State> && std::derived_from<typename L::Trial, TrialBase<typename L::Scalar>> &&
    requires(const L& law, typename L::State& state, const typename L::State& committed, const typename L::Trial& trial,
             const JointInput<typename L::Scalar>& input) {
  { law.evaluate(committed, input) } -> std::same_as<typename L::Trial>;
  law.commit(state, trial);
  { law.stuck_stiffness() } -> std::convertible_to<typename L::Scalar>;
  { law.slipped_stiffness() } -> std::convertible_to<typename L::Scalar>;
  { law.stored_energy(committed) } -> std::convertible_to<typename L::Scalar>;
  { law.dissipated_energy(committed) } -> std::convertible_to<typename L::Scalar>;
};

/// Says what it is.
template <class L>
concept DescribesItself = requires(const L& law) {
  requires std::same_as<decltype(L::memory), const MemoryKind>;
  requires std::same_as<decltype(L::sliders), const SliderCount>;
  requires std::same_as<decltype(L::rigid_friction), const bool>;
  requires std::same_as<decltype(L::needs_rates), const bool>;
  requires std::same_as<decltype(L::has_backbone), const bool>;
  { law.is_odd() } -> std::same_as<bool>;
};

/// Functions that go with its answers: offered by a law that says so, and by no other.
template <class L>
concept TellsBackbone = requires(const L& law, typename L::Scalar u) {
  { law.backbone(u) } -> std::same_as<BackbonePoint<typename L::Scalar>>;
};
template <class L>
concept TellsSliders = requires(const L& law, const typename L::State& state, typename L::Scalar phi) {
  { law.slider_position(state, phi) } -> std::convertible_to<typename L::Scalar>;
  { law.max_slider_strength() } -> std::convertible_to<typename L::Scalar>;
  { law.slipped_fraction(state) } -> std::convertible_to<typename L::Scalar>;
};

/// Its answers and its functions agree.
template <class L>
concept BackboneAsSaid = L::has_backbone == TellsBackbone<L>;
template <class L>
concept SlidersAsSaid = (L::sliders != SliderCount::none) == TellsSliders<L>;
template <class L>
concept RemembersAsSaid = SpringLaw<L> || RigidFrictionLaw<L> || MasingLaw<L> || FadingLaw<L> || SliderLaw<L>;

/// A built-in law of one component; see the top of this file.
template <class L>
concept JointLaw = EvaluatesLaw<L> && DescribesItself<L> && BackboneAsSaid<L> && SlidersAsSaid<L> && RemembersAsSaid<L>;

/// JointLaw, one assertion a part: the compiler shows the expression that is missing.
template <class L>
constexpr bool keeps_its_contract() {
  static_assert(EvaluatesLaw<L>, "a law evaluates, commits, and tells its stiffness and energy");
  static_assert(DescribesItself<L>, "a law says what it is");
  if constexpr (DescribesItself<L>) {
    if constexpr (L::has_backbone) {
      static_assert(TellsBackbone<L>, "has_backbone: a law offers its virgin curve");
    } else {
      static_assert(!TellsBackbone<L>, "a law that offers backbone() says has_backbone");
    }
    if constexpr (L::sliders != SliderCount::none) {
      static_assert(TellsSliders<L>, "a law with sliders tells where they are");
    } else {
      static_assert(!TellsSliders<L>, "a law that tells of sliders says how many: one, or many");
    }
    if constexpr (L::rigid_friction) {
      static_assert(RigidFrictionLaw<L>, "rigid friction: levels, and neither memory nor sliders");
    } else if constexpr (L::memory == MemoryKind::none) {
      if constexpr (requires { requires L::straight_pieces; }) {
        static_assert(TellsLines<L>, "straight_pieces: a spring tells its lines");
      }
      static_assert(SpringLaw<L>, "MemoryKind::none: a spring");
    } else if constexpr (L::memory == MemoryKind::reversals) {
      static_assert(MasingLaw<L>, "MemoryKind::reversals: a shape, and the Masing rules");
    } else if constexpr (L::memory == MemoryKind::fading) {
      static_assert(FadingLaw<L>, "MemoryKind::fading: a deflection z of its own");
    } else if constexpr (L::memory == MemoryKind::sliders) {
      static_assert(SliderLaw<L>, "MemoryKind::sliders: the same law in other scalars");
    } else {
      static_assert(L::memory != L::memory, "of a built-in law the memory is one of these kinds");
    }
  }
  return JointLaw<L>;
}

/// Closed forms that a law may offer.
template <class L>
concept TellsDissipation = requires(const L& law) {
  law.dissipation(1.0);
};
template <class L>
concept TellsSecant = requires(const L& law) {
  law.secant_stiffness(1.0);
};

}  // namespace microslip
