#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/structure/linear_structure.hpp"
#include "microslip/structure/modes.hpp"

namespace microslip {
namespace structure_test {

/// Chain of n masses m to the ground with springs k: omega_r = 2 sqrt(k/m) sin((2r-1) pi/(4n+2)).
LinearStructure chain(int n, double m, double k) {
  std::vector<LumpedLink> springs{{-1, 0, k}};
  for (int i = 1; i < n; ++i) springs.push_back({i - 1, i, k});
  return LinearStructure::lumped(std::vector<double>(n, m), {}, springs, {}, ModalDamping{});
}

TEST(Modes, ChainHasItsClosedForm) {
  const LinearStructure structure = chain(12, 2.0, 50.0);
  const Modes modes = vibration_modes(structure.stiffness(), structure.mass());
  EXPECT_EQ(modes.rigid, 0);
  for (int r = 1; r <= 12; ++r) {
    EXPECT_NEAR(modes.omega(r - 1), 10.0 * std::sin((2 * r - 1) * std::numbers::pi / 50.0), 1e-12);
  }
}

TEST(Modes, ShapesAreMassNormalisedWithTheLargestComponentPositive) {
  const LinearStructure structure = chain(7, 3.0, 20.0);
  const Modes modes = vibration_modes(structure.stiffness(), structure.mass());
  const Eigen::MatrixXd product = modes.shapes.transpose() * structure.mass() * modes.shapes;
  EXPECT_LT((product - Eigen::MatrixXd::Identity(7, 7)).cwiseAbs().maxCoeff(), 1e-13);
  for (int r = 0; r < 7; ++r) EXPECT_EQ(modes.shapes.col(r).maxCoeff(), modes.shapes.col(r).cwiseAbs().maxCoeff());
}

TEST(Modes, FreeBodiesHaveRigidModesAtExactlyZero) {
  // Two bodies of two masses each, unconnected: two rigid modes, and omega^2 = k/m1 + k/m2 twice.
  const LinearStructure structure =
      LinearStructure::lumped({1.0, 3.0, 1.0, 3.0}, {}, {{0, 1, 1e9}, {2, 3, 1e9}}, {}, ModalDamping{});
  const Modes modes = vibration_modes(structure.stiffness(), structure.mass());
  EXPECT_EQ(modes.rigid, 2);
  EXPECT_EQ(modes.omega(0), 0.0);
  EXPECT_EQ(modes.omega(1), 0.0);
  EXPECT_NEAR(modes.omega(2), std::sqrt(4e9 / 3.0), 1e-8);
}

TEST(Modes, ASoftModeBesideAStiffOneIsNotRigid) {
  const LinearStructure structure =
      LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 1.0}, {0, 1, 1e10}}, {}, ModalDamping{});
  const Modes modes = vibration_modes(structure.stiffness(), structure.mass());
  EXPECT_EQ(modes.rigid, 0);
  // Both masses on the soft spring: omega^2 = 1/2 up to 1e-10, but the eigenvalue is the difference of numbers of 1e10.
  EXPECT_NEAR(modes.omega(0), std::sqrt(0.5), 1e-5);
}

TEST(Modes, RefuseIndefiniteMatrices) {
  Eigen::MatrixXd k(2, 2), m = Eigen::MatrixXd::Identity(2, 2);
  k << 1.0, 2.0, 2.0, 1.0;  // eigenvalues -1 and 3
  EXPECT_THROW(vibration_modes(k, m), std::invalid_argument);
  m(1, 1) = -1.0;
  k.setIdentity();
  EXPECT_THROW(vibration_modes(k, m), std::invalid_argument);
  m << 1.0, 2.0, 2.0, 1.0;
  EXPECT_THROW(vibration_modes(k, m), std::invalid_argument);
  m << 1.0, 0.0, 0.0, 0.0;
  k(1, 1) = 0.0;
  EXPECT_THROW(vibration_modes(k, m), std::invalid_argument) << "neither mass nor stiffness";
}

// m1 on springs k1 to the ground and k2 to a point without mass, which a spring k3 holds: k1 and k2, k3 in series.
TEST(Modes, AMasslessPointFollows) {
  Eigen::MatrixXd k(2, 2), m = Eigen::MatrixXd::Zero(2, 2);
  k << 1.0 + 2.0, -2.0, -2.0, 2.0 + 3.0;
  m(0, 0) = 4.0;
  const Modes modes = vibration_modes(k, m);
  ASSERT_EQ(modes.omega.size(), 1);
  EXPECT_NEAR(modes.omega(0), std::sqrt((1.0 + 2.0 * 3.0 / 5.0) / 4.0), 1e-15);
  EXPECT_NEAR(modes.shapes(0, 0), 0.5, 1e-15);
  EXPECT_NEAR(modes.shapes(1, 0), 0.5 * 2.0 / 5.0, 1e-15);
}

std::string complaint(LinearStructure::Parts parts) {
  try {
    const LinearStructure structure(std::move(parts));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

LinearStructure::Parts two_masses() {
  LinearStructure::Parts parts;
  parts.mass = Eigen::MatrixXd::Identity(2, 2).sparseView();
  parts.stiffness = 4.0 * parts.mass;
  return parts;
}

TEST(LinearStructure, NamesWhatIsWrong) {
  auto parts = two_masses();
  EXPECT_EQ(complaint(parts), "");
  parts.stiffness.coeffRef(0, 1) = 0.5;
  EXPECT_NE(complaint(parts).find("the stiffness matrix must be symmetric, entries (1, 2) and (2, 1)"),
            std::string::npos);
  parts = two_masses();
  parts.mass.coeffRef(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(complaint(parts).find("the mass matrix must be finite, entry (2, 2)"), std::string::npos);
  parts = two_masses();
  parts.stiffness.resize(2, 3);
  EXPECT_NE(complaint(parts).find("the stiffness matrix must be square, got 2 x 3"), std::string::npos);
  parts = two_masses();
  parts.stiffness = Eigen::MatrixXd::Identity(3, 3).sparseView();
  EXPECT_NE(complaint(parts).find("differ in size: 2 and 3"), std::string::npos);
  parts = two_masses();
  parts.labels = {"a", "a"};
  EXPECT_NE(complaint(parts).find("\"a\" occurs twice"), std::string::npos);
  parts = two_masses();
  parts.labels = {"a"};
  EXPECT_NE(complaint(parts).find("2 degrees of freedom but 1 labels"), std::string::npos);
}

TEST(LinearStructure, LabelsAreNumbersByDefault) {
  const LinearStructure structure = chain(3, 1.0, 1.0);
  EXPECT_EQ(structure.labels(), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(structure.index_of("3"), 2);
  EXPECT_EQ(structure.index_of("4"), -1);
}

}  // namespace structure_test
}  // namespace microslip
