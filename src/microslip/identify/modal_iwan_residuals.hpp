#pragma once
// Residuals of a modal Iwan fit and their exact derivatives, in coordinates that make bounds natural:
//   x = { ln K_inf, zeta0/zeta_scale, ln F_S, ln K_T, chi, beta/(1+beta) }

#include <array>
#include <span>
#include <vector>

#include "microslip/identify/modal_iwan_fit.hpp"

namespace microslip {

using FitVector = std::array<double, modal_iwan_size>;

struct WeightedPoint {
  AmplitudePoint data;
  double weight = 1.0;
};

struct ModalIwanResiduals {
  std::vector<WeightedPoint> points;
  OmegaForm omega_form = OmegaForm::first_harmonic;
  ZetaForm zeta_form = ZetaForm::decrement;
  double omega_error = 1.0;
  double zeta_error = 1.0;
  double zeta_scale = 1.0;
  double least_phi_max = 0.0;  ///< > 0: phi_max must not be less, by one more residual that is else 0

  /// Two a point, frequency and damping; then that of phi_max.
  [[nodiscard]] std::size_t size() const { return 2 * points.size() + (least_phi_max > 0.0 ? 1 : 0); }

  [[nodiscard]] ModalIwanParameters<double> parameters(const FitVector& x) const;
  [[nodiscard]] ModalIwanParameters<Dual<modal_iwan_size>> parameters_with_derivatives(const FitVector& x) const;
  [[nodiscard]] FitVector coordinates(const ModalIwanParameters<double>& p) const;
  /// One coordinate of one parameter; monotone.
  [[nodiscard]] double coordinate(int parameter, double value) const;

  /// `jacobian`: empty, or size() x 6, row by row. False when a number is not finite.
  bool evaluate(const FitVector& x, std::span<double> residuals, std::span<double> jacobian) const;
  /// Half the sum of squares.
  [[nodiscard]] double cost(const FitVector& x) const;
};

}  // namespace microslip
