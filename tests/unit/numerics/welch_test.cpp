#include "microslip/numerics/welch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace microslip {
namespace welch_test {

using std::numbers::pi;

// Parseval, segment by segment: sum of S times the bin is the mean over segments of sum (w x)^2/sum w^2.
TEST(WelchPsd, SumsToTheMeanSquareUnderItsWindow) {
  constexpr std::size_t n = 90;
  WelchPsd welch(n, 0.02);
  std::mt19937 random(3);
  std::vector<double> x(400);
  for (double& value : x) {
    value = std::generate_canonical<double, 53>(random) - 0.3;
    welch.add(value);
  }
  double expected = 0.0;
  int segments = 0;
  for (std::size_t from = 0; from + n <= x.size(); from += n / 2, ++segments) {
    double power = 0.0, window = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double w = std::pow(std::sin(pi * static_cast<double>(j) / n), 2);
      power += std::pow(w * x[from + j], 2);
      window += w * w;
    }
    expected += power / window;
  }
  expected /= segments;
  EXPECT_EQ(welch.segments(), segments);
  double sum = 0.0;
  for (const double value : welch.psd()) sum += value * welch.bin();
  EXPECT_NEAR(sum, expected, 1e-13);
}

// A sine on a bin: Hann spreads A^2/2 over three bins as 1/6, 2/3, 1/6 (Harris 1978), whatever the segment's phase.
TEST(WelchPsd, ASineOnABin) {
  constexpr std::size_t n = 200;
  const double step = 1e-3, amplitude = 3.0;
  WelchPsd welch(n, step);
  for (int i = 0; i < 1000; ++i) welch.add(amplitude * std::sin(2.0 * pi * 100.0 * i * step + 0.3));
  EXPECT_EQ(welch.segments(), 9);
  const auto psd = welch.psd();
  EXPECT_NEAR(welch.bin(), 5.0, 1e-12);
  const double power = 0.5 * amplitude * amplitude / welch.bin();
  EXPECT_NEAR(psd[20], power * 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(psd[19], power / 6.0, 1e-12);
  EXPECT_NEAR(psd[21], power / 6.0, 1e-12);
  EXPECT_NEAR(psd[30], 0.0, 1e-15);
  EXPECT_EQ(psd.size(), n / 2 + 1);
}

TEST(WelchPsd, NothingWithoutAWholeSegment) {
  WelchPsd welch(100, 1.0);
  for (int i = 0; i < 99; ++i) welch.add(1.0);
  EXPECT_EQ(welch.segments(), 0);
  EXPECT_EQ(welch.psd()[3], 0.0);
}

}  // namespace welch_test
}  // namespace microslip
