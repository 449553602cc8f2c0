#pragma once
// Bands of a distribution of sliders: of every number that is linear in the sliders, its range over all distributions
// that meet the data within their noise (likely_set.hpp), smooth or not,
//
//   F_S = sum of k phi,   K_T = sum of k,   K_inf,   S,   rho of a cell,   D(X) = 4 sum of k phi (X - phi), phi < X
//
// and the value of the smooth fit. Sliders lie on all cells: beyond phi_max too as far as a macroslip tail would be
// left (has_macroslip_tail), to the end of the data where there is no macroslip. None is weaker than the least cell, an
// eighth of the first deflection: K_T has no upper bound without that.
// phi_max: from the least strength that such sliders can end at to the largest they may have; sliders that are too few
// to be seen tell no upper end.
// Noise: force_noise.hpp, each curve its own; or the one that is known.
// D is found at some deflections and interpolated between them (band_nodes.hpp).
// An end that is not found is open, 0 or infinite, and the message of the fit tells how many bands have one.

#include <vector>

#include "microslip/identify/cell_least_squares.hpp"
#include "microslip/identify/distribution_fit.hpp"

namespace microslip {

/// Makes all bands nan, of what set_distribution_bands finds one.
void forget_distribution_bands(const DistributionFitOptions& options, DistributionFit& fit);

/// All bands of the fit; that of phi_max, with its range for smooth sliders as it comes, goes down to the least
/// strength at which likely sliders can end. `problem`: its data, `given`: weights of the points that came with them,
/// or empty. False: the observer stopped it, and the bands not found by then are nan.
bool set_distribution_bands(const CellLeastSquares& problem, const std::vector<double>& given,
                            const DistributionFitOptions& options, const Observer& observer, DistributionFit& fit);

}  // namespace microslip
