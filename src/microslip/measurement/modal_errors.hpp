#pragma once
// Covariances of poles and linear unknowns of a modal fit. An estimate that makes
//   Psi_f^T (e_f - Phi_f dx_f - D_f dtheta) = 0 of every function f and sum_f E_f^T (e_f - Phi_f dx_f - D_f dtheta) = 0
// with weighted errors e_f has, with U = Psi (Phi^T Psi)^-1 and J = E - U Phi^T E,
//   dtheta = H^-1 sum_f J_f^T e_f,  H = sum_f J_f^T D_f,      dx_f = U_f^T e_f - U_f^T D_f dtheta
// Maximum likelihood has Psi = Phi, E = D; modes fitted each over lines of its own have the columns of each mode cut
// down to these. Errors of neighbouring lines may be correlated (windows): their covariance stands between the
// influences, C = H^-1 [J^T cov(e) J] H^-T.

#include <Eigen/Core>
#include <vector>

#include "microslip/measurement/modal_basis.hpp"
#include "microslip/measurement/modal_polish.hpp"

namespace microslip {

/// A linear combination of unknowns of some functions and of the poles' parameters.
struct ModalGradient {
  struct OfFunction {
    Eigen::Index function = 0;
    Eigen::VectorXd gradient;
  };
  std::vector<OfFunction> unknowns;
  Eigen::VectorXd poles;
};

struct ModalErrors {
  Eigen::MatrixXd poles;              ///< covariance of alpha_1 beta_1 alpha_2 ...
  Eigen::VectorXd noise_ratio;        ///< a mode: variance of the residual over that of the stated noise, where the
                                      ///< mode's poles take their information from
  Eigen::VectorXd noise_ratio_error;  ///< standard deviation of that, were the ratio 1

  std::vector<Eigen::MatrixXd> own;         ///< a function: covariance of U^T e
  std::vector<Eigen::MatrixXd> with_poles;  ///< of U^T e with dtheta
  std::vector<Eigen::MatrixXd> transfer;    ///< U^T D

  [[nodiscard]] double variance(const ModalGradient& of) const;
};

/// How far two poles are apart, and the standard errors of that.
struct PoleGap {
  double decay = 0.0, decay_error = 0.0;
  double frequency = 0.0, frequency_error = 0.0;  ///< [rad/time]

  /// By three standard errors of one of the two.
  [[nodiscard]] bool is_known() const { return frequency > 3.0 * frequency_error || decay > 3.0 * decay_error; }
};
/// `inflation`: of variances.
[[nodiscard]] PoleGap gap_between(const Eigen::VectorXcd& poles, const ModalErrors& errors, Eigen::Index m,
                                  Eigen::Index n, double inflation);

/// Of variances, a mode each: where the residual is larger than the stated noise explains.
[[nodiscard]] Eigen::VectorXd inflation_of(const ModalErrors& errors);

/// Frequencies |p|/(2 pi) and damping ratios of poles, and their standard errors.
struct PoleNumbers {
  Eigen::VectorXd frequency, frequency_error, zeta, zeta_error;
};
[[nodiscard]] PoleNumbers numbers_of(const Eigen::VectorXcd& poles, const ModalErrors& errors,
                                     const Eigen::VectorXd& inflation);

/// `lines_of_mode`: lines x modes, 1 where a mode was fitted and 0 elsewhere; empty: all lines, all together.
[[nodiscard]] ModalErrors modal_errors(const ModalLines& lines, const ModalPolish& fit, const ModalTerms& terms,
                                       const Eigen::MatrixXd& lines_of_mode = {});

}  // namespace microslip
