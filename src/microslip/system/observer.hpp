#pragma once
// Progress out, carry-on or stop in. An analysis calls its observer now and then; it stops when the answer is false.

#include <functional>

namespace microslip {

/// Called with the fraction done, 0 to 1. Return false to stop. An empty observer never stops.
using Observer = std::function<bool(double fraction)>;

}  // namespace microslip
