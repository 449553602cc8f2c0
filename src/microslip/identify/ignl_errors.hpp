#pragma once
// Standard errors of frequency and damping over amplitude of an IGNL fit, from what the fit leaves of the curves.
//
// A parametric bootstrap: curves of a model that the data allow, with noise like the residuals', are fitted again, and
//   error = what 68 % of the results are off the model's by
// so that the choices of order and smoothing, and their bias, count as well as scatter.
//
//   model     the polynomial taken, or of the next order where that meets points left out better, and the friction
//             fitted (of each side its own where the Masing rules fail)
//   noise     residual of each point times a normal number, correlated from neighbour to neighbour as the residuals are
//             (residual_correlation.hpp), so that it is as large as the data's at every deflection; scaled up for what
//             the parameters took away
//
// Where friction passes through the points there is no noise to be seen in it: only the polynomial is fitted again.
// Not for friction by sliders: samples of smooth sliders do not show the bias of smoothing. Its errors: ignl_bands.hpp.
// What the spacing of the points leaves out is not in it.

#include <span>
#include <vector>

#include "microslip/identify/ignl_fit.hpp"

namespace microslip {

struct IgnlErrors {
  std::vector<double> omega, zeta;  ///< of each amplitude; infinite where fewer than half of the fits have a swing
  bool interrupted = false;         ///< all of them nan
};

/// Of a completed fit without sliders at amplitudes > 0, ascending. Deterministic.
[[nodiscard]] IgnlErrors ignl_errors(const IgnlCurves& curves, const IgnlFitOptions& options, const IgnlFit& fit,
                                     std::span<const double> amplitudes, int fits = 20, const Observer& observer = {});

}  // namespace microslip
