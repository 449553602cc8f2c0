#include "microslip/numerics/fixed_power.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/dual.hpp"

namespace microslip {
namespace fixed_power_test {

FixedPower<double> tabulated(double n, double top) {
  FixedPower<double> power(n);
  power.tabulate(top);
  return power;
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// 2.2 epsilon against powl (64 bits of mantissa: its own error is 2^-11 of that), over 20 decades and all parts of [1,
// 2).
TEST(FixedPower, IsWithinItsErrorBound) {
  for (const double n : {1e-3, 0.25, 0.5, 0.9, 1.0, 1.31, 2.0, 3.7, 5.5, 7.99, 8.0}) {
    for (const double top : {3e-9, 0.7, 1.0, 2e5}) {
      const auto power = tabulated(n, top);
      double worst = 0.0;
      for (double x = top; x > 1e-20 * top; x *= 0.998317) {
        const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(n));
        worst = std::max(worst, static_cast<double>(std::abs((power(x) - exact) / exact)));
      }
      EXPECT_LE(worst, 2.2 * epsilon) << n << ' ' << top;
    }
  }
}

// Corners of the parts and of the octaves, where the series is longest and an index may be off by one.
TEST(FixedPower, HoldsAtTheCorners) {
  const double n = 0.437;
  const auto power = tabulated(n, 1.0);
  for (int octave = 0; octave < 70; ++octave) {
    for (int part = 0; part < 64; ++part) {
      const double corner = std::ldexp(1.0 + part / 64.0, -octave - 1);
      for (const double x : {std::nextafter(corner, 0.0), corner, std::nextafter(corner, 1.0)})
        EXPECT_NEAR(power(x), std::pow(x, n), 3.0 * epsilon * std::pow(x, n)) << x;
    }
  }
}

// What the tables do not hold is std::pow, to the last bit.
TEST(FixedPower, FallsBackOutsideItsTables) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto power = tabulated(0.3, 0.01);
  for (const double x : {0.0, 5e-324, 1e-310, 1e-25, 0.5, 7.0, infinity}) EXPECT_EQ(power(x), std::pow(x, 0.3)) << x;
  EXPECT_TRUE(std::isnan(power(-0.001)));
  EXPECT_TRUE(std::isnan(power(std::nan(""))));
  for (const double n : {-0.5, 8.5, 300.0}) {
    for (const double x : {0.3, 0.7, 0.999}) EXPECT_EQ(tabulated(n, 1.0)(x), std::pow(x, n)) << n;
  }
  for (const double top : {0.0, -1.0, 1e-310, 1e-300, infinity}) {
    for (const double x : {0.0, 5e-324, 0.5 * std::abs(top), 0.3}) EXPECT_EQ(tabulated(0.3, top)(x), std::pow(x, 0.3));
  }
  // Entries that would be infinite or subnormal.
  EXPECT_EQ(tabulated(8.0, 1e200)(1e199), infinity);
  for (const double x : {1e-35, 9e-36, 1e-40}) EXPECT_EQ(tabulated(8.0, 1e-35)(x), std::pow(x, 8.0)) << x;
}

// Dual numbers keep the derivative with respect to the exponent: d x^n/dn = x^n log x.
TEST(FixedPower, OfDualNumbersHasDerivatives) {
  const Dual<1> n = Dual<1>::variable(0.3, 0);
  FixedPower<Dual<1>> power(n);
  power.tabulate(Dual<1>(1.0));
  const auto y = power(Dual<1>(0.2));
  EXPECT_DOUBLE_EQ(y.derivative[0], std::pow(0.2, 0.3) * std::log(0.2));
}

}  // namespace fixed_power_test
}  // namespace microslip
