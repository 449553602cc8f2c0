#include "microslip/identify/residual_correlation.hpp"

#include <algorithm>
#include <complex>
#include <vector>

#include "microslip/numerics/fft.hpp"

namespace microslip {
namespace {

constexpr std::size_t summed_distances = 32;  // one by one; of more all are transformed at once
constexpr double rounding = 1e-14;            // of a correlation, after a transform

double sum_of_squares(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// sum of r_i r_(i+distance).
double product_at(std::span<const double> residuals, std::size_t distance) {
  double sum = 0.0;
  for (std::size_t i = 0; i + distance < residuals.size(); ++i) sum += residuals[i] * residuals[i + distance];
  return sum;
}

/// That at every distance: the transform of |R|^2, zeros behind the residuals.
std::vector<double> all_products(std::span<const double> residuals) {
  Fft fft(fast_length_above(2 * residuals.size()));
  std::vector<std::complex<double>> work(fft.length());
  std::copy(residuals.begin(), residuals.end(), work.begin());
  fft.forward(work);
  for (std::complex<double>& value : work) value = std::norm(value);
  fft.inverse(work);
  std::vector<double> products(residuals.size());
  for (std::size_t k = 0; k < products.size(); ++k) products[k] = work[k].real();
  return products;
}

}  // namespace

double alike_sum(std::span<const double> residuals) {
  const std::size_t n = residuals.size();
  const double square = sum_of_squares(residuals);
  if (!(square > 0.0)) return 1.0;
  std::vector<double> products;
  const auto product = [&](std::size_t distance) {
    if (distance < summed_distances) return product_at(residuals, distance);
    if (products.empty()) products = all_products(residuals);
    return products[distance];
  };
  double sum = -1.0;
  for (std::size_t k = 0; k + 1 < n; k += 2) {
    const double pair = (product(k) + product(k + 1)) / square;
    if (!(pair > rounding)) break;
    sum += 2.0 * pair;
  }
  return std::clamp(sum, 1.0, static_cast<double>(n));
}

double residuals_alike(std::span<const double> residuals) {
  const double by_chance = 2.0 / std::sqrt(static_cast<double>(residuals.size()));
  if (!(product_at(residuals, 1) > by_chance * sum_of_squares(residuals))) return 1.0;
  return alike_sum(residuals);
}

double noise_variance(std::span<const double> residuals, double alike, double parameters) {
  if (residuals.empty()) return 0.0;
  const double count = static_cast<double>(residuals.size()), independent = std::max(count / alike, 1.0);
  return sum_of_squares(residuals) / count * independent / std::max(independent - parameters - 2.0, 1.0);
}

}  // namespace microslip
