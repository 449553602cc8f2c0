#pragma once
// Maximum likelihood of all poles together, the linear unknowns eliminated (variable projection):
//   min over poles of sum over functions and lines of |w (H - model)|^2 / 2
// With Phi the weighted columns of the basis, D those of the derivatives and r the residual at the best linear
// unknowns,
//   J = D - Phi (Phi^T Phi)^-1 Phi^T D,   Fisher information of the poles = sum J^T J,   gradient = sum J^T r
// which is the step of Gauss and Newton in all unknowns at once; damped after Levenberg and Marquardt.
// Ref: Golub and Pereyra 1973; Kaufman 1975.

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "microslip/measurement/modal_basis.hpp"
#include "microslip/measurement/modal_lines.hpp"

namespace microslip {

struct ModalPolishOptions {
  int max_iterations = 60;
  double tolerance = 1e-8;  ///< of a step, over the decay rate of the pole
};

struct ModalPolish {
  Eigen::VectorXcd poles;
  Eigen::MatrixXd unknowns;   ///< linear ones, functions in columns
  Eigen::MatrixXd residuals;  ///< weighted, 2 lines x functions, of the lines that were fitted
  double chi_squared = 0.0;   ///< sum of their squares
  bool converged = false;
  int iterations = 0;
};

/// From poles with negative real parts. `carry_on` is asked before every iteration.
[[nodiscard]] ModalPolish polish_modes(const ModalLines& lines, const Eigen::VectorXcd& poles, const ModalTerms& terms,
                                       const ModalPolishOptions& options = {},
                                       const std::function<bool()>& carry_on = {});

/// The linear unknowns alone.
[[nodiscard]] ModalPolish residues_of(const ModalLines& lines, const Eigen::VectorXcd& poles, const ModalTerms& terms);

/// Symmetric a x = b with a scaled to a diagonal of ones; a may be singular to rounding.
[[nodiscard]] Eigen::MatrixXd solve_scaled(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace microslip
