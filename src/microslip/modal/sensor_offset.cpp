#include "microslip/modal/sensor_offset.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/modal/zero_crossings.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest = 3;        // half-cycles
constexpr std::size_t most_order = 12;   // of binomial means
constexpr std::size_t enough_late = 16;  // half-cycles
constexpr int most_rounds = 4;

/// Median of the last half of the samples.
double rough_offset(std::span<const double> signal) {
  const std::span<const double> half = signal.last(signal.size() - signal.size() / 2);
  std::vector<double> values(half.begin(), half.end());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Zeros that a mean runs over, and the order of its ends.
struct Stretch {
  std::span<const double> zeros;
  std::size_t order;
};

Stretch stretch_of(std::span<const double> zeros, bool late) {
  const std::size_t all = zeros.size() - 1, half_cycles = late ? std::min(all, std::max(all / 2, enough_late)) : all;
  return {zeros.last(half_cycles + 1), std::min(most_order, 2 * half_cycles / 3)};
}

/// sigma_b/sigma.
double relative_error(const Stretch& stretch) {
  const std::size_t order = stretch.order, half_cycles = stretch.zeros.size() - 1;
  double sum = 0.0, square = 0.0, risen = 0.0, share = std::pow(0.5, static_cast<double>(order));
  std::vector<double> weight(half_cycles, 1.0);  // W: from both ends the sums of the binomial weights
  for (std::size_t k = 0; k < order; ++k) {
    risen += share;
    weight[k] -= 1.0 - risen;
    weight[half_cycles - 1 - k] -= 1.0 - risen;
    share *= static_cast<double>(order - k) / static_cast<double>(k + 1);
  }
  for (std::size_t k = 0; k < half_cycles; ++k) {
    const double length = stretch.zeros[k + 1] - stretch.zeros[k];
    sum += weight[k] * length;
    square += weight[k] * weight[k] * length;
  }
  return std::sqrt(square) / sum;
}

}  // namespace

double binomial_mean(std::span<const double> values, std::size_t first, std::size_t order) {
  double sum = 0.0, weight = std::pow(0.5, static_cast<double>(order));
  for (std::size_t k = 0; k <= order; ++k) {
    sum += weight * values[first + k];
    weight *= static_cast<double>(order - k) / static_cast<double>(k + 1);
  }
  return sum;
}

SensorOffset sensor_offset(std::span<const double> signal, double noise, double floor, bool late) {
  SensorOffset result{rough_offset(signal), 0.0};
  std::vector<double> rest(signal.size()), integrals;
  for (int round = 0; round < most_rounds; ++round) {
    std::transform(signal.begin(), signal.end(), rest.begin(), [&](double y) { return y - result.value; });
    const std::vector<double> zeros = zero_crossings(rest, noise, floor);
    if (zeros.size() < fewest + 1) break;
    const Stretch stretch = stretch_of(zeros, late);
    const SampleIntegral integral(rest);
    integrals.clear();
    for (const double x : stretch.zeros) integrals.push_back(integral.to(x));
    const std::size_t last = stretch.zeros.size() - 1 - stretch.order;
    const auto rise = [&](std::span<const double> values) {
      return binomial_mean(values, last, stretch.order) - binomial_mean(values, 0, stretch.order);
    };
    const double change = rise(integrals) / rise(stretch.zeros);
    result.value += change;
    result.error = noise * relative_error(stretch);
    if (std::abs(change) <= 0.1 * result.error) break;
  }
  return result;
}

}  // namespace microslip
