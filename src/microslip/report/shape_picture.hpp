#pragma once
// Shapes of a structure side by side, for print.

#include <string>

#include "microslip/report/plot.hpp"

namespace microslip {

/// SVG: at rest in grey, deflected in colour, the real parts, and circles of what is drawn over it; a dozen of them at
/// most.
[[nodiscard]] std::string shape_picture(const PlotShapes& shapes);

}  // namespace microslip
