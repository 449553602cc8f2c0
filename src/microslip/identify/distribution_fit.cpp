#include "microslip/identify/distribution_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "microslip/identify/cell_least_squares.hpp"
#include "microslip/numerics/golden_section.hpp"
#include "microslip/numerics/random.hpp"
#include "microslip/numerics/stretch_weights.hpp"

namespace microslip {
namespace {

constexpr double freedom_price = 1.4;  // of generalised cross-validation
constexpr double least_lambda = 1e-12, most_lambda = 1e6;
constexpr std::size_t fewest_tail_points = 3;  // that make macroslip
constexpr double shortest_tail = 0.1;          // of the deflections, where K_inf is to be found from it

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

/// The data go on beyond phi_max far enough to tell.
bool has_tail(const std::vector<double>& u, double phi_max, bool residual_known) {
  const auto tail = static_cast<std::size_t>(u.end() - std::upper_bound(u.begin(), u.end(), phi_max));
  return tail >= fewest_tail_points && (residual_known || phi_max <= (1.0 - shortest_tail) * u.back());
}

/// Searches lambda and phi_max for one set of weights: the least criterion over lambda, phi_max(lambda) the least J.
class Search {
 public:
  Search(CellLeastSquares& problem, const DistributionFitOptions& options) : problem_(problem), options_(options) {
    if (options.noise) noise_ = *options.noise / problem.force();
  }

  void run() {
    find();
    const std::vector<double> u(problem_.deflections().begin(), problem_.deflections().end());
    macroslip_ = has_tail(u, phi_max_, options_.residual.has_value());
    if (!macroslip_) find();  // with phi_max at the end of the data
    best_ = solve(phi_max_);
    freedom_ = problem_.freedom(phi_max_, lambda_, best_.positive) + 1.0;
    const auto n = static_cast<double>(problem_.points());
    variance_ = options_.noise ? noise_ * noise_ : best_.rss / std::max(n - freedom_, 1.0);
  }

  [[nodiscard]] const CellSolution& best() const { return best_; }
  [[nodiscard]] bool macroslip() const { return macroslip_; }
  [[nodiscard]] double phi_max() const { return phi_max_; }
  [[nodiscard]] double lambda() const { return lambda_; }
  [[nodiscard]] double freedom() const { return freedom_; }
  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] int factorisations() const { return factorisations_; }
  /// How far phi_max may be off: where J has risen by the variance of the noise on both sides.
  [[nodiscard]] double reach() {
    double step = 1e-6 * phi_max_;
    const auto risen = [&](double phi) { return objective(phi) >= best_.objective + variance_; };
    while (step < 0.05 * phi_max_ && !(risen(std::min(phi_max_ + step, 1.0)) && risen(phi_max_ - step))) step *= 2.0;
    return step;
  }

 private:
  CellSolution solve(double phi_max) {
    CellSolution solution = problem_.solve(phi_max, lambda_, problem_.data(), warm_ ? &last_ : nullptr);
    factorisations_ += solution.factorisations;
    warm_ = solution.converged;
    last_ = solution;
    return solution;
  }
  double objective(double phi_max) { return solve(phi_max).objective; }

  void find() {
    if (options_.smoothing) {
      lambda_ = *options_.smoothing;
      scan();
    } else {
      choose_lambda();
    }
    refine(1e-9);
  }

  /// The smallest edge whose J is within the noise of the least.
  void scan() {
    const auto& edges = problem_.edges();
    if (!macroslip_) {
      place_ = edges.size() - 1;
      phi_max_ = 1.0;
      return;
    }
    const auto n = static_cast<double>(problem_.points());
    std::vector<double> value(edges.size(), std::numeric_limits<double>::infinity());
    double least = value.front();
    for (std::size_t j = edges.size() - 1; j >= 2; --j) {
      value[j] = objective(edges[j]);
      least = std::min(least, value[j]);
      if (value[j] > 10.0 * least + 1e-3 * n) break;  // far too short: J only grows from here
    }
    const double tolerance = options_.noise ? noise_ * noise_ : least / n;
    place_ = 2;
    while (place_ + 1 < edges.size() && !(value[place_] <= least + tolerance)) ++place_;
    phi_max_ = edges[place_];
  }

  /// Between the neighbours of the edge found, to `accuracy` of phi_max.
  void refine(double accuracy) {
    if (!macroslip_) return;
    const auto& edges = problem_.edges();
    const double low = edges[place_ - 1], high = edges[std::min(place_ + 1, edges.size() - 1)];
    const double found = golden_section(low, high, accuracy * high, [&](double phi) { return objective(phi); });
    if (objective(found) <= objective(phi_max_)) phi_max_ = found;
  }

  double criterion(double lambda) {
    lambda_ = lambda;
    const CellSolution solution = solve(phi_max_);
    if (!solution.converged) return std::numeric_limits<double>::infinity();
    const auto n = static_cast<double>(problem_.points());
    const double d = problem_.freedom(phi_max_, lambda, solution.positive) + 1.0;
    if (options_.noise) return solution.rss / (noise_ * noise_) + 2.0 * freedom_price * d;
    const double left = n - freedom_price * d;
    return left > 0.0 ? n * solution.rss / (left * left) : std::numeric_limits<double>::infinity();
  }

  void choose_lambda() {
    double least = std::numeric_limits<double>::infinity(), best = 1.0, best_phi = 1.0;
    std::size_t best_place = 0;
    for (lambda_ = most_lambda; lambda_ >= 0.99 * least_lambda; lambda_ /= 100.0) {
      scan();
      refine(1e-4);
      const double value = criterion(lambda_);
      if (!(value < least) && best_place > 0) continue;
      least = value, best = lambda_, best_phi = phi_max_, best_place = place_;
    }
    place_ = best_place;
    phi_max_ = best_phi;
    const double centre = best;
    for (int k = -3; k <= 3; ++k) {
      const double lambda = centre * std::pow(10.0, k / 2.0);
      const double value = criterion(lambda);
      if (value < least) least = value, best = lambda;
    }
    lambda_ = best;
  }

  CellLeastSquares& problem_;
  const DistributionFitOptions& options_;
  CellSolution best_, last_;
  bool warm_ = false;      // last_ is a start for the next
  bool macroslip_ = true;  // phi_max is within the data
  double noise_ = 0.0, lambda_ = 0.0, phi_max_ = 0.0, freedom_ = 0.0, variance_ = 0.0;
  std::size_t place_ = 0;
  int factorisations_ = 0;
};

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

double percentile(std::vector<double>& values, double p) {
  std::sort(values.begin(), values.end());
  const double at = p * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

double density_at(const SliderDistribution& d, double phi) {
  const auto above = std::upper_bound(d.edge.begin(), d.edge.end(), phi);
  if (above == d.edge.end()) return 0.0;
  return d.density(static_cast<std::size_t>(above - d.edge.begin()) - 1);
}

/// Fits of resampled residuals.
class Bootstrap {
 public:
  Bootstrap(CellLeastSquares& problem, Search& search, const DistributionFitOptions& options)
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
  Search& search_;
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

/// Scatter of a curve about smooth ones: third divided differences, scaled so that white noise keeps its standard
/// deviation; median, so that kinks do not count.
double scatter(const ForceCurve& curve) {
  std::vector<double> size;
  for (std::size_t i = 0; i + 3 < curve.size(); ++i) {
    double difference = 0.0, squares = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      double weight = 1.0;
      for (std::size_t l = 0; l < 4; ++l) {
        if (l != k) weight *= (curve.u[i + 3] - curve.u[i]) / (curve.u[i + k] - curve.u[i + l]);
      }
      difference += weight * curve.f[i + k];
      squares += weight * weight;
    }
    size.push_back(std::abs(difference) / std::sqrt(squares));
  }
  if (size.empty()) return std::numeric_limits<double>::infinity();
  return percentile(size, 0.5) / 0.67448975;  // median of |normal|
}

/// The least concave curve above the points that rises from (0, 0), at the points.
std::vector<double> concave_hull(const std::vector<double>& u, const std::vector<double>& f) {
  std::vector<std::pair<double, double>> corner = {{0.0, 0.0}};
  const auto slope = [](const auto& a, const auto& b) { return (b.second - a.second) / (b.first - a.first); };
  for (std::size_t i = 0; i < u.size(); ++i) {
    const std::pair<double, double> point{u[i], f[i]};
    if (point.first == corner.back().first) {  // the higher of two forces at one deflection
      if (point.second <= corner.back().second || corner.size() == 1) continue;
      corner.pop_back();
    }
    while (corner.size() >= 2 &&
           slope(corner[corner.size() - 2], point) >= slope(corner[corner.size() - 2], corner.back())) {
      corner.pop_back();
    }
    corner.push_back(point);
  }
  std::vector<double> hull;
  std::size_t k = 0;
  for (const double x : u) {
    while (k + 2 < corner.size() && corner[k + 1].first < x) ++k;
    hull.push_back(std::max(corner[k].second + slope(corner[k], corner[k + 1]) * (x - corner[k].first),
                            hull.empty() ? 0.0 : hull.back()));
  }
  return hull;
}

/// A curve far below its concave hull is no first loading of sliders, and the message says so.
void report_concavity(const std::vector<ForceCurve>& curves, DistributionFit& fit) {
  constexpr double beyond = 6.0, floor = 1e-4;
  for (const ForceCurve& curve : curves) {
    const std::vector<double> hull = concave_hull(curve.u, curve.f);
    double largest = 0.0, sum = 0.0;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
      largest = std::max(largest, std::abs(curve.f[i]));
      sum += std::pow(hull[i] - curve.f[i], 2);
      if (hull[i] - curve.f[i] > hull[worst] - curve.f[worst]) worst = i;
    }
    const double below = std::sqrt(sum / static_cast<double>(curve.size())), noise = scatter(curve);
    if (!(below > beyond * noise && below > floor * largest)) continue;
    fit.ending = Ending::no_convergence;
    fit.message = fmt::format(
        "the data are not concave beyond noise: at u = {:.4g} they lie {:.2g} below their concave hull while "
        "neighbouring points scatter by {:.2g}; the first loading of sliders rises from (0, 0) and never bends upwards",
        curve.u[worst], hull[worst] - curve.f[worst], noise);
    return;
  }
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
  auto search = std::make_unique<Search>(problem, options);
  search->run();
  fit.curve_noise = noise_of_curves(fit, problem, search->best(), search->freedom(), curves.size());
  if (curves.size() > 1 && !own_weights) {
    const double most = *std::max_element(fit.curve_noise.begin(), fit.curve_noise.end());
    for (std::size_t i = 0; i < fit.data.size() && most > 0.0; ++i) {
      const double noise = std::max(fit.curve_noise[fit.curve_of_point[i]], 1e-4 * most);
      fit.data.weight[i] /= std::pow(noise / most, 2);
    }
    scale_to_mean_one(fit.data.weight);
    problem = CellLeastSquares(fit.data, options.residual, options.spread);
    search = std::make_unique<Search>(problem, options);
    search->run();
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
  report_concavity(curves, fit);
  if (options.bootstrap > 0 && best.converged) {
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
  fit.macroslip = has_tail(fit.data.u, distribution.phi_max, true);
  fit.ending = Ending::completed;
  return fit;
}

}  // namespace microslip
