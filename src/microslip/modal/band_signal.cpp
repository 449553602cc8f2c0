#include "microslip/modal/band_signal.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "microslip/modal/velocity_noise.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

/// First and last maximum of |y|.
std::pair<std::size_t, std::size_t> outermost_extremes(std::span<const double> y) {
  std::size_t first = 0, last = y.size() - 1;
  const auto extreme = [&](std::size_t i) {
    return std::abs(y[i]) > std::abs(y[i - 1]) && std::abs(y[i]) >= std::abs(y[i + 1]);
  };
  for (std::size_t i = 1; i + 1 < y.size() && first == 0; ++i) first = extreme(i) ? i : 0;
  for (std::size_t i = y.size() - 2; i > first + 16 && last == y.size() - 1; --i) last = extreme(i) ? i : last;
  return {first, last};
}

double largest(std::span<const double> y) {
  double size = 0.0;
  for (const double value : y) size = std::max(size, std::abs(value));
  return size;
}

void keep_samples(std::vector<SampledMotion>& signals, std::size_t first, std::size_t end) {
  for (SampledMotion& signal : signals) {
    signal.start = signal.time(static_cast<double>(first));
    signal.values.resize(end);
    signal.values.erase(signal.values.begin(), signal.values.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

}  // namespace

BandNoise keep_band(std::vector<SampledMotion>& signals, std::size_t index, double low, double high, int order) {
  const double step = signals[index].step;
  BandNoise noise{white_noise(signals[index].values), band_pass(low * step, high * step, order)};
  std::vector<double> trial = signals[index].values;
  filter_without_phase(trial, noise.filter);
  const auto [first, last] = outermost_extremes(trial);
  keep_samples(signals, first, last + 1);
  const std::vector<double>& y = signals[index].values;
  filter_without_phase(signals[index].values, noise.filter);

  const double deviation = VelocityNoise(Quantity::velocity, noise.white, noise.filter, step, 0.0).deviation();
  const double least = std::min(3.0 / ((high - low) * step), 0.5 * static_cast<double>(y.size()));
  const auto end = static_cast<std::size_t>(least);
  const auto margin = [&](std::span<const double> outermost) {
    const double left = std::clamp(deviation / std::max(largest(outermost), 1e-300), 1e-4, 0.5);
    const double wanted = settling_samples(noise.filter, left);
    const double taken = std::max(least, std::min(wanted, 0.25 * static_cast<double>(y.size())));
    constexpr double seen = 3.0;  // times the noise, or 1e-4
    noise.ends_show = noise.ends_show || std::pow(left, taken / wanted - 1.0) > seen;
    return static_cast<std::size_t>(taken);
  };
  const std::span<const double> all(y);
  const std::size_t before = margin(all.first(end)), after = margin(all.last(end));
  keep_samples(signals, std::min(before, y.size()), std::max(y.size() - std::min(after, y.size()), before));
  return noise;
}

}  // namespace microslip
