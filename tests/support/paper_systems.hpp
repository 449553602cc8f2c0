#pragma once
// Systems of the papers that several tests share.

#include "microslip/system/system.hpp"

namespace microslip::testing {

inline Eigen::MatrixXd between(int n, int from, int to) {
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(n, 1);
  if (from >= 0) w(from, 0) = -1.0;
  if (to >= 0) w(to, 0) = 1.0;
  return w;
}

inline Joint iwan_joint(std::string name, int n, int from, int to, double slip_force, double stiffness, double chi,
                        double beta) {
  return {std::move(name), Iwan4<double>(Iwan4Backbone<double>::from_physical(slip_force, stiffness, chi, beta)),
          between(n, from, to)};
}

/// Shetty, Paper I, Table 1: m = 1, K_inf = 3.55e4, zeta = 1e-4, Iwan [100, 6.32e4, -0.75, 5].
inline System shetty_oscillator() {
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, 3.55e4}}, {}, ModalDamping{{1e-4}}),
                {iwan_joint("joint", 1, -1, 0, 100.0, 6.32e4, -0.75, 5.0)});
}

/// Shetty, Paper I, 3.1: half a sine of 0.02 s.
inline Load shetty_pulse(double amplitude) {
  return {"pulse", Eigen::VectorXd::Ones(1), Signal(HalfSine{amplitude, 0.02}), false};
}

/// Lacayo, 2.3.1: three masses of 10 and springs of 9 in a chain to the ground, an Iwan joint between 2 and 3.
inline System three_masses(Damping damping = ModalDamping{{1e-4}}, std::vector<LumpedLink> dampers = {}) {
  return System(LinearStructure::lumped({10.0, 10.0, 10.0}, {}, {{-1, 0, 9.0}, {0, 1, 9.0}, {1, 2, 9.0}}, dampers,
                                        std::move(damping)),
                {iwan_joint("lap", 3, 1, 2, 10.0, 1.0, -0.5, 5.0)});
}

}  // namespace microslip::testing
