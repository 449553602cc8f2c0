#include "microslip/numerics/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

namespace microslip {
namespace dense_test {

using Complex = std::complex<double>;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

Eigen::MatrixXd matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Eigen::MatrixXd a(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows.begin()->size()));
  Eigen::Index i = 0;
  for (const auto& row : rows) {
    Eigen::Index j = 0;
    for (const double x : row) a(i, j++) = x;
    ++i;
  }
  return a;
}

TEST(Dense, ProductsOfRealAndComplex) {
  const Eigen::MatrixXd a = matrix({{1, 2}, {3, 4}, {5, 6}});
  Eigen::VectorXcd x(2), y(3);
  x << Complex(1, -1), Complex(0, 2);
  y << Complex(1, 0), Complex(0, 1), Complex(-1, 1);
  const Eigen::VectorXcd ax = times(a, x), aty = transpose_times(a, y);
  EXPECT_EQ(ax(0), Complex(1, 3));
  EXPECT_EQ(ax(2), Complex(5, 7));
  EXPECT_EQ(aty(0), Complex(-4, 8));
  EXPECT_EQ(aty(1), Complex(-4, 10));
  EXPECT_EQ(congruent(matrix({{2, 1, 0}, {1, 2, 0}, {0, 0, 1}}), a), matrix({{51, 68}, {68, 92}}));
}

// [2 1; 1 2]: 1 and 3; with b = diag(1, 4) the roots of 4 l^2 - 10 l + 3.
TEST(Dense, SymmetricEigenvalues) {
  const Eigen::MatrixXd a = matrix({{2, 1}, {1, 2}}), b = matrix({{1, 0}, {0, 4}});
  EXPECT_NEAR(symmetric_eigenvalues(a)(0), 1.0, 4 * epsilon);
  const SymmetricEigen pairs = symmetric_eigen(a, b);
  EXPECT_TRUE(pairs.converged);
  EXPECT_NEAR(pairs.values(0), (5.0 - std::sqrt(13.0)) / 4.0, 8 * epsilon);
  EXPECT_NEAR(pairs.values(1), (5.0 + std::sqrt(13.0)) / 4.0, 8 * epsilon);
  EXPECT_TRUE(congruent(b, pairs.vectors).isIdentity(8 * epsilon));
}

// A rotation by 0.3 of length 1.5 has eigenvalues 1.5 exp(+-0.3 i); i times a real matrix has its spectral radius; so
// has a triangular matrix with entries anywhere in the plane.
TEST(Dense, EigenvaluesWithoutSymmetry) {
  const double c = 1.5 * std::cos(0.3), s = 1.5 * std::sin(0.3);
  const Eigen::MatrixXd a = matrix({{c, -s}, {s, c}});
  for (const Complex value : complex_eigenvalues(a)) EXPECT_NEAR(std::abs(std::arg(value)), 0.3, 4 * epsilon);
  const ComplexEigen eigen = complex_eigen(a);
  EXPECT_LE((a.cast<Complex>() * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm(), 16 * epsilon);
  EXPECT_NEAR(spectral_radius(Complex(0, 1) * a), 1.5, 16 * epsilon);
  Eigen::MatrixXcd triangle = Eigen::MatrixXcd::Zero(3, 3);
  triangle.diagonal() << Complex(0.3, 0.4), Complex(-0.6, 0.8), Complex(0.1, -0.9);
  triangle(0, 1) = triangle(1, 2) = Complex(0.5, 0.5);
  EXPECT_NEAR(spectral_radius(triangle), 1.0, 64 * epsilon);
}

// det = -2, inverse [-2 1; 1.5 -0.5]. Copies are independent, and factors may be computed again.
TEST(Dense, LuFactors) {
  const Eigen::MatrixXd a = matrix({{1, 2}, {3, 4}});
  LuFactors<double> lu(a);
  const LuFactors<double> copy = lu;
  EXPECT_EQ(lu.sign(), -1);
  EXPECT_NEAR(lu.pivot_ratio(), (2.0 / 3.0) / 3.0, 4 * epsilon);
  EXPECT_NEAR(lu.rcond(), 1.0 / (6.0 * 3.5), 16 * epsilon);
  lu.compute(2.0 * Eigen::MatrixXd::Identity(3, 3));
  EXPECT_EQ(lu.sign(), 1);
  EXPECT_EQ(lu.solve(Eigen::VectorXd(Eigen::VectorXd::Ones(3)))(2), 0.5);
  EXPECT_LE((copy.solve(Eigen::VectorXd(Eigen::Vector2d(5, 11))) - Eigen::Vector2d(1, 2)).norm(), 16 * epsilon);
  EXPECT_LE((inverse(a) - matrix({{-2, 1}, {1.5, -0.5}})).norm(), 32 * epsilon);
  Eigen::MatrixXcd z(2, 2);
  z << Complex(0, 1), 0, 0, Complex(1, 1);
  EXPECT_LE(std::abs(LuFactors<Complex>(z).solve(Eigen::VectorXcd(Eigen::Vector2cd(1, 2)))(1) - Complex(1, -1)),
            4 * epsilon);
}

// What cannot be solved is refused.
TEST(Dense, RefusesSingularAndIndefinite) {
  const Eigen::MatrixXd singular = matrix({{1, 2}, {2, 4}}), indefinite = matrix({{1, 2}, {2, 1}}),
                        positive = matrix({{4, 2}, {2, 3}});
  const Eigen::VectorXd right = Eigen::Vector2d(8, 8);
  EXPECT_FALSE(solve_if_regular(singular, right));
  EXPECT_LE((*solve_if_regular(positive, right) - Eigen::Vector2d(1, 2)).norm(), 16 * epsilon);
  EXPECT_EQ(positive_rcond(indefinite), 0.0);
  EXPECT_NEAR(positive_rcond(positive), 1.0 / (6.0 * 0.75), 16 * epsilon);
  EXPECT_FALSE(solve_if_positive(indefinite, right, 0.0));
  EXPECT_FALSE(solve_if_positive(positive, right, 0.5));
  EXPECT_LE((*solve_if_positive(positive, right, 0.1) - Eigen::Vector2d(1, 2)).norm(), 16 * epsilon);
  CholeskyFactors factors;
  EXPECT_FALSE(factors.compute(indefinite));
  EXPECT_TRUE(factors.compute(positive));
  Eigen::VectorXd x = right;
  factors.solve_in_place(x);
  EXPECT_LE((x - Eigen::Vector2d(1, 2)).norm(), 16 * epsilon);
}

// [1 2; 2 4] x = (5, 10): of all x1 + 2 x2 = 5 the shortest is (1, 2).
TEST(Dense, LeastNorm) {
  LeastNormLu lu;
  lu.compute(matrix({{1, 2}, {2, 4}}));
  EXPECT_TRUE(lu.singular());
  EXPECT_EQ(lu.sign(), 0);
  EXPECT_LE((lu.solve(Eigen::Vector2d(5, 10)) - Eigen::Vector2d(1, 2)).norm(), 32 * epsilon);
  lu.compute(Eigen::MatrixXd::Zero(2, 2));
  EXPECT_TRUE(lu.singular());
  EXPECT_EQ(lu.solve(Eigen::Vector2d(5, 10)).norm(), 0.0);
  lu.compute(matrix({{0, 2}, {2, 0}}));
  EXPECT_FALSE(lu.singular());
  EXPECT_EQ(lu.sign(), -1);
  EXPECT_EQ(lu.solve(Eigen::Vector2d(2, 4)), Eigen::Vector2d(2, 1));
}

// A line through (0, 1), (1, 3), (2, 4): 7/6 + 3/2 x. Singular values of [3 0; 4 5]: sqrt(45), sqrt(5).
TEST(Dense, OrthogonalDecompositions) {
  const Eigen::MatrixXd a = matrix({{1, 0}, {1, 1}, {1, 2}});
  const Eigen::VectorXd b = Eigen::Vector3d(1, 3, 4);
  EXPECT_LE((least_squares(a, b) - Eigen::Vector2d(7.0 / 6.0, 1.5)).norm(), 32 * epsilon);
  const OrthogonalFit fit = orthogonal_fit(a, b);
  EXPECT_LE((fit.solution - Eigen::Vector2d(7.0 / 6.0, 1.5)).norm(), 32 * epsilon);
  EXPECT_TRUE(congruent(Eigen::MatrixXd::Identity(3, 3), fit.basis).isIdentity(8 * epsilon));
  const Eigen::MatrixXd r = triangle_of(a), q = orthogonal_columns(a, 3);
  EXPECT_EQ(r(1, 0), 0.0);
  EXPECT_LE((r.transpose() * r - a.transpose() * a).norm(), 32 * epsilon);
  EXPECT_LE((q.col(2).transpose() * a).norm(), 16 * epsilon);
  const RightSingular svd = right_singular(matrix({{3, 0}, {4, 5}}));
  EXPECT_NEAR(svd.values(0), std::sqrt(45.0), 32 * epsilon);
  EXPECT_NEAR(svd.values(1), std::sqrt(5.0), 32 * epsilon);
  EXPECT_NEAR(std::abs(svd.v(0, 0)), std::sqrt(0.5), 16 * epsilon);
  const PseudoInverse pseudo = pseudo_inverse(matrix({{1, 2}, {2, 4}}), 1e-12);
  EXPECT_EQ(pseudo.rank, 1);
  EXPECT_LE((pseudo.matrix - matrix({{1, 2}, {2, 4}}) / 25.0).norm(), 8 * epsilon);
}

}  // namespace dense_test
}  // namespace microslip
