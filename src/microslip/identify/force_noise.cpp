#include "microslip/identify/force_noise.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/golden_section.hpp"

namespace microslip {
namespace {

constexpr double least_share = 1e-3;  // of the largest force
constexpr double told_apart = 3.84;   // 95 % of chi-square with one degree of freedom

}  // namespace

std::vector<double> force_noise(std::span<const double> f, std::span<const double> residual,
                                std::span<const double> weight) {
  const std::size_t n = f.size();
  double top = 0.0, mean_log = 0.0;
  for (const double force : f) top = std::max(top, std::abs(force));
  std::vector<double> share(n, 1.0);
  for (std::size_t i = 0; i < n && top > 0.0; ++i) {
    share[i] = std::max(std::abs(f[i]) / top, least_share);
    mean_log += std::log(share[i]) / static_cast<double>(n);
  }
  const auto relative = [&](std::size_t i, double p) {
    return weight.empty() ? std::pow(share[i], p) : 1.0 / std::sqrt(weight[i]);
  };
  /// Mean of (residual/relative size)^2: s^2.
  const auto square = [&](double p) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += std::pow(residual[i] / relative(i, p), 2);
    return sum / static_cast<double>(n);
  };
  double p = 0.0;
  if (weight.empty() && square(0.0) > 0.0) {
    // -2 ln L/n, convex in p.
    const auto cost = [&](double trial) { return std::log(square(trial)) + 2.0 * trial * mean_log; };
    const double best = golden_section(0.0, 1.0, 1e-4, cost);
    if (static_cast<double>(n) * (cost(0.0) - cost(best)) > told_apart) p = best;
  }
  const double s = std::sqrt(square(p));
  std::vector<double> deviation(n);
  for (std::size_t i = 0; i < n; ++i) deviation[i] = s * relative(i, p);
  return deviation;
}

}  // namespace microslip
