// Linear, polynomial, gap and straight lines: everything by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "microslip/joints/coulomb.hpp"
#include "microslip/joints/gap.hpp"
#include "microslip/joints/linear.hpp"
#include "microslip/joints/piecewise_linear_spring.hpp"
#include "microslip/joints/polynomial.hpp"
#include "unit/joints/law_suite.hpp"

namespace microslip {
namespace springs_test {

using law_suite::look;
using law_suite::step;

TEST(Linear, IsASpring) {
  const Linear<> law(3.0);
  Linear<>::State state;
  EXPECT_DOUBLE_EQ(step(law, state, 2.0).force, 6.0);
  EXPECT_DOUBLE_EQ(law.stored_energy(state), 6.0);  // 3 * 2^2 / 2
  EXPECT_DOUBLE_EQ(law.stuck_stiffness(), 3.0);
  EXPECT_DOUBLE_EQ(law.slipped_stiffness(), 3.0);
}

TEST(Polynomial, SumsItsPowers) {
  const Polynomial<> law({2.0, 0.0, -0.5});  // F = 2u - u^3/2, dF/du = 2 - 3u^2/2, W = u^2 - u^4/8
  Polynomial<>::State state;
  const auto trial = step(law, state, -2.0);
  EXPECT_DOUBLE_EQ(trial.force, 0.0);
  EXPECT_DOUBLE_EQ(trial.stiffness, -4.0);
  EXPECT_DOUBLE_EQ(law.stored_energy(state), 2.0);
  EXPECT_DOUBLE_EQ(law.stuck_stiffness(), 2.0);
  EXPECT_DOUBLE_EQ(law.slipped_stiffness(), 2.0);
  EXPECT_DOUBLE_EQ(law.secant_stiffness(1.0), 1.5);
}

TEST(Gap, OpenCountsNothingAtRest) {
  const Gap<> law(10.0, 0.5);
  Gap<>::State state;
  EXPECT_EQ(law.stuck_stiffness(), 0.0);
  EXPECT_EQ(look(law, state, 0.5).force, 0.0);
  EXPECT_EQ(look(law, state, -3.0).force, 0.0);
  EXPECT_DOUBLE_EQ(step(law, state, 0.7).force, 2.0);
  EXPECT_NEAR(law.stored_energy(state), 0.2, 1e-15);  // 10 * 0.2^2 / 2
}

TEST(Gap, PreloadedIsASpringUntilItLiftsOff) {
  const Gap<> law(10.0, -0.5);
  Gap<>::State state;
  EXPECT_DOUBLE_EQ(law.stuck_stiffness(), 10.0);
  EXPECT_DOUBLE_EQ(look(law, state, 0.0).force, 5.0);
  EXPECT_DOUBLE_EQ(step(law, state, -0.5).force, 0.0);
  EXPECT_DOUBLE_EQ(law.stored_energy(state), -1.25);  // the preload's energy 10 * 0.5^2 / 2 is given back
  EXPECT_EQ(step(law, state, -2.0).force, 0.0);
  EXPECT_DOUBLE_EQ(law.stored_energy(state), -1.25);
}

TEST(PiecewiseLinearSpring, LinesThroughItsPoints) {
  // Slopes 1, 4, 0: F = u + 1, 4u + 1 - 0 ..., by hand: (-2,-1) (0,1) (1,5) (2,5).
  const PiecewiseLinearSpring<> law({-2.0, 0.0, 1.0, 2.0}, {-1.0, 1.0, 5.0, 5.0});
  ASSERT_EQ(law.breaks(), (std::vector<double>{0.0, 1.0}));
  const double slopes[] = {1.0, 4.0, 0.0}, offsets[] = {1.0, 1.0, 5.0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(law.slope(i), slopes[i]);
    EXPECT_DOUBLE_EQ(law.offset(i), offsets[i]);
  }
  EXPECT_EQ(law.piece(-10.0), 0U);
  EXPECT_EQ(law.piece(0.0), 0U);
  EXPECT_EQ(law.piece(0.5), 1U);
  EXPECT_EQ(law.piece(1.0), 1U);
  EXPECT_EQ(law.piece(1.5), 2U);
  PiecewiseLinearSpring<>::State state;
  EXPECT_EQ(law.stored_energy(state), 0.0);
  EXPECT_DOUBLE_EQ(look(law, state, 0.0).force, 1.0);  // a preload
  EXPECT_DOUBLE_EQ(step(law, state, -4.0).force, -3.0);
  EXPECT_DOUBLE_EQ(law.stored_energy(state), 4.0);  // 16/2 - 4
  EXPECT_DOUBLE_EQ(step(law, state, 1.0).force, 5.0);
  EXPECT_DOUBLE_EQ(law.stored_energy(state), 3.0);  // 4/2 + 1
  EXPECT_DOUBLE_EQ(step(law, state, 3.0).force, 5.0);
  EXPECT_DOUBLE_EQ(law.stored_energy(state), 13.0);  // 3 + 2 * 5
  EXPECT_EQ(law.dissipated_energy(state), 0.0);
  EXPECT_EQ(law.stuck_stiffness(), 1.0);
}

TEST(PiecewiseLinearSpring, IsAGapAndALine) {
  const PiecewiseLinearSpring<> law({-1.0, 0.25, 1.25}, {0.0, 0.0, 10.0});
  const Gap<> gap(10.0, 0.25);
  EXPECT_EQ(gap.stiffness(), 10.0);
  for (const double u : {-3.0, 0.0, 0.25, 0.3, 2.0}) {
    EXPECT_NEAR(law.backbone(u).force, gap.backbone(u).force, 1e-14 * 20.0);
    EXPECT_NEAR(law.backbone(u).work, gap.backbone(u).work, 1e-14 * 20.0);
    EXPECT_EQ(law.backbone(u).slope, gap.backbone(u).slope);
  }
  // Points on a line are no corners.
  EXPECT_TRUE(PiecewiseLinearSpring<>({-1.0, 0.1, 0.3, 7.0}, {-3.0, 0.3, 0.9, 21.0}).breaks().empty());
}

TEST(PiecewiseLinearSpring, RefusesWhatIsNoSpring) {
  const auto fault = [](const std::vector<double>& u, const std::vector<double>& f) -> std::string {
    try {
      static_cast<void>(PiecewiseLinearSpring<>(u, f));
    } catch (const PointsError& error) {
      return (error.in_u() ? "u: " : "f: ") + std::string(error.what());
    }
    return "";
  };
  EXPECT_EQ(fault({0.0}, {0.0}), "u: u must have two points or more, got 1");
  EXPECT_EQ(fault({0.0, 1.0}, {0.0}), "f: f must have as many points as u, 2, got 1");
  EXPECT_EQ(fault({0.0, 1.0, 1.0}, {0.0, 1.0, 2.0}), "u: u must increase, point 3 does not");
  EXPECT_EQ(fault({0.0, 1.0, 2.0}, {0.0, 1.0, 0.5}), "f: f must not decrease, point 3 does: no slope may be negative");
  EXPECT_EQ(fault({0.0, 1e-200, 2.0}, {0.0, 1e200, 1e200}), "f: the slope before point 2 is not finite");
  EXPECT_EQ(fault({0.0, 1.0}, {0.0, std::nan("")}), "f: f must not decrease, point 2 does: no slope may be negative");
}

TEST(Coulomb, SlidingForceAndLevels) {
  const Coulomb<> law(0.5, 0.3);
  EXPECT_EQ(law.static_level(), 0.5);
  EXPECT_EQ(law.kinetic_level(), 0.3);
  EXPECT_EQ(law.stuck_stiffness(), 0.0);
  EXPECT_EQ(law.slipped_stiffness(), 0.0);
  Coulomb<>::State state;
  EXPECT_DOUBLE_EQ(law.evaluate(state, {0.0, 2.0, 0.0, 10.0}).force, 3.0);
  EXPECT_DOUBLE_EQ(law.evaluate(state, {0.0, -1e-9, 0.0, 10.0}).force, -3.0);
  EXPECT_EQ(law.evaluate(state, {1.0, 0.0, 0.0, 10.0}).force, 0.0);
  law.commit(state, law.evaluate(state, {2.0, 1.0, 0.0, 10.0}));
  law.commit(state, law.evaluate(state, {-1.0, -1.0, 0.0, 10.0}));
  EXPECT_DOUBLE_EQ(law.dissipated_energy(state), 15.0);  // 3 * (2 + 3)
  EXPECT_DOUBLE_EQ(law.dissipation(2.0), 2.4);           // 4 * 0.3 * 2
  for (const auto& [high, low] : {std::pair{0.0, 0.0}, {1.0, 2.0}, {1.0, -0.1}, {std::nan(""), 0.0}}) {
    EXPECT_THROW(Coulomb<>(high, low), std::invalid_argument);
  }
}

}  // namespace springs_test
}  // namespace microslip
