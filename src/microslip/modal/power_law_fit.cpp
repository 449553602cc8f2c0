#include "microslip/modal/power_law_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/numerics/stretch_weights.hpp"

namespace microslip {
namespace {

struct Point {
  double log_q, zeta, weight;  ///< log_q relative to the largest amplitude
};

std::vector<Point> weighted_points(std::span<const double> q, std::span<const double> zeta) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] > 0.0 && zeta[i] > 0.0) points.push_back({std::log(q[i]), zeta[i], 0.0});
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.log_q < b.log_q; });
  std::vector<double> log_q(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) log_q[i] = points[i].log_q;
  const std::vector<double> weights = stretch_weights(log_q);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].weight = weights[i];
  return points;
}

/// The best c and zeta_0 for a given power; linear least squares of zeta_i = c x_i + zeta_0, each divided by zeta_i.
struct LinearFit {
  double c, zeta_0, error;  ///< error: weighted sum of squares
};

LinearFit best_for(const std::vector<Point>& points, double power) {
  double xx = 0.0, x = 0.0, one = 0.0, xz = 0.0, z = 0.0;
  for (const Point& p : points) {
    const double factor = std::exp(power * p.log_q) / p.zeta, inverse = 1.0 / p.zeta;
    xx += p.weight * factor * factor;
    x += p.weight * factor * inverse;
    one += p.weight * inverse * inverse;
    xz += p.weight * factor;
    z += p.weight * inverse;
  }
  const double determinant = xx * one - x * x;
  LinearFit fit{0.0, 0.0, 0.0};
  if (determinant > 0.0) fit = {(xz * one - z * x) / determinant, (xx * z - x * xz) / determinant, 0.0};
  if (!(determinant > 0.0) || fit.zeta_0 < 0.0) fit = {xz / xx, 0.0, 0.0};
  for (const Point& p : points) {
    const double error = (fit.c * std::exp(power * p.log_q) + fit.zeta_0) / p.zeta - 1.0;
    fit.error += p.weight * error * error;
  }
  return fit;
}

double minimum_near(const std::vector<Point>& points, double low, double high) {
  const double ratio = 0.61803398874989485;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double fa = best_for(points, a).error, fb = best_for(points, b).error;
  for (int i = 0; i < 60 && high - low > 1e-9; ++i) {  // golden section
    if (fa < fb) {
      high = b;
      b = a;
      fb = fa;
      a = high - ratio * (high - low);
      fa = best_for(points, a).error;
    } else {
      low = a;
      a = b;
      fa = fb;
      b = low + ratio * (high - low);
      fb = best_for(points, b).error;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

PowerLawFit fit_power_law(std::span<const double> q, std::span<const double> zeta) {
  PowerLawFit fit;
  std::vector<Point> points = weighted_points(q, zeta);
  if (points.size() < 4) return fit;
  const double largest = points.back().log_q;
  fit.from = std::exp(points.front().log_q);
  fit.to = std::exp(largest);
  double weights = 0.0;
  for (Point& p : points) {
    p.log_q -= largest;
    weights += p.weight;
  }
  if (!(weights > 0.0)) return fit;
  constexpr double lowest = 0.01, highest = 4.0, factor = 1.1;  // chi + 1
  double best = lowest, least = best_for(points, lowest).error;
  for (double power = lowest; power < highest; power *= factor) {
    const double error = best_for(points, power).error;
    if (error < least) {
      least = error;
      best = power;
    }
  }
  const double power = minimum_near(points, best / factor, best * factor);
  const LinearFit linear = best_for(points, power);
  fit.found = power > lowest && power < highest && linear.c > 0.0;
  fit.c = linear.c * std::exp(-power * largest);
  fit.chi = power - 1.0;
  fit.zeta_0 = linear.zeta_0;
  fit.residual = std::sqrt(linear.error / weights);
  return fit;
}

}  // namespace microslip
