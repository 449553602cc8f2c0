#pragma once
// Does a motion lie on a curve of motions that is known by its points?

#include <vector>

#include "microslip/periodic/frequency_response.hpp"

namespace microslip {

/// Whether a motion is not farther from a line between neighbouring points of curves over frequency (of the same piece)
/// than the curve bends there, and `within` of the motion more. It bends by the distance of either of the points from
/// the line between its own neighbours; from a line half as long a smooth curve is a quarter as far. Distances are
/// scaled by the motion (where no joint moves by the largest of the curves), and `range` for the frequency.
[[nodiscard]] bool on_curve(const std::vector<ResponsePoint>& points, const PeriodicOrbit& motion, double range,
                            double within);

}  // namespace microslip
