#include "microslip/structure/large_modes.hpp"

#include <gtest/gtest.h>

#include <random>

#include "microslip/structure/lanczos.hpp"
#include "microslip/structure/modes.hpp"
#include "support/brick_block.hpp"

namespace microslip {
namespace large_modes_test {

using testing::BrickBlock;

BrickBlock slab() {
  BrickBlock block;
  block.elements = {8, 4, 3};
  block.size = {1.0, 0.2, 0.1};
  return block;
}

double elastic_compliance(const Modes& modes, const Eigen::VectorXd& force) {
  double sum = 0.0;
  for (Eigen::Index i = modes.rigid; i < modes.omega.size(); ++i) {
    sum += std::pow(modes.shapes.col(i).dot(force) / modes.omega(i), 2);
  }
  return sum;
}

// Both solvers are accurate to some eps omega_max^2 in omega^2; here omega_max/omega_1 is about 500.
constexpr double agreement = 1e-10;

TEST(LargeModes, AreThoseOfTheDenseSolver) {
  const auto [stiffness, mass] = testing::assembled(slab());
  const Modes all = vibration_modes(stiffness, mass);
  const Modes lowest = lowest_modes(stiffness, mass, 14, Eigen::MatrixXd(mass.rows(), 0));
  ASSERT_EQ(lowest.omega.size(), 14);
  EXPECT_EQ(lowest.rigid, 6);
  for (int i = 6; i < 14; ++i) EXPECT_NEAR(lowest.omega(i) / all.omega(i), 1.0, agreement) << i;
  const Eigen::MatrixXd unity = lowest.shapes.transpose() * (mass * lowest.shapes);
  EXPECT_LT((unity - Eigen::MatrixXd::Identity(14, 14)).norm(), agreement);
}

TEST(LargeModes, RepeatedFrequenciesAreAllFound) {
  BrickBlock beam;  // square: every bending mode twice
  beam.elements = {20, 2, 2};
  beam.size = {1.0, 0.05, 0.05};
  const auto [stiffness, mass] = testing::assembled(beam);
  const Modes all = vibration_modes(stiffness, mass);
  for (const int count : {7, 8, 9, 15}) {
    const Modes lowest = lowest_modes(stiffness, mass, count, Eigen::MatrixXd(mass.rows(), 0));
    for (int i = 6; i < count; ++i) EXPECT_NEAR(lowest.omega(i) / all.omega(i), 1.0, 1e-9) << count << " " << i;
  }
}

TEST(LargeModes, StaticsOfTheRestAreExact) {
  const auto [stiffness, mass] = testing::assembled(slab());
  const Eigen::Index n = mass.rows();
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(n, 2);
  forces(0, 0) = 1.0;  // not in balance: its rigid part is no strain
  forces(1, 1) = 1.0;
  forces(n - 2, 1) = -1.0;
  const Modes all = vibration_modes(stiffness, mass);
  for (const int count : {7, 10, 20}) {
    const Modes lowest = lowest_modes(stiffness, mass, count, forces);
    EXPECT_EQ(lowest.omega.size(), count + 2);
    for (int c = 0; c < 2; ++c) {
      const double expected = elastic_compliance(all, forces.col(c));
      EXPECT_NEAR(elastic_compliance(lowest, forces.col(c)) / expected, 1.0, agreement);
    }
    EXPECT_GT(lowest.omega(count), lowest.omega(count - 1)) << "what stands for the rest lies behind the modes";
  }
}

TEST(LargeModes, SupportsAndSeveralBodies) {
  testing::Triplets k, m;
  testing::add_block(slab(), 0, k, m);
  testing::add_block(slab(), 3 * slab().nodes(), k, m);
  const int n = 6 * slab().nodes();
  auto [stiffness, mass] = testing::assembled(n, k, m);
  EXPECT_EQ(lowest_modes(stiffness, mass, 15, Eigen::MatrixXd(n, 0)).rigid, 12);
  for (int i = 0; i < 30; ++i) stiffness.coeffRef(i, i) += 1e9;  // some nodes of the first
  const Modes held = lowest_modes(stiffness, mass, 15, Eigen::MatrixXd(n, 0));
  EXPECT_EQ(held.rigid, 6);
  const Modes all = vibration_modes(stiffness, mass);
  for (int i = 6; i < 15; ++i) EXPECT_NEAR(held.omega(i) / all.omega(i), 1.0, agreement);
}

TEST(LargeModes, MotionsWithoutMassFollowStatically) {
  auto [stiffness, mass] = testing::assembled(slab());
  // The mass of every other node is taken away.
  const auto massless = [](Eigen::Index i) { return (i / 3) % 2 == 1; };
  mass.prune([&](Eigen::Index i, Eigen::Index j, double) { return !massless(i) && !massless(j); });
  const Modes all = vibration_modes(stiffness, mass);
  EXPECT_EQ(all.omega.size(), 3 * ((slab().nodes() + 1) / 2));
  const Modes lowest = lowest_modes(stiffness, mass, 12, Eigen::MatrixXd(mass.rows(), 0));
  EXPECT_EQ(all.rigid, 6);
  EXPECT_EQ(lowest.rigid, 6);
  for (int i = 6; i < 12; ++i) {
    EXPECT_NEAR(lowest.omega(i) / all.omega(i), 1.0, agreement);
    const Eigen::VectorXd shape = all.shapes.col(i);
    const Eigen::VectorXd rest = stiffness * shape - all.omega(i) * all.omega(i) * (mass * shape);
    EXPECT_LT(rest.norm(), 1e-9 * (stiffness.cwiseAbs() * shape.cwiseAbs()).norm());
  }
}

TEST(LargeModes, NamesWhatIsWrong) {
  auto [stiffness, mass] = testing::assembled(slab());
  const Eigen::MatrixXd none(mass.rows(), 0);
  const auto complaint = [&](const SparseMatrix& k, const SparseMatrix& m, int count) {
    try {
      static_cast<void>(lowest_modes(k, m, count, none));
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint(stiffness, mass, 0).find("the number of modes must be from 1 to"), std::string::npos);
  EXPECT_NE(complaint(stiffness, mass, 100000).find("got 100000"), std::string::npos);
  SparseMatrix indefinite = stiffness;
  indefinite.coeffRef(5, 5) -= 1e12;
  EXPECT_NE(complaint(indefinite, mass, 5).find("indefinite"), std::string::npos);
  const auto at_five = [](Eigen::Index i, Eigen::Index j, double) { return i != 5 && j != 5; };
  SparseMatrix k = stiffness, m = mass;
  k.prune(at_five);
  m.prune(at_five);
  EXPECT_NE(complaint(k, m, 5).find("degree of freedom 6 has neither stiffness nor mass"), std::string::npos);
}

// K = k0 I - [0 B; B^T 0], M = I: omega^2 = k0 -+ the singular values of B, as many on either side of k0. Midway every
// first pivot is nothing but rounding, and the signs of the next ones are chance; a little beside it the count is
// right.
TEST(LargeModes, AreCountedBesideAPlaceWithoutPivots) {
  constexpr double k0 = 4.0;
  std::mt19937 generator(5);
  for (const int half : {8, 12, 16, 20, 24, 32, 40, 60}) {
    const int n = 2 * half;
    Eigen::MatrixXd k = k0 * Eigen::MatrixXd::Identity(n, n);
    const auto couple = [&](int i, int j, double by) { k(i, half + j) -= by, k(half + j, i) -= by; };
    for (int i = 0; i < half; ++i) {
      couple(i, i, 1.0);
      for (int more = 0; more < 3; ++more) {
        couple(i, static_cast<int>(generator() % static_cast<unsigned>(half)), 0.15);
      }
    }
    const SparseMatrix stiffness = k.sparseView(), mass = Eigen::MatrixXd::Identity(n, n).sparseView();
    Modes modes;
    ASSERT_NO_THROW(modes = lowest_modes(stiffness, mass, half, Eigen::MatrixXd(n, 0))) << n;
    const Modes all = vibration_modes(k, Eigen::MatrixXd::Identity(n, n));
    for (int j = 0; j < half; ++j) EXPECT_NEAR(modes.omega(j), all.omega(j), 1e-9 * all.omega(j)) << n << ", " << j;
  }
}

// Three pairs, omega^2 = 1, 2 and 9, and two of them wanted: places between 2 and 9, the nearest 2.1 beside one.
// Rounding of 0.1 is sure everywhere, of 10 nowhere.
TEST(LargeModes, OneUnsureCountProvesNothing) {
  RitzPairs pairs{Eigen::VectorXd(3), Eigen::MatrixXd::Identity(3, 3)};
  pairs.values << 1.0, 2.0, 9.0;
  const auto told = [&](const std::vector<SignCount>& counts) {
    std::size_t next = 0;
    try {
      check_count(
          pairs, 2, [&](double) { return counts.at(next++); }, "modes");
    } catch (const std::runtime_error& error) {
      const bool open = std::string(error.what()).find("rounding hides") != std::string::npos;
      return std::pair(std::string(open ? "open" : "differs"), next);
    }
    return std::pair(std::string("complete"), next);
  };
  const SignCount right{2, 0.1}, wrong{3, 0.1}, unsure{2, 10.0}, unsure_wrong{3, 10.0}, unclear{2, 0.1, false};
  using Told = std::pair<std::string, std::size_t>;
  EXPECT_EQ(told({right}), Told("complete", 1));
  EXPECT_EQ(told({wrong}), Told("differs", 1));
  EXPECT_EQ(told({unsure, unsure}), Told("complete", 2));
  EXPECT_EQ(told({unclear, unclear}), Told("complete", 2));
  EXPECT_EQ(told({unsure, wrong}), Told("differs", 2));
  EXPECT_EQ(told({unclear, wrong}), Told("differs", 2));
  EXPECT_EQ(told({unsure_wrong, unsure, unsure, unsure}), Told("complete", 4));
  EXPECT_EQ(told({unsure_wrong, unsure_wrong, right}), Told("complete", 3));
  EXPECT_EQ(told({unsure, unsure_wrong, unsure_wrong, unsure, unsure_wrong}), Told("open", 5));
  EXPECT_EQ(told({unsure_wrong, unsure_wrong, unsure_wrong, unsure_wrong, unsure}), Told("open", 5));
}

}  // namespace large_modes_test
}  // namespace microslip
