#include "microslip/identify/slider_distribution.hpp"

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

/// Points of the backbone a cell: two inside make the parabola of every cell the law's own.
constexpr int points_a_cell = 3;

}  // namespace

double spread_slider(double u, double a, double b) {
  if (u <= a) return u;
  if (u >= b) return 0.5 * (a + b);
  const double past = u - a;
  return u - 0.5 * past * (past / (b - a));
}

double spread_loss(double x, double a, double b) {
  if (x <= a) return 0.0;
  const double c = std::min(x, b), l = c - a;
  // Integral from a to c, from its values at a, the middle and c (Simpson's rule is exact for a parabola).
  const double m = a + 0.5 * l;
  return 4.0 * (a * (x - a) + 4.0 * m * (x - m) + c * (x - c)) / 6.0 * (l / (b - a));
}

double SliderDistribution::force(double u) const {
  double sum = end_stiffness * std::min(u, phi_max) + residual * u;
  for (std::size_t j = 0; j < cells(); ++j) {
    sum += stiffness[j] * (spread ? spread_slider(u, edge[j], edge[j + 1]) : std::min(u, centre(j)));
  }
  return sum;
}

double SliderDistribution::dissipation(double x) const {
  const auto single = [x](double phi) { return x > phi ? 4.0 * phi * (x - phi) : 0.0; };
  double sum = end_stiffness * single(phi_max);
  for (std::size_t j = 0; j < cells(); ++j) {
    sum += stiffness[j] * (spread ? spread_loss(x, edge[j], edge[j + 1]) : single(centre(j)));
  }
  return sum;
}

double SliderDistribution::slip_force() const {
  double sum = end_stiffness * phi_max;
  for (std::size_t j = 0; j < cells(); ++j) sum += stiffness[j] * centre(j);
  return sum;
}

double SliderDistribution::stiffness_at_rest() const {
  double sum = end_stiffness;
  for (const double k : stiffness) sum += k;
  return sum;
}

auto SliderDistribution::backbone() const -> Backbone {
  Backbone result;
  const auto add = [&](double u) {
    result.u.push_back(u);
    result.f.push_back(force(u));
  };
  add(0.0);
  std::size_t last = cells();  // cells without sliders at the end carry nothing
  while (last > 0 && stiffness[last - 1] == 0.0) --last;
  for (std::size_t j = 0; j < last; ++j) {
    if (!spread) {
      if (stiffness[j] > 0.0) add(centre(j));
      continue;
    }
    // Inside an empty cell the backbone is straight.
    const int points = stiffness[j] > 0.0 ? points_a_cell : 1;
    for (int i = 1; i < points; ++i) add(edge[j] + (edge[j + 1] - edge[j]) * i / points);
    add(edge[j + 1]);
  }
  if (end_stiffness > 0.0 && phi_max > result.u.back()) add(phi_max);
  return result;
}

MasingTable<double> SliderDistribution::law() const {
  const Backbone points = backbone();
  return masing_table(points.u, points.f, interpolation(), residual);
}

}  // namespace microslip
