#include "microslip/identify/band_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace microslip {
namespace {

constexpr double linear_stretch = 4.0;  // what all of x counts beside ln x

/// From each the farthest that is no more than `stretch` ahead, or the next.
std::vector<std::size_t> nodes_within(const std::vector<double>& place, double stretch) {
  std::vector<std::size_t> nodes = {0};
  while (nodes.back() + 1 < place.size()) {
    const std::size_t from = nodes.back();
    const auto beyond = std::upper_bound(place.begin(), place.end(), place[from] + stretch);
    nodes.push_back(std::max(static_cast<std::size_t>(beyond - place.begin()) - 1, from + 1));
  }
  return nodes;
}

}  // namespace

std::vector<std::size_t> band_nodes(std::span<const double> x, std::size_t most) {
  std::vector<std::size_t> nodes(x.size());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  if (x.size() <= most) return nodes;
  std::vector<double> place;
  for (const double value : x) place.push_back(std::log(value / x.front()) + linear_stretch * value / x.back());
  double short_one = 0.0, enough = place.back() - place.front();
  for (int i = 0; i < 40; ++i) {
    const double stretch = 0.5 * (short_one + enough);
    (nodes_within(place, stretch).size() <= most ? enough : short_one) = stretch;
  }
  return nodes_within(place, enough * (1.0 + 1e-9));
}

BandEnds band_between(const BandNode& left, const BandNode& right, double x, double value) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const bool open = !std::isfinite(left.ends.high) || !std::isfinite(right.ends.high);
  const bool apart = right.x > left.x;
  if (!(left.value > 0.0 && right.value > 0.0)) {
    const double share = apart ? (x - left.x) / (right.x - left.x) : 1.0;
    return {0.0, open ? infinite : std::lerp(left.ends.high, right.ends.high, share)};
  }
  const double share = apart ? std::log(x / left.x) / std::log(right.x / left.x) : 1.0;
  const auto scaled = [&](double BandEnds::*end) {
    return value * std::lerp(left.ends.*end / left.value, right.ends.*end / right.value, share);
  };
  const bool none = !(left.ends.low > 0.0 && right.ends.low > 0.0);
  return {none ? 0.0 : scaled(&BandEnds::low), open ? infinite : scaled(&BandEnds::high)};
}

}  // namespace microslip
