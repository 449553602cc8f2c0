#pragma once
// Curves of one law: virgin curve and steady hysteresis loop at an amplitude.

#include "microslip/joints/any_law.hpp"
#include "microslip/system/sink.hpp"

namespace microslip {

/// Columns u, f, slope, work: `points` deflections after the origin, evenly spaced up to the amplitude.
void write_backbone(const Law& law, double amplitude, int points, Sink& sink);

struct LoopNumbers {
  double dissipation = 0.0;       ///< per cycle of the loop, from the law's own energy
  double secant_stiffness = 0.0;  ///< force at the tip over the amplitude
};

/// Columns u, f: one steady cycle from tip to tip and back, `points` steps a branch.
LoopNumbers write_loop(const Law& law, double amplitude, int points, Sink& sink);

}  // namespace microslip
