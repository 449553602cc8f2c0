// Lacayo, thesis, section 2.3.1: three masses with one Iwan joint.

#include <gtest/gtest.h>

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

// M phi_r excites mode r alone as long as the joint is nearly linear.
TEST(LacayoThreeMasses, ModalForceExcitesOneMode) {
  const System system = testing::three_masses();
  const Load load{"modal", system.modal_force(1), Signal(HalfSine{1e-6, 1.0}), false};
  TransientOptions options;
  options.step = 1e-2;
  options.duration = 20.0;
  NullSink sink;
  const auto result = simulate(system, {&load, 1}, {}, {}, sink, options);
  const Eigen::VectorXd modal = system.stuck_modes().shapes.transpose() * (system.structure().mass() * result.v);
  EXPECT_LT(std::abs(modal(0) / modal(1)), 1e-3);
  EXPECT_LT(std::abs(modal(2) / modal(1)), 1e-3);
}

}  // namespace
}  // namespace microslip
