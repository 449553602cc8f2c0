// Exact periods: elliptic integrals, and what has no period.

#include "microslip/numerics/polynomial_swing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "microslip/numerics/rising_curve.hpp"

namespace microslip {
namespace polynomial_swing_test {

constexpr double rounding = 1e-12;  // of elliptic integrals and some fifty terms

// x = A cn: T = 4 K(kappa)/sqrt((k1 + k3 A^2)/m), kappa^2 = k3 A^2/(2 (k1 + k3 A^2)).
TEST(PolynomialSwing, HardeningDuffing) {
  for (const double a : {1e-3, 0.3, 1.0, 10.0, 1e3}) {
    const double k1 = 3.0, k3 = 7.0, m = 2.0, total = k1 + k3 * a * a;
    const double period = 4.0 * std::comp_ellint_1(std::sqrt(k3 * a * a / (2.0 * total))) / std::sqrt(total / m);
    const PolynomialPeriod found = polynomial_period(std::vector{k1, 0.0, k3}, m, a);
    EXPECT_TRUE(found.converged) << a;
    EXPECT_EQ(found.centre, 0.0);
    EXPECT_NEAR(found.omega * period / (2.0 * std::numbers::pi), 1.0, rounding) << a;
  }
}

// x = A sn: T = 4 K(kappa)/Omega, Omega^2 = (k1 - b A^2/2)/m, kappa^2 = b A^2/(2 m Omega^2), k3 = -b. At A = 0.999 of
// the summit the swing nearly stops there, and many more intervals are needed.
TEST(PolynomialSwing, SofteningDuffing) {
  const double k1 = 3.0, b = 7.0, m = 2.0, summit = std::sqrt(k1 / b);
  for (const double share : {1e-3, 0.5, 0.9, 0.999}) {
    const double a = share * summit, omega = std::sqrt((k1 - 0.5 * b * a * a) / m);
    const double period = 4.0 * std::comp_ellint_1(std::sqrt(0.5 * b * a * a / m) / omega) / omega;
    const PolynomialPeriod found = polynomial_period(std::vector{k1, 0.0, -b}, m, a);
    EXPECT_TRUE(found.converged) << share;
    EXPECT_NEAR(found.omega * period / (2.0 * std::numbers::pi), 1.0, 10.0 * rounding) << share;
  }
}

// P = k1 x + k2 x^2: E - V is a cubic with the roots x1 < x2 < x3 (k2 < 0); T = 4 sqrt(3 m/(2 |k2| (x3 - x1)))
// K(kappa), kappa^2 = (x2 - x1)/(x3 - x1). The roots sum to 3 k1/(2 |k2|), and the sum of their products in pairs is 0.
TEST(PolynomialSwing, QuadraticSpring) {
  const double k1 = 2.0, k2 = -1.5, m = 0.7;
  for (const double q : {0.01, 0.3, 0.7, 0.95}) {
    const PolynomialPeriod found = polynomial_period(std::vector{k1, k2}, m, q);
    ASSERT_TRUE(found.converged) << q;
    const double x1 = found.centre - q, x2 = found.centre + q, x3 = -1.5 * k1 / k2 - x1 - x2;
    EXPECT_NEAR(x1 * x2 + x3 * (x1 + x2), 0.0, 1e-14);
    const double kappa = std::sqrt((x2 - x1) / (x3 - x1));
    const double period = 4.0 * std::sqrt(1.5 * m / (-k2 * (x3 - x1))) * std::comp_ellint_1(kappa);
    EXPECT_NEAR(found.omega * period / (2.0 * std::numbers::pi), 1.0, 10.0 * rounding) << q;
  }
}

// Mirrored springs swing alike.
TEST(PolynomialSwing, Mirror) {
  const PolynomialPeriod one = polynomial_period(std::vector{2.0, 0.8, 0.5, -0.1, 0.3}, 1.0, 0.9);
  const PolynomialPeriod other = polynomial_period(std::vector{2.0, -0.8, 0.5, 0.1, 0.3}, 1.0, 0.9);
  ASSERT_TRUE(one.converged && other.converged);
  EXPECT_NE(one.centre, 0.0);
  EXPECT_NEAR(one.centre, -other.centre, 1e-15);
  EXPECT_NEAR(one.omega, other.omega, 1e-13);
}

// Both ends at one potential; forces and the work in between from the polynomial itself.
TEST(PolynomialSwing, WorkBetweenTheEnds) {
  const std::vector<double> k = {2.0, 0.8, 0.5, -0.1, 0.3};
  const auto potential = [&](double x) {
    double sum = 0.0;
    for (int j = 0; j < 5; ++j) sum += k[static_cast<std::size_t>(j)] * std::pow(x, j + 2) / (j + 2);
    return sum;
  };
  PolynomialSwing swing(k);
  for (const double q : {0.2, 0.5, 0.9}) {
    ASSERT_TRUE(swing.move_to(q));
    const double c = swing.centre(), top = potential(c + q);
    EXPECT_NEAR(potential(c - q), top, 1e-15);
    for (const double z : {-0.9, -0.3, 0.0, 0.4, 0.99}) {
      EXPECT_NEAR((1.0 - z * z) * swing.shape(z), top - potential(c + q * z), 1e-15) << q << " " << z;
    }
  }
}

TEST(PolynomialSwing, NoSwing) {
  // Beyond the summit of a softening spring, at x = 1.
  EXPECT_TRUE(std::isnan(polynomial_period(std::vector{1.0, 0.0, -1.0}, 1.0, 1.01).omega));
  EXPECT_FALSE(polynomial_period(std::vector{1.0, 0.0, -1.0}, 1.0, 1.01).converged);
  // The well of x + 3 x^2 ends at x = -1/3; its widest swing is from there to 1/6, half-range 1/4.
  EXPECT_TRUE(polynomial_period(std::vector{1.0, 3.0}, 1.0, 0.249).converged);
  EXPECT_FALSE(polynomial_period(std::vector{1.0, 3.0}, 1.0, 0.26).converged);
}

// Mean of 1/(a + cos phi) over half a turn: 1/sqrt(a^2 - 1).
TEST(CosineMean, ClosedForm) {
  for (const double a : {1.01, 1.5, 10.0}) {
    const auto mean = cosine_mean<1>([&](double z) { return std::array{1.0 / (a + z)}; }, 1e-14);
    EXPECT_TRUE(mean.converged);
    EXPECT_NEAR(mean.value[0] * std::sqrt(a * a - 1.0), 1.0, rounding) << a;
  }
  const auto hard = cosine_mean<1>([&](double z) { return std::array{1.0 / (1.01 + z)}; }, 1e-14, 16);
  EXPECT_FALSE(hard.converged);
  EXPECT_EQ(hard.intervals, 16);
}

TEST(RisingCurve, FirstSummit) {
  EXPECT_NEAR(*first_summit([](double x) { return std::cos(x); }, 6.0, 10), 0.5 * std::numbers::pi, 1e-15);
  EXPECT_NEAR(*first_summit([](double x) { return 1.0 - x * x; }, -6.0, 100), -1.0, 1e-15);
  EXPECT_FALSE(first_summit([](double) { return 1.0; }, 6.0, 10));
}

}  // namespace polynomial_swing_test
}  // namespace microslip
