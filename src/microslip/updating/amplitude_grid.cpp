#include "microslip/updating/amplitude_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/numerics/gauss_legendre.hpp"

namespace microslip {
namespace {

/// Nodes below the first of the rows, each at half of the next: as quasi-static modal analysis leads in.
constexpr int lead_in = 6;
/// s ~ y^m, about.
constexpr double usual_power = 1.75;
constexpr int quadrature = 8;

}  // namespace

AmplitudeGrid::AmplitudeGrid(double low, double high, int per_decade) {
  for (int k = lead_in; k > 0; --k) nodes_.push_back(std::ldexp(low, -k));
  first_ = static_cast<int>(nodes_.size());
  const double decades = std::log10(high / low);
  const int intervals = std::max(3, static_cast<int>(std::ceil(decades * per_decade)));
  const double span = std::max(decades, 1e-3);
  for (int k = 0; k <= intervals; ++k) nodes_.push_back(low * std::pow(10.0, span * k / intervals));
  if (decades > 1e-3) nodes_.back() = high;
  set_harmonic();
}

void AmplitudeGrid::set_harmonic() {
  const int n = size();
  by_excess_ = Eigen::MatrixXd::Zero(n, n);
  by_slope_ = Eigen::MatrixXd::Zero(n, n);
  const GaussRule& rule = shared_gauss_legendre(quadrature);
  for (int i = first_; i < n; ++i) {
    const double top = nodes_[static_cast<std::size_t>(i)];
    const double factor = 8.0 / (std::numbers::pi * top * top);
    // Below the first node s' is a power, and all of it is little.
    const double lowest = nodes_[0];
    by_slope_(i, 0) += factor * lowest * std::sqrt(lowest * top) / (usual_power + 0.5);
    for (int k = 0; k < i; ++k) {
      const double from = nodes_[static_cast<std::size_t>(k)], to = nodes_[static_cast<std::size_t>(k) + 1];
      const double h = std::log(to / from);
      const double scale_from = std::pow(from, -usual_power), scale_to = std::pow(to, -usual_power);
      for (int g = 0; g < quadrature; ++g) {
        const double sigma = rule.node[static_cast<std::size_t>(g)];
        const double weight = 2.0 * sigma * rule.weight[static_cast<std::size_t>(g)];  // dt = 2 sigma d sigma
        const double t = 1.0 - sigma * sigma;                                          // smooths the root at y = Q
        const double y = from * std::exp(h * t);
        // g = s/y^m; ds = y^m (g m h + dg/dt) dt, and dg/d ln y = (y s' - m s)/y^m at the nodes
        const double power = std::pow(y, usual_power);
        const double t2 = t * t, t3 = t2 * t;
        const double value[4] = {2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t, -2.0 * t3 + 3.0 * t2, t3 - t2};
        const double slope[4] = {6.0 * (t2 - t), 3.0 * t2 - 4.0 * t + 1.0, 6.0 * (t - t2), 3.0 * t2 - 2.0 * t};
        double part[4];
        for (int c = 0; c < 4; ++c) {
          part[c] = factor * weight * std::sqrt(y * (top - y)) * power * (usual_power * h * value[c] + slope[c]);
        }
        by_excess_(i, k) += scale_from * (part[0] - usual_power * h * part[1]);
        by_slope_(i, k) += scale_from * h * from * part[1];
        by_excess_(i, k + 1) += scale_to * (part[2] - usual_power * h * part[3]);
        by_slope_(i, k + 1) += scale_to * h * to * part[3];
      }
    }
  }
}

AmplitudeGrid::Interpolation AmplitudeGrid::at(double q, int reached) const {
  constexpr double rounding = 1e-9;
  Interpolation result;
  const int count = std::min(4, reached - first_);
  if (count < 1) return result;
  const auto node = [&](int k) { return nodes_[static_cast<std::size_t>(k)]; };
  if (q > node(reached - 1) * (1.0 + rounding) || q < node(first_) * (1.0 - rounding)) return result;
  int before = first_;  // the last node that is not beyond q
  while (before + 1 < reached && node(before + 1) <= q) ++before;
  result.node = std::clamp(before - 1, first_, reached - count);
  result.count = count;
  for (int i = 0; i < count; ++i) {
    result.weight[i] = 1.0;
    for (int k = 0; k < count; ++k) {
      if (k == i) continue;
      result.weight[i] *= std::log(q / node(result.node + k)) / std::log(node(result.node + i) / node(result.node + k));
    }
  }
  return result;
}

}  // namespace microslip
