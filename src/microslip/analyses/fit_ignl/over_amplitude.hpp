#pragma once
// Frequency and damping over amplitude of an IGNL fit, with their bands.

#include <optional>
#include <vector>

#include "microslip/analyses/fit_ignl/analysis.hpp"
#include "microslip/identify/ignl_bands.hpp"

namespace microslip {

struct IgnlOverAmplitude {
  IgnlCurve main;
  std::optional<IgnlCurve> positive, negative;  ///< of either side's friction, where the Masing rules fail
  IgnlBands bands;                              ///< all nan when interrupted
  bool interrupted = false;                     ///< before the bands were known
};

/// Of a completed fit. `observer` gets the progress of the bands.
[[nodiscard]] IgnlOverAmplitude ignl_over_amplitude(const FitIgnlAnalysis& analysis, const IgnlCurves& curves,
                                                    const IgnlFit& fit, const Observer& observer);

/// Fits that the standard errors take.
inline constexpr int ignl_fits_again = 20;

/// Both turning points of a swing lie within the data.
[[nodiscard]] bool within_data(const IgnlFit& fit, const IgnlPoint& point);

/// Amplitudes at which an error is not less than a share of what it belongs to.
struct IgnlAmplitudes {
  std::size_t count = 0;
  double from = 0.0, to = 0.0;  ///< the first and the last of them
};
[[nodiscard]] IgnlAmplitudes amplitudes_above(const IgnlCurve& curve, const std::vector<double>& error,
                                              double IgnlPoint::*quantity, double share);

}  // namespace microslip
