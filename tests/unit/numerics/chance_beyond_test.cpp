// Chances against tables and closed forms.

#include "microslip/numerics/chance_beyond.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace microslip {
namespace chance_beyond_test {

TEST(ChanceBeyond, ChiSquared) {
  // Tables at 0.1 %, of six digits: the chance moves by half of what x moves by, 5e-7 of 0.001 each.
  const std::pair<int, double> tables[] = {{1, 10.8276}, {2, 13.8155}, {3, 16.2662}, {10, 29.5883}, {100, 149.449}};
  for (const auto& [degrees, x] : tables) EXPECT_NEAR(chance_of_chi_squared(x, degrees), 1e-3, 1e-6) << degrees;
  EXPECT_EQ(chance_of_chi_squared(0.0, 3), 1.0);
  EXPECT_EQ(chance_of_chi_squared(1e12, 300), 0.0);
}

TEST(ChanceBeyond, RatiosOfVariances) {
  for (const double f : {0.3, 1.0, 4.0, 40.0}) {
    for (const double n : {3.0, 8.0, 57.5, 2000.0}) {
      // Two degrees of freedom above: (1 + 2 f/n)^(-n/2); below: its mirror.
      const double above = std::pow(1.0 + 2.0 * f / n, -0.5 * n), below = 1.0 - std::pow(1.0 + 2.0 / (f * n), -0.5 * n);
      EXPECT_NEAR(chance_of_variance_ratio(f, 2.0, n), above, 1e-11 * above + 1e-300) << f << " " << n;
      EXPECT_NEAR(chance_of_variance_ratio(f, n, 2.0), below, 1e-11) << f << " " << n;
    }
  }
  // Of a well known variance it is chi^2, but for a relative x^2/(4 b), here 7e-5.
  EXPECT_NEAR(chance_of_variance_ratio(16.2662 / 3.0, 3.0, 1e6), chance_of_chi_squared(16.2662, 3), 1e-7);
  EXPECT_NEAR(chance_of_variance_ratio(1.0, 11.0, 11.0), 0.5, 1e-13);
}

}  // namespace chance_beyond_test
}  // namespace microslip
