#include "microslip/numerics/power_flow.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace power_flow_test {

// The flow is a group: x in one step or in three, for roots and sharp knees, near zero, in between and saturated.
TEST(PowerFlow, StepsAddUp) {
  for (double n = 0.02; n < 2e4; n *= 1.7) {
    const PowerFlow<> flow(1.0, 1.0, n);
    for (const double m0 : {0.0, 1e-12, 1e-3, 0.3, 0.9, 1.0 - 1e-9}) {
      for (const double x : {1e-14, 1e-4, 0.01, 0.2, 1.0, 3.0, 50.0}) {
        const auto whole = flow.advance(m0, x);
        double m = m0, integral = 0.0, gain = 1.0;
        for (const double part : {0.1, 0.25, 0.65}) {
          const auto piece = flow.advance(m, part * x);
          m = piece.m;
          integral += piece.integral;
          gain *= piece.gain;
        }
        ASSERT_NEAR(whole.m, m, 1e-14 * whole.m) << n << ' ' << m0 << ' ' << x;
        ASSERT_NEAR(whole.integral, integral, 1e-12 * std::abs(integral) + 1e-300) << n << ' ' << m0 << ' ' << x;
        // The rate of decay depends on m through m^n: n eps.
        ASSERT_NEAR(whole.gain, gain, 1e-12 * (1.0 + n)) << n << ' ' << m0 << ' ' << x;
      }
    }
  }
}

// There and back again, with b of either sign: the way back from m_1 costs g(m_0)/g(m_1) in accuracy.
TEST(PowerFlow, GoesBack) {
  for (const double b : {-2.0, -0.1, 0.0, 0.1, 0.7}) {
    for (const double n : {0.05, 0.5, 1.0, 1.7, 6.0}) {
      const PowerFlow<> flow(1.0, b, n);
      for (const double m0 : {1e-9, 0.02, 0.4, 0.9}) {
        const double x = -0.4 * m0 / (1.0 + 2.0 * std::abs(b));
        const auto there = flow.advance(m0, x);
        ASSERT_FALSE(there.reached_zero);
        const auto back = flow.advance(there.m, -x);
        EXPECT_NEAR(back.m, m0, 1e-14 * m0) << b << ' ' << n;
        EXPECT_NEAR(back.gain * there.gain, 1.0, 1e-13) << b << ' ' << n;
        EXPECT_NEAR(back.integral, -there.integral, 1e-13 * back.integral) << b << ' ' << n;
      }
    }
  }
}

// n = 1: the distance to zero is -ln(1 - b m)/b.
TEST(PowerFlow, StopsAtZero) {
  for (const double b : {-3.0, -0.4, 0.4}) {
    const PowerFlow<> flow(1.0, b, 1.0);
    const auto end = flow.advance(1.5, -10.0);
    EXPECT_TRUE(end.reached_zero);
    EXPECT_EQ(end.m, 0.0);
    EXPECT_NEAR(end.left, -10.0 - std::log1p(-b * 1.5) / b, 1e-14);
    EXPECT_NEAR(end.gain, 1.0 / (1.0 - 1.5 * b), 1e-15);
  }
}

TEST(PowerFlow, GivesNanWhereThereIsNoEnd) {
  // dm/dx = 1 + m^2 from 0 reaches infinity at pi/2.
  EXPECT_TRUE(std::isnan(PowerFlow<>(1.0, -1.0, 2.0).advance(0.0, 2.0).m));
  EXPECT_NEAR(PowerFlow<>(1.0, -1.0, 2.0).advance(0.0, 1.5).m, std::tan(1.5), 1e-13 * std::tan(1.5));
}

}  // namespace power_flow_test
}  // namespace microslip
