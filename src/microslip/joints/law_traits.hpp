#pragma once
// What any law says it is. No method asks for a law by name: it asks these, or the law's own members inside a visit.
//
// They pass on what the law's header states (law.hpp); a law that does not state it does not compile.

#include <optional>
#include <vector>

#include "microslip/joints/any_law.hpp"

namespace microslip {

[[nodiscard]] MemoryKind memory_of(const Law& law);
/// The force is a function of the deflection.
[[nodiscard]] bool is_spring(const Law& law);
/// F = k u, under whichever name.
[[nodiscard]] bool is_straight(const Law& law);
/// Straight lines without memory; not rigid friction.
[[nodiscard]] bool is_made_of_lines(const Law& law);
/// Deflections at which the slope of a spring jumps, ascending; none of a law with memory [length].
[[nodiscard]] std::vector<double> corners_of(const Law& law);
/// A Masing law, or a straight line. A nonlinear spring does not: it comes back the way it went.
[[nodiscard]] bool obeys_masing_rules(const Law& law);
/// A user's own law, not a built-in one.
[[nodiscard]] bool is_custom(const Law& law);
/// The force depends on more than the present motion; of a custom law: it has a state.
[[nodiscard]] bool remembers(const Law& law);
/// Settles on a closed loop after one cycle.
[[nodiscard]] bool closes_at_once(const Law& law);
/// What it remembers may fade over many swings: the middle of a decay then shifts, even where both sides are alike. Of
/// a custom law: it has a state, and no return-point memory.
[[nodiscard]] bool memory_fades(const Law& law);
/// It remembers, and does not close at once: a decay may leave it in a state of its own.
[[nodiscard]] bool remembers_decay(const Law& law);
/// How a small change of its memory goes on is known: not of sliders, nor of a custom law with a state.
[[nodiscard]] bool tells_change_of_memory(const Law& law);
[[nodiscard]] bool has_backbone(const Law& law);
/// A virgin curve that softens by a power of the deflection, as of Iwan elements without single sliders.
struct PowerMicroslip {
  PowerSlope<double> slope;
  double residual = 0.0;  ///< stiffness beside it [force/length]
};
[[nodiscard]] std::optional<PowerMicroslip> power_microslip_of(const Law& law);
[[nodiscard]] SliderCount sliders_of(const Law& law);
/// Of `count` of its sliders, evenly spaced in logarithm from a thousandth of the strongest; of the one where there is
/// one, none where there is none [length].
[[nodiscard]] std::vector<double> slider_strengths(const Law& law, int count);
/// Rigid friction, whose force while it sticks is no function of its motion.
[[nodiscard]] bool is_rigid_friction(const Law& law);
/// Linear from event to event: straight lines without memory, or rigid friction.
[[nodiscard]] bool is_linear_between_events(const Law& law);
/// 1; of a custom law up to 3.
[[nodiscard]] int components_of(const Law& law);
/// The force depends on the rates, or may.
[[nodiscard]] bool needs_rates(const Law& law);
/// Stored and dissipated energy are known: only a custom law may not tell.
[[nodiscard]] bool tells_energy(const Law& law);

}  // namespace microslip
