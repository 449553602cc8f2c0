// Lacayo, thesis, section 2.3.1: three masses with one Iwan joint.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "microslip/transient/transient.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

// Stuck and slipped frequencies of the chain: eigenvalues of 3 x 3 matrices, computed independently to seven digits.
TEST(LacayoThreeMasses, StuckAndSlippedFrequencies) {
  const System system = testing::three_masses();
  const double stuck[] = {0.424470, 1.215684, 1.744115};
  const double slipped[] = {0.422204, 1.182989, 1.709468};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(system.stuck_modes().omega(i), stuck[i], 0.6e-6);
    EXPECT_NEAR(system.slipped_modes().omega(i), slipped[i], 0.6e-6);
  }
}

// Conversion of F_S = 10, K_T = 1, chi = -0.5, beta = 5: arithmetic, phi_max = 10*6/(5 + 1/3) = 11.25.
TEST(LacayoThreeMasses, JointParameters) {
  const auto joint = Iwan4Backbone<double>::from_physical(10.0, 1.0, -0.5, 5.0);
  EXPECT_NEAR(joint.phi_max(), 11.25, 1e-13);
  EXPECT_NEAR(joint.r(), 0.0248452, 0.6e-7);
  EXPECT_NEAR(joint.s(), 0.833333, 0.4e-6);
}

// M phi_r excites mode r alone as long as the joint is nearly linear. The impulse 2e-6/pi leaves at most that velocity,
// and the joint a deflection u = psi_2 times it over omega_2, where sliders have given up the share R
// u^(chi+1)/((chi+1) (chi+2) K_T) of the force. That is all that drives the other modes: forced and free answer, twice
// for the harmonics.
TEST(LacayoThreeMasses, ModalForceExcitesOneMode) {
  const System system = testing::three_masses();
  const Load load{"modal", system.modal_force(1), Signal(HalfSine{1e-6, 1.0}), false};
  TransientOptions options;
  options.step = 1e-2;
  options.duration = 20.0;
  NullSink sink;
  const auto result = simulate(system, {&load, 1}, {}, {}, sink, options);
  const Eigen::VectorXd modal = system.stuck_modes().shapes.transpose() * (system.structure().mass() * result.v);
  const auto joint = Iwan4Backbone<double>::from_physical(10.0, 1.0, -0.5, 5.0);
  const Eigen::VectorXd omega = system.stuck_modes().omega;
  const Eigen::VectorXd psi = system.stuck_modes().shapes.transpose() * system.directions().col(0);
  const double speed = 2e-6 / std::numbers::pi, u = std::abs(psi(1)) * speed / omega(1);
  const double slipped = joint.r() * std::pow(u, 1.5) / (0.5 * 1.5);  // K_T u times the share
  EXPECT_GT(std::abs(modal(1)), 0.1 * speed);
  for (const int s : {0, 2}) {
    const double answer = std::abs(psi(s)) * slipped * omega(1) / std::abs(omega(s) * omega(s) - omega(1) * omega(1));
    EXPECT_LT(std::abs(modal(s)), 4.0 * answer) << s;
    EXPECT_LT(4.0 * answer, 1e-5 * speed);
  }
}

}  // namespace
}  // namespace microslip
