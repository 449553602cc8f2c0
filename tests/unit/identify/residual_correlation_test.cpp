#include "microslip/identify/residual_correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace microslip {
namespace residual_correlation_test {

// r_i = c^i: products c^k (1 - c^(2(n-k)))/(1 - c^2) at the distance k, all positive to the end. With their sum
//   alike = -1 + 2/(1 - c^2n) [(1 - c^n)/(1 - c) - c^2n (c^-n - 1)/(1/c - 1)]
// A transform of length 2000 leaves 1e-15 in each of 1000 correlations.
TEST(ResidualCorrelation, OfAFallingSequence) {
  constexpr double c = 0.99;
  constexpr int n = 1000;
  std::vector<double> residuals;
  for (int i = 0; i < n; ++i) residuals.push_back(std::pow(c, i));
  const double all = std::pow(c, n), both = all * all;
  const double expected =
      -1.0 + 2.0 / (1.0 - both) * ((1.0 - all) / (1.0 - c) - both * (1.0 / all - 1.0) / (1.0 / c - 1.0));
  EXPECT_NEAR(alike_sum(residuals), expected, 1e-11);
  EXPECT_EQ(alike_sum(residuals), residuals_alike(residuals));
}

// Of +1 and -1 in turn, one after two: distances 0 and 1 cancel to 1/n, and nothing is alike. Two equal ones after
// two: the correlation of neighbours is what n = 8 has by chance, and only the sum without that guard counts it.
TEST(ResidualCorrelation, ByChance) {
  EXPECT_EQ(alike_sum(std::vector<double>{1, -1, 1, -1, 1, -1}), 1.0);
  const std::vector<double> pairs = {1, 1, -1, -1, 1, 1, -1, -1};
  // Products 8, 1, -6: pairs 9/8 and then one that is negative.
  EXPECT_DOUBLE_EQ(alike_sum(pairs), -1.0 + 2.0 * 9.0 / 8.0);
  EXPECT_EQ(residuals_alike(pairs), 1.0);
  EXPECT_EQ(residuals_alike({}), 1.0);
}

}  // namespace residual_correlation_test
}  // namespace microslip
