#include "microslip/measurement/spectrogram.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "microslip/numerics/fft.hpp"

namespace microslip {

Spectrogram spectrogram(std::span<const double> signal, double step, double highest, std::size_t times,
                        std::size_t lines) {
  Spectrogram result;
  const std::size_t n = signal.size();
  const double top = std::min(highest, 0.5 / step), spacing = top / static_cast<double>(lines);
  const auto wanted = static_cast<std::size_t>(std::ceil(2.0 / (spacing * step)));  // a Hann window resolves two bins
  const std::size_t segment = fast_length_above(std::clamp<std::size_t>(wanted, 16, std::max<std::size_t>(16, n / 8)));
  if (n < segment + 1 || times < 2) return result;
  Fft fft(segment);
  std::vector<std::complex<double>> work(segment);
  std::vector<double> window(segment);
  double sum = 0.0;
  for (std::size_t j = 0; j < segment; ++j) {
    window[j] = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(segment));
    sum += window[j];
  }
  for (std::size_t l = 0; l < lines; ++l) result.frequency.push_back(spacing * (static_cast<double>(l) + 0.5));
  const double bin = 1.0 / (static_cast<double>(segment) * step);
  for (std::size_t t = 0; t < times; ++t) {
    const std::size_t from = t * (n - segment) / (times - 1);
    result.time.push_back(step * (static_cast<double>(from) + 0.5 * static_cast<double>(segment)));
    for (std::size_t j = 0; j < segment; ++j) work[j] = window[j] * signal[from + j];
    fft.forward(work);
    for (const double frequency : result.frequency) {
      // The largest bin of the cell: a sine keeps its amplitude.
      const auto low = static_cast<std::size_t>(std::max(1.0, std::floor((frequency - 0.5 * spacing) / bin + 0.5)));
      const auto high = std::max(low, static_cast<std::size_t>((frequency + 0.5 * spacing) / bin + 0.5));
      double largest = 0.0;
      for (std::size_t k = low; k <= std::min(high, segment / 2); ++k) largest = std::max(largest, std::abs(work[k]));
      result.amplitude.push_back(2.0 * largest / sum);
    }
  }
  return result;
}

}  // namespace microslip
