#pragma once
// Other modes that are behind as a nonlinear mode decays. With Z_sh the dynamic stiffness of mode s at harmonic h,
//
//   (2 i h omega) d eta/dt + Z_sh (eta - eta_inf) = 0:
//
// mode s comes to eta_inf, what the harmonic makes of it, with the rate l = Z_sh/(2 i h omega), c_s/2 - zeta omega in
// resonance. eta_inf ~ q^p decays with p zeta omega; that of a motion that keeps its shape, p = 1, is in Z_sh. eta is
// then off by (p - 1) zeta omega/l, and its loss, a share w of all, by twice that:
//
//   2 w |p - 1| zeta omega/|l|   of zeta.
//
// For an error of e mode s must settle 2 w |p - 1|/e times faster than the motion decays.

#include <Eigen/Core>
#include <string>

#include "microslip/modal/nonlinear_mode.hpp"

namespace microslip {

struct LinearModes {
  int mode;                          ///< the one that decays, from 0
  const Eigen::VectorXd& stiffness;  ///< omega_s^2
  const Eigen::VectorXd& damping;    ///< c_s
};

/// `by_log_amplitude`: derivative of point.modal.
[[nodiscard]] ModeLag largest_lag(const NonlinearModePoint& point, const Eigen::MatrixXcd& by_log_amplitude,
                                  const LinearModes& modes);

/// The points whose damping it changes by more than 2 %; empty: there are none.
[[nodiscard]] std::string lags_in_words(const NonlinearModeCurve& curve);

}  // namespace microslip
