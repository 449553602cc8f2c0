// Receptances at the joints, against the dense inverse, where the inverse of the stuck modes alone does not exist.

#include "microslip/periodic/joint_receptance.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <cmath>

#include "microslip/numerics/dense.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace joint_receptance_test {

using Complex = std::complex<double>;

System chain(const std::vector<LumpedLink>& dampers) {
  return System(
      LinearStructure::lumped({10.0, 9.0, 8.0}, {}, {{-1, 0, 9.0}, {0, 1, 8.0}, {1, 2, 7.0}}, dampers, ModalDamping{}),
      {{"a", Linear<double>(2.0), testing::between(3, 1, 2)}, {"b", Linear<double>(3.0), testing::between(3, -1, 0)}});
}

/// B^T (K0 - s^2 M + i s C)^-1 B.
Eigen::MatrixXcd direct(const System& system, double s) {
  const Eigen::MatrixXd& b = system.directions();
  Eigen::MatrixXd damping = Eigen::MatrixXd::Zero(3, 3);
  for (const Damper& damper : system.structure().dampers()) {
    damping += damper.coefficient * damper.direction * damper.direction.transpose();
  }
  const Eigen::MatrixXd stiffness = Eigen::MatrixXd(system.structure().stiffness()) +
                                    b * system.stuck_joint_stiffness() * b.transpose() -
                                    s * s * Eigen::MatrixXd(system.structure().mass());
  const Eigen::MatrixXcd z = stiffness.cast<Complex>() + Complex(0.0, s) * damping.cast<Complex>();
  return b.transpose().cast<Complex>() * LuFactors<Complex>(z).solve(Eigen::MatrixXcd(b.cast<Complex>()));
}

HarmonicLoad some_load() {
  HarmonicLoad load;
  load.force = Eigen::Vector3cd(1.0, 0.0, 0.7);
  return load;
}

// A multiple of omega at a mode that dampers alone damp, and near it. The modes are found to some 1e-15 of the largest
// stiffness: of what is left beside a resonance of damping 0.01 that is 1e-12.
TEST(JointReceptance, AtModesThatOnlyDampersDamp) {
  const System system = chain({{-1, 2, 0.3}, {0, 1, 0.2}});
  JointReceptance receptance(system, some_load(), 3);
  for (int mode = 0; mode < 3; ++mode) {
    for (const int h : {1, 2, 3}) {
      for (const double beside : {0.0, 1e-12, 1e-7, 1e-4, 1e-2}) {
        const double omega = system.stuck_modes().omega(mode) * (1.0 + beside) / h;
        receptance.set_omega(omega);
        const Eigen::MatrixXcd expected = direct(system, h * omega);
        EXPECT_LT((receptance.compliance(h) - expected).norm(), 1e-10 * expected.norm())
            << mode << ' ' << h << ' ' << beside;
        const double d = 1e-5 * omega;
        const Eigen::MatrixXcd slope = (direct(system, h * (omega + d)) - direct(system, h * (omega - d))) / (2.0 * d);
        EXPECT_LT((receptance.compliance_slope(h) - slope).norm(), 1e-3 * slope.norm())
            << mode << ' ' << h << ' ' << beside;
      }
    }
  }
}

// Nothing damps it: no number is right, but it is one; beside it by more than 1e-8 nothing is changed.
TEST(JointReceptance, AtModesThatNothingDamps) {
  const System system = chain({});
  JointReceptance receptance(system, some_load(), 1);
  const double omega = system.stuck_modes().omega(1);
  receptance.set_omega(omega);
  EXPECT_TRUE(receptance.compliance(1).allFinite() && receptance.compliance_slope(1).allFinite());
  EXPECT_TRUE(receptance.loaded().allFinite());
  receptance.set_omega(omega * (1.0 + 1e-4));
  const Eigen::MatrixXcd expected = direct(system, receptance.omega());
  EXPECT_LT((receptance.compliance(1) - expected).norm(), 1e-9 * expected.norm());
}

// What never has a force needs no mean position.
TEST(JointReceptance, IdleJointsMayMoveRigidModes) {
  const LinearStructure free =
      LinearStructure::lumped({10.0, 9.0, 8.0}, {}, {{0, 1, 8.0}, {1, 2, 7.0}}, {}, ModalDamping{});
  const auto to_ground = testing::between(3, -1, 0);
  EXPECT_NO_THROW(JointReceptance(System(free, {{"a", Linear<double>(0.0), to_ground}}), some_load(), 1));
  EXPECT_NO_THROW(JointReceptance(System(free, {{"a", Polynomial<double>({0.0}), to_ground}}), some_load(), 1));
  EXPECT_THROW(JointReceptance(System(free, {{"a", Gap<double>(1.0, 0.1), to_ground}}), some_load(), 1),
               std::invalid_argument);
}

}  // namespace joint_receptance_test
}  // namespace microslip
