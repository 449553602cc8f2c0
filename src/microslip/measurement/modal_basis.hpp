#pragma once
// The modal model of frequency responses, linear in what every function has of its own:
//   H(s) = s^q ( sum_m (A_m + B_m s) f_m(s) + L/s^2 + U ),   f_m = 1/((s + alpha_m)^2 + beta_m^2)
// with poles -alpha_m +- i beta_m, s = i omega + window decay and q = 0, 1, 2 for displacement, velocity, acceleration.
// A + B p = phi_c phi_r is the modal constant; normal modes have B = 0 and real A. L and U, complex, stand for the
// modes below and above the band. Of a motion that is cut off at T, residues R of all poles are (1 - exp((p - d) T)) R,
// whose sum is no longer 0, and s^q times the sum over the poles holds s^(q-1) times it too much: W s^(q-1), real,
// takes it off. Complex lines are written as real ones: the real parts above the imaginary ones.

#include <Eigen/Core>
#include <complex>

#include "microslip/measurement/modal_lines.hpp"

namespace microslip {

struct ModalTerms {
  bool normal = false;  ///< B = 0
  bool lower = true;    ///< L
  bool upper = true;    ///< U
  bool cut = false;     ///< W: of velocities and accelerations that end while the structure moves

  [[nodiscard]] Eigen::Index a_mode() const { return normal ? 1 : 2; }
  [[nodiscard]] Eigen::Index count(Eigen::Index modes) const {
    return modes * a_mode() + (lower ? 2 : 0) + (upper ? 2 : 0) + (cut ? 1 : 0);
  }
};

/// Columns of the linear unknowns, in the order A_1 B_1 A_2 B_2 ... L U (real and imaginary part of each) W, and the
/// derivatives with respect to alpha and beta.
class FitBasis {
 public:
  FitBasis(const ModalLines& lines, const Eigen::VectorXcd& poles, const ModalTerms& terms);

  /// 2 lines x unknowns.
  [[nodiscard]] const Eigen::MatrixXd& columns() const { return columns_; }
  /// 2 lines x 2 modes: with respect to alpha_1 beta_1 alpha_2 ..., for a function with these unknowns.
  [[nodiscard]] Eigen::MatrixXd derivatives(const Eigen::VectorXd& unknowns) const;
  void derivatives(const Eigen::VectorXd& unknowns, Eigen::MatrixXd& result) const;
  [[nodiscard]] Eigen::Index modes() const { return poles_.size(); }
  [[nodiscard]] const ModalTerms& terms() const { return terms_; }

 private:
  Eigen::VectorXcd poles_;
  ModalTerms terms_;
  Eigen::MatrixXd slopes_;  ///< derivatives of the columns of modes, first all with respect to alpha, then to beta
  Eigen::MatrixXd columns_;
};

/// A column of complex values as real ones, and the other way round.
[[nodiscard]] Eigen::VectorXd stacked(const Eigen::VectorXcd& values);
[[nodiscard]] Eigen::VectorXcd unstacked(const Eigen::VectorXd& values);

/// A + B p of a mode from the unknowns of a function.
[[nodiscard]] std::complex<double> modal_constant(const Eigen::VectorXd& unknowns, Eigen::Index mode,
                                                  std::complex<double> pole, const ModalTerms& terms);

/// What one mode adds to every function, lines x functions; `unknowns`: its A (and B), functions in columns.
[[nodiscard]] Eigen::MatrixXcd mode_contribution(const ModalLines& lines, std::complex<double> pole,
                                                 const Eigen::MatrixXd& unknowns);

/// Some of the lines, with nothing but what a fit needs of them.
[[nodiscard]] ModalLines some_lines(const ModalLines& lines, const Eigen::MatrixXcd& values, Eigen::Index from,
                                    Eigen::Index count);

}  // namespace microslip
