#pragma once
// Distribution of slider strengths from measured curves of force over deflection, without a formula for it.
//
//   f(u) = sum of k_j m_j(u) + S min(u, phi_max) + K_inf u,   k_j, S, K_inf >= 0        (slider_distribution.hpp)
//
// by non-negative least squares on cells whose widths follow the data: sliders cannot come out negative, no derivative
// of the data is taken, and phi_max needs no guess. With g = sqrt(phi) rho(phi), t = ln phi:
//
//   minimise  J = sum of w_i (f(u_i) - f_i)^2 + lambda s integral of (d^2 g/dt^2)^2/phi^2 dt
//
// s makes lambda a pure number: at lambda = 1 the traces of both quadratic forms, without 1/phi^2, are alike;
// deflections are in units of the largest. g is constant for the power law rho ~ phi^(-1/2); 1/phi^2 keeps the small
// strengths smoother, of which the data say least; neither S nor the fall of rho to 0 at phi_max is smoothed.
//
// lambda: least n RSS/(n - 1.4 d)^2, generalised cross-validation with d = trace of (data -> fit), 1.4 against chance
// (Kim and Gu 2004); with a known noise sigma, least RSS/sigma^2 + 2.8 d instead (Mallows).
// phi_max: the smallest for which J is within one variance of the noise of its least value.
// noise: sigma^2 = RSS/(n - d). Curves of several ranges are weighed by their own noise, in a second round.
// Macroslip: three points beyond phi_max and, where K_inf is to be found, a tenth of the deflections; a shorter tail is
// not told from sliders that still hold, and phi_max is put at the end of the data.
// Not concave: see concavity_fault in force_curve.hpp.
// Bands: ranges over all sliders that meet the data within their noise, smooth or not (distribution_bands.hpp).
//
// Ref: docs/theory.md, "Sliders from a curve"; Shetty dissertation, Paper III, for the problem.

#include <optional>
#include <string>
#include <vector>

#include "microslip/identify/force_curve.hpp"
#include "microslip/identify/slider_distribution.hpp"
#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"

namespace microslip {

struct DistributionFitOptions {
  std::optional<double> residual;   ///< K_inf, if known [force/length]
  std::optional<double> noise;      ///< standard deviation of f, if known [force]
  std::optional<double> smoothing;  ///< lambda >= 0; else by the rule above
  bool weigh_by_log_u = false;      ///< every stretch of ln u counts alike, whatever its number of points
  bool spread = true;               ///< sliders spread over their cell; false: at its centre
  bool bands = true;                ///< of all numbers
  double confidence = 0.95;         ///< of the bands
  std::size_t loss_nodes = 40;      ///< deflections, 2 or more, at which the band of D is found (band_nodes.hpp)
};

/// Value and band; low = high = value where there is none, 0 or infinite where an end is not found, nan where the
/// search for it was interrupted.
struct Banded {
  double value = 0.0, low = 0.0, high = 0.0;
};

struct DistributionFit {
  Ending ending = Ending::no_convergence;  ///< no_convergence: data that no sliders can follow, see message
  std::string message;
  SliderDistribution distribution;
  Banded slip_force, stiffness, phi_max, residual;  ///< F_S, K_T, phi_max, K_inf
  Banded end_stiffness;                             ///< S
  std::vector<Banded> density;                      ///< rho of the cells
  std::vector<Banded> dissipation;                  ///< D at the points of the curve
  bool macroslip = false;           ///< the data go beyond phi_max; else F_S and phi_max are the least they can be
  double noise = 0.0;               ///< standard deviation of f at weight 1 [force]
  double smoothing = 0.0;           ///< lambda
  double freedom = 0.0;             ///< d, effective number of unknowns
  double misfit = 0.0;              ///< root mean square of f(u_i) - f_i, weighted [force]
  std::vector<double> curve_noise;  ///< of each curve
  ForceCurve data;                  ///< all points, ascending, weights used
  std::vector<int> curve_of_point;  ///< which curve, from 0
  int factorisations = 0;           ///< of the main fit
};

inline constexpr std::size_t fewest_curve_points = 8;
inline constexpr std::size_t most_curve_points = 20'000;  ///< of all curves: more say nothing new and cost time

/// Deterministic, the same numbers on every run. Throws std::invalid_argument for curves that are no first loading.
/// When the observer stops it, the fit is the best so far and bands that are not found are nan.
[[nodiscard]] DistributionFit fit_distribution(const std::vector<ForceCurve>& curves,
                                               const DistributionFitOptions& options = {},
                                               const Observer& observer = {});

/// A distribution found otherwise, against the same data: everything but bands, noise and smoothing.
[[nodiscard]] DistributionFit evaluate_distribution(const std::vector<ForceCurve>& curves,
                                                    const SliderDistribution& distribution,
                                                    bool weigh_by_log_u = false);

}  // namespace microslip
