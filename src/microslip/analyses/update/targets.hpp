#pragma once
// From what a study names as its test to the rows of a problem.

#include <string>

#include "microslip/analyses/update/analysis.hpp"

namespace microslip {

/// Its rows are there. Throws std::invalid_argument with a sentence where there is nothing to compare.
[[nodiscard]] CurveTarget curve_target(const TestCurve& curve, const Results& results);
[[nodiscard]] ModeTarget mode_target(const TestModes& modes, const Results& results, const System& system);
[[nodiscard]] LoopTarget loop_target(const TestLoop& loop, const Results& results);
[[nodiscard]] LoopTarget loop_target(const TestLoop& loop, const ForceCurve& curve);

}  // namespace microslip
