#include "microslip/identify/distribution_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "microslip/identify/cell_least_squares.hpp"
#include "microslip/identify/distribution_bands.hpp"
#include "microslip/identify/distribution_search.hpp"
#include "microslip/numerics/stretch_weights.hpp"

namespace microslip {
namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument(message);
}

void check(const std::vector<ForceCurve>& curves, const DistributionFitOptions& options) {
  require(!curves.empty(), "there is no curve");
  std::size_t points = 0;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    if (const auto fault = first_loading_fault(curves[c], 1)) {
      throw std::invalid_argument(fmt::format("curve {}, point {}: {}", c + 1, fault->point + 1, fault->message));
    }
    points += curves[c].size();
  }
  require(points >= fewest_curve_points,
          fmt::format("a distribution needs at least {} points, got {}", fewest_curve_points, points));
  require(points <= most_curve_points,
          fmt::format("a fit takes at most {} points, got {}: average neighbouring ones", most_curve_points, points));
  require(!options.residual || (std::isfinite(*options.residual) && *options.residual >= 0.0), "K_inf must be >= 0");
  require(!options.noise || (std::isfinite(*options.noise) && *options.noise > 0.0), "noise must be > 0");
  require(!options.smoothing || (std::isfinite(*options.smoothing) && *options.smoothing >= 0.0),
          "smoothing must be >= 0");
  require(options.confidence > 0.0 && options.confidence < 1.0, "confidence must be in (0, 1)");
  require(options.loss_nodes >= 2, "loss_nodes must be 2 or more");
}

void scale_to_mean_one(std::vector<double>& weight) {
  const double mean = std::accumulate(weight.begin(), weight.end(), 0.0) / static_cast<double>(weight.size());
  for (double& w : weight) w /= mean;
}

/// All points, ascending; those at rest say nothing about sliders and are left out.
void join(const std::vector<ForceCurve>& curves, bool weigh_by_log_u, DistributionFit& fit) {
  struct Point {
    double u, f, weight;
    int curve;
  };
  std::vector<Point> points;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    for (std::size_t i = 0; i < curves[c].size(); ++i) {
      if (curves[c].u[i] == 0.0) continue;
      points.push_back(
          {curves[c].u[i], curves[c].f[i], curves[c].weight.empty() ? 1.0 : curves[c].weight[i], static_cast<int>(c)});
    }
  }
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.u < b.u; });
  require(
      points.size() >= fewest_curve_points,
      fmt::format("a distribution needs at least {} points with u > 0, got {}", fewest_curve_points, points.size()));
  std::vector<double> log_u;
  for (const Point& p : points) {
    fit.data.u.push_back(p.u);
    fit.data.f.push_back(p.f);
    fit.data.weight.push_back(p.weight);
    fit.curve_of_point.push_back(p.curve);
    log_u.push_back(std::log(p.u));
  }
  if (weigh_by_log_u) {
    const std::vector<double> stretch = stretch_weights(log_u);
    const double least = 1e-6 * *std::max_element(stretch.begin(), stretch.end());  // of equal deflections
    for (std::size_t i = 0; i < stretch.size(); ++i) fit.data.weight[i] *= std::max(stretch[i], least);
  }
  scale_to_mean_one(fit.data.weight);
}

/// Noise of each curve, from its share of the misfit.
std::vector<double> noise_of_curves(const DistributionFit& fit, const CellLeastSquares& problem,
                                    const CellSolution& best, double freedom, std::size_t curves) {
  std::vector<double> sum(curves, 0.0), count(curves, 0.0);
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const auto c = static_cast<std::size_t>(fit.curve_of_point[i]);
    sum[c] += std::pow(problem.force() * (best.fitted(row) - problem.data()(row)), 2);
    count[c] += 1.0;
  }
  const double left = std::max(1.0 - freedom / static_cast<double>(fit.data.size()), 0.1);
  for (std::size_t c = 0; c < curves; ++c) sum[c] = std::sqrt(sum[c] / std::max(left * count[c], 1.0));
  return sum;
}

void set_values(DistributionFit& fit) {
  const SliderDistribution& d = fit.distribution;
  const auto plain = [](double value) { return Banded{value, value, value}; };
  fit.slip_force = plain(d.slip_force());
  fit.stiffness = plain(d.stiffness_at_rest());
  fit.phi_max = plain(d.phi_max);
  fit.residual = plain(d.residual);
  fit.end_stiffness = plain(d.end_stiffness);
  fit.density.clear();
  for (std::size_t j = 0; j < d.cells(); ++j) fit.density.push_back(plain(d.density(j)));
  fit.dissipation.clear();
  for (const double u : fit.data.u) fit.dissipation.push_back(plain(d.dissipation(u)));
}

}  // namespace

DistributionFit fit_distribution(const std::vector<ForceCurve>& curves, const DistributionFitOptions& options,
                                 const Observer& observer) {
  check(curves, options);
  DistributionFit fit;
  join(curves, options.weigh_by_log_u, fit);
  const bool own_weights =
      std::any_of(curves.begin(), curves.end(), [](const ForceCurve& c) { return !c.weight.empty(); });
  std::vector<double> given;  // weights that are the data's own
  if (own_weights) {
    DistributionFit plain;
    join(curves, false, plain);
    given = plain.data.weight;
  }
  CellLeastSquares problem(fit.data, options.residual, options.spread);
  const auto searched = [&] {
    DistributionSearch::Options rules{options.noise, options.smoothing, options.residual.has_value()};
    if (rules.noise) *rules.noise /= problem.force();
    auto result = std::make_unique<DistributionSearch>(problem, rules, observer);
    result->run();
    return result;
  };
  auto search = searched();
  fit.curve_noise = noise_of_curves(fit, problem, search->best(), search->freedom(), curves.size());
  if (curves.size() > 1 && !own_weights && !search->stopped()) {
    const double most = *std::max_element(fit.curve_noise.begin(), fit.curve_noise.end());
    for (std::size_t i = 0; i < fit.data.size() && most > 0.0; ++i) {
      const double noise = std::max(fit.curve_noise[fit.curve_of_point[i]], 1e-4 * most);
      fit.data.weight[i] /= std::pow(noise / most, 2);
    }
    scale_to_mean_one(fit.data.weight);
    problem = CellLeastSquares(fit.data, options.residual, options.spread);
    search = searched();
    fit.curve_noise = noise_of_curves(fit, problem, search->best(), search->freedom(), curves.size());
  }

  const CellSolution& best = search->best();
  fit.distribution = problem.unscaled(best.distribution);
  fit.smoothing = search->lambda();
  fit.freedom = search->freedom();
  fit.factorisations = search->factorisations();
  fit.noise = problem.force() * std::sqrt(search->variance());
  fit.misfit = problem.force() * std::sqrt(best.rss / static_cast<double>(problem.points()));
  set_values(fit);
  fit.macroslip = search->macroslip();
  fit.ending = best.converged ? Ending::completed : Ending::no_convergence;
  if (!best.converged) fit.message = "the least-squares problem is singular to rounding";
  for (const ForceCurve& curve : curves) {
    if (const auto fault = concavity_fault(curve)) {
      fit.ending = Ending::no_convergence;
      fit.message = *fault;
    }
  }
  bool stopped = search->stopped();
  if (stopped && options.bands) {
    forget_distribution_bands(options, fit);
  } else if (options.bands && best.converged) {
    stopped = !set_distribution_bands(problem, given, options, observer, fit);
  }
  if (stopped) fit.ending = Ending::interrupted;
  if (stopped && options.bands) add_note("interrupted before all bands were known", fit.message);
  return fit;
}

DistributionFit evaluate_distribution(const std::vector<ForceCurve>& curves, const SliderDistribution& distribution,
                                      bool weigh_by_log_u) {
  check(curves, {});
  DistributionFit fit;
  join(curves, weigh_by_log_u, fit);
  fit.distribution = distribution;
  double sum = 0.0;
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    sum += fit.data.weight[i] * std::pow(distribution.force(fit.data.u[i]) - fit.data.f[i], 2);
  }
  fit.misfit = std::sqrt(sum / static_cast<double>(fit.data.size()));
  set_values(fit);
  fit.macroslip = has_macroslip_tail(fit.data.u, distribution.phi_max, true);
  fit.ending = Ending::completed;
  return fit;
}

}  // namespace microslip
