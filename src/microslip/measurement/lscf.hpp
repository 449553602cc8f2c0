#pragma once
// Poles by the poly-reference least-squares complex frequency method: right matrix fraction H_o(z) = N_o(z) D(z)^-1 of
// polynomials with real coefficients in z = exp(i pi (omega - omega_first)/(omega_last - omega_first)).
//   min sum over outputs o and lines of |w (N_o - H_o D)|^2,   D(0) = I
// The normal equations are Toeplitz: with R = X^T X, S_o = -X^T H_o X, T = sum X^T H^H H X (real parts) the numerators
// go out, M = T - sum_o S_o^T R^-1 S_o, and M of a lower order comes from the leading blocks of the same R, S_o and T:
// with R = L L^T the leading rows of L^-1 S_o are those of every lower order. D(0) = I puts the poles that only fit
// noise outside of the unit circle, where they grow and are not physical. Ref: Guillaume, Verboven, Vanlanduit, Van der
// Auweraer and Peeters 2003; Cauberghe 2004.

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <vector>

#include "microslip/measurement/modal_lines.hpp"

namespace microslip {

struct LscfPole {
  int order = 0;
  std::complex<double> pole;  ///< [rad/time], window taken out, imaginary part > 0
  Eigen::VectorXcd shape;     ///< at the channels, length 1
};

/// Poles within the band that decay (before the window is taken out), of every order from `lowest` to `highest`, in
/// rising order and frequency; none above largest_lscf_order. `carry_on` is asked before each order.
[[nodiscard]] std::vector<LscfPole> lscf_poles(const ModalLines& lines, int lowest, int highest,
                                               const std::function<bool()>& carry_on = {});

/// A highest order for the lines at hand.
[[nodiscard]] int default_lscf_order(const ModalLines& lines);
/// The highest order that so many lines have equations for.
[[nodiscard]] int largest_lscf_order(const ModalLines& lines);

}  // namespace microslip
