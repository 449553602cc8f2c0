#pragma once
// Damping ratios that are hardly meant.

#include <string>

#include "microslip/system/system.hpp"

namespace microslip {

/// What is odd about modal damping: ratios of 1 and more, with which a mode does not vibrate; empty: nothing.
[[nodiscard]] std::string damping_remark(const System& system);

}  // namespace microslip
