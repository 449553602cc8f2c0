#include "microslip/modal/integration_drift.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/modal/binomial_mean.hpp"

namespace microslip {

IntegrationDrift::IntegrationDrift(std::vector<double> zeros)
    : zeros_(std::move(zeros)),
      weights_(binomial_weights(2 * reach())),
      first_(static_cast<std::size_t>(std::ceil(zeros_.front()))),
      samples_(static_cast<std::size_t>(zeros_.back()) + 1 - first_) {}

std::size_t IntegrationDrift::first_of_middle(std::size_t k) const {
  return std::clamp(k, reach(), zeros_.size() - 1 - reach()) - reach();
}

double IntegrationDrift::share(std::size_t sample, std::size_t& k) const {
  const auto x = static_cast<double>(sample);
  while (k + 2 < zeros_.size() && x > zeros_[k + 1]) ++k;
  return (x - zeros_[k]) / (zeros_[k + 1] - zeros_[k]);
}

std::vector<double> IntegrationDrift::line(std::span<const double> at_zeros) const {
  std::vector<double> middle, result;
  for (std::size_t k = 0; k < zeros_.size(); ++k) {
    middle.push_back(weighted_mean(at_zeros, first_of_middle(k), weights_));
  }
  std::size_t k = 0;
  for (std::size_t i = 0; i < samples_; ++i) {
    const double part = share(first_ + i, k);
    result.push_back(middle[k] + part * (middle[k + 1] - middle[k]));
  }
  return result;
}

double IntegrationDrift::deviation(std::span<const double> weights, std::size_t from) const {
  // The sum is one of integrals at samples and at zeros; weights of the latter from those of the line.
  std::size_t k = 0;
  static_cast<void>(share(first_ + from, k));
  const std::size_t first_zero = first_of_middle(k);
  std::vector<double> at_zero;
  const auto add = [&](std::size_t zero, double weight) {
    const std::size_t begin = first_of_middle(zero) - first_zero;
    if (at_zero.size() < begin + weights_.size()) at_zero.resize(begin + weights_.size(), 0.0);
    for (std::size_t j = 0; j < weights_.size(); ++j) at_zero[begin + j] -= weight * weights_[j];
  };
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double part = share(first_ + from + i, k);
    add(k, weights[i] * (1.0 - part));
    add(k + 1, weights[i] * part);
  }
  // A sample of noise counts as often as integrals run over it: sums from the end on, up to where nothing is left.
  const std::size_t begin = std::min(first_ + from, static_cast<std::size_t>(zeros_[first_zero]));
  const auto end =
      std::max(first_ + from + weights.size(), static_cast<std::size_t>(zeros_[first_zero + at_zero.size() - 1]) + 2);
  std::vector<double> counts(end - begin, 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) counts[first_ + from + i - begin] += weights[i];
  for (std::size_t j = 0; j < at_zero.size(); ++j) {
    counts[static_cast<std::size_t>(zeros_[first_zero + j] + 0.5) - begin] += at_zero[j];
  }
  double sum = 0.0, square = 0.0;
  for (std::size_t i = counts.size(); i-- > 0;) {
    sum += counts[i];
    square += sum * sum;
  }
  return std::sqrt(square);
}

}  // namespace microslip
