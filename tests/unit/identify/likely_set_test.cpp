// Ranges of linear functions over all non-negative unknowns that meet data within their noise.

#include "microslip/identify/likely_set.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "microslip/identify/force_noise.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip {
namespace likely_set_test {

struct Problem {
  Eigen::MatrixXd a;
  Eigen::VectorXd y;
};

Problem problem_of(std::uint64_t seed, int points, int unknowns) {
  Normal normal(seed);
  Problem p{Eigen::MatrixXd(points, unknowns), Eigen::VectorXd(points)};
  for (double& value : p.a.reshaped()) value = normal();
  Eigen::VectorXd x(unknowns);
  for (double& value : x) value = std::max(normal(), 0.0);
  p.y = p.a * x;
  for (double& value : p.y) value += 0.3 * normal();
  return p;
}

/// Largest c^T x with |a x - y|^2 <= limit, x >= 0 but for the first `free`, by trying which unknowns are positive:
/// without signs the answer is x_0 + sqrt((limit - least)/c^T H^-1 c) H^-1 c, and that of the right set obeys them.
double by_all_sets(const Problem& p, int free, const Eigen::VectorXd& c, double limit) {
  const auto unknowns = static_cast<int>(c.size());
  double best = free == 0 && p.y.squaredNorm() <= limit ? 0.0 : -1e300;  // of none
  for (unsigned set = 0; set < 1U << unknowns; ++set) {
    std::vector<int> in;
    for (int i = 0; i < unknowns; ++i) {
      if (i < free || (set >> i & 1U) != 0) in.push_back(i);
    }
    if (in.empty()) continue;
    const Eigen::MatrixXd a = p.a(Eigen::all, in), h = a.transpose() * a;
    const Eigen::VectorXd part = c(in), slope = solve_positive(h, part), start = solve_positive(h, a.transpose() * p.y);
    const double least = (a * start - p.y).squaredNorm(), pace = part.dot(slope);
    if (least > limit || !(pace > 0.0)) continue;
    const Eigen::VectorXd x = start + std::sqrt((limit - least) / pace) * slope;
    bool allowed = true;
    for (std::size_t k = 0; k < in.size(); ++k) allowed &= in[k] < free || x(static_cast<Eigen::Index>(k)) >= -1e-12;
    if (allowed) best = std::max(best, part.dot(x));
  }
  return best;
}

// 2^7 sets each. The bound, least + 2 t^2 least/(n - d), is what the farthest member has.
TEST(LikelySet, IsTheFarthestOfAllSets) {
  constexpr int points = 30, unknowns = 7;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Problem p = problem_of(seed, points, unknowns);
    const int free = static_cast<int>(seed % 3);
    const std::size_t rows = points;
    const LikelySet likely(p.a, p.y, free, 0.95, std::span(&rows, 1));
    ASSERT_TRUE(likely.converged());
    const double least = (p.a * likely.nearest() - p.y).squaredNorm();
    Normal normal(100 + seed);
    Eigen::VectorXd c(unknowns);
    for (double& value : c) value = normal();
    const LikelySet::Range range = likely.range(c);
    // The bound that is met is the same on both sides, up to a ridge of 1e-8 on either of the squares, and not below
    // 2 * 1.96^2 least/n.
    ASSERT_TRUE(likely.farthest(c).found && likely.farthest(-c).found);
    const Eigen::VectorXd high = likely.farthest(c).x;
    const double limit = (p.a * high - p.y).squaredNorm();
    EXPECT_GT(limit, least * (1.0 + 2.0 * 3.84 / points));
    EXPECT_NEAR((p.a * likely.farthest(-c).x - p.y).squaredNorm(), limit, 2e-8 * p.y.squaredNorm());
    EXPECT_NEAR(range.high, by_all_sets(p, free, c, limit), 1e-7) << seed;
    EXPECT_NEAR(-range.low, by_all_sets(p, free, -c, limit), 1e-7) << seed;
    EXPECT_GE(high.tail(unknowns - free).minCoeff(), 0.0);
  }
}

// A sum of non-negative unknowns that the data do not show: its least value is 0, its largest bounded.
TEST(LikelySet, EndsWhereSignsAllowNoMore) {
  Problem p = problem_of(3, 20, 2);
  p.y = p.a.col(0);
  for (Eigen::Index i = 0; i < p.y.size(); ++i) p.y(i) += i % 2 == 0 ? 0.1 : -0.1;
  const std::size_t rows = 20;
  const LikelySet likely(p.a, p.y, 0, 0.95, std::span(&rows, 1));
  const LikelySet::Range range = likely.range(Eigen::Vector2d(0.0, 1.0));
  EXPECT_EQ(range.low, 0.0);
  EXPECT_GT(range.high, 0.0);
  EXPECT_LT(range.high, 1.0);
}

// Noise alone: no unknown need be positive, and on the way to the farthest member none may be for a while. The same
// bound, 2 t^2 least/(n - d), with the d = 0 or more that are positive in the nearest.
TEST(LikelySet, GoesOnWhereNothingIsLeft) {
  constexpr int points = 12, unknowns = 3;
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Problem p = problem_of(seed, points, unknowns);
    Normal normal(200 + seed);
    for (double& value : p.y) value = normal();
    const std::size_t rows = points;
    const LikelySet likely(p.a, p.y, 0, 0.95, std::span(&rows, 1));
    Eigen::VectorXd c(unknowns);
    for (double& value : c) value = normal();
    const Eigen::VectorXd at = likely.nearest();
    none +=
        (at.array() > 0.0).count() > 0 && (at.array() > 0.0 && c.array() < 0.0).count() == (at.array() > 0.0).count();
    // Where the bound is not met, signs end the way: any larger one has the same answer.
    const LikelySet::Farthest high = likely.farthest(c);
    ASSERT_TRUE(high.found) << seed;
    const double limit = (p.a * high.x - p.y).squaredNorm();
    EXPECT_NEAR(c.dot(high.x), by_all_sets(p, 0, c, limit * (1.0 + 1e-12)), 1e-6) << seed;
    if (c.maxCoeff() > 0.0) {
      EXPECT_GT(limit, (p.a * at - p.y).squaredNorm() * (1.0 + 2.0 * 3.84 / points)) << seed;
    }
  }
  EXPECT_GT(none, 3);
}

// As many rows as unknowns, each its own: nothing is left. In units of what a fit with 4 of 12 left, sigma^2 = 12/8,
// and one unknown alone moves by sqrt(2) t_8 sigma, t_8 = 2.306004.
TEST(LikelySet, RowsThatAreMetTakeTheNoiseOfAFit) {
  const std::size_t rows = 12;
  const Eigen::MatrixXd a = Eigen::MatrixXd::Identity(12, 12);
  const LikelySet likely(a, Eigen::VectorXd::Constant(12, 100.0), 0, 0.95, std::span(&rows, 1), {false, 4.0});
  const LikelySet::Range range = likely.range(Eigen::VectorXd::Unit(12, 3));
  const double width = std::sqrt(2.0 * 1.5) * 2.306004;
  EXPECT_NEAR(range.high, 100.0 + width, 1e-4);
  EXPECT_NEAR(range.low, 100.0 - width, 1e-4);
}

TEST(LikelySet, SaysWhenItFindsNoEnd) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::size_t rows = 20;
  Problem p = problem_of(1, 20, 3);
  const LikelySet likely(p.a, p.y, 0, 0.95, std::span(&rows, 1));
  EXPECT_FALSE(likely.farthest(Eigen::Vector3d(1.0, std::nan(""), 0.0)).found);
  p.y *= 1e200;
  p.a *= 1e200;
  const LikelySet none(p.a, p.y, 0, 0.95, std::span(&rows, 1));  // squares of that are infinite
  EXPECT_FALSE(none.converged());
  EXPECT_FALSE(none.farthest(Eigen::Vector3d(1.0, 0.0, 0.0)).found);
  EXPECT_EQ(none.range(Eigen::Vector3d(1.0, 0.0, 0.0)).high, infinite);
}

// 400 residuals: p is good to 1/sqrt(2 n var(ln f)) = 0.035 for even forces (var 1), and s to 0.1 at the largest force.
TEST(ForceNoise, GrowsWithTheForce) {
  for (const double p : {0.0, 1.0}) {
    Normal normal(5);
    std::vector<double> f, residual;
    for (int i = 1; i <= 400; ++i) {
      f.push_back(i / 400.0);
      residual.push_back(0.01 * std::pow(f.back(), p) * normal());
    }
    const std::vector<double> noise = force_noise(f, residual, {});
    EXPECT_NEAR(noise.back(), 0.01, 0.0015) << p;
    EXPECT_NEAR(std::log(noise.back() / noise[39]) / std::log(10.0), p, 4.0 * 0.035) << p;
  }
}

}  // namespace likely_set_test
}  // namespace microslip
