#include "microslip/numerics/normal_quantile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace microslip {
namespace normal_quantile_test {

TEST(NormalReach, HasItsTabulatedValues) {
  EXPECT_NEAR(normal_reach(0.95), 1.959963985, 1e-9);
  EXPECT_NEAR(normal_reach(0.999), 3.290526731, 1e-9);
}

// nu = 1: tan(pi p/2). nu = 2: p = t/sqrt(2 + t^2). nu = 4: p = s (3 - s^2)/2, s = t/sqrt(4 + t^2).
TEST(StudentReach, ClosedForms) {
  for (const double p : {0.1, 0.5, 0.68, 0.95, 0.99, 0.999}) {
    const double one = std::tan(0.5 * std::numbers::pi * p);
    EXPECT_NEAR(student_reach(p, 1.0), one, 1e-9 * one) << p;
    const double two = p * std::sqrt(2.0 / (1.0 - p * p));
    EXPECT_NEAR(student_reach(p, 2.0), two, 1e-9 * two) << p;
    const double four = student_reach(p, 4.0), s = four / std::sqrt(4.0 + four * four);
    EXPECT_NEAR(0.5 * s * (3.0 - s * s), p, 1e-10) << p;
  }
}

// Tables, to the digits they have; and both ways on either side of nu = 40: 99.9 % falls there by
// (z^3 + z)/4 nu^-2 dnu = 6e-3 dnu.
TEST(StudentReach, HasItsTabulatedValues) {
  EXPECT_NEAR(student_reach(0.95, 3.0), 3.182446, 1e-6);
  EXPECT_NEAR(student_reach(0.95, 5.0), 2.570582, 1e-6);
  EXPECT_NEAR(student_reach(0.99, 20.0), 2.845340, 1e-6);
  EXPECT_NEAR(student_reach(0.999, 10.0), 4.586894, 1e-6);
  EXPECT_NEAR(student_reach(0.95, 30.0), 2.042272, 1e-6);
  EXPECT_NEAR(student_reach(0.95, 120.0), 1.979930, 1e-6);
  EXPECT_NEAR(student_reach(0.999, 40.0), student_reach(0.999, 40.0001), 5e-6);
  EXPECT_NEAR(student_reach(0.95, 1e9), normal_reach(0.95), 1e-8);
}

}  // namespace normal_quantile_test
}  // namespace microslip
