#pragma once
// Which systems shooting takes.

#include "microslip/periodic/joint_receptance.hpp"

namespace microslip {

/// Throws std::invalid_argument like require_mean_position, for damping that couples the modes, a joint of several
/// components, or a law whose memory shooting does not know (iwan5 in sliders, custom laws).
void require_shooting(const System& system, const HarmonicLoad& load);

}  // namespace microslip
