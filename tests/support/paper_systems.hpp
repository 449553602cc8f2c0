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

/// Zare and Allen, Fig. 6: ground, 1, 2, 3 with 800 N/m and an Iwan element [100, 500, -0.5, 5] in each gap, masses of
/// 2, 1 % on the stuck modes. 0 sliders: the exact element.
inline System zare_masses(int sliders = 0) {
  const auto backbone = Iwan4Backbone<double>::from_physical(100.0, 500.0, -0.5, 5.0);
  const Law law = sliders > 0 ? Law(IwanSliders<double>(slider_grid(backbone, sliders))) : Law(Iwan4<double>(backbone));
  return System(
      LinearStructure::lumped({2.0, 2.0, 2.0}, {}, {{-1, 0, 800.0}, {0, 1, 800.0}, {1, 2, 800.0}}, {},
                              ModalDamping{{0.01}}),
      {{"first", law, between(3, -1, 0)}, {"second", law, between(3, 0, 1)}, {"third", law, between(3, 1, 2)}});
}

/// A cubic spring, a stop and two Jenkins elements on three masses: under 0.08 at the first its response has folds.
inline System stop_and_friction() {
  return System(
      LinearStructure::lumped({1.0, 1.0, 1.0}, {}, {{-1, 0, 1.0}, {0, 1, 1.0}, {1, 2, 1.0}}, {}, ModalDamping{{0.01}}),
      {{"cubic", Polynomial<double>({0.0, 0.0, 0.3}), between(3, -1, 0)},
       {"stop", Gap<double>(1.5, 0.7), between(3, -1, 2)},
       {"f1", Jenkins<double>(0.2, 0.02), between(3, 0, 1)},
       {"f2", Jenkins<double>(0.3, 0.03), between(3, 1, 2)}});
}

}  // namespace microslip::testing
