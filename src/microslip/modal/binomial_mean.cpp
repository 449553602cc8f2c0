#include "microslip/modal/binomial_mean.hpp"

#include <cmath>
#include <numeric>

namespace microslip {

std::vector<double> binomial_weights(std::size_t p, double r) {
  std::vector<double> weights(p + 1);
  double weight = std::pow(r / (1.0 + r), static_cast<double>(p));
  for (std::size_t k = 0; k <= p; ++k) {
    weights[k] = weight;
    weight *= static_cast<double>(p - k) / (static_cast<double>(k + 1) * r);
  }
  return weights;
}

double weighted_mean(std::span<const double> values, std::size_t first, std::span<const double> weights) {
  const std::span<const double> part = values.subspan(first, weights.size());
  return std::inner_product(part.begin(), part.end(), weights.begin(), 0.0);
}

}  // namespace microslip
