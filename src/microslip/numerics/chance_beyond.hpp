#pragma once
// Chances of sums of squares and of their ratios to exceed a value by noise alone.

namespace microslip {

/// Of chi^2 with n >= 1 degrees of freedom to exceed x: with h = x/2
///   n even: e^-h sum_{i < n/2} h^i/i!,   n odd: erfc(sqrt h) + e^-h sum_{i = 1/2, 3/2, .. n/2 - 1} h^i/Gamma(i + 1).
[[nodiscard]] double chance_of_chi_squared(double x, int degrees);

/// Of the ratio of two estimated variances of the same noise, with a > 0 and b > 0 degrees of freedom, to exceed
/// `ratio` (Fisher's F): the regularised incomplete beta function I_y(b/2, a/2) at y = b/(b + a ratio), by its
/// continued fraction (DLMF 8.17.22).
[[nodiscard]] double chance_of_variance_ratio(double ratio, double a, double b);

}  // namespace microslip
