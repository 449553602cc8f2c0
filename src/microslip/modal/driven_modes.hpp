#pragma once
// What a slow load leaves out: harmonics of the joint forces drive the other modes of a structure that vibrates. Over
// the cycle, with q = m + Q cos(theta), the joints add x(theta) = f - k u with the harmonics X_h; mode s answers with
//
//   eta_sh = -psi_s X_h/(omega_s^2 - (h omega)^2 + i h omega c_s),   psi_s = B^T phi_s,  c_s = phi_s^T C phi_s
//
// and its damping takes pi omega c_s h^2 |eta_sh|^2 of energy a cycle. An estimate: that the joints feel eta_sh, too,
// is left out.

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "microslip/modal/quasi_static_mode.hpp"

namespace microslip {

/// A closed cycle of the load, point by point: down to the turn and up again.
struct CycleTrace {
  std::vector<double> q;
  std::vector<double> x;  ///< f - k u, one a component and point
  std::size_t turn = 0;   ///< the point at -alpha
};

struct DrivenModes {
  double loss = 0.0;  ///< of all of them, per cycle [energy]
  int mode = 0;       ///< the one that takes most, from 0
  int harmonic = 0;   ///< that drives it
};

class DrivenModeEstimate {
 public:
  /// Of the system of a mode.
  explicit DrivenModeEstimate(const QuasiStaticMode& mode);
  [[nodiscard]] DrivenModes operator()(const CycleTrace& cycle, double omega);

 private:
  static constexpr int first_harmonic = 2, last_harmonic = 7;
  void set_harmonics(const CycleTrace& cycle);

  int mode_;
  Eigen::MatrixXd psi_;                  ///< modes x components
  Eigen::VectorXd stiffness_, damping_;  ///< omega_s^2, c_s
  Eigen::MatrixXcd harmonics_;           ///< X_h: components x (last - first + 1)
  std::vector<double> theta_;
};

}  // namespace microslip
