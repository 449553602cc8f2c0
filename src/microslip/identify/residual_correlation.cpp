#include "microslip/identify/residual_correlation.hpp"

#include <algorithm>

namespace microslip {
namespace {

double sum_of_squares(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace

double residuals_alike(std::span<const double> residuals) {
  const std::size_t n = residuals.size();
  const double square = sum_of_squares(residuals);
  if (!(square > 0.0)) return 1.0;
  const auto correlation = [&](std::size_t distance) {
    double sum = 0.0;
    for (std::size_t i = 0; i + distance < n; ++i) sum += residuals[i] * residuals[i + distance];
    return sum / square;
  };
  if (correlation(1) <= 2.0 / std::sqrt(static_cast<double>(n))) return 1.0;  // white noise has that by chance
  double sum = -1.0;
  for (std::size_t k = 0; k + 1 < n; k += 2) {
    const double pair = correlation(k) + correlation(k + 1);
    if (!(pair > 0.0)) break;
    sum += 2.0 * pair;
  }
  return std::clamp(sum, 1.0, static_cast<double>(n));
}

double noise_variance(std::span<const double> residuals, double alike, double parameters) {
  if (residuals.empty()) return 0.0;
  const double count = static_cast<double>(residuals.size()), independent = std::max(count / alike, 1.0);
  return sum_of_squares(residuals) / count * independent / std::max(independent - parameters - 2.0, 1.0);
}

}  // namespace microslip
