#include "microslip/identify/distribution_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "microslip/identify/cell_least_squares.hpp"
#include "microslip/identify/distribution_search.hpp"
#include "microslip/numerics/percentile.hpp"
#include "microslip/numerics/random.hpp"
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
  require(options.bootstrap >= 0, "bootstrap must be >= 0");
  require(options.confidence > 0.0 && options.confidence < 1.0, "confidence must be in (0, 1)");
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

double density_at(const SliderDistribution& d, double phi) {
  const auto above = std::upper_bound(d.edge.begin(), d.edge.end(), phi);
  if (above == d.edge.end()) return 0.0;
  return d.density(static_cast<std::size_t>(above - d.edge.begin()) - 1);
}

/// Fits of resampled residuals.
class Bootstrap {
 public:
  Bootstrap(CellLeastSquares& problem, DistributionSearch& search, const DistributionFitOptions& options)
      : problem_(problem), search_(search), options_(options) {
    const auto n = problem.data().size();
    const CellSolution& best = search.best();
    const double inflate = std::sqrt(static_cast<double>(n) / std::max(static_cast<double>(n) - search.freedom(), 1.0));
    residual_ = (problem.data() - best.fitted).cwiseProduct(problem.weights().cwiseSqrt()) * inflate;
    residual_.array() -= residual_.mean();
    const double step = search.macroslip() ? 0.5 * search.reach() : 0.0;
    for (int k = -reach_; k <= reach_; ++k) {
      const double phi = search.phi_max() + k * step;
      candidates_.push_back(std::clamp(phi, 0.5 * search.phi_max(), 1.0));
    }
  }

  /// Resampling number b.
  SliderDistribution operator()(int b) {
    SplitMix bits(options_.seed * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(b));
    const auto n = static_cast<std::uint64_t>(residual_.size());
    Eigen::VectorXd f = search_.best().fitted;
    for (Eigen::Index i = 0; i < f.size(); ++i) {
      f(i) += residual_(static_cast<Eigen::Index>(bits() % n)) / std::sqrt(problem_.weights()(i));
    }
    // Downhill over the candidates.
    int at = reach_;
    CellSolution best = solve(at, f);
    for (const int direction : {1, -1}) {
      bool moved = false;
      for (int next = at + direction; next >= 0 && next <= 2 * reach_; next += direction) {
        if (candidates_[next] == candidates_[at]) break;
        CellSolution trial = solve(next, f);
        if (!(trial.objective < best.objective)) break;
        best = std::move(trial);
        at = next;
        moved = true;
      }
      if (moved) break;
    }
    return problem_.unscaled(best.distribution);
  }

 private:
  CellSolution solve(int candidate, const Eigen::VectorXd& f) {
    return problem_.solve(candidates_[static_cast<std::size_t>(candidate)], search_.lambda(), f, &search_.best());
  }

  static constexpr int reach_ = 12;
  CellLeastSquares& problem_;
  DistributionSearch& search_;
  const DistributionFitOptions& options_;
  Eigen::VectorXd residual_;
  std::vector<double> candidates_;
};

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

/// Every banded number, in one order.
template <class Use>
void for_each_number(const DistributionFit& fit, const SliderDistribution& d, Use&& use) {
  use(d.slip_force());
  use(d.stiffness_at_rest());
  use(d.phi_max);
  use(d.residual);
  use(d.end_stiffness);
  for (std::size_t j = 0; j < fit.distribution.cells(); ++j) use(density_at(d, fit.distribution.centre(j)));
  for (const double u : fit.data.u) use(d.dissipation(u));
}

bool set_bands(Bootstrap& resample, const DistributionFitOptions& options, const Observer& observer,
               DistributionFit& fit) {
  std::vector<std::vector<double>> numbers(5 + fit.density.size() + fit.dissipation.size());
  bool stopped = false;
  for (int b = 0; b < options.bootstrap && !stopped; ++b) {
    std::size_t k = 0;
    for_each_number(fit, resample(b), [&](double value) { numbers[k++].push_back(value); });
    stopped = observer && !observer(static_cast<double>(b + 1) / options.bootstrap);
  }
  std::vector<Banded*> bands = {&fit.slip_force, &fit.stiffness, &fit.phi_max, &fit.residual, &fit.end_stiffness};
  for (Banded& band : fit.density) bands.push_back(&band);
  for (Banded& band : fit.dissipation) bands.push_back(&band);
  for (std::size_t k = 0; k < bands.size(); ++k) {
    if (numbers[k].empty()) continue;
    bands[k]->low = percentile(numbers[k], 0.5 * (1.0 - options.confidence));
    bands[k]->high = percentile(numbers[k], 0.5 * (1.0 + options.confidence));
  }
  return !stopped;
}

}  // namespace

DistributionFit fit_distribution(const std::vector<ForceCurve>& curves, const DistributionFitOptions& options,
                                 const Observer& observer) {
  check(curves, options);
  DistributionFit fit;
  join(curves, options.weigh_by_log_u, fit);
  const bool own_weights =
      std::any_of(curves.begin(), curves.end(), [](const ForceCurve& c) { return !c.weight.empty(); });
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
  if (search->stopped()) {
    fit.ending = Ending::interrupted;
  } else if (options.bootstrap > 0 && best.converged) {
    Bootstrap resample(problem, *search, options);
    if (!set_bands(resample, options, observer, fit)) fit.ending = Ending::interrupted;
  }
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
