#pragma once
// Distribution of sliders by the procedure of Shetty's Paper III, section 2.3, for comparison with
// distribution_fit.hpp: the second derivative of polynomials fitted to the curve piece by piece.
//
//   phi_max    where the slope of the polynomials is first zero (below `flat` of the first slope)
//   phi_i      N strengths up to phi_max, differences in the ratio alpha: (III-11) to (III-13), alpha = 1 included
//   rho_i      -S''(phi_i), (III-14); it may come out negative
//   S          K_T - sum of rho_i dphi_i, K_T the first difference quotient of the data unless known: (III-17)
//   K_inf      slope of a straight line through the last piece, unless known
//
// Points of a wider curve that lie in the range of a narrower one are left out, as the paper joins its curves.

#include <optional>
#include <vector>

#include "microslip/identify/force_curve.hpp"
#include "microslip/identify/slider_distribution.hpp"

namespace microslip {

struct SplineDistributionOptions {
  std::optional<double> residual;   ///< K_inf, if known [force/length]
  std::optional<double> phi_max;    ///< if known [length]
  std::optional<double> stiffness;  ///< K_T, if known [force/length]
  int points_a_piece = 20;
  int order = 4;         ///< of the polynomials, 2 to 6
  int sliders = 50;      ///< N
  double spacing = 1.2;  ///< alpha
  double flat = 1e-2;    ///< slope that counts as zero, of the first one
};

struct SplineDistribution {
  SliderDistribution distribution;  ///< as it comes out: a rho_i and S may be negative
  int negative = 0;                 ///< how many of them are
  bool macroslip = false;           ///< the slope falls to zero within the data

  /// With 0 in place of negative stiffnesses.
  [[nodiscard]] SliderDistribution nonnegative() const;
};

/// Throws std::invalid_argument for curves that are no first loading or have fewer points than a piece.
[[nodiscard]] SplineDistribution spline_distribution(const std::vector<ForceCurve>& curves,
                                                     const SplineDistributionOptions& options = {});

}  // namespace microslip
