#include "microslip/measurement/channel_noise.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "microslip/numerics/fft.hpp"

namespace microslip {
namespace {

constexpr std::size_t fewest_quiet = 16, samples_a_band = 128, most_bands = 16;

}  // namespace

double ChannelNoise::at(double frequency) const {
  const auto band = static_cast<std::size_t>(2.0 * frequency * static_cast<double>(variance.size()));
  return variance[std::min(band, variance.size() - 1)];
}

double ChannelNoise::mean() const {
  return variance.empty()
             ? 0.0
             : std::accumulate(variance.begin(), variance.end(), 0.0) / static_cast<double>(variance.size());
}

double ChannelNoise::fresh_deviation() const {
  if (!known()) return 0.0;
  double logarithms = 0.0;
  for (const double s2 : variance) logarithms += std::log(s2);
  return std::exp(0.5 * logarithms / static_cast<double>(variance.size()));
}

double ChannelNoise::freedom() const {
  return variance.empty() ? 0.0 : 0.5 * static_cast<double>(samples) / static_cast<double>(variance.size());
}

double ChannelNoise::freedom_of_mean() const {
  double sum = 0.0, squares = 0.0;
  for (const double s2 : variance) {
    sum += s2;
    squares += s2 * s2;
  }
  return squares > 0.0 ? freedom() * sum * sum / squares : 0.0;
}

ChannelNoise channel_noise(std::span<const std::span<const double>> quiet) {
  ChannelNoise noise;
  for (const auto& part : quiet) {
    if (part.size() >= fewest_quiet) noise.samples += part.size();
  }
  if (noise.samples == 0) return noise;
  const std::size_t bands = std::clamp(noise.samples / samples_a_band, std::size_t{1}, most_bands);
  std::vector<double> sum(bands, 0.0), bins(bands, 0.0);
  for (const auto& part : quiet) {
    const std::size_t n = part.size();
    if (n < fewest_quiet) continue;
    const double mean = std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(n);
    std::vector<std::complex<double>> spectrum(n);
    double power = 0.0;
    for (std::size_t j = 0; j < n; ++j) {  // Hann, which does not begin with a zero
      const double turn = 2.0 * std::numbers::pi * (static_cast<double>(j) + 0.5) / static_cast<double>(n);
      const double window = 0.5 - 0.5 * std::cos(turn);
      spectrum[j] = window * (part[j] - mean);
      power += window * window;
    }
    Fft(n).forward(spectrum);
    for (std::size_t k = 2; 2 * k < n; ++k) {  // the mean that was taken off reaches up to the second
      const std::size_t band = std::min(2 * k * bands / n, bands - 1);
      sum[band] += std::norm(spectrum[k]) / power;
      bins[band] += 1.0;
    }
  }
  for (std::size_t band = 0; band < bands; ++band) {
    if (bins[band] == 0.0) {  // short stretches have gaps: as all of them
      const double all = std::accumulate(sum.begin(), sum.end(), 0.0);
      noise.variance.assign(1, all / std::accumulate(bins.begin(), bins.end(), 0.0));
      return noise;
    }
    noise.variance.push_back(sum[band] / bins[band]);
  }
  return noise;
}

}  // namespace microslip
