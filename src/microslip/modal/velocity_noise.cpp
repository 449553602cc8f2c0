#include "microslip/modal/velocity_noise.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/uniform_samples.hpp"

namespace microslip {
namespace {

double squared(double x) {
  return x * x;
}

}  // namespace

VelocityNoise::VelocityNoise(Quantity quantity, double white, std::span<const Biquad> filter, double step,
                             double half_period)
    : quantity_(quantity),
      variance_(white * white),
      step_(step),
      half_period_(half_period),
      settling_(filter.empty() ? 0.0 : settling_samples(filter)),
      filter_(filter.begin(), filter.end()) {}

double VelocityNoise::filtered(double angle) const {
  return filter_.empty() ? 1.0 : squared(power_gain(filter_, angle));
}

VelocityNoise::Gains VelocityNoise::gains(double angle) const {
  const double primitive = step_ * integration_gain(angle);  // h J
  const double phi = 0.5 * angle * half_period_ / step_, area = 2.0 * primitive * std::sin(phi);
  if (quantity_ == Quantity::velocity) return {1.0, squared(area)};
  if (quantity_ == Quantity::displacement) {
    const double slope = differentiation_gain(angle) / step_;
    return {squared(slope), squared(slope * area)};
  }
  const double c = std::cos(phi), drift = c * c * c * c * c * c;
  return {squared(primitive * (1.0 - drift * c)),
          squared(primitive * (area - half_period_ * drift * (0.5 + 0.5 * c * c)))};  // 3 + cos 2 phi = 2 + 2 cos^2 phi
}

std::size_t VelocityNoise::angles(double longest_lag) const {
  return static_cast<std::size_t>(std::clamp(4.0 * std::max(settling_, longest_lag), 512.0, 200'000.0));
}

double VelocityNoise::deviation() const {
  const std::size_t count = angles(8.0 * half_period_ / step_);
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = pi * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    sum += filtered(angle) * gains(angle).velocity;
  }
  return std::sqrt(variance_ * sum / static_cast<double>(count));
}

double VelocityNoise::density(double omega) const {
  const double angle = std::abs(omega) * step_;
  return angle < pi ? variance_ * step_ * filtered(angle) * gains(angle).velocity : 0.0;
}

VelocityNoise::Covariances VelocityNoise::half_cycles(std::size_t most) const {
  const double samples = half_period_ / step_;
  const double reach = 16.0 + settling_ / samples;  // what takes out the drift reaches over 8 half-cycles
  const std::size_t lags = std::min(most, static_cast<std::size_t>(reach));
  const std::size_t count = angles(static_cast<double>(lags + 1) * samples);
  Covariances result{std::vector<double>(lags + 1, 0.0), std::vector<double>(lags + 1, 0.0)};
  const double weight = variance_ / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = pi * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const double passed = filtered(angle);
    if (passed < 1e-9) continue;
    const Gains gain = gains(angle);
    const double turn = angle * samples + pi, twice = 2.0 * std::cos(turn);  // pi: the signs of half-cycles alternate
    double here = 1.0, before = std::cos(turn);
    for (std::size_t d = 0; d <= lags; ++d) {
      result.area[d] += weight * passed * gain.area * here;
      result.zero[d] += weight * passed * gain.velocity * here;
      const double next = twice * here - before;
      before = here;
      here = next;
    }
  }
  return result;
}

double slope_variance_factor(std::span<const double> covariances, std::size_t count) {
  // Weights u of a slope, -(n-1)/2 .. (n-1)/2, against themselves d further: N (N^2 - 1)/12 - N d^2/4, N = n - d.
  const auto overlap = [&](std::size_t d) {
    const auto n = static_cast<double>(count - d), shift = static_cast<double>(d);
    return n * (n * n - 1.0) / 12.0 - 0.25 * n * shift * shift;
  };
  if (!(covariances[0] > 0.0) || count < 2) return 1.0;
  double sum = covariances[0] * overlap(0);
  for (std::size_t d = 1; d < std::min(covariances.size(), count); ++d) sum += 2.0 * covariances[d] * overlap(d);
  return std::max(sum, 0.0) / (covariances[0] * overlap(0));
}

}  // namespace microslip
