#pragma once
// The mirror image of a motion, x -> -x: its regimes and the events that end them. Internal to PiecewiseOrbits.

#include "microslip/transient/regime.hpp"

namespace microslip {

[[nodiscard]] inline ContactStates mirror_image(ContactStates states) {
  for (int& state : states) state = -state;
  return states;
}

[[nodiscard]] inline EventFunction::Kind mirror_image(EventFunction::Kind kind) {
  if (kind == EventFunction::Kind::breaks_up) return EventFunction::Kind::breaks_down;
  if (kind == EventFunction::Kind::breaks_down) return EventFunction::Kind::breaks_up;
  return kind;
}

/// The event function of `mirrored` that is `function` of `regime`.
[[nodiscard]] inline int mirror_event(const Regime& regime, int function, const Regime& mirrored) {
  const EventFunction& event = regime.events()[static_cast<std::size_t>(function)];
  return mirrored.event(event.contact, mirror_image(event.kind));
}

}  // namespace microslip
