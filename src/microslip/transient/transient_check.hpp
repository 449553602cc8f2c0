#pragma once
// What a transient may be asked for. Internal to simulate.

#include "microslip/transient/transient.hpp"

namespace microslip {

/// Throws std::invalid_argument, which says what would be right.
void check_transient(const System& system, const InitialConditions& initial, const Record& record,
                     const TransientOptions& options);

}  // namespace microslip
