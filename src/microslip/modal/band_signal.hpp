#pragma once
// One mode of a signal by a band-pass without phase.

#include <vector>

#include "microslip/modal/sampled_motion.hpp"
#include "microslip/numerics/butterworth.hpp"

namespace microslip {

struct BandNoise {
  double white = 0.0;          ///< standard deviation before the filter
  std::vector<Biquad> filter;  ///< that it went through
  bool ends_show = false;      ///< the record is too short for its ends to have died down where it is cut
};

/// Replaces a signal by what lies in the band [1/time], and cuts all signals to where the ends of the record no longer
/// show in it: after as long as the slowest pole of the filter takes to fall from the amplitude there to the noise in
/// the band, or to 1e-4; up to a quarter of the record, but at least 3/(high - low). No samples are left of a record
/// that is too short. Throws std::invalid_argument unless 0 < low < high < half the sampling rate.
[[nodiscard]] BandNoise keep_band(std::vector<SampledMotion>& signals, std::size_t index, double low, double high,
                                  int order = 4);

}  // namespace microslip
