// The best assignment against trying them all.

#include "microslip/numerics/assignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace microslip {
namespace assignment_test {

double sum_of(const Eigen::MatrixXd& weights, const std::vector<int>& columns) {
  double sum = 0.0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] >= 0) sum += weights(static_cast<Eigen::Index>(i), columns[i]);
  }
  return sum;
}

/// The largest sum over all ways; rows may stay alone.
double by_trying_all(const Eigen::MatrixXd& weights) {
  std::vector<int> order(static_cast<std::size_t>(weights.rows() + weights.cols()));
  std::iota(order.begin(), order.end(), 0);
  double best = 0.0;
  do {
    std::vector<int> columns;
    for (Eigen::Index i = 0; i < weights.rows(); ++i) {
      const int column = order[static_cast<std::size_t>(i)];
      columns.push_back(column < weights.cols() ? column : -1);
    }
    best = std::max(best, sum_of(weights, columns));
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(BestAssignment, IsTheBestOfAll) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.3, 1.0);
  for (const auto& [rows, columns] : {std::pair{3, 3}, {2, 4}, {4, 2}, {1, 1}, {3, 4}}) {
    for (int run = 0; run < 20; ++run) {
      const Eigen::MatrixXd weights =
          Eigen::MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index, Eigen::Index) { return uniform(random); });
      const std::vector<int> found = best_assignment(weights);
      std::set<int> taken;
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] < 0) continue;
        EXPECT_TRUE(taken.insert(found[i]).second);
        EXPECT_GT(weights(static_cast<Eigen::Index>(i), found[i]), 0.0);
      }
      EXPECT_NEAR(sum_of(weights, found), by_trying_all(weights), 1e-12);
    }
  }
}

// The first come would take the second's only partner.
TEST(BestAssignment, IsNotGreedy) {
  Eigen::MatrixXd weights(2, 2);
  weights << 0.9, 0.8, 0.7, 0.0;
  EXPECT_EQ(best_assignment(weights), (std::vector<int>{1, 0}));
  weights(0, 1) = 0.0;
  EXPECT_EQ(best_assignment(weights), (std::vector<int>{0, -1}));
}

}  // namespace assignment_test
}  // namespace microslip
