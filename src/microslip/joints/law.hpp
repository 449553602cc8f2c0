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
// A law L offers
//   using Scalar, State, Trial;
//   Trial evaluate(const State&, const JointInput<Scalar>&) const;   // pure
//   void  commit(State&, const Trial&) const;
//   Scalar stuck_stiffness() const;       tangent at rest, what the joint adds to K0
//   Scalar slipped_stiffness() const;     stiffness left in macroslip
//   Scalar stored_energy(const State&) const;       recoverable energy, zero in the initial state
//   Scalar dissipated_energy(const State&) const;   since the initial state, from closed forms
//   static constexpr bool return_point_memory;      settles on a closed loop after one cycle
// and, where the mathematics allows (test with `requires`),
//   BackbonePoint<Scalar> backbone(Scalar u) const;   virgin curve: force, slope, work
//   Scalar dissipation(Scalar X) const;               per steady cycle of amplitude X, reached by growing motion
//   Scalar secant_stiffness(Scalar X) const;          force at the tip of that cycle / X
//   Scalar slider_position(const State&, Scalar phi) const;   of the slider of strength phi (a deflection)
//   Scalar max_slider_strength() const;               phi_max: all sliders slip beyond it [length]
//   Scalar slipped_fraction(const State&) const;      share of the stuck hysteretic stiffness that slips now
//
// Forces and deflections follow the study: u = W^T q, the joint pulls back with W F.

#include <type_traits>

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

/// -1, 0 or 1.
template <class T>
int sign_of(const T& x) {
  return (x > T(0.0)) - (x < T(0.0));
}

}  // namespace microslip
