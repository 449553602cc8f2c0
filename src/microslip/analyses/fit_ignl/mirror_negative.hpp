#pragma once
// Curves of the negative side, told as positive ones.

#include "microslip/identify/force_curve.hpp"

namespace microslip {

/// The negative side as -u, -f, whichever way it was written.
void mirror_negative(ForceCurve& curve);

}  // namespace microslip
