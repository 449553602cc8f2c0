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

/// Standard deviation of the mean between zeros, for white noise of deviation 1.
double deviation_of_mean(std::span<const double> zeros, std::size_t order) {
  const std::size_t half_cycles = zeros.size() - 1;
  double sum = 0.0, square = 0.0, risen = 0.0, share = std::pow(0.5, static_cast<double>(order));
  std::vector<double> weight(half_cycles, 1.0);  // W: from both ends the sums of the binomial weights
  for (std::size_t k = 0; k < order; ++k) {
    risen += share;
    weight[k] -= 1.0 - risen;
    weight[half_cycles - 1 - k] -= 1.0 - risen;
    share = share * static_cast<double>(order - k) / static_cast<double>(k + 1);
  }
  for (std::size_t k = 0; k < half_cycles; ++k) {
    const double length = zeros[k + 1] - zeros[k];
    sum += weight[k] * length;
    square += weight[k] * weight[k] * length;
  }
  return std::sqrt(square) / sum;
}

/// Mean of a signal between zeros, from its integrals to them.
SensorOffset mean_between(std::span<const double> zeros, std::span<const double> integrals, double noise) {
  const std::size_t half_cycles = zeros.size() - 1, order = std::min(most_order, 2 * half_cycles / 3);
  const auto rise = [&](std::span<const double> values) {
    return binomial_mean(values, half_cycles - order, order) - binomial_mean(values, 0, order);
  };
  return {rise(integrals) / rise(zeros), noise * deviation_of_mean(zeros, order)};
}

/// Whether the means over the two halves differ, by more than the noise and by more than a quarter of the offset.
bool changes(std::span<const double> zeros, std::span<const double> integrals, double noise, double offset) {
  const std::size_t half = (zeros.size() - 1) / 2;
  if (half < fewest) return false;
  const SensorOffset before = mean_between(zeros.first(half + 1), integrals.first(half + 1), noise);
  const SensorOffset after = mean_between(zeros.last(half + 1), integrals.last(half + 1), noise);
  const double apart = std::abs(after.value - before.value);
  return apart > 4.0 * std::hypot(before.error, after.error) && 4.0 * apart > std::abs(offset);
}

}  // namespace

double binomial_mean(std::span<const double> values, std::size_t first, std::size_t order) {
  double sum = 0.0, weight = std::pow(0.5, static_cast<double>(order));
  for (std::size_t k = 0; k <= order; ++k) {
    sum += weight * values[first + k];
    weight = weight * static_cast<double>(order - k) / static_cast<double>(k + 1);
  }
  return sum;
}

SensorOffset sensor_offset(std::span<const double> signal, double noise, double floor, bool late) {
  SensorOffset result{rough_offset(signal), 0.0};
  std::vector<double> rest(signal.size()), integrals;
  for (int round = 0; round < most_rounds; ++round) {
    std::transform(signal.begin(), signal.end(), rest.begin(), [&](double y) { return y - result.value; });
    const std::vector<double> all = zero_crossings(rest, noise, floor);
    if (all.size() < fewest + 1) return result;
    const std::size_t half_cycles =
        late ? std::min(all.size() - 1, std::max(all.size() / 2, enough_late)) : all.size() - 1;
    const std::span<const double> zeros = std::span(all).last(half_cycles + 1);
    const SampleIntegral integral(rest);
    integrals.clear();
    for (const double x : zeros) integrals.push_back(integral.to(x));
    const SensorOffset more = mean_between(zeros, integrals, noise);
    result = {result.value + more.value, more.error};
    const bool settled = std::abs(more.value) <= 0.1 * result.error;
    if (settled || round + 1 == most_rounds)
      return changes(zeros, integrals, noise, result.value) ? SensorOffset{} : result;
  }
  return result;
}

}  // namespace microslip
