#pragma once
// The ring-down of one mode, beside the other modes.

#include <cstddef>
#include <optional>
#include <vector>

#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/modal/modal_filter.hpp"
#include "microslip/modal/power_law_fit.hpp"
#include "microslip/modal/ringdown.hpp"

namespace microslip {

struct ModeRingdown {
  int mode = 0;  ///< number
  RingdownCurve curve;
  std::vector<OtherMode> others;  ///< `index` is the number of a mode; 0: of no mode known
  double most_other = 0.0;        ///< ratio of another mode up to which a row is clean
  PowerLawFit fit;                ///< of the clean rows
  bool ends_show = false;         ///< of the band-pass
  std::optional<Band> band;       ///< that it was taken from

  /// Is the row of this mode alone?
  [[nodiscard]] bool clean(std::size_t row) const { return others[row].ratio <= most_other; }
};

/// `in_bands`: the signals, each in its band where each mode has one: the others are taken from these. `index`: of the
/// signal of the mode. `least_noise`: standard deviation of white noise that counts at least, to be as careful with a
/// simulated motion as with a measured one beside it.
[[nodiscard]] ModeRingdown mode_ringdown(const RingdownAnalysis& analysis, const MeasuredMotion& motion,
                                         const std::vector<SampledMotion>& in_bands, std::size_t index,
                                         double least_noise = 0.0);

}  // namespace microslip
