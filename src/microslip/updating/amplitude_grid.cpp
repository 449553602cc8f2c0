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

double factor_of(double top) {
  return 8.0 / (std::numbers::pi * top * top);
}

}  // namespace

HarmonicSegment::HarmonicSegment(double from, double to) : from_(from), to_(to), h_(std::log(to / from)) {
  const GaussRule& rule = shared_gauss_legendre(count);
  for (std::size_t g = 0; g < count; ++g) {
    y_[g] = from * std::exp(h_ * rule.node[g]);
    part_[g] = parts_at(rule.node[g], y_[g]);
    for (double& each : part_[g]) each *= rule.weight[g] * std::sqrt(y_[g]);
  }
}

/// s = y^m c(t); ds = y^m (m h c + dc/dt) dt, and dc/d ln y = (y s' - m s)/y^m at the ends.
auto HarmonicSegment::parts_at(double t, double y) const -> Parts {
  const double from_power = std::pow(y / from_, usual_power), to_power = std::pow(y / to_, usual_power);
  const double t2 = t * t, t3 = t2 * t;
  const double value[4] = {2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t, -2.0 * t3 + 3.0 * t2, t3 - t2};
  const double slope[4] = {6.0 * (t2 - t), 3.0 * t2 - 4.0 * t + 1.0, 6.0 * (t - t2), 3.0 * t2 - 2.0 * t};
  double part[4];
  for (int c = 0; c < 4; ++c) part[c] = usual_power * h_ * value[c] + slope[c];
  return {from_power * (part[0] - usual_power * h_ * part[1]), from_power * h_ * from_ * part[1],
          to_power * (part[2] - usual_power * h_ * part[3]), to_power * h_ * to_ * part[3]};
}

std::array<double, 4> HarmonicSegment::weights(double top) const {
  if (top - to_ < to_ - from_) return weights_near(top);
  Parts sum{};
  for (std::size_t g = 0; g < count; ++g) {
    const double root = std::sqrt(top - y_[g]);
    for (std::size_t c = 0; c < 4; ++c) sum[c] += root * part_[g][c];
  }
  for (double& each : sum) each *= factor_of(top);
  return sum;
}

/// The root at y = Q ends in the segment or little above it: y = Q - (Q - from) tau^2 makes it smooth.
auto HarmonicSegment::weights_near(double top) const -> Parts {
  const GaussRule& rule = shared_gauss_legendre(count);
  const double length = top - from_, lowest = std::sqrt(std::max(top - to_, 0.0) / length);
  Parts sum{};
  for (std::size_t g = 0; g < count; ++g) {
    const double tau = lowest + (1.0 - lowest) * rule.node[g];
    const double y = top - length * tau * tau;
    // dt = dy/(y h), dy = 2 length tau d tau; sqrt(y (Q - y)) = sqrt(y length) tau
    const double weight = rule.weight[g] * (1.0 - lowest) * 2.0 * length * tau * tau * std::sqrt(length / y) / h_;
    const Parts part = parts_at(std::log(y / from_) / h_, y);
    for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * part[c];
  }
  for (double& each : sum) each *= factor_of(top);
  return sum;
}

double harmonic_of_jump(double y, double top) {
  return y < top ? factor_of(top) * std::sqrt(y * (top - y)) : 0.0;
}

AmplitudeGrid::AmplitudeGrid(const std::vector<double>& amplitudes, int per_decade) {
  const double low = amplitudes.front(), high = amplitudes.back();
  for (int k = lead_in; k > 0; --k) nodes_.push_back(std::ldexp(low, -k));
  first_ = static_cast<int>(nodes_.size());
  std::vector<double> own = amplitudes;
  if (own.size() > most_own) own = {low, high};
  constexpr double same = 1e-9;
  for (const double q : own) {
    if (q <= nodes_.back() * (1.0 + same)) continue;
    const double last = nodes_.back(), decades = std::log10(q / last);
    const bool within = static_cast<int>(nodes_.size()) > first_;
    const int pieces = within ? std::max(1, static_cast<int>(std::ceil(decades * per_decade - same))) : 1;
    for (int k = 1; k < pieces; ++k) nodes_.push_back(last * std::pow(10.0, decades * k / pieces));
    nodes_.push_back(q);
  }
  set_harmonic();
}

void AmplitudeGrid::set_harmonic() {
  const int n = size();
  by_excess_ = Eigen::MatrixXd::Zero(n, n);
  by_slope_ = Eigen::MatrixXd::Zero(n, n);
  for (int i = first_; i < n; ++i) {  // below the first node s' is a power, and all of it is little
    const double top = nodes_[static_cast<std::size_t>(i)];
    by_slope_(i, 0) = factor_of(top) * nodes_[0] * std::sqrt(nodes_[0] * top) / (usual_power + 0.5);
  }
  for (int k = 0; k + 1 < n; ++k) {
    const HarmonicSegment segment(nodes_[static_cast<std::size_t>(k)], nodes_[static_cast<std::size_t>(k) + 1]);
    for (int i = std::max(first_, k + 1); i < n; ++i) {
      const std::array<double, 4> weights = segment.weights(nodes_[static_cast<std::size_t>(i)]);
      by_excess_(i, k) += weights[0];
      by_slope_(i, k) += weights[1];
      by_excess_(i, k + 1) += weights[2];
      by_slope_(i, k + 1) += weights[3];
    }
  }
}

AmplitudeGrid::Interpolation AmplitudeGrid::at(double q, int reached, const std::vector<double>& jumps) const {
  constexpr double same = 1e-9;
  Interpolation result;
  const auto node = [&](int k) { return nodes_[static_cast<std::size_t>(k)]; };
  if (reached <= first_ || q > node(reached - 1) * (1.0 + same) || q < node(first_) * (1.0 - same)) return result;
  // The last node that is not beyond q.
  const auto beyond = std::upper_bound(nodes_.begin() + first_ + 1, nodes_.begin() + reached, q * (1.0 + same));
  const int before = static_cast<int>(beyond - nodes_.begin()) - 1;
  if (q <= node(before) * (1.0 + same)) {
    result = {before, 1, {1.0}};
    return result;
  }
  int low = first_, high = reached;  // nodes on the same side of every jump
  for (const double jump : jumps) {
    for (int k = first_; k < reached; ++k) {
      if (jump <= q && node(k) < jump) low = std::max(low, k + 1);
      if (jump > q && node(k) >= jump) high = std::min(high, k);
    }
  }
  if (low >= high) low = before, high = before + 1;  // two jumps beside it
  const int count = std::min(4, high - low);
  result.node = std::clamp(before - 1, low, high - count);
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
