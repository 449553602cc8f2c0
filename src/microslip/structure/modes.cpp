#include "microslip/structure/modes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace microslip {

Modes vibration_modes(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& mass) {
  if (mass.rows() == 0) return {};
  if (Eigen::LLT<Eigen::MatrixXd>(mass).info() != Eigen::Success) {
    throw std::invalid_argument("the mass matrix is not positive definite");
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(stiffness, mass);
  if (solver.info() != Eigen::Success) throw std::invalid_argument("the eigenvalues of K and M did not converge");

  Modes modes;
  const Eigen::Index n = mass.rows();
  modes.shapes = solver.eigenvectors();
  modes.omega.resize(n);
  const Eigen::MatrixXd magnitude = stiffness.cwiseAbs();
  // The terms of phi^T K phi sum to `scale` in magnitude; the eigensolver is accurate to a modest multiple of eps of
  // it.
  const double rounding = 1e3 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    auto shape = modes.shapes.col(i);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    if (shape(largest) < 0.0) shape = -shape;

    const double energy = solver.eigenvalues()(i);
    const Eigen::VectorXd terms = shape.cwiseAbs();
    const double scale = terms.dot(magnitude * terms);
    if (energy < -1e3 * rounding * scale) {
      throw std::invalid_argument(
          fmt::format("the stiffness matrix is indefinite: it has a mode with omega^2 = {:.6g}", energy));
    }
    if (energy <= rounding * scale) {
      modes.omega(i) = 0.0;
      modes.rigid++;
    } else {
      modes.omega(i) = std::sqrt(energy);
    }
  }
  return modes;
}

}  // namespace microslip
