// Linear, polynomial and gap: everything by hand.
#include <gtest/gtest.h>

#include "microslip/joints/gap.hpp"
#include "microslip/joints/linear.hpp"
#include "microslip/joints/polynomial.hpp"
#include "unit/joints/law_suite.hpp"

namespace microslip {
namespace {

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

}  // namespace
}  // namespace microslip
