#include "microslip/numerics/butterworth.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>
#include <string>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// (1 - z^-2)/((1 - p z^-1)(1 - p' z^-1)), p = (1 + s)/(1 - s), scaled to gain 1 at the angle given. Both poles are
/// real or conjugate.
Biquad band_section(Complex s, Complex other, double angle) {
  const auto bilinear = [](Complex pole) { return (1.0 + pole) / (1.0 - pole); };
  const Complex p = bilinear(s), q = bilinear(other);
  Biquad section{1.0, 0.0, -1.0, -(p + q).real(), (p * q).real()};
  const Complex z = std::polar(1.0, -angle);
  const double gain = std::abs((1.0 - z * z) / (1.0 + section.a1 * z + section.a2 * z * z));
  section.b0 /= gain;
  section.b2 /= gain;
  return section;
}

void run(std::vector<double>& x, std::span<const Biquad> sections) {
  std::vector<Biquad> filter(sections.begin(), sections.end());
  double level = x.front();
  for (Biquad& section : filter) level = section.settle(level);
  for (double& value : x) {
    for (Biquad& section : filter) value = section(value);
  }
}

}  // namespace

double Biquad::settle(double x) {
  const double y = x * (b0 + b1 + b2) / (1.0 + a1 + a2);
  s2 = b2 * x - a2 * y;
  s1 = b1 * x - a1 * y + s2;
  return y;
}

Biquad low_pass_section(double cutoff, double quality) {
  const double w = std::tan(pi * cutoff);
  const double norm = 1.0 / (1.0 + w / quality + w * w);
  const double b = w * w * norm;
  return {b, 2.0 * b, b, 2.0 * (w * w - 1.0) * norm, (1.0 - w / quality + w * w) * norm};
}

std::vector<Biquad> band_pass(double low, double high, int order) {
  if (!(low > 0.0 && low < high && high < 0.5)) {
    throw std::invalid_argument("a band must have 0 < low < high < half the sampling rate, got [" +
                                std::to_string(low) + ", " + std::to_string(high) + "] of the rate");
  }
  if (order < 1) throw std::invalid_argument("the order must be >= 1, got " + std::to_string(order));
  const double from = std::tan(pi * low), to = std::tan(pi * high);
  const double width = to - from, centre = from * to;  // s^2 - p width s + centre = 0
  const double angle = 2.0 * std::atan(std::sqrt(centre));
  std::vector<Biquad> sections;
  for (int k = 0; k < order / 2; ++k) {
    const Complex half = 0.5 * width * std::polar(1.0, pi * (2 * k + order + 1) / (2.0 * order));
    const Complex root = std::sqrt(half * half - centre);
    sections.push_back(band_section(half + root, std::conj(half + root), angle));
    sections.push_back(band_section(half - root, std::conj(half - root), angle));
  }
  if (order % 2 != 0) {  // the real pole of the low-pass
    const Complex half = -0.5 * width, root = std::sqrt(half * half - centre);
    sections.push_back(band_section(half + root, half - root, angle));
  }
  return sections;
}

void filter_without_phase(std::span<double> x, std::span<const Biquad> sections) {
  const std::size_t n = x.size();
  if (n < 2 || sections.empty()) return;
  const auto pad = static_cast<std::size_t>(std::min(settling_samples(sections), static_cast<double>(n - 1)));
  std::vector<double> padded(n + 2 * pad);
  std::copy(x.begin(), x.end(), padded.begin() + static_cast<std::ptrdiff_t>(pad));
  for (std::size_t i = 1; i <= pad; ++i) {
    padded[pad - i] = x[i];
    padded[pad + n - 1 + i] = x[n - 1 - i];
  }
  run(padded, sections);
  std::reverse(padded.begin(), padded.end());
  run(padded, sections);
  std::reverse(padded.begin(), padded.end());
  std::copy_n(padded.begin() + static_cast<std::ptrdiff_t>(pad), n, x.begin());
}

double power_gain(std::span<const Biquad> sections, double angle) {
  const Complex z = std::polar(1.0, -angle);
  double gain = 1.0;
  for (const Biquad& s : sections) {
    gain *= std::norm(s.b0 + z * (s.b1 + z * s.b2)) / std::norm(1.0 + z * (s.a1 + z * s.a2));
  }
  return gain;
}

double settling_samples(std::span<const Biquad> sections, double left) {
  double radius = 0.0;
  for (const Biquad& s : sections) {
    const double discriminant = 0.25 * s.a1 * s.a1 - s.a2;
    radius = std::max(radius, discriminant < 0.0 ? std::sqrt(s.a2) : 0.5 * std::abs(s.a1) + std::sqrt(discriminant));
  }
  return std::log(left) / std::log(std::clamp(radius, 1e-3, 1.0 - 1e-12));
}

}  // namespace microslip
