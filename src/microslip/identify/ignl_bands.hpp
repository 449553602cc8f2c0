#pragma once
// Bands of frequency and damping over amplitude of an IGNL fit by sliders: ranges over all polynomials of the order
// taken and all sliders, smooth or not, that meet the curves within their noise,
//
//   stuck     f = P(u)
//   slipping  f = P(u) + theta(u),   theta = - sum of k_j (u - m_j(u)),   k_j >= 0          (slider_distribution.hpp)
//
// all curves at once (likely_set.hpp), 95 % of confidence. omega and zeta are not linear in the unknowns: their
// derivatives are taken at the model nearest to the data, and at the farthest members they are evaluated in full.
//
//   error^2 = (result - middle of the range)^2 + (quarter of its width)^2
//
// a truth about the middle, two standard deviations within either end: smooth sliders may lie outside of the range, and
// that bias counts. The band holds the result of the fit as well. The order is that of the fit, or the next where that
// meets points left out better. Where the Masing rules fail the band holds those of either side, and the results of
// both. Found at some amplitudes and interpolated between them (band_nodes.hpp).

#include <span>
#include <vector>

#include "microslip/identify/ignl_fit.hpp"

namespace microslip {

struct IgnlBand {
  std::vector<double> low, high;  ///< of each amplitude
  std::vector<double> error;      ///< standard error of the result
};
struct IgnlBands {
  IgnlBand omega, zeta;
};

/// Order of the polynomial that the data allow: of the fit, or the next where that meets points left out better.
[[nodiscard]] int fuller_order(const SiceFit& polynomial);

/// Of a completed fit by sliders at amplitudes > 0, ascending; `result`: its curve there. Infinite bands where there is
/// no swing or an end is not found, and everywhere when the observer stops it. Curves that are met exactly leave bands
/// without width. Deterministic.
[[nodiscard]] IgnlBands ignl_bands(const IgnlCurves& curves, const IgnlFitOptions& options, const IgnlFit& fit,
                                   std::span<const double> amplitudes, const IgnlCurve& result,
                                   const Observer& observer = {});

}  // namespace microslip
