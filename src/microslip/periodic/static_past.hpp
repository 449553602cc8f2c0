#pragma once
// Joints that have been farther out before the vibration grew than they are in it.
//
// A periodic motion is given with the farthest swing of each hysteretic joint on its curve of first loading: the motion
// of a load that has grown. A constant load that was there first may have deflected a joint farther than it ever swings
// afterwards, when vibration lets its mean position go back. The joint remembers that, and its mean force is another
// one.

#include <string>
#include <vector>

#include "microslip/periodic/frequency_response.hpp"

namespace microslip {

/// Deflections of the joint components under the constant loads alone, first loading; empty: there are none, or no
/// equilibrium was found.
[[nodiscard]] Eigen::VectorXd static_deflections(const System& system, const HarmonicLoad& load);

/// A sentence on the points at which a joint with memory of its reversals has been farther out under the constant loads
/// alone; empty: there are none.
[[nodiscard]] std::string static_past(const System& system, const HarmonicLoad& load,
                                      const std::vector<ResponsePoint>& points);

}  // namespace microslip
