#include "microslip/periodic/settled_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/periodic/steady_vibration.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace settled_motion_test {

HarmonicLoad one_force(double amplitude) {
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Constant(1, amplitude);
  return load;
}

// What is left to go is a hundredth of the motion, and 128 steps a period leave less.
TEST(SettledMotion, IsTheOneOfHarmonicBalance) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                      {{"j", Jenkins<double>(0.5, 0.3), testing::between(1, -1, 0)}});
  constexpr double omega = 1.05;
  const SettledMotion found = settle(system, one_force(0.2), omega, 1.0, 5);
  ASSERT_TRUE(found.settled) << found.in_words(omega, 1.0);
  const auto balance =
      steady_vibration(system, one_force(0.2), AtFrequencies{.level = 1.0, .omegas = {omega}}, {{0}, -1});
  ASSERT_EQ(balance.points.size(), 1U) << balance.message;
  const Eigen::VectorXd expected = balance.points[0].orbit.deflection.col(0).head(series_size(5));
  EXPECT_LT((found.orbit.deflection.col(0) - expected).norm(), 0.02 * expected.norm());
}

// A mass against a spring on one side, at twice its own frequency omega_b, 2/omega_b = 1/omega_1 + 1/omega_2: it swings
// once in two periods of the load (Shaw and Holmes 1983).
TEST(SettledMotion, OfTwoPeriods) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                      {{"stop", Gap<double>(8.0, 0.0), testing::between(1, -1, 0)}});
  const double own = 2.0 / (1.0 + 1.0 / 3.0);
  const SettledMotion found = settle(system, one_force(0.2), 2.0 * own, 1.0, 5);
  EXPECT_FALSE(found.settled);
  EXPECT_EQ(found.repeats, 2) << found.in_words(2.0 * own, 1.0);
}

// Within the growth of the load, which takes 18 periods.
TEST(SettledMotion, StopsWhenAsked) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                      {{"j", Jenkins<double>(0.5, 0.3), testing::between(1, -1, 0)}});
  int asked = 0;
  const SettledMotion found = settle(system, one_force(0.2), 1.05, 1.0, 5, [&asked] { return ++asked > 3; });
  EXPECT_FALSE(found.settled);
  EXPECT_LT(found.periods, 18);
  EXPECT_LE(asked, 5);
}

}  // namespace settled_motion_test
}  // namespace microslip
