#pragma once
// Segalman's four parameters from a curve of force over deflection, so that one sees whether four are enough.
//
//   minimise  sum of w_i (R a(u_i) + S min(u_i, phi_max) + K_inf u_i - f_i)^2,   R, S, K_inf >= 0
//   a(u) = x phi_max^(chi+1)/(chi+1) - x^(chi+2)/((chi+1)(chi+2)),   x = min(u, phi_max)
//
// Linear but for chi and phi_max: these by nested searches, the rest by QR at each pair.

#include <optional>

#include "microslip/identify/force_curve.hpp"
#include "microslip/joints/iwan4.hpp"

namespace microslip {

struct Iwan4CurveFit {
  double r = 0.0, s = 0.0, phi_max = 0.0, chi = 0.0;  ///< as in joints/iwan4.hpp
  double residual = 0.0;                              ///< K_inf
  double slip_force = 0.0, stiffness = 0.0;           ///< F_S, K_T
  double beta = 0.0;                                  ///< infinite when R = 0: one slider
  double misfit = 0.0;                                ///< root mean square, weighted [force]
  int parameters = 0;                                 ///< fitted: 4, and K_inf if it was not known

  [[nodiscard]] double force(double u) const;        ///< u >= 0, residual included
  [[nodiscard]] double dissipation(double x) const;  ///< of a cycle
};

/// `curve`: ascending, with weights. `residual`: K_inf, if known.
[[nodiscard]] Iwan4CurveFit fit_iwan4_curve(const ForceCurve& curve, std::optional<double> residual);

}  // namespace microslip
