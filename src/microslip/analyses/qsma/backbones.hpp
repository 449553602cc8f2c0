#pragma once
// Backbones of the joints as far as an analysis went.

#include <span>

#include "microslip/system/sink.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

/// Force of each joint with a backbone over its deflection, up to `largest`, one a component.
void write_backbones(const System& system, std::span<const double> largest, Sink& sink);

}  // namespace microslip
