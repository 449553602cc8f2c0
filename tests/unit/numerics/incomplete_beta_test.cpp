#include "microslip/numerics/incomplete_beta.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace microslip {
namespace incomplete_beta_test {

// b(1, a) = Gamma(a) Gamma(3/2)/Gamma(a + 3/2).
TEST(IncompleteBeta, CompleteIsThatOfGamma) {
  for (const double a : {0.5, 1.0, 1.51, 2.0, 2.5, 7.3, 20.0}) {
    const double complete = std::exp(std::lgamma(a) + std::lgamma(1.5) - std::lgamma(a + 1.5));
    EXPECT_NEAR(incomplete_beta(1.0, a) / complete, 1.0, 2e-14);
  }
}

// a = 3/2: with t = sin^2 y, b = (2 y - sin(4y)/2)/8, which cancels at small x. a = 1:
// 2/3 (1 - (1-x)^(3/2)).
TEST(IncompleteBeta, ClosedForms) {
  for (const double x : {1e-6, 0.1, 0.3, 0.499999, 0.500001, 0.7, 0.95, 0.999999}) {
    const double y = std::asin(std::sqrt(x));
    if (x > 0.05) {
      EXPECT_NEAR(incomplete_beta(x, 1.5) / ((2.0 * y - 0.5 * std::sin(4.0 * y)) / 8.0), 1.0, 2e-13);
    }
    EXPECT_NEAR(incomplete_beta(x, 1.0) / (-2.0 / 3.0 * std::expm1(1.5 * std::log1p(-x))), 1.0, 2e-14);
  }
  EXPECT_EQ(incomplete_beta(0.0, 1.5), 0.0);
}

// Central differences: error h^2 times third derivatives of order one, and rounding 1e-16/h.
TEST(IncompleteBeta, DerivativesAgreeWithDifferences) {
  constexpr double h = 1e-5;
  for (const double x : {0.05, 0.4, 0.5, 0.6, 0.9}) {
    for (const double a : {1.5, 1.7, 2.5}) {
      const IncompleteBeta b = incomplete_beta_with_derivatives(x, a);
      EXPECT_NEAR(b.by_x, (incomplete_beta(x + h, a) - incomplete_beta(x - h, a)) / (2.0 * h), 1e-8);
      EXPECT_NEAR(b.by_a, (incomplete_beta(x, a + h) - incomplete_beta(x, a - h)) / (2.0 * h), 1e-9);
    }
  }
}

}  // namespace incomplete_beta_test
}  // namespace microslip
