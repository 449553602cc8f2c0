#include "microslip/analyses/ringdown/modal_signals.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "microslip/numerics/butterworth.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fft.hpp"

namespace microslip {
namespace {

constexpr double stretches = 200.0;
constexpr double least_cycles = 3.0;

/// Of differentiation by time.
int derivative(Quantity quantity) {
  return quantity == Quantity::displacement ? 0 : quantity == Quantity::velocity ? 1 : 2;
}

std::complex<double> power(std::complex<double> base, int exponent) {
  std::complex<double> result = 1.0;
  for (int i = 0; i < std::abs(exponent); ++i) result = exponent > 0 ? result * base : result / base;
  return result;
}

}  // namespace

std::vector<SampledMotion> in_bands(const MeasuredMotion& motion, int order) {
  std::vector<SampledMotion> signals = motion.signals;
  for (std::size_t s = 0; s < motion.bands.size(); ++s) {
    const Band& band = motion.bands[s];
    filter_without_phase(signals[s].values, band_pass(band.low * signals[s].step, band.high * signals[s].step, order));
  }
  return signals;
}

std::vector<double> as_quantity(const SampledMotion& signal, Quantity wanted, double lowest) {
  const int times = derivative(wanted) - derivative(signal.quantity);
  const std::size_t n = signal.values.size();
  if (times == 0 || n < 2) return signal.values;
  const std::size_t length = 2 * n - 2;
  std::vector<std::complex<double>> x(length);
  for (std::size_t i = 0; i < length; ++i) x[i] = signal.values[i < n ? i : length - i];
  Fft fft(length);
  fft.forward(x);
  for (std::size_t k = 0; k < length; ++k) {
    const auto line = static_cast<double>(std::min(k, length - k));
    const double frequency = line / (static_cast<double>(length) * signal.step);
    const bool highest = 2 * k == length && times % 2 != 0;  // has no odd derivative
    const double omega = two_pi * (2 * k <= length ? frequency : -frequency);
    x[k] = frequency < lowest || highest ? 0.0 : x[k] * power({0.0, omega}, times);
  }
  fft.inverse(x);
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = x[i].real();
  return result;
}

std::vector<Dominance> dominance_of(const MeasuredMotion& motion, const std::vector<SampledMotion>& signals) {
  std::vector<Dominance> rows;
  const SampledMotion& grid = signals.front();
  const auto samples = static_cast<double>(grid.values.size());
  double least = samples / stretches;
  for (const Band& band : motion.bands)
    least = std::max(least, least_cycles * 2.0 / (band.low + band.high) / grid.step);
  const auto length = static_cast<std::size_t>(std::max(1.0, std::ceil(least)));
  for (std::size_t begin = 0; begin + length <= grid.values.size(); begin += length) {
    const std::size_t first = rows.size();
    for (std::size_t s = 0; s < signals.size(); ++s) {
      double sum = 0.0;
      for (std::size_t i = begin; i < begin + length; ++i) sum += signals[s].values[i] * signals[s].values[i];
      const double time = grid.time(static_cast<double>(begin) + 0.5 * static_cast<double>(length - 1));
      rows.push_back({motion.modes[s], time, std::sqrt(2.0 * sum / static_cast<double>(length)), 0});
    }
    const auto here = rows.begin() + static_cast<std::ptrdiff_t>(first);
    const auto largest = std::max_element(
        here, rows.end(), [](const Dominance& a, const Dominance& b) { return a.amplitude < b.amplitude; });
    const int strongest = largest->mode;
    std::for_each(here, rows.end(), [strongest](Dominance& row) { row.strongest = strongest; });
  }
  return rows;
}

}  // namespace microslip
