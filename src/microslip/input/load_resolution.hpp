#pragma once
// Does a step in time see the loads?

#include <span>
#include <string>

#include "microslip/system/system.hpp"

namespace microslip {

/// The shortest time between two turning points of a signal, or between one and its end; infinite if it has none.
[[nodiscard]] double shortest_half_wave(const Signal& signal);

/// What is wrong with loads whose shortest half wave holds less than two steps; empty: nothing.
[[nodiscard]] std::string unresolved_loads(std::span<const Load> loads, double step);

}  // namespace microslip
