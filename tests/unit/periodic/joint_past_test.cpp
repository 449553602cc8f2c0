// What is told beside the numbers of a steady vibration: joints that were farther out before, errors of losses.

#include "microslip/periodic/joint_past.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "microslip/periodic/steady_vibration.hpp"
#include "support/by_shooting.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace joint_past_test {

FrequencyResponse at(const System& system, const HarmonicLoad& load, double omega,
                     const FrequencyResponseOptions& options = {}) {
  return steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {omega}}, {{0}, -1}, options);
}

// A slider beside a spring is pushed to where it slips, F = fs, u = (P - fs)/k. Under a vibration that makes it slip
// both ways its mean force is zero in the end, and its mean deflection P/k is farther out: nothing to tell. A second,
// stiffer slider in the way of the first takes the load over as the first one lets go.
TEST(JointPast, JointsThatComeBackAreTold) {
  const System system(
      LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 10.0}, {-1, 1, 10.0}}, {{-1, 0, 0.4}, {-1, 1, 0.4}},
                              ModalDamping{}),
      {{"a", Jenkins<double>(100.0, 2.0), testing::between(2, -1, 0)},
       {"b", Iwan4<double>(Iwan4Backbone<double>::from_physical(1.2, 30.0, -0.3, 0.5), 0.0), testing::between(2, 0, 1)},
       {"stop", Gap<double>(20.0, 0.2), testing::between(2, -1, 1)}});
  HarmonicLoad load;
  load.force = Eigen::Vector2cd(2.4, 0.0);
  load.constant = Eigen::Vector2d(0.0, 3.0);
  for (const FrequencyResponseOptions& options : {FrequencyResponseOptions{}, testing::by_shooting()}) {
    // Our own transient from the static state, its load growing over 100 periods, settles elsewhere: amplitudes 0.0195
    // and 0.0094 of the two masses, for 0.0219 and 0.0145 here.
    EXPECT_NE(at(system, load, 1.0, options).message.find("\"b\" at 1 of 1 points"), std::string::npos);
  }
  load.constant.setZero();
  EXPECT_EQ(at(system, load, 1.0).message.find("before"), std::string::npos);
  const System plain(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {{-1, 0, 0.1}}, ModalDamping{}),
                     {{"j", Jenkins<double>(0.8, 0.5), testing::between(1, -1, 0)}});
  HarmonicLoad pushed;
  pushed.force = Eigen::VectorXcd::Constant(1, 0.4);
  pushed.constant = Eigen::VectorXd::Constant(1, 1.0);
  EXPECT_EQ(at(plain, pushed, 0.6).message, "");
}

// Below slip, and where it slips all around in every cycle, a slider has nothing to remember: F' = F for both (closed
// form of change_of_force). iwan5 has no return-point memory: where its sliders are hangs on the way, if its loop is
// not the same on both sides.
TEST(JointPast, OnlyWhatChangesAForceIsTold) {
  const System both(LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 10.0}, {0, 1, 10.0}}, {{-1, 0, 0.4}, {0, 1, 0.4}},
                                            ModalDamping{}),
                    {{"stuck", Jenkins<double>(5.0, 50.0), testing::between(2, -1, 0)},
                     {"stop", Gap<double>(20.0, 0.1), testing::between(2, -1, 1)}});
  HarmonicLoad load;
  load.force = Eigen::Vector2cd(0.0, 1.0);
  load.constant = Eigen::Vector2d(0.0, 2.0);
  EXPECT_EQ(at(both, load, 1.0).message.find("farther"), std::string::npos);

  const System five(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {{-1, 0, 0.1}}, ModalDamping{}),
                    {{"five", Iwan5<double>(Iwan4Backbone<double>::from_physical(1.0, 5.0, -0.4, 0.5), 0.7),
                      testing::between(1, -1, 0)}});
  HarmonicLoad pushed;
  pushed.force = Eigen::VectorXcd::Constant(1, 0.3);
  EXPECT_EQ(at(five, pushed, 0.8).message, "");
  pushed.constant = Eigen::VectorXd::Constant(1, 0.2);
  EXPECT_NE(at(five, pushed, 0.8).message.find("\"five\" at 1 of 1 points"), std::string::npos);
}

// A slider that barely slips: the amplitude is right to 2e-7, the loss D = 4 fs (X - fs/kt) is a small difference of
// it. Reference: the same motion with 151 harmonics. Not more than told
// for the tolerance of 1e-6 of X: 1e-6 (X - fs/kt)^-1 of D, twice that with steps.
TEST(ErrorOfDissipation, HoldsWhereAJointBarelySlips) {
  constexpr double kt = 3.0, fs = 0.5, omega = 0.6, zeta = 0.03;
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {{-1, 0, 2.0 * zeta}}, ModalDamping{}),
                      {{"j", Jenkins<double>(kt, fs), testing::between(1, -1, 0)}});
  const double stiffness = std::abs(std::complex<double>(1.0 + kt - omega * omega, 2.0 * zeta * omega));
  for (const double beyond : {1e-3, 1e-5}) {
    HarmonicLoad load;
    load.force = Eigen::VectorXcd::Constant(1, (1.0 + beyond) * fs / kt * stiffness);
    FrequencyResponseOptions fine;
    fine.harmonics = 151;
    fine.stability = false;
    const auto exact = at(system, load, omega, fine).points;
    ASSERT_EQ(exact.size(), 1U);
    // With 64 steps it seems to stick, with all lengths of steps: no error but that of the motion shows that it may
    // not.
    FrequencyResponseOptions few = testing::by_shooting();
    few.steps = 64;
    const auto sticks = at(system, load, omega, few).points;
    ASSERT_EQ(sticks.size(), 1U);
    EXPECT_NEAR(sticks[0].dissipation[0], exact[0].dissipation[0], sticks[0].dissipation_error[0]) << beyond;
    for (FrequencyResponseOptions options : {FrequencyResponseOptions{}, testing::by_shooting()}) {
      options.tolerance = 1e-6;
      const auto points = at(system, load, omega, options).points;
      ASSERT_EQ(points.size(), 1U);
      EXPECT_NEAR(points[0].dissipation[0], exact[0].dissipation[0], points[0].dissipation_error[0]) << beyond;
      EXPECT_LT(points[0].dissipation_error[0], 2e-6 / beyond * exact[0].dissipation[0]) << beyond;
    }
  }
}

}  // namespace joint_past_test
}  // namespace microslip
