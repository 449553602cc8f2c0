#include "microslip/numerics/uniform_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace microslip {
namespace uniform_samples_test {

std::vector<double> sine(std::size_t n, double w, double phase) {
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = std::sin(w * static_cast<double>(i) + phase);
  return y;
}

// Polynomials of degree 7 are reproduced, also beside the ends.
TEST(UniformSamples, ExactForDegreeSeven) {
  const auto p = [](double x) { return 1.0 + x * (2.0 - x * (0.3 + x * (0.1 - 0.02 * x * x * x * (0.5 - 0.1 * x)))); };
  std::vector<double> y(12);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = p(0.1 * static_cast<double>(i));
  for (const double x : {0.0, 0.3, 2.5, 5.5, 8.9, 10.7, 11.0}) {
    EXPECT_NEAR(interpolate_samples(y, x), p(0.1 * x), 1e-13) << x;
  }
}

// Away from the ends a sine of any frequency stays one: also where the formulas no longer differentiate or integrate.
TEST(UniformSamples, GainsOfDifferentiationAndIntegration) {
  for (const double w : {0.1, 1.0, 2.0, 3.0}) {
    const auto y = sine(60, w, 0.3);
    const auto slope = differentiate_samples(y);
    for (std::size_t i = 0; i < slope.size(); ++i) {
      const double x = static_cast<double>(i + samples_lost_by_differentiation);
      EXPECT_NEAR(slope[i], differentiation_gain(w) * std::cos(w * x + 0.3), 1e-13) << w;
    }
    const SampleIntegral integral(y);
    for (std::size_t i = 20; i < 40; ++i) {
      const double expected =
          integration_gain(w) * (std::cos(w * 20.0 + 0.3) - std::cos(w * static_cast<double>(i) + 0.3));
      EXPECT_NEAR(integral.at_sample(i) - integral.at_sample(20), expected, 1e-12) << w;
    }
  }
  EXPECT_NEAR(differentiation_gain(0.1), 0.1, 1e-10);
  EXPECT_NEAR(integration_gain(0.1), 10.0, 1e-8);
}

// sin at 50 samples a period: the error that the header states.
TEST(UniformSamples, ZerosAndIntegralsOfASine) {
  const double w = 2.0 * std::numbers::pi / 50.0;
  const auto y = sine(200, w, 0.3);
  EXPECT_NEAR(zero_between_samples(y, 72), (3.0 * std::numbers::pi - 0.3) / w, 1e-9);
  const SampleIntegral integral(y);
  for (const double x : {0.4, 3.7, 50.2, 198.6}) {
    EXPECT_NEAR(integral.to(x), (std::cos(0.3) - std::cos(w * x + 0.3)) / w, 2e-8) << x;  // one-sided at the ends
  }
  const auto slope = differentiate_samples(y);
  ASSERT_EQ(slope.size(), y.size() - 8);
  for (std::size_t i = 0; i < slope.size(); ++i) {
    EXPECT_NEAR(slope[i], w * std::cos(w * static_cast<double>(i + 4) + 0.3), 1e-10 * w);
  }
}

// Normal noise of known size on a sine; the median of 20 000 differences (of which every ninth is independent) is good
// to a few per cent. Clean: (2 sin(pi/p))^8/113 as stated, within the factor of a median.
TEST(UniformSamples, EstimatesWhiteNoise) {
  auto y = sine(20000, 2.0 * std::numbers::pi / 50.0, 0.0);
  EXPECT_LT(white_noise(y), 1e-9);
  EXPECT_LT(white_noise(sine(20000, 2.0 * std::numbers::pi / 10.0, 0.1)), 3e-4);
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(0.0, 0.01);
  for (double& value : y) value += normal(generator);
  EXPECT_NEAR(white_noise(y), 0.01, 0.0005);
}

}  // namespace uniform_samples_test
}  // namespace microslip
