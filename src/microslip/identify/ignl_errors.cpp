#include "microslip/identify/ignl_errors.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "microslip/identify/ignl_bands.hpp"
#include "microslip/identify/residual_correlation.hpp"
#include "microslip/numerics/percentile.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip {
namespace {

constexpr double one_deviation = 0.6827;   // share of a normal distribution within one standard deviation
constexpr double seen_in_friction = 1e-6;  // of the largest |theta|: the points are not met

/// One curve as the model has it, and its noise.
struct NoisyCurve {
  ForceCurve exact;
  std::vector<double> noise;  ///< standard deviation of each point, with the sign of its residual
  double correlation = 0.0;   ///< of neighbours

  /// A sample of it.
  [[nodiscard]] ForceCurve sample(Normal& normal) const {
    ForceCurve curve = exact;
    const double fresh = std::sqrt(1.0 - correlation * correlation);
    double factor = normal();
    for (std::size_t i = 0; i < curve.size(); ++i) {
      curve.f[i] += noise[i] * factor;
      factor = correlation * factor + fresh * normal();
    }
    return curve;
  }
};

/// `force`: of the model; `nearest`: what the data are nearest to, which noise is the distance from. The origin stays
/// where it is.
template <class Force, class Near>
NoisyCurve noisy_curve(const ForceCurve& data, double parameters, std::optional<double> alike_known, Force&& force,
                       Near&& nearest) {
  NoisyCurve curve;
  curve.exact = data;
  std::vector<double> scaled;  // residuals of equal weight
  for (std::size_t i = 0; i < data.size(); ++i) {
    curve.exact.f[i] = data.u[i] == 0.0 ? 0.0 : force(data.u[i]);
    curve.noise.push_back(data.u[i] == 0.0 ? 0.0 : data.f[i] - nearest(data.u[i]));
    scaled.push_back(curve.noise.back() * (data.weight.empty() ? 1.0 : std::sqrt(data.weight[i])));
  }
  const double alike = alike_known.value_or(residuals_alike(scaled));
  curve.correlation = neighbour_correlation(alike);
  const double square = noise_variance(scaled, 1.0, 0.0);
  const double taken = square > 0.0 ? std::sqrt(noise_variance(scaled, alike, parameters) / square) : 1.0;
  for (double& noise : curve.noise) noise *= taken;
  return curve;
}

std::vector<double> friction_residuals(const IgnlFit& fit) {
  std::vector<double> residuals;
  for (std::size_t i = 0; i < fit.friction.u.size(); ++i) {
    const double u = fit.friction.u[i];
    residuals.push_back(fit.friction.theta[i] - fit.model.first_loading(u).force + fit.model.stuck_force(u));
  }
  return residuals;
}

bool friction_is_noisy(const IgnlFit& fit) {
  double top = 0.0, off = 0.0;
  for (const double theta : fit.friction.theta) top = std::max(top, std::abs(theta));
  for (const double residual : friction_residuals(fit)) off = std::max(off, std::abs(residual));
  return fit.sliders || off > seen_in_friction * top;
}

/// The curves as a model has them, with their noise.
struct NoisyCurves {
  IgnlModel model;
  NoisyCurve stuck, slipping;
  std::optional<NoisyCurve> stuck_negative, slipping_negative;

  [[nodiscard]] IgnlCurves sample(std::uint64_t seed) const {
    Normal normal(seed);
    IgnlCurves curves;
    curves.stuck = stuck.sample(normal);
    curves.slipping = slipping.sample(normal);
    if (stuck_negative) curves.stuck_negative = stuck_negative->sample(normal);
    if (slipping_negative) curves.slipping_negative = slipping_negative->sample(normal);
    return curves;
  }
};

/// The polynomial that noise is the distance from: the one taken, or one fitted to the force where that was fitted to
/// the secant and the other way round, whichever leaves residuals that are less alike. Weights that are not the noise's
/// leave an error of the polynomial which is smooth, common to both curves and no noise.
std::vector<double> reference_polynomial(const IgnlCurves& data, const IgnlFitOptions& options,
                                         const IgnlModel& taken) {
  IgnlFitOptions other = options;
  other.polynomial.weights =
      options.polynomial.weights == SiceWeights::secant ? SiceWeights::points : SiceWeights::secant;
  const auto alike = [&](const std::vector<double>& k) {
    IgnlModel model = taken;
    model.stuck = k;
    std::vector<double> residuals;
    for (std::size_t i = 0; i < data.stuck.size(); ++i) {
      residuals.push_back(data.stuck.f[i] - model.stuck_force(data.stuck.u[i]));
    }
    return residuals_alike(residuals);
  };
  try {
    std::vector<double> k = ignl_polynomial(data, other).k;
    return alike(k) < alike(taken.stuck) ? k : taken.stuck;
  } catch (const std::invalid_argument&) {
    return taken.stuck;
  }
}

NoisyCurves noisy_curves(const IgnlCurves& data, const IgnlFitOptions& options, const IgnlFit& fit) {
  NoisyCurves curves;
  curves.model = fit.model;
  const int order = fuller_order(fit.polynomial);
  if (order != fit.polynomial.order) {
    IgnlFitOptions full = options;
    full.polynomial.order = order;
    curves.model.stuck = ignl_polynomial(data, full).k;
  }
  const std::vector<double> reference = reference_polynomial(data, options, curves.model);
  const double parameters = static_cast<double>(reference.size()), half = 0.5 * parameters;
  const bool both = data.stuck_negative.has_value();
  const auto spring = [&](const std::vector<double>& k, double sign) {
    IgnlModel model = fit.model;
    model.stuck = k;
    return [model, sign](double u) { return sign * model.stuck_force(sign * u); };
  };
  const auto slips = [&](const std::optional<IgnlModel>& own, const std::vector<double>& k, double sign) {
    IgnlModel model = own.value_or(fit.model);
    model.stuck = k;
    return [model, sign](double u) { return sign * model.first_loading(sign * u).force; };
  };
  const std::vector<double>& k = curves.model.stuck;
  // The friction fitted takes noise off the slipping curve and brings as much of the stuck one's along: the variance is
  // the noise's, the correlation that of what the friction leaves.
  const double alike = residuals_alike(friction_residuals(fit));
  curves.stuck =
      noisy_curve(data.stuck, both ? half : parameters, std::nullopt, spring(k, 1.0), spring(reference, 1.0));
  curves.slipping = noisy_curve(data.slipping, 0.0, alike, slips(fit.positive_model, k, 1.0),
                                slips(fit.positive_model, reference, 1.0));
  if (both)
    curves.stuck_negative =
        noisy_curve(*data.stuck_negative, half, std::nullopt, spring(k, -1.0), spring(reference, -1.0));
  if (data.slipping_negative) {
    curves.slipping_negative = noisy_curve(*data.slipping_negative, 0.0, alike, slips(fit.negative_model, k, -1.0),
                                           slips(fit.negative_model, reference, -1.0));
  }
  return curves;
}

/// What a fit makes of a sample; nothing when it comes to no end.
std::optional<IgnlModel> fitted_again(const IgnlCurves& sample, const IgnlFitOptions& options, const IgnlFit& fit,
                                      bool friction, const Observer& observer) {
  try {
    if (friction) {
      IgnlFit again = fit_ignl(sample, options, observer);
      if (again.ending != Ending::completed) return std::nullopt;
      return std::move(again.model);
    }
    IgnlModel model = fit.model;
    model.stuck = ignl_polynomial(sample, options).k;
    return model;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

IgnlErrors ignl_errors(const IgnlCurves& curves, const IgnlFitOptions& options, const IgnlFit& fit,
                       std::span<const double> amplitudes, int fits, const Observer& observer) {
  assert(!fit.sliders);
  const NoisyCurves truth = noisy_curves(curves, options, fit);
  const bool friction = friction_is_noisy(fit);
  const IgnlCurve exact = ignl_curve(truth.model, amplitudes);
  std::vector<std::vector<double>> omega(amplitudes.size()), zeta(amplitudes.size());
  IgnlErrors errors;
  for (int b = 0; b < fits; ++b) {
    const auto going = [&](double fraction) {
      errors.interrupted = errors.interrupted || (observer && !observer((b + fraction) / fits));
      return !errors.interrupted;
    };
    if (!going(0.0)) break;
    const auto model = fitted_again(truth.sample(static_cast<std::uint64_t>(b) + 1), options, fit, friction, going);
    if (!model) continue;
    const IgnlCurve curve = ignl_curve(*model, amplitudes);
    for (std::size_t i = 0; i < std::min(curve.points.size(), exact.points.size()); ++i) {
      omega[i].push_back(std::abs(curve.points[i].omega - exact.points[i].omega));
      zeta[i].push_back(std::abs(curve.points[i].zeta - exact.points[i].zeta));
    }
  }
  const auto usual = [&](std::vector<double>& off) {
    if (errors.interrupted) return std::numeric_limits<double>::quiet_NaN();
    return 2 * off.size() < static_cast<std::size_t>(fits) || off.empty() ? std::numeric_limits<double>::infinity()
                                                                          : percentile(off, one_deviation);
  };
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    errors.omega.push_back(usual(omega[i]));
    errors.zeta.push_back(usual(zeta[i]));
  }
  return errors;
}

}  // namespace microslip
