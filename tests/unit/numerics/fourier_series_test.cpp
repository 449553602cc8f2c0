#include "microslip/numerics/fourier_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "microslip/numerics/gauss_legendre.hpp"

namespace microslip {
namespace fourier_series_test {

constexpr double pi = std::numbers::pi;

// u' = (cos x - cos d)(cos x + 1/(2 cos d)), x = tau - t0: zeros at x = +-d, much closer than two samples, and at
// cos x = -1/(2 cos d).
//   u = x-free part: sin(2x)/4 + (1/(2 cos d) - cos d) sin x
TEST(SeriesScanner, FindsAPairOfExtremaBetweenTwoSamples) {
  for (const double d : {1e-2, 1e-4, 1e-6}) {
    const double t0 = 1.2345;
    const double c = 1.0 / (2.0 * std::cos(d)) - std::cos(d);
    // sin(x) = sin tau cos t0 - cos tau sin t0
    const double u[5] = {0.3, -c * std::sin(t0), c * std::cos(t0), -0.25 * std::sin(2.0 * t0),
                         0.25 * std::cos(2.0 * t0)};
    SeriesScanner scanner(2);
    const auto extrema = scanner.extrema(u);
    ASSERT_EQ(extrema.size(), 4U) << d;
    // u' is quadratic in x there, so that rounding of u' of 1e-16 moves a zero by 1e-16/d.
    EXPECT_NEAR(extrema[0].tau, t0 - d, 4e-16 / d + 1e-15);
    EXPECT_NEAR(extrema[1].tau, t0 + d, 4e-16 / d + 1e-15);
    const double other = std::acos(-1.0 / (2.0 * std::cos(d)));
    EXPECT_NEAR(extrema[2].tau, t0 + other, 1e-14);
    EXPECT_NEAR(extrema[3].tau, t0 - other + 2.0 * pi, 1e-14);
  }
}

TEST(FourierSeries, OfItsOwnSamples) {
  const double u[7] = {0.5, 1.0, -2.0, 0.25, 3.0, -1.5, 0.125};
  std::vector<double> samples(16);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = series_at(u, 3, 2.0 * pi * static_cast<double>(i) / 16.0).value;
  }
  double found[7];
  series_of_samples(samples, 3, found);
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(found[k], u[k], 1e-14) << k;
}

// Eight harmonics at a time, and what is left of them.
TEST(FourierSeries, AnyNumberOfHarmonics) {
  for (const int harmonics : {1, 7, 8, 9, 19}) {
    std::vector<double> u(static_cast<std::size_t>(series_size(harmonics)));
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = std::cos(1.7 * static_cast<double>(k));
    const double tau = 2.345;
    SeriesPoint sum{u[0], 0.0, 0.0, 0.0};
    for (int h = 1; h <= harmonics; ++h) {
      const double a = u[static_cast<std::size_t>(2 * h - 1)], b = u[static_cast<std::size_t>(2 * h)];
      const double c = std::cos(h * tau), s = std::sin(h * tau);
      sum.value += a * c + b * s;
      sum.slope += h * (b * c - a * s);
      sum.curvature -= h * h * (a * c + b * s);
      sum.third -= h * h * h * (b * c - a * s);
    }
    const SeriesPoint point = series_at(u.data(), harmonics, tau);
    EXPECT_EQ(series_value(u.data(), harmonics, tau), point.value);
    const double rounding = 1e-14 * harmonics * harmonics;
    EXPECT_NEAR(point.value, sum.value, rounding);
    EXPECT_NEAR(point.slope, sum.slope, rounding * harmonics);
    EXPECT_NEAR(point.curvature, sum.curvature, rounding * harmonics * harmonics);
    EXPECT_NEAR(point.third, sum.third, rounding * harmonics * harmonics * harmonics);
  }
}

TEST(SeriesScanner, HalfRangeOfASine) {
  const double u[3] = {5.0, 3.0, -4.0};
  SeriesScanner scanner(1);
  const HalfRange range = scanner.half_range(u);
  EXPECT_NEAR(range.value, 5.0, 1e-14);
  EXPECT_NEAR(range.tau_max, std::atan2(-4.0, 3.0) + 2.0 * pi, 1e-14);
}

TEST(SeriesScanner, AConstantHasNoExtremum) {
  const double u[3] = {5.0, 0.0, 0.0};
  SeriesScanner scanner(1);
  EXPECT_TRUE(scanner.extrema(u).empty());
  EXPECT_TRUE(scanner.crossings(u, 4.0).empty());
  EXPECT_EQ(scanner.half_range(u).value, 0.0);
}

TEST(SeriesScanner, Crossings) {
  const double u[3] = {0.0, 0.0, 1.0};  // sin
  SeriesScanner scanner(1);
  const auto at = scanner.crossings(u, 0.5);
  ASSERT_EQ(at.size(), 2U);
  EXPECT_NEAR(at[0], pi / 6.0, 1e-15);
  EXPECT_NEAR(at[1], 5.0 * pi / 6.0, 1e-15);
  EXPECT_NEAR(invert_series(u, 1, 0.0, 0.5 * pi, 0.5), pi / 6.0, 1e-15);
}

// n nodes are exact up to degree 2 n - 1: the integral of x^k is 1/(k+1).
TEST(GaussLegendre, IsExactForPolynomials) {
  for (const int n : {1, 2, 5, 16, 64, 513}) {
    const GaussRule rule = gauss_legendre(n);
    for (const int k : {0, 1, n, 2 * n - 1}) {
      double sum = 0.0;
      for (std::size_t i = 0; i < rule.node.size(); ++i) sum += rule.weight[i] * std::pow(rule.node[i], k);
      EXPECT_NEAR(sum * (k + 1.0), 1.0, 1e-14 + 4e-16 * k)  // a rounded node to the power k
          << n << " nodes, degree " << k;
    }
  }
}

}  // namespace fourier_series_test
}  // namespace microslip
