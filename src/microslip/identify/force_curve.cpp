#include "microslip/identify/force_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/numerics/percentile.hpp"

namespace microslip {
namespace {

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

}  // namespace

std::optional<CurveFault> first_loading_fault(const ForceCurve& curve, std::size_t fewest) {
  if (curve.u.size() != curve.f.size() || (!curve.weight.empty() && curve.weight.size() != curve.u.size())) {
    return CurveFault{0, fmt::format("u has {} points, f has {}, weight has {}", curve.u.size(), curve.f.size(),
                                     curve.weight.size())};
  }
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const double u = curve.u[i];
    if (!std::isfinite(u)) return CurveFault{i, fmt::format("u must be a finite number, got {}", u)};
    if (!std::isfinite(curve.f[i])) return CurveFault{i, fmt::format("f must be a finite number, got {}", curve.f[i])};
    if (!curve.weight.empty() && !(std::isfinite(curve.weight[i]) && curve.weight[i] > 0.0)) {
      return CurveFault{i, fmt::format("weight must be > 0, got {}", curve.weight[i])};
    }
    if (u < 0.0) return CurveFault{i, fmt::format("u must be >= 0, the first loading from rest, got {}", u)};
    if (i > 0 && !(u > curve.u[i - 1])) {
      return CurveFault{i,
                        fmt::format("u must increase: {} comes after {}; sort the rows, and of a loop take the first "
                                    "loading only",
                                    u, curve.u[i - 1])};
    }
  }
  if (curve.size() < fewest) {
    return CurveFault{0, fmt::format("a curve needs at least {} points, got {}", fewest, curve.size())};
  }
  return std::nullopt;
}

std::vector<double> third_differences(std::span<const double> u, std::span<const double> f) {
  std::vector<double> differences;
  for (std::size_t i = 0; i + 3 < u.size(); ++i) {
    double difference = 0.0, squares = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      double weight = 1.0;
      for (std::size_t l = 0; l < 4; ++l) {
        if (l != k) weight *= (u[i + 3] - u[i]) / (u[i + k] - u[i + l]);
      }
      difference += weight * f[i + k];
      squares += weight * weight;
    }
    differences.push_back(difference / std::sqrt(squares));
  }
  return differences;
}

double scatter(const ForceCurve& curve) {
  std::vector<double> size = third_differences(curve.u, curve.f);
  if (size.empty()) return std::numeric_limits<double>::infinity();
  for (double& difference : size) difference = std::abs(difference);
  return percentile(size, 0.5) / 0.67448975;  // median of |normal|
}

std::optional<std::string> concavity_fault(const ForceCurve& curve) {
  constexpr double beyond = 6.0, floor = 1e-4;
  const std::vector<double> hull = concave_hull(curve.u, curve.f);
  double largest = 0.0, sum = 0.0;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    largest = std::max(largest, std::abs(curve.f[i]));
    sum += std::pow(hull[i] - curve.f[i], 2);
    if (hull[i] - curve.f[i] > hull[worst] - curve.f[worst]) worst = i;
  }
  const double below = std::sqrt(sum / static_cast<double>(curve.size())), noise = scatter(curve);
  if (!(below > beyond * noise && below > floor * largest)) return std::nullopt;
  return fmt::format(
      "the data are not concave beyond noise: at u = {:.4g} they lie {:.2g} below their concave hull while "
      "neighbouring "
      "points scatter by {:.2g}; the first loading of sliders rises from (0, 0) and never bends upwards",
      curve.u[worst], hull[worst] - curve.f[worst], noise);
}

}  // namespace microslip
