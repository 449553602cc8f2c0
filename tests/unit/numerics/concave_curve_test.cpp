#include "microslip/numerics/concave_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace microslip {
namespace concave_curve_test {

using Curve = ConcaveCurve<double>;

/// Checks shape and closed forms of a curve against its points and against each other.
void expect_sound(const Curve& curve, const std::vector<double>& u, const std::vector<double>& f) {
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(curve.at(u[i]).value, f[i], 1e-13 * f.back()) << i;
  const double step = 1.2 * u.back() / 5000;
  double slope = curve.initial_slope();
  double work = 0.0;
  double before = 0.0;
  for (int i = 1; i <= 5000; ++i) {
    const auto point = curve.at(i * step);
    EXPECT_LE(point.slope, slope + 1e-13 * curve.initial_slope()) << i;
    EXPECT_GE(point.slope, 0.0) << i;
    // Trapezium rule, off by the change of slope times h^2/12 at most (times 1.5 where there is a kink).
    work += 0.5 * step * (before + point.value);
    EXPECT_NEAR(curve.integral(i * step), work, 0.125 * step * step * curve.initial_slope() + 1e-13 * work) << i;
    // D = 8 W - 4 x F, its definition.
    const double definition = 8.0 * curve.integral(i * step) - 4.0 * i * step * point.value;
    EXPECT_NEAR(curve.dissipation(i * step), definition, 1e-13 * 8.0 * curve.integral(i * step)) << i;
    before = point.value;
    slope = point.slope;
  }
}

// Irregular points of a power law, where the usual monotone cubic (PCHIP) turns convex.
TEST(ConcaveCurve, SmoothStaysConcaveOnIrregularData) {
  std::mt19937 generator(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> u, f;
    double x = 0.0;
    for (int i = 0; i < 12; ++i) {
      x += std::pow(10.0, -3.0 * static_cast<double>(generator()) / 4294967296.0);
      u.push_back(x);
    }
    for (double& v : u) v /= x;
    for (const double v : u) f.push_back(v - 0.6 * std::pow(v, 1.5));
    expect_sound(Curve(u, f, Interpolation::smooth), u, f);
    expect_sound(Curve(u, f, Interpolation::linear), u, f);
  }
}

// C1 between the first and the last point.
TEST(ConcaveCurve, SmoothHasNoKinkInside) {
  const std::vector<double> u = {0.2, 0.3, 0.9, 1.6}, f = {1.0, 1.4, 2.7, 3.3};
  const Curve curve(u, f, Interpolation::smooth);
  double slope = curve.initial_slope();
  for (double x = 0.0; x < 1.6; x += 1e-5) {
    EXPECT_NEAR(curve.at(x).slope, slope, 2e-3);  // |f''| <= 100 here
    slope = curve.at(x).slope;
  }
}

// Three points on a line leave no choice; two lines that meet leave a kink.
TEST(ConcaveCurve, SmoothFollowsStraightData) {
  const std::vector<double> u = {1.0, 2.0, 3.0, 4.0, 5.0}, f = {2.0, 4.0, 5.0, 6.0, 6.5};
  const Curve curve(u, f, Interpolation::smooth);
  expect_sound(curve, u, f);
  EXPECT_NEAR(curve.at(1.5).value, 3.0, 1e-14);
  EXPECT_NEAR(curve.at(2.5).value, 4.5, 1e-14);
  EXPECT_NEAR(curve.at(1.999).slope, 2.0, 1e-14);
  EXPECT_NEAR(curve.at(2.001).slope, 1.0, 1e-14);
}

// A flat tail carries no sliders: the curve ends where it becomes flat, without a kink when smooth.
TEST(ConcaveCurve, FlatTailIsCutOff) {
  const std::vector<double> u = {1.0, 2.0, 3.0, 4.0}, f = {1.0, 1.5, 1.5, 1.5};
  const Curve smooth(u, f, Interpolation::smooth), linear(u, f, Interpolation::linear);
  EXPECT_EQ(smooth.end(), 2.0);
  EXPECT_EQ(linear.end(), 2.0);
  EXPECT_NEAR(smooth.at(2.0 - 1e-9).slope, 0.0, 1e-8);
  EXPECT_NEAR(linear.at(2.0 - 1e-9).slope, 0.5, 1e-14);
  expect_sound(smooth, u, f);
  expect_sound(linear, u, f);
}

// Rounding in the data is not convexity: 0.1 (1 + 2 + ...) in steps that are not exact.
TEST(ConcaveCurve, ForgivesRounding) {
  std::vector<double> u, f;
  for (int i = 1; i <= 40; ++i) {
    u.push_back(0.1 * i);
    f.push_back(0.3 * u.back());
  }
  EXPECT_NO_THROW(Curve(u, f, Interpolation::smooth));
  EXPECT_NO_THROW(Curve(u, f, Interpolation::linear));
  f[20] -= 1e-9;
  EXPECT_THROW(Curve(u, f, Interpolation::linear), PointsError);
}

}  // namespace concave_curve_test
}  // namespace microslip
