#include "microslip/modal/sensor_offset.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/modal/binomial_mean.hpp"
#include "microslip/modal/zero_crossings.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest = 3;        // half-cycles
constexpr std::size_t enough = 5;        // half-cycles: any four areas are those of a b, a size, an r and its change
constexpr std::size_t most_order = 12;   // of binomial means
constexpr std::size_t enough_late = 16;  // half-cycles
constexpr int most_rounds = 4;
constexpr double beyond = 2.0;  // errors

/// Median of the last half of the samples.
double rough_offset(std::span<const double> signal) {
  const std::span<const double> half = signal.last(signal.size() - signal.size() / 2);
  std::vector<double> values(half.begin(), half.end());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Zeros of a signal and its integrals to them.
struct Zeros {
  std::span<const double> at, integral;

  [[nodiscard]] std::size_t half_cycles() const { return at.size() - 1; }
  [[nodiscard]] Zeros first(std::size_t half_cycles) const {
    return {at.first(half_cycles + 1), integral.first(half_cycles + 1)};
  }
  [[nodiscard]] Zeros last(std::size_t half_cycles) const {
    return {at.last(half_cycles + 1), integral.last(half_cycles + 1)};
  }
  /// r, by which areas of half-cycles fall.
  [[nodiscard]] double ratio() const {
    constexpr double least = 1e-3;
    double product = 0.0, square = 0.0;
    for (std::size_t k = 0; k + 1 < half_cycles(); ++k) {
      const double area = integral[k + 1] - integral[k];
      product -= area * (integral[k + 2] - integral[k + 1]);
      square += area * area;
    }
    return square > 0.0 ? std::clamp(product / square, least, 1.0) : 1.0;
  }
};

/// Mean of a signal from the first zeros to the last ones, by binomial means of the order p at each end.
class MeanBetween {
 public:
  MeanBetween(const Zeros& zeros, std::size_t p, double ratio_first, double ratio_last)
      : zeros_(zeros), front_(binomial_weights(p, ratio_first)), back_(binomial_weights(p, ratio_last)) {}

  [[nodiscard]] double value() const { return rise(zeros_.integral) / rise(zeros_.at); }

  /// Standard deviation for white noise of deviation 1: weights W of half-cycles are sums of those of their ends.
  [[nodiscard]] double deviation() const {
    double square = 0.0, front = 0.0, back = 0.0;
    const std::size_t begin_back = zeros_.at.size() - back_.size();
    for (std::size_t k = 0; k < zeros_.half_cycles(); ++k) {
      if (k < front_.size()) front += front_[k];
      if (k >= begin_back) back += back_[k - begin_back];
      square += (front - back) * (front - back) * (zeros_.at[k + 1] - zeros_.at[k]);
    }
    return std::sqrt(square) / rise(zeros_.at);
  }

 private:
  [[nodiscard]] double rise(std::span<const double> values) const {
    return weighted_mean(values, values.size() - back_.size(), back_) - weighted_mean(values, 0, front_);
  }
  Zeros zeros_;
  std::vector<double> front_, back_;
};

/// The error holds what an order less changes, and one r for both ends: more than areas leave that fall otherwise.
SensorOffset mean_between(const Zeros& zeros, double noise) {
  const std::size_t n = zeros.half_cycles(), p = std::min(most_order, 2 * n / 3), beside = p + 1;
  const double all = zeros.ratio(), first = zeros.first(beside).ratio(), last = zeros.last(beside).ratio();
  const MeanBetween mean(zeros, p, first, last);
  const double value = mean.value();
  const double order = value - MeanBetween(zeros, p - 1, first, last).value();
  const double ratio = value - MeanBetween(zeros, p, all, all).value();
  return {value, std::hypot(noise * mean.deviation(), order, ratio)};
}

/// Whether the means over the two halves differ, by more than their errors and by more than a quarter of the offset.
bool changes(const Zeros& zeros, double noise, double offset) {
  const std::size_t half = zeros.half_cycles() / 2;
  if (half < fewest) return false;
  const SensorOffset before = mean_between(zeros.first(half), noise), after = mean_between(zeros.last(half), noise);
  const double apart = std::abs(after.value - before.value);
  return apart > 4.0 * std::hypot(before.error, after.error) && 4.0 * apart > std::abs(offset);
}

}  // namespace

SensorOffset sensor_offset(std::span<const double> signal, double noise, double floor, bool late) {
  double offset = rough_offset(signal), error_before = 0.0;
  std::vector<double> rest(signal.size()), integrals;
  for (int round = 1;; ++round) {
    std::transform(signal.begin(), signal.end(), rest.begin(), [&](double y) { return y - offset; });
    const std::vector<double> all = zero_crossings(rest, noise, floor);
    if (all.size() < fewest + 1) return {0.0, round > 1 ? std::hypot(error_before, offset) : 0.0};
    const std::size_t half_cycles =
        late ? std::min(all.size() - 1, std::max(all.size() / 2, enough_late)) : all.size() - 1;
    const SampleIntegral integral(rest);
    integrals.clear();
    for (const double x : all) integrals.push_back(integral.to(x));
    const Zeros zeros = Zeros{all, integrals}.last(half_cycles);
    const SensorOffset more = mean_between(zeros, noise);
    offset += more.value;
    error_before = more.error;
    const bool settled = std::abs(more.value) <= 0.1 * more.error;
    if (!settled && round < most_rounds) continue;
    const bool unsure = half_cycles < enough || changes(zeros, noise, offset);
    const double error = std::hypot(more.error, settled ? 0.0 : more.value, unsure ? offset : 0.0);
    if (std::abs(offset) > beyond * error) return {offset, error};
    return {0.0, std::hypot(error, offset)};
  }
}

}  // namespace microslip
