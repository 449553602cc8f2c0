#include "microslip/numerics/sparse_ldlt.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <random>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace sparse_ldlt_test {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();

/// A graph with random edges: sum of k (e_i - e_j)(e_i - e_j)^T, and `ground` on each diagonal entry.
Sparse random_network(int n, int edges, double ground, std::mt19937& generator) {
  std::uniform_int_distribution<int> node(0, n - 1);
  std::uniform_real_distribution<double> weight(0.5, 2.0);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, ground);
  for (int e = 0; e < edges; ++e) {
    const int i = node(generator), j = node(generator);
    if (i == j) continue;
    const double k = weight(generator);
    entries.emplace_back(i, i, k);
    entries.emplace_back(j, j, k);
    entries.emplace_back(i, j, -k);
    entries.emplace_back(j, i, -k);
  }
  Sparse matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Sparse chain(int n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i + 1 < n; ++i) {
    entries.emplace_back(i, i, 1.0);
    entries.emplace_back(i + 1, i + 1, 1.0);
    entries.emplace_back(i, i + 1, -1.0);
    entries.emplace_back(i + 1, i, -1.0);
  }
  Sparse matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// A solution of a definite system has a residual of some eps |A| |x|, Higham, Accuracy and Stability, th. 10.4.
TEST(SparseLdlt, SolvesWhatItFactorised) {
  std::mt19937 generator(3);
  for (const int n : {1, 2, 3, 7, 40, 200, 700}) {
    for (const int edges : {0, n, 4 * n}) {
      const Sparse a = random_network(n, edges, 0.01, generator);
      const SparseLdlt factors(a);
      EXPECT_TRUE(factors.raised().empty());
      EXPECT_EQ(factors.negative(), 0);
      const Eigen::MatrixXd b = Eigen::MatrixXd::Random(n, 3);
      Eigen::MatrixXd x = b;
      factors.solve_in_place(x);
      const double scale = (Eigen::MatrixXd(a).cwiseAbs() * x.cwiseAbs()).norm();
      EXPECT_LT((a * x - b).norm(), 10.0 * n * eps * scale) << n << " " << edges;
      EXPECT_LE(factors.growth(), 1.0 + 1e-12);
    }
  }
}

TEST(SparseLdlt, AnotherMatrixWithTheSameOrdering) {
  std::mt19937 generator(4);
  const Sparse a = random_network(60, 200, 0.5, generator);
  SparseLdlt factors(a);
  const Sparse b = 3.0 * a;
  factors.factor(b);
  Eigen::MatrixXd x = Eigen::MatrixXd::Ones(60, 1);
  factors.solve_in_place(x);
  EXPECT_LT((b * x - Eigen::MatrixXd::Ones(60, 1)).norm(), 1e-12);
}

TEST(SparseLdlt, CountsNegativeEigenvaluesAsADenseSolverDoes) {
  std::mt19937 generator(5);
  const Sparse a = random_network(120, 400, 0.0, generator) + chain(120);  // in one piece: 0 is an eigenvalue once
  const Eigen::VectorXd values = symmetric_eigenvalues(Eigen::MatrixXd(a));
  Sparse identity(120, 120);
  identity.setIdentity();
  for (const int below : {1, 2, 30, 60, 119}) {
    const double place = 0.5 * (values(below - 1) + values(below));
    const SparseLdlt factors(Sparse(a - place * identity), TinyPivots::keep);
    EXPECT_EQ(factors.negative(), below);
  }
}

TEST(SparseLdlt, RaisesAPivotForEachMotionWithoutStrain) {
  const Sparse one = chain(50);
  EXPECT_EQ(SparseLdlt(one).raised().size(), 1U);
  // Two chains, and a row with nothing in it: raising by |A(i, i)| = 0 leaves the pivot a rounding.
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < one.outerSize(); ++j) {
    for (Sparse::InnerIterator entry(one, j); entry; ++entry) {
      entries.emplace_back(entry.row(), entry.col(), entry.value());
      entries.emplace_back(50 + entry.row(), 50 + entry.col(), entry.value());
    }
  }
  Sparse two(100, 100);
  two.setFromTriplets(entries.begin(), entries.end());
  const SparseLdlt factors(two);
  ASSERT_EQ(factors.raised().size(), 2U);
  EXPECT_NE(factors.raised()[0].row < 50, factors.raised()[1].row < 50) << "one in each body";
  // What was factorised is A + E.
  Sparse raised = two;
  for (const auto& [row, by] : factors.raised()) raised.coeffRef(row, row) += by;
  Eigen::MatrixXd x = Eigen::MatrixXd::Random(100, 1);
  const Eigen::MatrixXd b = x;
  factors.solve_in_place(x);
  EXPECT_LT((raised * x - b).norm(), 1e-10);
}

TEST(SparseLdlt, WrongSizesAreRefused) {
  EXPECT_THROW(SparseLdlt(Sparse(2, 3)), std::invalid_argument);
  const SparseLdlt factors(chain(4));
  Eigen::MatrixXd x = Eigen::MatrixXd::Ones(3, 1);
  EXPECT_THROW(factors.solve_in_place(x), std::invalid_argument);
}

}  // namespace sparse_ldlt_test
}  // namespace microslip
