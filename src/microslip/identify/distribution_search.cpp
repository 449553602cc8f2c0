#include "microslip/identify/distribution_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/golden_section.hpp"

namespace microslip {
namespace {

constexpr double freedom_price = 1.4;          // of generalised cross-validation
constexpr std::size_t fewest_tail_points = 3;  // that make macroslip
constexpr double shortest_tail = 0.1;          // of the deflections, where K_inf is to be found from it

}  // namespace

bool has_macroslip_tail(const std::vector<double>& u, double phi_max, bool residual_known) {
  const auto tail = static_cast<std::size_t>(u.end() - std::upper_bound(u.begin(), u.end(), phi_max));
  return tail >= fewest_tail_points && (residual_known || phi_max <= (1.0 - shortest_tail) * u.back());
}

double strongest_before_tail(const std::vector<double>& u, bool residual_known) {
  const double before = std::nextafter(u[u.size() - fewest_tail_points], 0.0);
  return residual_known ? before : std::min(before, (1.0 - shortest_tail) * u.back());
}

void DistributionSearch::run() {
  find();
  const std::vector<double> u(problem_.deflections().begin(), problem_.deflections().end());
  macroslip_ = has_macroslip_tail(u, phi_max_, options_.residual_known);
  if (!macroslip_) find();  // with phi_max at the end of the data
  best_ = solve(phi_max_);
  freedom_ = problem_.freedom(phi_max_, lambda_, best_.positive) + 1.0;
  const auto n = static_cast<double>(problem_.points());
  variance_ = options_.noise ? *options_.noise * *options_.noise : best_.rss / std::max(n - freedom_, 1.0);
}

CellSolution DistributionSearch::solve(double phi_max) {
  CellSolution solution = problem_.solve(phi_max, lambda_, problem_.data(), warm_ ? &last_ : nullptr);
  factorisations_ += solution.factorisations;
  warm_ = solution.converged;
  last_ = solution;
  return solution;
}

void DistributionSearch::find() {
  if (options_.smoothing) {
    lambda_ = *options_.smoothing;
    scan();
  } else {
    choose_lambda();
  }
  refine(1e-9);
}

void DistributionSearch::scan() {
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
  const double tolerance = options_.noise ? *options_.noise * *options_.noise : least / n;
  place_ = 2;
  while (place_ + 1 < edges.size() && !(value[place_] <= least + tolerance)) ++place_;
  phi_max_ = edges[place_];
}

void DistributionSearch::refine(double accuracy) {
  if (!macroslip_) return;
  const auto& edges = problem_.edges();
  const double low = edges[place_ - 1], high = edges[std::min(place_ + 1, edges.size() - 1)];
  const double found = golden_section(low, high, accuracy * high, [&](double phi) { return objective(phi); });
  if (objective(found) <= objective(phi_max_)) phi_max_ = found;
}

double DistributionSearch::criterion(double lambda) {
  lambda_ = lambda;
  const CellSolution solution = solve(phi_max_);
  if (!solution.converged) return std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(problem_.points());
  const double d = problem_.freedom(phi_max_, lambda, solution.positive) + 1.0;
  if (options_.noise) return solution.rss / (*options_.noise * *options_.noise) + 2.0 * freedom_price * d;
  const double left = n - freedom_price * d;
  return left > 0.0 ? n * solution.rss / (left * left) : std::numeric_limits<double>::infinity();
}

void DistributionSearch::choose_lambda() {
  double least = std::numeric_limits<double>::infinity(), best = 1.0, best_phi = 1.0;
  std::size_t best_place = 0;
  for (lambda_ = most_smoothing; lambda_ >= 0.99 * least_smoothing && !stopped_; lambda_ /= 100.0) {
    scan();
    refine(1e-4);
    const double value = criterion(lambda_);
    stopped_ = observer_ && !observer_(0.0);
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

}  // namespace microslip
