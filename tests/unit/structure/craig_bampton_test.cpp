#include "microslip/structure/craig_bampton.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <numbers>

#include "microslip/numerics/dense.hpp"
#include "microslip/structure/constrained_solver.hpp"
#include "microslip/structure/modes.hpp"
#include "microslip/structure/spider.hpp"
#include "support/brick_block.hpp"

namespace microslip {
namespace craig_bampton_test {

using testing::BrickBlock;

BrickBlock slab() {
  BrickBlock block;
  block.elements = {8, 3, 2};
  block.size = {1.0, 0.2, 0.1};
  return block;
}

std::vector<PatchNode> bottom(const BrickBlock& block, double from, double to) {
  std::vector<PatchNode> nodes;
  for (int i = 0; i < block.nodes(); ++i) {
    const Eigen::Vector3d p = block.position(i);
    if (p.z() > 1e-9 || p.x() < from || p.x() > to) continue;
    nodes.push_back({p, {3 * i, 3 * i + 1, 3 * i + 2}, 1.0});
  }
  return nodes;
}

/// The mean motions of both ends of the bottom.
SparseMatrix two_ends(const BrickBlock& block) {
  const int n = 3 * block.nodes();
  std::vector<Eigen::Triplet<double>> entries;
  int first = 0;
  for (const auto& [from, to] : {std::pair(0.0, 0.3), std::pair(0.7, 1.0)}) {
    const auto nodes = bottom(block, from, to);
    const Spider spider = averaging_spider(nodes, centre_of(nodes), n);
    for (int j = 0; j < n; ++j) {
      for (SparseMatrix::InnerIterator entry(spider.rows, j); entry; ++entry) {
        entries.emplace_back(first + entry.row(), j, entry.value());
      }
    }
    first += 6;
  }
  SparseMatrix rows(first, n);
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

SparseMatrix single_dofs(const std::vector<int>& dofs, int n) {
  SparseMatrix rows(static_cast<Eigen::Index>(dofs.size()), n);
  for (std::size_t i = 0; i < dofs.size(); ++i) rows.insert(static_cast<Eigen::Index>(i), dofs[i]) = 1.0;
  return rows;
}

/// Rigid motion about the origin at every node.
Eigen::MatrixXd rigid_motions(const BrickBlock& block) {
  Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(3 * block.nodes(), 6);
  for (int i = 0; i < block.nodes(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      motions(3 * i + axis, axis) = 1.0;
      motions.block(3 * i, 3 + axis, 3, 1) = Eigen::Vector3d::Unit(axis).cross(block.position(i));
    }
  }
  return motions;
}

TEST(Spider, SeesARigidMotionAsItIs) {
  const BrickBlock block = slab();
  const auto nodes = bottom(block, 0.0, 0.3);
  const Eigen::Vector3d point(0.4, -0.2, 0.7);  // anywhere
  const Spider spider = averaging_spider(nodes, point, 3 * block.nodes());
  const Eigen::MatrixXd seen = spider.rows * rigid_motions(block);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Identity(6, 6);
  for (int axis = 0; axis < 3; ++axis) {
    expected.block(0, 3 + axis, 3, 1) = Eigen::Vector3d::Unit(axis).cross(point);
  }
  EXPECT_LT((seen - expected).norm(), 1e-13);
  EXPECT_GE(spider.condition, 1.0);
}

TEST(Spider, MeansByWeight) {
  std::vector<PatchNode> nodes = {
      {{0, 0, 0}, {0, 1, 2}, 1.0}, {{1, 0, 0}, {3, 4, 5}, 2.0}, {{0, 1, 0}, {6, 7, 8}, 1.0}};
  const Spider spider = averaging_spider(nodes, centre_of(nodes), 9);
  const Eigen::MatrixXd rows = spider.rows;
  // About the centre, translations are plain means.
  EXPECT_NEAR(rows(0, 0), 0.25, 1e-15);
  EXPECT_NEAR(rows(0, 3), 0.5, 1e-15);
  EXPECT_NEAR(rows(2, 8), 0.25, 1e-15);
}

TEST(Spider, PatchesThatLeaveARotationFreeAreRefused) {
  std::vector<PatchNode> line = {{{0, 0, 0}, {0, 1, 2}, 1.0}, {{1, 0, 0}, {3, 4, 5}, 1.0}, {{2, 0, 0}, {6, 7, 8}, 1.0}};
  EXPECT_THROW(static_cast<void>(averaging_spider(line, {0, 0, 0}, 9)), std::invalid_argument);
  std::vector<PatchNode> flat = {
      {{0, 0, 0}, {0, -1, -1}, 1.0}, {{1, 0, 0}, {1, -1, -1}, 1.0}, {{0, 1, 0}, {2, -1, -1}, 1.0}};
  EXPECT_THROW(static_cast<void>(averaging_spider(flat, {0, 0, 0}, 3)), std::invalid_argument);
  for (PatchNode& node : line) node.position.setZero();
  EXPECT_THROW(static_cast<void>(averaging_spider(line, {0, 0, 0}, 9)), std::invalid_argument);
}

TEST(RigidTies, MakeAPatchMoveAsABody) {
  const BrickBlock block = slab();
  const auto nodes = bottom(block, 0.0, 0.3);
  const int n = 3 * block.nodes();
  const RigidTies ties = rigid_ties({nodes}, {centre_of(nodes)}, n);
  EXPECT_EQ(ties.transformation.cols(), n - 3 * static_cast<int>(nodes.size()) + 6);
  const auto [stiffness, mass] = testing::assembled(block);
  const SparseMatrix t = ties.transformation, transposed = t.transpose();
  const Modes tied =
      vibration_modes(Eigen::MatrixXd(transposed * stiffness * t), Eigen::MatrixXd(transposed * mass * t));
  const Modes loose = vibration_modes(stiffness, mass);
  EXPECT_EQ(tied.rigid, 6);
  EXPECT_GT(tied.omega(6), loose.omega(6)) << "a constraint raises frequencies (Rayleigh)";
  // The same by a stiff penalty on what is not rigid of the patch; the error of a penalty falls with 1/p.
  const Spider spider = averaging_spider(nodes, centre_of(nodes), n);
  Eigen::MatrixXd patch = Eigen::MatrixXd::Zero(n, n);
  for (const PatchNode& node : nodes) {
    for (const int dof : node.dofs) patch(dof, dof) = 1.0;
  }
  Eigen::MatrixXd follow = Eigen::MatrixXd::Zero(n, 6);
  for (const PatchNode& node : nodes) {
    for (int axis = 0; axis < 3; ++axis) {
      follow(node.dofs[axis], axis) = 1.0;
      const Eigen::Vector3d turn = Eigen::Vector3d::Unit(axis).cross(node.position - centre_of(nodes));
      for (int d = 0; d < 3; ++d) follow(node.dofs[d], 3 + axis) = turn(d);
    }
  }
  const Eigen::MatrixXd rest = patch - follow * Eigen::MatrixXd(spider.rows);
  double before = 0.0;
  for (const double penalty : {1e13, 1e14}) {
    const Modes stiff = vibration_modes(Eigen::MatrixXd(stiffness) + penalty * rest.transpose() * rest, mass);
    const double error = 1.0 - stiff.omega(6) / tied.omega(6);
    EXPECT_GT(error, 0.0);
    if (before > 0.0) {
      EXPECT_NEAR(before / error, 10.0, 1.0);
    }
    before = error;
  }
  EXPECT_THROW(static_cast<void>(rigid_ties({nodes, nodes}, {centre_of(nodes), centre_of(nodes)}, n)),
               std::invalid_argument);
}

/// A basis of the motions with the boundary held.
Eigen::MatrixXd held_motions(const SparseMatrix& rows) {
  const Eigen::MatrixXd all = orthogonal_columns(Eigen::MatrixXd(rows.transpose()), rows.cols());
  return all.rightCols(rows.cols() - rows.rows());
}

TEST(ConstrainedSolver, GivesTheSaddlePoint) {
  const BrickBlock block = slab();
  const auto [stiffness, mass] = testing::assembled(block);
  const SparseMatrix rows = two_ends(block);
  const Eigen::Index n = mass.rows(), b = rows.rows();
  const ConstrainedSolver solver(stiffness, rows);
  EXPECT_EQ(solver.free_motions(), 6);
  Eigen::MatrixXd saddle = Eigen::MatrixXd::Zero(n + b, n + b);
  const double scale = stiffness.coeff(0, 0);  // rows of like size, for the dense solver
  saddle.topLeftCorner(n, n) = stiffness / scale;
  saddle.topRightCorner(n, b) = Eigen::MatrixXd(rows).transpose();
  saddle.bottomLeftCorner(b, n) = Eigen::MatrixXd(rows);
  const Eigen::MatrixXd f = Eigen::MatrixXd::Random(n, 2), g = Eigen::MatrixXd::Random(b, 2) * 1e-9;
  Eigen::MatrixXd right(n + b, 2);
  right << f / scale, g;
  const Eigen::MatrixXd expected = LuFactors<double>(saddle).solve(right).topRows(n);
  EXPECT_LT((solver.solve(f, g) - expected).norm(), 1e-9 * expected.norm());
}

TEST(ConstrainedSolver, CountsHeldModes) {
  const BrickBlock block = slab();
  const auto [stiffness, mass] = testing::assembled(block);
  const SparseMatrix rows = two_ends(block);
  const Eigen::MatrixXd kernel = held_motions(rows);
  const Modes held = vibration_modes(kernel.transpose() * (stiffness * kernel), kernel.transpose() * (mass * kernel));
  for (const int below : {0, 1, 5, 20}) {
    const double low = below > 0 ? held.omega(below - 1) : 0.0, high = held.omega(below);
    const double place = 0.5 * (low * low + high * high);
    const SignCount counted = constrained_modes_below(stiffness, mass, rows, place);
    EXPECT_EQ(counted.below, below);
    EXPECT_TRUE(counted.clear);
  }
  const ReducedModel reduced = craig_bampton(stiffness, mass, rows, 10);
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(reduced.held_omega(i) / held.omega(i), 1.0, 1e-10);
}

// At a frequency of the free structure, to rounding, its answers to the boundary's forces are nearly all of one shape,
// and rounding of them hides the signs of what is left: the count is right or unclear. 1e-6 beside it what is left is
// some 1e-6 of the answers and rounding some eps/1e-6 of them: all are right and clear.
TEST(ConstrainedSolver, CountsAtAFreeModeAreUnclear) {
  const BrickBlock block = slab();
  const auto [stiffness, mass] = testing::assembled(block);
  const SparseMatrix rows = two_ends(block);
  const Eigen::MatrixXd kernel = held_motions(rows);
  const Modes held = vibration_modes(kernel.transpose() * (stiffness * kernel), kernel.transpose() * (mass * kernel));
  const Modes free = vibration_modes(stiffness, mass);
  for (int mode = 6; mode < 26; ++mode) {
    for (const double off : {-1e-6, -1e-13, 0.0, 1e-13, 1e-6}) {
      const double place = free.omega(mode) * free.omega(mode) * (1.0 + off);
      const auto below = (held.omega.array().square() < place).count();
      const SignCount counted = constrained_modes_below(stiffness, mass, rows, place);
      EXPECT_TRUE(counted.below == below || !counted.clear)
          << mode << ", " << off << ": " << counted.below << " " << below;
      if (std::abs(off) > 1e-7) {
        EXPECT_TRUE(counted.clear && counted.below == below) << mode << ", " << off;
      }
    }
  }
}

TEST(ConstrainedSolver, ABoundaryThatDoesNotHoldIsRefused) {
  const BrickBlock block = slab();
  const auto [stiffness, mass] = testing::assembled(block);
  const auto n = static_cast<int>(mass.rows());
  EXPECT_THROW(ConstrainedSolver(stiffness, single_dofs({0, 1, 2}, n)), std::invalid_argument) << "it may turn";
  EXPECT_THROW(ConstrainedSolver(stiffness, single_dofs({0, 0}, n)), std::invalid_argument) << "the same twice";
  EXPECT_NO_THROW(ConstrainedSolver(stiffness, single_dofs({0, 1, 2, 25, 26, 100, 101, 200}, n)));
}

class Reduction : public ::testing::TestWithParam<bool> {};

TEST_P(Reduction, KeepsStaticsAndRigidMotionsWhateverTheModes) {
  const BrickBlock block = slab();
  const auto [stiffness, mass] = testing::assembled(block);
  const SparseMatrix rows = two_ends(block);
  const Modes all = vibration_modes(stiffness, mass);
  for (const int modes : {0, 1, 8}) {
    const ReducedModel reduced = craig_bampton(stiffness, mass, rows, modes, GetParam());
    EXPECT_LT((rows * reduced.recovery.leftCols(12) - Eigen::MatrixXd::Identity(12, 12)).norm(), 1e-12);
    EXPECT_LT((rows * reduced.recovery.rightCols(reduced.mass.rows() - 12)).norm(), 1e-10);
    const Modes small = vibration_modes(reduced.stiffness, reduced.mass);
    EXPECT_EQ(small.rigid, 6);
    Eigen::VectorXd force = Eigen::VectorXd::Zero(12);  // in balance: along x, and a pair of couples
    force(0) = 1.0;
    force(6) = -1.0;
    force(4) = 0.3;
    force(10) = -0.3;
    Eigen::VectorXd on_reduced = Eigen::VectorXd::Zero(reduced.mass.rows());
    on_reduced.head(12) = force;
    const Eigen::VectorXd on_full = rows.transpose() * force;
    const auto compliance = [](const Modes& of, const Eigen::VectorXd& b) {
      double sum = 0.0;
      for (Eigen::Index i = of.rigid; i < of.omega.size(); ++i)
        sum += std::pow(of.shapes.col(i).dot(b) / of.omega(i), 2);
      return sum;
    };
    EXPECT_NEAR(compliance(small, on_reduced) / compliance(all, on_full), 1.0, 1e-9) << modes;
    // Total mass: a unit motion of the boundary along x moves all of it.
    Eigen::VectorXd along = Eigen::VectorXd::Zero(reduced.mass.rows());
    along(0) = along(6) = 1.0;
    EXPECT_NEAR(along.dot(reduced.mass * along) / block.mass(), 1.0, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(CraigBampton, Reduction, ::testing::Values(false, true));

// Ritz values lie above the exact ones and fall with every mode that is added; shapes of inertia make them fall faster.
TEST(CraigBampton, FrequenciesConvergeFromAbove) {
  const BrickBlock block = slab();
  const auto [stiffness, mass] = testing::assembled(block);
  const SparseMatrix rows = two_ends(block);
  const Modes all = vibration_modes(stiffness, mass);
  double before = 1.0;
  for (const int modes : {4, 16, 64}) {
    const ReducedModel plain = craig_bampton(stiffness, mass, rows, modes, false);
    const ReducedModel better = craig_bampton(stiffness, mass, rows, modes, true);
    const double error = vibration_modes(plain.stiffness, plain.mass).omega(6) / all.omega(6) - 1.0;
    const double less = vibration_modes(better.stiffness, better.mass).omega(6) / all.omega(6) - 1.0;
    EXPECT_GT(error, -1e-10);
    EXPECT_GT(less, -1e-10);
    EXPECT_LT(error, before);
    EXPECT_LT(less, std::max(0.1 * error, 1e-10));
    before = error;
  }
}

TEST(CraigBampton, AllHeldModesAreTheWholeStructure) {
  BrickBlock block;
  block.elements = {2, 1, 1};
  block.size = {0.2, 0.1, 0.1};
  const auto [stiffness, mass] = testing::assembled(block);
  const auto n = static_cast<int>(mass.rows());
  const SparseMatrix rows = single_dofs({0, 1, 2, 7, 8, 17, 20}, n);
  const ReducedModel reduced = craig_bampton(stiffness, mass, rows, n - 7, true);
  EXPECT_EQ(reduced.mass.rows(), n) << "nothing is left for shapes of inertia";
  const Modes small = vibration_modes(reduced.stiffness, reduced.mass), all = vibration_modes(stiffness, mass);
  EXPECT_EQ(small.rigid, 6);
  for (int i = 6; i < n; ++i) EXPECT_NEAR(small.omega(i) / all.omega(i), 1.0, 1e-10) << i;
  EXPECT_THROW(static_cast<void>(craig_bampton(stiffness, mass, rows, n - 6, true)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(craig_bampton(stiffness, mass, SparseMatrix(0, n), 3)), std::invalid_argument);
}

// A boundary node whose neighbours are all held moves nothing else: its answer is rounding, and no shape. Masses 1 - 2
// - 3 in a row, the first two held.
TEST(CraigBampton, ANodeAmongHeldOnesAddsNoShape) {
  Eigen::Matrix3d k;
  k << 5.3, -5.3, 0.0, -5.3, 7.4, -2.1, 0.0, -2.1, 2.1;
  const Eigen::Vector3d m(1.3, 0.8, 2.0);
  const SparseMatrix stiffness = k.sparseView(), mass = Eigen::Matrix3d(m.asDiagonal()).sparseView();
  const Modes all = vibration_modes(stiffness, mass);
  for (const int modes : {0, 1}) {
    const ReducedModel reduced = craig_bampton(stiffness, mass, single_dofs({0, 1}, 3), modes, true);
    ASSERT_EQ(reduced.mass.rows(), 3);
    const Modes small = vibration_modes(reduced.stiffness, reduced.mass);
    for (int i = 1; i < 3; ++i) EXPECT_NEAR(small.omega(i) / all.omega(i), 1.0, 1e-12) << i;
  }
}

}  // namespace craig_bampton_test
}  // namespace microslip
