// Base motions of structures with coordinates that follow from others: joints on them see the same deflection as joints
// whose directions are spelt out, whatever the load says of them.

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/periodic/joint_receptance.hpp"
#include "microslip/periodic/shooting.hpp"
#include "microslip/transient/piecewise_model.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {
namespace base_motion_test {

/// Three free masses in a row, held by a spring and an Iwan element at the mean of the first two. `follows`: the mean
/// is a coordinate of its own, the fourth.
System held_at_the_mean(bool follows) {
  LinearStructure::Parts parts;
  const int n = follows ? 4 : 3;
  std::vector<Eigen::Triplet<double>> k, m;
  for (int i = 0; i < 3; ++i) {
    m.emplace_back(i, i, 2.0);
    k.emplace_back(i, i, i == 1 ? 1600.0 : 800.0);
    if (i < 2) k.emplace_back(i, i + 1, -800.0), k.emplace_back(i + 1, i, -800.0);
  }
  parts.mass.resize(3, 3);
  parts.mass.setFromTriplets(m.begin(), m.end());
  parts.stiffness.resize(3, 3);
  parts.stiffness.setFromTriplets(k.begin(), k.end());
  parts.damping = ModalDamping{{0.03}};
  if (follows) {
    const std::vector<Eigen::Triplet<double>> mean = {{0, 0, 0.5}, {0, 1, 0.5}};
    parts.dependent.resize(1, 3);
    parts.dependent.setFromTriplets(mean.begin(), mean.end());
  }
  Eigen::MatrixXd direction = Eigen::MatrixXd::Zero(n, 1);
  if (follows) {
    direction(3, 0) = 1.0;
  } else {
    direction(0, 0) = direction(1, 0) = 0.5;
  }
  return System(LinearStructure(std::move(parts)),
                {{"spring", Linear<double>(500.0), direction},
                 {"iwan", Iwan4<double>(Iwan4Backbone<double>::from_physical(4.0, 500.0, -0.5, 5.0)), direction}});
}

Load shake(int n, double omega) {
  Eigen::VectorXd shape = Eigen::VectorXd::Ones(n);
  if (n == 4) shape(3) = 0.0;
  return {"shake", shape, Signal(Sine{0.02, omega, 0.0}), true};
}

TEST(BaseMotion, FollowersMoveWithTheGround) {
  const System system = held_at_the_mean(true);
  const Load load = shake(4, 9.0);
  EXPECT_LT((harmonic_load(system, {&load, 1}).ground - Eigen::VectorXcd::Constant(4, 0.02)).norm(), 1e-15);
}

TEST(BaseMotion, TransientsOfJointsOnFollowers) {
  const System follower = held_at_the_mean(true), plain = held_at_the_mean(false);
  TransientOptions options;
  options.duration = 3.0;
  options.step = 1e-3;
  const auto run = [&](const System& system) {
    NullSink sink;
    const Load load = shake(system.size(), 9.0);
    return simulate(system, {&load, 1}, {}, {}, sink, options);
  };
  const TransientResult a = run(follower), b = run(plain);
  EXPECT_GT(b.energy.joints[1], 0.0);
  EXPECT_LT((a.q.head(3) - b.q).norm(), 1e-9 * b.q.norm());
  EXPECT_NEAR(a.q(3), 0.5 * (b.q(0) + b.q(1)), 1e-9 * b.q.norm());
}

TEST(BaseMotion, ShootingOfJointsOnFollowers) {
  const System follower = held_at_the_mean(true), plain = held_at_the_mean(false);
  const double omega = 9.0;
  PeriodHistory histories[2];
  Eigen::VectorXd motions[2];
  for (int i = 0; i < 2; ++i) {
    const System& system = i == 0 ? follower : plain;
    const Load load = shake(system.size(), omega);
    PeriodMap map(system, harmonic_load(system, {&load, 1}), 128);
    PeriodState state = map.rest(), end;
    ASSERT_TRUE(settle(map, state, omega, 1.0, 100)) << map.failure();
    ASSERT_TRUE(map.run(state, omega, 1.0, end, nullptr, &histories[i])) << map.failure();
    motions[i] = map.motion(2, histories[i], omega, 1.0).q;
  }
  EXPECT_LT((motions[0] - motions[1]).norm(), 1e-6 * motions[1].norm());
}

// A chain of 3100 masses that its own spring holds to ground: a few modes do not hold the motion with it. Slowly all
// moves by the ground's amplitude, and the joint does not deflect.
TEST(BaseMotion, TruncatedStructuresMoveWithTheGround) {
  const int n = 3100;
  std::vector<LumpedLink> springs;
  for (int i = 0; i < n; ++i) springs.push_back({i - 1, i, 1e9});
  const LinearStructure structure =
      LinearStructure::lumped(std::vector<double>(n, 1.0), {}, springs, {}, ModalDamping{{0.02}});
  Eigen::MatrixXd direction = Eigen::MatrixXd::Zero(n, 1);
  direction(2000, 0) = -1.0;
  direction(3000, 0) = 1.0;
  Truncation truncation;
  truncation.count = 6;
  truncation.static_loads = structure.mass() * Eigen::VectorXd::Ones(n);
  const System system(structure,
                      {{"j", Iwan4<double>(Iwan4Backbone<double>::from_physical(1e3, 1e8, -0.5, 1.0)), direction}},
                      truncation);
  ASSERT_TRUE(system.truncated());
  const double omega = 1e-3 * system.stuck_modes().omega(0);
  const Load load{"shake", Eigen::VectorXd::Ones(n), Signal(Sine{1.0, omega, 0.0}), true};
  TransientOptions options;
  options.duration = 1.0 / omega;
  options.step = options.duration / 5000;
  options.modes = 6;
  NullSink sink;
  const TransientResult result = simulate(system, {&load, 1}, {}, {}, sink, options);
  ASSERT_EQ(result.ending, Ending::completed);
  for (const int dof : {0, 9, 2000, 3000, n - 1}) {
    EXPECT_NEAR(result.q(dof), std::sin(1.0), 5e-3) << dof;
  }
}

// Rigid modes left out: what is free moves with the ground all the same.
TEST(BaseMotion, ConstrainedRigidBodiesMoveWithTheGround) {
  const System system(LinearStructure::lumped({1.0, 2.0}, {}, {{0, 1, 100.0}}, {}, ModalDamping{{0.02}}, true), {});
  const Load load{"shake", Eigen::VectorXd::Ones(2), Signal(Sine{0.5, 3.0, 0.4}), true};
  TransientOptions options;
  options.duration = 2.0;
  options.step = 1e-3;
  NullSink sink;
  const TransientResult result = simulate(system, {&load, 1}, {}, {}, sink, options);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(result.q(i), 0.5 * std::sin(6.4), 1e-9);
    EXPECT_NEAR(result.v(i), 1.5 * std::cos(6.4), 1e-9);
    EXPECT_NEAR(result.a(i), -4.5 * std::sin(6.4), 1e-9);
  }
}

}  // namespace base_motion_test
}  // namespace microslip
