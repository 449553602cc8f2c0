#include "microslip/numerics/resample.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

constexpr double attenuation = 100.0;                         // dB
constexpr double kaiser_beta = 0.1102 * (attenuation - 8.7);  // Kaiser's formula
constexpr int points_a_lobe = 2048;                           // straight lines between: (pi/2048)^2/8 = 3e-7

/// Modified Bessel function of the first kind: sum of (x/2)^2k/k!^2.
double bessel_i0(double x) {
  double sum = 1.0, term = 1.0;
  for (int k = 1; term > 1e-17 * sum; ++k) {
    term *= 0.25 * x * x / (static_cast<double>(k) * k);
    sum += term;
  }
  return sum;
}

}  // namespace

Resampler::Resampler(double cutoff, int lobes) : cutoff_(cutoff), lobes_(lobes) {
  const auto points = static_cast<std::size_t>(lobes) * points_a_lobe;
  kernel_.resize(points + 2, 0.0);
  kernel_[0] = cutoff;
  for (std::size_t i = 1; i < points; ++i) {
    const double d = static_cast<double>(i) / points_a_lobe, place = d / lobes;
    // At whole numbers the sinc is zero, not what is left of sin(pi d).
    const double sinc = i % points_a_lobe == 0 ? 0.0 : std::sin(pi * d) / (pi * d);
    kernel_[i] = cutoff * sinc * bessel_i0(kaiser_beta * std::sqrt(1.0 - place * place)) / bessel_i0(kaiser_beta);
  }
}

double Resampler::at(std::span<const double> y, double x) const {
  const double last = static_cast<double>(y.size()) - 1.0;
  const double from = std::max(0.0, std::ceil(x - reach())), to = std::min(last, std::floor(x + reach()));
  double sum = 0.0;
  for (double k = from; k <= to; k += 1.0) {
    const double place = std::abs(x - k) * cutoff_ * points_a_lobe;
    const auto i = static_cast<std::size_t>(place);
    if (i + 1 >= kernel_.size()) continue;
    const double share = place - static_cast<double>(i);
    sum += y[static_cast<std::size_t>(k)] * (kernel_[i] + share * (kernel_[i + 1] - kernel_[i]));
  }
  return sum;
}

std::vector<double> Resampler::at(std::span<const double> y, double first, double step, std::size_t count) const {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = at(y, first + step * static_cast<double>(i));
  return values;
}

}  // namespace microslip
