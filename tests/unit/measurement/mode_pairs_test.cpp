// Pairs of measured modes and modes of a model: of shapes that are known.

#include "microslip/measurement/mode_pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace microslip {
namespace mode_pairs_test {

/// Shapes of a chain of n equal masses between two walls: sin(i j pi/(n + 1)), orthogonal, of equal length.
Eigen::MatrixXd chain_shapes(int n) {
  return Eigen::MatrixXd::NullaryExpr(n, n, [n](Eigen::Index i, Eigen::Index j) {
    return std::sin(static_cast<double>((i + 1) * (j + 1)) * std::numbers::pi / (n + 1));
  });
}

Eigen::VectorXd chain_frequencies(int n) {
  return Eigen::VectorXd::NullaryExpr(
      n, [n](Eigen::Index j) { return 2.0 * std::sin(0.5 * static_cast<double>(j + 1) * std::numbers::pi / (n + 1)); });
}

TEST(ModePairs, FindShapesInAnotherOrderAndScale) {
  const Eigen::MatrixXd model = chain_shapes(5);
  const Eigen::VectorXd frequency = chain_frequencies(5);
  const int order[] = {3, 0, 2};
  const double scale[] = {-2.5, 0.1, 1.0};
  Eigen::MatrixXcd measured(5, 3);
  Eigen::VectorXd measured_frequency(3);
  for (int i = 0; i < 3; ++i) {
    measured.col(i) = model.col(order[i]) * std::polar(scale[i], 0.3 * i);
    measured_frequency(i) = 1.1 * frequency(order[i]);
  }
  const ModePairs pairs = pair_modes(measured, measured_frequency, model, frequency);
  EXPECT_EQ(pairs.partner, (std::vector<int>{3, 0, 2}));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 5; ++j) EXPECT_NEAR(pairs.mac(i, j), j == order[i] ? 1.0 : 0.0, 1e-14);
    EXPECT_NEAR(std::abs(pairs.scale(i)), std::abs(scale[i]), 1e-14);
    // A real shape keeps its sign; a complex one has none.
    if (i == 0) {
      EXPECT_NEAR(pairs.scale(i), scale[i], 1e-14);
    }
    EXPECT_TRUE(pairs.real_shape.col(i).isApprox(pairs.scale(i) * model.col(order[i]), 1e-12));
  }
}

// Two modes of the model with the same shape at the points: the frequency tells which.
TEST(ModePairs, FrequencyTellsShapesApartThatThePointsCannot) {
  const Eigen::MatrixXd shapes = chain_shapes(4);
  Eigen::MatrixXd model(4, 3);
  model << shapes.col(1), shapes.col(1), shapes.col(0);
  const Eigen::Vector3d frequency(100.0, 140.0, 90.0);
  const Eigen::MatrixXcd measured = shapes.col(1).cast<std::complex<double>>();
  for (const double f : {95.0, 104.0, 130.0, 160.0}) {
    const ModePairs pairs = pair_modes(measured, Eigen::VectorXd::Constant(1, f), model, frequency);
    EXPECT_EQ(pairs.partner.front(), f < std::sqrt(100.0 * 140.0) ? 0 : 1) << f;
  }
}

TEST(ModePairs, AShapeThatTheModelLacksStaysAlone) {
  const Eigen::MatrixXd shapes = chain_shapes(4);
  Eigen::MatrixXcd measured(4, 2);
  measured << shapes.col(3), shapes.col(0);
  const ModePairs pairs =
      pair_modes(measured, Eigen::Vector2d(1.0, 1.0), shapes.leftCols(2), Eigen::Vector2d(1.0, 2.0));
  EXPECT_EQ(pairs.partner, (std::vector<int>{-1, 0}));
  EXPECT_EQ(pairs.scale(0), 0.0);
}

// Shapes that are orthogonal in a mass other than one: the identity, with signs; a measured shape that holds a share e
// of another mode, e/sqrt(1 + e^2) of it.
TEST(ModePairs, CrossOrthogonality) {
  const Eigen::MatrixXd flat = chain_shapes(3) * std::sqrt(0.5);
  const Eigen::Vector3d root(1.0, 2.0, 0.5);  // of the masses
  const Eigen::MatrixXd model = root.cwiseInverse().asDiagonal() * flat;
  const Eigen::MatrixXd mass = root.cwiseAbs2().asDiagonal();
  Eigen::MatrixXd measured = model;
  measured.col(0) = -3.0 * (model.col(0) + 0.1 * model.col(1));
  const Eigen::MatrixXd c = cross_orthogonality(model, mass, measured);
  Eigen::Matrix3d expected = Eigen::Matrix3d::Identity();
  expected.col(0) = Eigen::Vector3d(-1.0, -0.1, 0.0) / std::sqrt(1.01);
  EXPECT_TRUE(c.isApprox(expected, 1e-14)) << c;
}

}  // namespace mode_pairs_test
}  // namespace microslip
