#pragma once
// The signals of modes in their bands: acceleration and displacement, and which of them is the strongest when.

#include <vector>

#include "microslip/analyses/ringdown/measured_motion.hpp"

namespace microslip {

/// Each signal in the band of its mode, without phase; as they are where no bands are known.
[[nodiscard]] std::vector<SampledMotion> in_bands(const MeasuredMotion& motion, int order);

/// Another quantity of a signal that went through a band-pass: by powers of i omega over frequency, the record
/// continued by its mirror image as the band-pass did, nothing below `lowest` [1/time].
[[nodiscard]] std::vector<double> as_quantity(const SampledMotion& signal, Quantity wanted, double lowest);

/// Amplitude of one mode over a stretch of time, sqrt(2) times the root mean square.
struct Dominance {
  int mode = 0;
  double time = 0.0;
  double amplitude = 0.0;
  int strongest = 0;  ///< the mode of the largest one then
};
/// About 200 stretches, each of at least three cycles of the lowest mode.
[[nodiscard]] std::vector<Dominance> dominance_of(const MeasuredMotion& motion,
                                                  const std::vector<SampledMotion>& signals);

}  // namespace microslip
