#include "microslip/joints/jenkins.hpp"

#include <gtest/gtest.h>

#include "unit/joints/law_suite.hpp"

namespace microslip {
namespace jenkins_test {

using law_suite::step;

// By hand, k_t = 4, F_s = 2: slips beyond a stretch of 0.5.
TEST(Jenkins, FollowsAPathByHand) {
  const Jenkins<> law(4.0, 2.0);
  Jenkins<>::State state;
  struct Point {
    double u, force, slider, dissipated;
  };
  for (const Point& p :
       {Point{0.25, 1.0, 0.0, 0.0}, Point{0.75, 2.0, 0.25, 0.5}, Point{1.0, 2.0, 0.5, 1.0}, Point{0.5, 0.0, 0.5, 1.0},
        Point{0.0, -2.0, 0.5, 1.0}, Point{-1.0, -2.0, -0.5, 3.0}, Point{-0.5, 0.0, -0.5, 3.0}}) {
    EXPECT_DOUBLE_EQ(step(law, state, p.u).force, p.force) << p.u;
    EXPECT_DOUBLE_EQ(law.slider_position(state, 0.0), p.slider) << p.u;
    EXPECT_DOUBLE_EQ(law.dissipated_energy(state), p.dissipated) << p.u;
  }
}

TEST(Jenkins, KnowsWhetherItSlips) {
  const Jenkins<> law(4.0, 2.0);
  Jenkins<>::State state;
  step(law, state, 0.4);
  EXPECT_EQ(law.slipped_fraction(state), 0.0);
  step(law, state, 0.6);
  EXPECT_EQ(law.slipped_fraction(state), 1.0);
  step(law, state, 0.55);
  EXPECT_EQ(law.slipped_fraction(state), 0.0);
}

// Parallelogram of height 2 F_s and width 2 (X - F_s/k_t): 4 F_s (X - F_s/k_t).
TEST(Jenkins, LoopIsAParallelogram) {
  const Jenkins<> law(4.0, 2.0);
  EXPECT_EQ(law.dissipation(0.5), 0.0);
  EXPECT_DOUBLE_EQ(law.dissipation(1.25), 6.0);
  EXPECT_DOUBLE_EQ(law.secant_stiffness(1.25), 1.6);
}

}  // namespace jenkins_test
}  // namespace microslip
