#pragma once
// Two motions at the same times: those of the one that was sampled more slowly, where both are known.

#include <utility>
#include <vector>

#include "microslip/modal/sampled_motion.hpp"

namespace microslip {

struct CommonTimes {
  std::vector<SampledMotion> first, second;  ///< on one grid; empty: they do not overlap by 16 samples
  bool resampled = false;
  /// Where one was resampled: what twice as long a kernel would change in its strongest signal, over its largest value.
  /// Content near half of the lower sampling rate makes it.
  double error = 0.0;
};

/// Signals of one motion have the same start and step. The faster one passes the low-pass of numerics/resample.hpp on
/// its way; where the steps are equal and the samples meet to 1e-6 of a step, none is touched. What a kernel needs
/// beyond the end of a motion is cut off, and before its start too unless the motion begins with zeros.
[[nodiscard]] CommonTimes at_common_times(std::vector<SampledMotion> first, std::vector<SampledMotion> second);

}  // namespace microslip
