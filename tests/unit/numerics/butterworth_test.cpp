#include "microslip/numerics/butterworth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

namespace microslip {
namespace butterworth_test {

constexpr double pi = std::numbers::pi;

double gain(std::span<const Biquad> sections, double frequency) {
  const std::complex<double> z = std::polar(1.0, -2.0 * pi * frequency);
  std::complex<double> product = 1.0;
  for (const Biquad& s : sections) product *= (s.b0 + s.b1 * z + s.b2 * z * z) / (1.0 + s.a1 * z + s.a2 * z * z);
  return std::abs(product);
}

// Butterworth: |H|^2 = 1/(1 + W^2n), W = (w^2 - w1 w2)/(w (w2 - w1)) with prewarped w = tan(pi f); 1/2 at both edges.
TEST(Butterworth, BandPassHasButterworthsGain) {
  for (const int order : {1, 2, 3, 4, 5, 6}) {
    for (const auto& [low, high] : {std::pair{0.01, 0.03}, std::pair{0.1, 0.3}, std::pair{0.05, 0.45}}) {
      const auto sections = band_pass(low, high, order);
      const double w1 = std::tan(pi * low), w2 = std::tan(pi * high);
      EXPECT_NEAR(gain(sections, low), std::sqrt(0.5), 1e-9);
      EXPECT_NEAR(gain(sections, high), std::sqrt(0.5), 1e-9);
      for (const double f : {0.002, 0.02, 0.1, 0.2, 0.4}) {
        const double w = std::tan(pi * f), normal = (w * w - w1 * w2) / (w * (w2 - w1));
        const double expected = 1.0 / std::sqrt(1.0 + std::pow(normal * normal, order));
        EXPECT_NEAR(gain(sections, f), expected, 1e-8 * expected + 1e-13) << order << " " << low << " " << f;
      }
    }
  }
}

TEST(Butterworth, LowPassOfFourthOrder) {
  const Biquad sections[] = {low_pass_section(0.05, 0.5 / std::cos(pi / 8.0)),
                             low_pass_section(0.05, 0.5 / std::cos(3.0 * pi / 8.0))};
  for (const double f : {0.001, 0.05, 0.1, 0.3}) {
    const double w = std::tan(pi * f) / std::tan(pi * 0.05);
    EXPECT_NEAR(gain(sections, f), 1.0 / std::sqrt(1.0 + std::pow(w, 8)), 1e-12);
  }
}

// A decaying sine e^{st} is an eigenfunction of the two passes: it keeps its phase and decay, away from the ends.
TEST(Butterworth, FilteringBothWaysKeepsPhaseAndDecay) {
  const double frequency = 0.02, decay = 0.002 * 2.0 * pi * frequency;
  std::vector<double> x(20000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto t = static_cast<double>(i);
    x[i] = std::exp(-decay * t) * std::sin(2.0 * pi * frequency * t + 0.3);
  }
  auto y = x;
  filter_without_phase(y, band_pass(0.012, 0.035));
  // The gain: H(s) H(-s) of the sections at e^s.
  const std::complex<double> s(-decay, 2.0 * pi * frequency);
  std::complex<double> factor = 1.0;
  for (const Biquad& b : band_pass(0.012, 0.035)) {
    for (const std::complex<double>& z : {std::exp(-s), std::exp(s)}) {
      factor *= (b.b0 + b.b1 * z + b.b2 * z * z) / (1.0 + b.a1 * z + b.a2 * z * z);
    }
  }
  for (std::size_t i = 1000; i < x.size() - 2000; ++i) {
    const auto t = static_cast<double>(i);
    const double expected = (factor * std::exp(s * t + std::complex<double>(0.0, 0.3))).imag();
    EXPECT_NEAR(y[i] * std::exp(decay * t), expected * std::exp(decay * t), 1e-6) << i;
  }
}

TEST(Butterworth, TakesOutWhatIsOutsideTheBand) {
  std::vector<double> x(5000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto t = static_cast<double>(i);
    x[i] = std::sin(2.0 * pi * 0.02 * t) + std::sin(2.0 * pi * 0.1 * t) + 0.7;
  }
  filter_without_phase(x, band_pass(0.01, 0.04));
  for (std::size_t i = 500; i < x.size() - 500; ++i) {
    EXPECT_NEAR(x[i], std::sin(2.0 * pi * 0.02 * static_cast<double>(i)), 1e-3);
  }
}

TEST(Butterworth, RefusesABandThatIsNone) {
  EXPECT_THROW(static_cast<void>(band_pass(0.0, 0.1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(band_pass(0.2, 0.1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(band_pass(0.2, 0.5)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(band_pass(0.1, 0.2, 0)), std::invalid_argument);
}

TEST(Butterworth, ShortSignalsStayFinite) {
  for (const std::size_t n : {0, 1, 2, 3, 10}) {
    std::vector<double> x(n, 1.0);
    filter_without_phase(x, band_pass(0.01, 0.02));
    for (const double value : x) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace butterworth_test
}  // namespace microslip
