#pragma once
// How many neighbours in a sequence of residuals share one error: 1 for white noise, more where the noise is smooth or
// the model is wrong.

#include <cmath>
#include <span>

namespace microslip {

/// 1 + 2 sum of the correlations at the distances up to the first pair of them that is not positive (Geyer's initial
/// positive sequence), at least 1 and at most their number. Means of so many residuals have the variance of single
/// ones. Takes n log n operations.
[[nodiscard]] double alike_sum(std::span<const double> residuals);

/// The same, but 1 where the correlation of neighbours is not more than white noise has by chance, 2/sqrt(n).
[[nodiscard]] double residuals_alike(std::span<const double> residuals);

/// Correlation of neighbours, if it falls from one to the next by the same factor c: alike = (1 + c)/(1 - c).
[[nodiscard]] inline double neighbour_correlation(double alike) {
  return (alike - 1.0) / (alike + 1.0);
}

/// Mean square of residuals that so many parameters were fitted to, for the noise before the fit: a parameter takes
/// away one of the independent residuals, and a variance of so few has the spread of Student's t: two more are taken
/// off. One is left at least.
[[nodiscard]] double noise_variance(std::span<const double> residuals, double alike, double parameters);

}  // namespace microslip
