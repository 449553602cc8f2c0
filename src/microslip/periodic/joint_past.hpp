#pragma once
// Joints that have been farther out before than they are in a motion.
//
// A periodic motion is given with the farthest swing of each hysteretic joint on its curve of first loading: the motion
// of a joint that has never been farther. A constant load that was there first may have deflected it farther, or a
// smaller vibration, when a larger one lets its mean position go back. The joint remembers that, and its mean force is
// another one.

#include <string>
#include <vector>

#include "microslip/periodic/frequency_response.hpp"

namespace microslip {

[[nodiscard]] bool has_constant_load(const HarmonicLoad& load);

/// The one of larger magnitude.
[[nodiscard]] double farther(double a, double b);
/// u of largest |u| of series, one a column.
[[nodiscard]] Eigen::VectorXd farthest_deflections(const Eigen::MatrixXd& series, SeriesScanner& scanner);

/// A sentence on the points at which a joint that remembers its reversals has been farther out, under the constant
/// loads alone or as the load grew; empty: there are none. `grows`: the points follow a growing load, each may have
/// been at those before it.
[[nodiscard]] std::string joint_past(const System& system, const HarmonicLoad& load,
                                     const std::vector<ResponsePoint>& points, bool grows);

/// A sentence on joints of sliders without return-point memory (iwan5) whose loops are not the same on both sides:
/// where the sliders are hangs on how the motion came about. Empty: there are none.
[[nodiscard]] std::string sliders_without_memory(const System& system, const std::vector<ResponsePoint>& points);

}  // namespace microslip
