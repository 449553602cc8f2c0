#include "microslip/identify/ignl_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "microslip/identify/distribution_fit.hpp"
#include "microslip/identify/force_noise.hpp"
#include "microslip/numerics/normal_quantile.hpp"
#include "microslip/system/ending.hpp"

namespace microslip {
namespace {

constexpr double concave_enough = 1e-6;  // of the largest |theta|

/// Without the origin, which says nothing that is not known.
ForceCurve without_origin(const ForceCurve& curve, std::string_view what) {
  if (const auto fault = first_loading_fault(curve, fewest_ignl_points)) {
    throw std::invalid_argument(fmt::format("{} curve, point {}: {}", what, fault->point + 1, fault->message));
  }
  ForceCurve rest;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve.u[i] == 0.0) {
      if (curve.f[i] == 0.0) continue;
      throw std::invalid_argument(
          fmt::format("{} curve, point {}: the curve must pass through (0, 0), got f = {:g}; "
                      "take the preload off",
                      what, i + 1, curve.f[i]));
    }
    rest.u.push_back(curve.u[i]);
    rest.f.push_back(curve.f[i]);
    if (!curve.weight.empty()) rest.weight.push_back(curve.weight[i]);
  }
  return rest;
}

/// All points of the stuck curves with their signs.
struct SignedCurve {
  std::vector<double> x, f, weight;

  void add(const ForceCurve& curve, double sign, bool weigh) {
    for (std::size_t i = 0; i < curve.size(); ++i) {
      x.push_back(sign * curve.u[i]);
      f.push_back(sign * curve.f[i]);
      if (weigh) weight.push_back(curve.weight.empty() ? 1.0 : curve.weight[i]);
    }
  }
};

/// Piecewise linear from (0, 0) through (u, y), u ascending; x <= u.back().
class Broken {
 public:
  Broken(const std::vector<double>& u, const std::vector<double>& y) : u_(u), y_(y) {}
  [[nodiscard]] double operator()(double x) const {
    const auto i = static_cast<std::size_t>(std::lower_bound(u_.begin(), u_.end(), x) - u_.begin());
    if (i == u_.size()) return y_.back();
    if (u_[i] == x) return y_[i];
    const double u0 = i > 0 ? u_[i - 1] : 0.0, y0 = i > 0 ? y_[i - 1] : 0.0;
    return y0 + (y_[i] - y0) * (x - u0) / (u_[i] - u0);
  }

 private:
  const std::vector<double>& u_;
  const std::vector<double>& y_;
};

/// Slipping less stuck force at equal deflection, on one side.
FrictionCurve difference(const ForceCurve& stuck, const ForceCurve& slipping, const IgnlModel& model, double sign) {
  const auto spring = [&](double u) { return sign * model.stuck_force(sign * u); };
  std::vector<double> residual(stuck.size());
  for (std::size_t i = 0; i < stuck.size(); ++i) residual[i] = stuck.f[i] - spring(stuck.u[i]);
  const Broken correction(stuck.u, residual);
  const double reach = stuck.u.back() * (1.0 + 1e-12);
  FrictionCurve curve;
  for (std::size_t i = 0; i < slipping.size() && slipping.u[i] <= reach; ++i) {
    const double u = slipping.u[i];
    curve.u.push_back(u);
    curve.theta.push_back(slipping.f[i] - (spring(u) + correction(u)));
  }
  if (curve.u.size() < 3) {
    throw std::invalid_argument(fmt::format(
        "the slipping curve has {} points up to u = {:g}, where the stuck curve ends; at least 3 are needed: load the "
        "stuck structure further",
        curve.u.size(), stuck.u.back()));
  }
  return curve;
}

double largest(const std::vector<double>& values) {
  double top = 0.0;
  for (const double value : values) top = std::max(top, std::abs(value));
  return top;
}

/// Least-squares slopes that never grow, each interval weighed by its length (pool adjacent violators); returns the
/// largest change of theta.
double make_concave(const std::vector<double>& u, std::vector<double>& theta) {
  struct Block {
    double length, rise;
    std::size_t intervals;
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < u.size(); ++i) {
    blocks.push_back({u[i] - (i > 0 ? u[i - 1] : 0.0), theta[i] - (i > 0 ? theta[i - 1] : 0.0), 1});
    while (blocks.size() > 1) {
      Block& last = blocks.back();
      Block& before = blocks[blocks.size() - 2];
      if (last.rise * before.length <= before.rise * last.length) break;
      before.length += last.length;
      before.rise += last.rise;
      before.intervals += last.intervals;
      blocks.pop_back();
    }
  }
  double change = 0.0, at = 0.0, value = 0.0;
  std::size_t i = 0;
  for (const Block& block : blocks) {
    for (std::size_t k = 0; k < block.intervals; ++k, ++i) {
      const double next = value + block.rise * (u[i] - at) / block.length;
      if (block.intervals > 1) {
        change = std::max(change, std::abs(next - theta[i]));
        theta[i] = next;
      }
    }
    at = u[i - 1];
    value = theta[i - 1];
  }
  return change;
}

/// Slope at the end of the spline through the points, as ConcaveCurve continues its last parabola.
double end_slope(const std::vector<double>& u, const std::vector<double>& theta) {
  const std::size_t n = u.size();
  const auto length = [&](std::size_t i) { return u[i] - (i > 0 ? u[i - 1] : 0.0); };
  const auto chord = [&](std::size_t i) { return (theta[i] - (i > 0 ? theta[i - 1] : 0.0)) / length(i); };
  const double l0 = length(n - 2), l1 = length(n - 1), c0 = chord(n - 2), c1 = chord(n - 1);
  return 2.0 * c1 - (l1 * c0 + l0 * c1) / (l0 + l1);
}

/// Standard deviation of the noise of a difference of curves at each u, at least 4 of them: from its third differences,
/// of a size that may grow with the slipping force (force_noise.hpp).
std::vector<double> noise_of_differences(const std::vector<double>& u, const std::vector<double>& difference,
                                         const ForceCurve& slipping) {
  const std::vector<double> rough = third_differences(u, difference);
  const auto middle = [&](const std::vector<double>& values) {
    return values.empty() ? std::span<const double>() : std::span(values).subspan(1, rough.size());
  };
  std::vector<double> noise = force_noise(middle(slipping.f), rough, middle(slipping.weight));
  noise.insert(noise.begin(), noise.front());
  noise.resize(u.size(), noise.back());
  return noise;
}

/// 1/variance of friction; none where all points are alike.
std::vector<double> weights_of(const std::vector<double>& u, const std::vector<double>& theta,
                               const ForceCurve& slipping) {
  if (u.size() < fewest_ignl_points) return {};
  std::vector<double> weight = noise_of_differences(u, theta, slipping);
  const double first = weight.front();
  if (!(first > 0.0) || std::all_of(weight.begin(), weight.end(), [&](double w) { return w == first; })) return {};
  for (double& w : weight) w = first * first / (w * w);
  return weight;
}

struct Backbone {
  std::vector<double> u, f;
  Interpolation interpolation = Interpolation::smooth;
  double stiffness = 0.0;  ///< K_T
  double freedom = 0.0;    ///< of sliders
  bool sliders = false;
  bool interrupted = false;
  std::string fault;
};

Backbone through_points(const FrictionCurve& friction, const std::vector<double>& theta,
                        const std::optional<double>& given) {
  Backbone backbone;
  const double least = -end_slope(friction.u, theta);
  if (given && *given < least * (1.0 - 1e-9)) {
    backbone.fault =
        fmt::format("KT = {:g} is less than the stiffness {:g} that slip takes away at the end", *given, least);
    return backbone;
  }
  backbone.stiffness = given ? *given : std::max(least, 0.0);
  if (!(backbone.stiffness > 0.0)) return backbone;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    backbone.u.push_back(friction.u[i]);
    backbone.f.push_back(theta[i] + backbone.stiffness * friction.u[i]);
  }
  return backbone;
}

Backbone by_sliders(const FrictionCurve& friction, const ForceCurve& slipping, double stuck_stiffness,
                    const Observer& observer) {
  Backbone backbone;
  backbone.sliders = true;
  ForceCurve curve{friction.u, friction.theta, weights_of(friction.u, friction.theta, slipping)};
  for (std::size_t i = 0; i < curve.size(); ++i) curve.f[i] += stuck_stiffness * curve.u[i];
  DistributionFitOptions options;
  options.bands = false;
  const DistributionFit fit = fit_distribution({curve}, options, observer);
  if (fit.ending != Ending::completed) {
    backbone.interrupted = fit.ending == Ending::interrupted;
    backbone.fault = backbone.interrupted ? "interrupted" : fit.message;
    return backbone;
  }
  SliderDistribution sliders = fit.distribution;
  backbone.freedom = fit.freedom;
  backbone.stiffness = stuck_stiffness - sliders.residual;
  backbone.interpolation = sliders.interpolation();
  sliders.residual = 0.0;
  SliderDistribution::Backbone points = sliders.backbone();
  if (points.u.size() < 2) return backbone;
  backbone.u = std::move(points.u);
  backbone.f = std::move(points.f);
  return backbone;
}

/// The Masing law of a friction curve, into the model.
Backbone add_friction(const FrictionCurve& friction, const ForceCurve& slipping, const IgnlFitOptions& options,
                      const Observer& observer, IgnlModel& model) {
  const double top = largest(friction.theta);
  if (top <= 1e-12 * model.stuck.front() * friction.u.back()) return {};  // rounding of two equal curves
  std::vector<double> theta = friction.theta;
  const double change = make_concave(friction.u, theta);
  const bool points = options.friction == FrictionFrom::points ||
                      (options.friction == FrictionFrom::best && change <= concave_enough * top);
  Backbone backbone = points ? through_points(friction, theta, options.friction_stiffness)
                             : by_sliders(friction, slipping, model.stuck.front(), observer);
  if (!backbone.fault.empty() || backbone.u.empty()) return backbone;
  try {
    model.friction.emplace(backbone.u, backbone.f, backbone.interpolation);
  } catch (const PointsError& error) {
    backbone.fault = error.what();
    return backbone;
  }
  model.friction_stiffness = backbone.stiffness;
  return backbone;
}

/// What the noise of neighbours cannot make of differences: the largest |mean| over runs of 1, 2, 4, ... neighbours,
/// less z standard deviations of that mean. z: in noise alone some run is beyond it in one case of a thousand
/// (Bonferroni). Noise from third differences, of a size that may grow with the force (force_noise.hpp).
double beyond_noise(const std::vector<double>& u, const std::vector<double>& difference, const ForceCurve& slipping) {
  constexpr double false_alarms = 1e-3;
  const std::size_t n = u.size();
  if (n < fewest_ignl_points) return largest(difference);  // too few to show noise
  const std::vector<double> noise = noise_of_differences(u, difference, slipping);
  std::vector<double> sum = {0.0}, variance = {0.0};
  for (std::size_t i = 0; i < n; ++i) {
    sum.push_back(sum.back() + difference[i]);
    variance.push_back(variance.back() + noise[i] * noise[i]);
  }
  double runs = 0.0, most = 0.0;
  for (std::size_t length = 1; length <= n; length *= 2) runs += static_cast<double>(n - length + 1);
  const double z = normal_reach(1.0 - false_alarms / runs);
  for (std::size_t length = 1; length <= n; length *= 2) {
    for (std::size_t i = 0; i + length <= n; ++i) {
      const double off = std::abs(sum[i + length] - sum[i]),
                   by_chance = z * std::sqrt(variance[i + length] - variance[i]);
      most = std::max(most, (off - by_chance) / static_cast<double>(length));
    }
  }
  return most;
}

/// theta of the negative side at the deflections of the positive one, as far as both reach.
void compare_sides(const FrictionCurve& negative, const ForceCurve& slipping, double tolerance, IgnlFit& fit) {
  const Broken at(negative.u, negative.theta);
  std::vector<double> both, u, difference;
  for (std::size_t i = 0; i < fit.friction.u.size() && fit.friction.u[i] <= negative.u.back() * (1.0 + 1e-12); ++i) {
    const double other = at(fit.friction.u[i]);
    difference.push_back(other - fit.positive[i]);
    u.push_back(fit.friction.u[i]);
    fit.negative.push_back(other);
    both.push_back(0.5 * (fit.positive[i] + other));
  }
  fit.positive.resize(u.size());
  const double top = std::max(largest(fit.positive), largest(fit.negative));
  if (top > 0.0) {
    fit.masing_difference = largest(difference) / top;
    fit.masing_beyond_noise = beyond_noise(u, difference, slipping) / top;
  }
  fit.masing = fit.masing_beyond_noise <= tolerance;
  fit.friction = {std::move(u), std::move(both)};
}

SiceFit polynomial_of(const ForceCurve& stuck, const std::optional<ForceCurve>& negative,
                      const IgnlFitOptions& options) {
  SignedCurve all;
  const bool weigh = !stuck.weight.empty() || (negative && !negative->weight.empty());
  all.add(stuck, 1.0, weigh);
  if (negative) all.add(*negative, -1.0, weigh);
  SiceOptions polynomial = options.polynomial;
  polynomial.odd = options.odd.value_or(!negative);
  return fit_sice(all.x, all.f, all.weight, polynomial);
}

}  // namespace

SiceFit ignl_polynomial(const IgnlCurves& curves, const IgnlFitOptions& options) {
  std::optional<ForceCurve> negative;
  if (curves.stuck_negative) negative = without_origin(*curves.stuck_negative, "negative stuck");
  return polynomial_of(without_origin(curves.stuck, "stuck"), negative, options);
}

IgnlFit fit_ignl(const IgnlCurves& curves, const IgnlFitOptions& options, const Observer& observer) {
  const ForceCurve stuck = without_origin(curves.stuck, "stuck"),
                   slipping = without_origin(curves.slipping, "slipping");
  std::optional<ForceCurve> stuck_negative, slipping_negative;
  if (curves.stuck_negative) stuck_negative = without_origin(*curves.stuck_negative, "negative stuck");
  if (curves.slipping_negative) slipping_negative = without_origin(*curves.slipping_negative, "negative slipping");
  if (slipping_negative && !stuck_negative) {
    throw std::invalid_argument("a negative slipping curve needs the negative stuck curve beside it");
  }

  IgnlFit fit;
  fit.polynomial = polynomial_of(stuck, stuck_negative, options);
  fit.model.mass = options.mass;
  fit.model.zeta0 = options.zeta0;
  fit.model.stuck = fit.polynomial.k;
  fit.upper_end = stuck.u.back();
  fit.lower_end = stuck_negative ? -stuck_negative->u.back() : -fit.upper_end;
  if (observer && !observer(0.2)) {
    fit.ending = Ending::interrupted;
    return fit;
  }

  fit.friction = difference(stuck, slipping, fit.model, 1.0);
  fit.positive = fit.friction.theta;
  if (slipping_negative) {
    compare_sides(difference(*stuck_negative, *slipping_negative, fit.model, -1.0), slipping, options.masing_tolerance,
                  fit);
    if (fit.friction.u.size() < 3) throw std::invalid_argument("both sides have fewer than 3 deflections in common");
  }
  fit.end = fit.friction.u.back();
  const IgnlModel bare = fit.model;
  Backbone backbone = add_friction(fit.friction, slipping, options, observer, fit.model);
  fit.ending = backbone.interrupted     ? Ending::interrupted
               : backbone.fault.empty() ? Ending::completed
                                        : Ending::no_convergence;
  if (backbone.interrupted) return fit;
  if (!backbone.fault.empty()) {
    add_note("no friction law passes through the difference of the curves: " + backbone.fault, fit.message);
    return fit;
  }
  fit.backbone_u = std::move(backbone.u);
  fit.backbone_f = std::move(backbone.f);
  fit.interpolation = backbone.interpolation;
  fit.sliders = backbone.sliders;
  fit.slider_freedom = backbone.freedom;
  if (largest(fit.friction.theta) > 0.0 && fit.friction.theta.back() > 0.0) {
    add_note("the slipping curve ends above the stuck one", fit.message);
  }
  if (slipping.u.back() > fit.end * (1.0 + 1e-12)) {
    add_note(fmt::format("the slipping curve is used up to {:g}, where the others end", fit.end), fit.message);
  }
  if (fit.masing) return fit;
  add_note(
      fmt::format("the Masing rules fail: friction of both sides differs by {:.3g} of its largest value beyond noise; "
                  "low and high hold the results of either side",
                  fit.masing_beyond_noise),
      fit.message);
  fit.positive_model = fit.negative_model = bare;
  const Backbone first = add_friction({fit.friction.u, fit.positive}, slipping, options, observer, *fit.positive_model);
  const Backbone second =
      add_friction({fit.friction.u, fit.negative}, slipping, options, observer, *fit.negative_model);
  for (const Backbone& side : {first, second}) {
    if (side.fault.empty()) continue;
    fit.ending = side.interrupted ? Ending::interrupted : Ending::no_convergence;
    add_note("no bounds: " + side.fault, fit.message);
    fit.positive_model.reset();
    fit.negative_model.reset();
    break;
  }
  return fit;
}

}  // namespace microslip
