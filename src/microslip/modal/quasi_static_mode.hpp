#pragma once
// One mode of a system, prepared for quasi-static loading in the shape p = M phi: all that a load step needs, in joint
// space. With x = f(u) - k u, what the joints add to the stuck structure,
//
//   u = alpha b - A x,   q = phi^T M q_physical = alpha c - b x
//   A = B^T K0^+ B,      b = B^T K0^+ p,   c = p^T K0^+ p          (stuck shape: c = 1/omega^2, b = c B^T phi)
//
// K0^+ leaves the rigid modes out. Prescribing q instead of alpha gives the same equation with other constants,
//
//   u = q b/c - (A - b b^T/c) x,   alpha = (q + b x)/c.
//
// In a vibration the other modes do not follow the joints statically, with 1/omega_s^2, but with
// 1/(omega_s^2 - omega_r^2). `OtherModes::vibrating` puts that into A. The modes below the one in question then push
// against the joints, A - b b^T/c is no longer positive, and a joint that stiffens may lead to a fold: see
// modal_equilibrium.hpp.
//
// Ref: Lacayo thesis, 3.2; docs/theory.md, "Quasi-static modal analysis".

#include <Eigen/Core>

#include "microslip/system/system.hpp"

namespace microslip {

enum class LoadShape {
  stuck,   ///< M phi of the mode with every joint at its tangent at rest
  slipped  ///< M phi of the mode with every joint at what is left in macroslip
};

/// How the other modes answer the joint forces.
enum class OtherModes {
  at_rest,   ///< statically, 1/omega_s^2: a slow ramp
  vibrating  ///< as in a vibration at the stuck frequency of the mode, 1/(omega_s^2 - omega_r^2)
};

/// Refers to the system, which must outlive it.
struct QuasiStaticMode {
  /// `mode_number` from 0. Throws std::invalid_argument for a mode that is not there or is rigid, and with
  /// OtherModes::vibrating for the slipped shape or another mode at the same frequency (to 1e-3 of its square).
  QuasiStaticMode(const System& system_of, int mode_number, LoadShape shape = LoadShape::stuck,
                  OtherModes others = OtherModes::at_rest);

  const System* system;
  int mode;
  Eigen::VectorXd load;                ///< b
  Eigen::MatrixXd compliance;          ///< A, with alpha prescribed
  Eigen::MatrixXd compliance_fixed_q;  ///< A - b b^T/c, with q prescribed
  Eigen::VectorXd rest_compliance;     ///< diagonal of B^T K0^+ B, whatever the other modes do; >= 0
  bool may_fold = false;               ///< the other modes vibrate
  double modal_compliance;             ///< c: q of the stuck structure under alpha = 1
  double damping;                      ///< phi^T C phi = 2 zeta0 omega0
  double zeta0;                        ///< linear damping ratio
  double slipped_tangent;              ///< d alpha/dq with every joint at what is left in macroslip; 0: none is left
  Eigen::MatrixXd other_joints;        ///< every other mode s (row): phi_s^T M q = alpha other_load - other_joints x
  Eigen::VectorXd other_load;
  bool masing;  ///< every joint obeys the Masing rules, and so the modal curve does

 private:
  void set_vibrating(const std::string& name, LoadShape shape);
};

}  // namespace microslip
