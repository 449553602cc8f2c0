// Quadratic programmes with unknowns >= 0, random numbers to try them with, percentiles, golden section.

#include "microslip/numerics/nonnegative_quadratic.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <cmath>
#include <limits>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/golden_section.hpp"
#include "microslip/numerics/percentile.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip {
namespace nonnegative_quadratic_test {

/// H = A^T A + 0.01 I, b = A^T y with random A and y.
struct Programme {
  Eigen::MatrixXd h;
  Eigen::VectorXd b;
};

Programme random_programme(int n, std::uint64_t seed) {
  Normal normal(seed);
  Eigen::MatrixXd a(n + 2, n);
  Eigen::VectorXd y(n + 2);
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = normal();
    y(i) = normal();
  }
  return {a.transpose() * a + 0.01 * Eigen::MatrixXd::Identity(n, n), a.transpose() * y};
}

double value(const Programme& p, const Eigen::VectorXd& x) {
  return 0.5 * x.dot(p.h * x) - p.b.dot(x);
}

/// Every set of positive unknowns, tried one by one.
double least_value(const Programme& p) {
  const auto n = static_cast<int>(p.b.size());
  double least = 0.0;
  for (int set = 1; set < (1 << n); ++set) {
    std::vector<int> chosen;
    for (int k = 0; k < n; ++k) {
      if ((set >> k) & 1) chosen.push_back(k);
    }
    const Eigen::MatrixXd h = p.h(chosen, chosen);
    const Eigen::VectorXd b = p.b(chosen), part = solve_positive(h, b);
    if (part.minCoeff() < 0.0) continue;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    x(chosen) = part;
    least = std::min(least, value(p, x));
  }
  return least;
}

TEST(NonnegativeQuadratic, IsTheLeastOfAllSets) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Programme p = random_programme(8, seed);
    const NonnegativeSolution s = solve_nonnegative(p.h, p.b);
    ASSERT_TRUE(s.converged);
    EXPECT_GE(s.x.minCoeff(), 0.0);
    EXPECT_NEAR(value(p, s.x), least_value(p), 1e-12);
    // Any guess leads to the same minimum: it is unique.
    for (const std::vector<int>& start : {std::vector<int>{0}, std::vector<int>{1, 4, 6}, std::vector<int>{7}}) {
      EXPECT_LT((solve_nonnegative(p.h, p.b, start).x - s.x).norm(), 1e-12 * (1.0 + s.x.norm()));
    }
  }
}

// The conditions of Karush, Kuhn and Tucker are enough for a larger one.
TEST(NonnegativeQuadratic, GradientIsNotNegativeWhereXIsZero) {
  const Programme p = random_programme(120, 3);
  const NonnegativeSolution s = solve_nonnegative(p.h, p.b);
  ASSERT_TRUE(s.converged);
  EXPECT_LT(s.factorisations, 30);  // Lawson and Hanson would take one for each positive unknown, some 60
  const Eigen::VectorXd gradient = p.h * s.x - p.b;
  for (Eigen::Index i = 0; i < s.x.size(); ++i) {
    EXPECT_GE(s.x(i), 0.0);
    if (s.x(i) > 0.0) {
      EXPECT_NEAR(gradient(i), 0.0, 1e-9);
    } else {
      EXPECT_GE(gradient(i), -1e-9);
    }
  }
}

TEST(NonnegativeQuadratic, NothingPositiveAndNothingDefinite) {
  const Programme p = random_programme(5, 1);
  const NonnegativeSolution zero = solve_nonnegative(p.h, -Eigen::VectorXd::Ones(5).eval());
  EXPECT_TRUE(zero.converged);
  EXPECT_EQ(zero.x, Eigen::VectorXd::Zero(5));
  EXPECT_FALSE(solve_nonnegative(-p.h, p.b).converged);
}

// Reference values of splitmix64 for the seed 1234567 (Vigna's program).
TEST(Random, SplitMixHasItsReferenceValues) {
  SplitMix bits(1234567);
  EXPECT_EQ(bits(), 6457827717110365317ULL);
  EXPECT_EQ(bits(), 3203168211198807973ULL);
  EXPECT_EQ(bits(), 9817491932198370423ULL);
}

// Moments of 10^5 numbers, five standard errors: 1/sqrt(n) of the mean, sqrt(2/n) of the variance, sqrt(24/n) of the
// excess.
TEST(Random, NormalNumbersHaveTheirMoments) {
  constexpr int n = 100'000;
  Normal normal(5);
  double mean = 0.0, square = 0.0, fourth = 0.0;
  for (int i = 0; i < n; ++i) {
    const double x = normal();
    mean += x / n;
    square += x * x / n;
    fourth += x * x * x * x / n;
  }
  EXPECT_NEAR(mean, 0.0, 5.0 / std::sqrt(n));
  EXPECT_NEAR(square, 1.0, 5.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth - 3.0, 0.0, 5.0 * std::sqrt(96.0 / n));  // variance of x^4: 105 - 9
}

TEST(Percentile, LiesOnStraightLines) {
  std::vector<double> values = {3.0, 1.0, 2.0, 10.0};
  EXPECT_DOUBLE_EQ(percentile(values, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(percentile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(percentile(values, 1.0), 10.0);
}

TEST(GoldenSection, FindsTheMinimum) {
  EXPECT_NEAR(golden_section(0.0, 1.0, 1e-7, [](double x) { return std::pow(x - 0.3, 2); }), 0.3, 1e-7);
  EXPECT_NEAR(golden_section(0.0, 1.0, 1e-7, [](double x) { return x; }), 0.0, 1e-7);
}

}  // namespace nonnegative_quadratic_test
}  // namespace microslip
