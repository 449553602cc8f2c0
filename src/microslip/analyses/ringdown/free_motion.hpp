#pragma once
// The motion that a ring-down analysis looks at, from its start on.

#include <optional>
#include <string>

#include "microslip/analyses/analysis.hpp"
#include "microslip/analyses/ringdown/measured_motion.hpp"
#include "microslip/analyses/transient/analysis.hpp"

namespace microslip {

struct FreeMotion {
  MeasuredMotion motion;
  Ending ending = Ending::completed;
  std::string message;
  std::optional<MotionFacts> facts;  ///< of a simulated one
};

/// Velocities of the stuck modes that vibrate, phi_r^T M v, from `start` on.
[[nodiscard]] FreeMotion simulated_free_motion(const TransientAnalysis& transient, double start, AnalysisRun& with);

/// From the given time, or from the largest sum of squares after the hit and before a second one.
[[nodiscard]] FreeMotion measured_free_motion(MeasuredMotion measured, const std::optional<double>& start);

}  // namespace microslip
