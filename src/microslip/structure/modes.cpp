#include "microslip/structure/modes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace microslip {

namespace {

/// M singular: u = Q (a, b) with M nothing in b. K then gives b = -K_bb^-1 K_ba a, and a has the mass of M.
Modes modes_of_the_massive(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& mass) {
  const Eigen::Index n = mass.rows();
  Eigen::VectorXd scale = mass.diagonal();  // so that units do not decide what is massless
  if (scale.minCoeff() < 0.0) throw std::invalid_argument("the mass matrix is not positive semidefinite");
  const double typical = scale.maxCoeff();
  if (!(typical > 0.0)) throw std::invalid_argument("the mass matrix is empty");
  for (double& value : scale) value = 1.0 / std::sqrt(value > 0.0 ? value : typical);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> inertia(scale.asDiagonal() * mass * scale.asDiagonal());
  const Eigen::VectorXd& values = inertia.eigenvalues();
  constexpr double massless = 1e-12;
  if (values(0) < -massless * values(n - 1)) {
    throw std::invalid_argument("the mass matrix is not positive semidefinite");
  }
  Eigen::Index rank = 0;
  while (rank < n && values(n - 1 - rank) > massless * values(n - 1)) ++rank;
  const Eigen::MatrixXd q = scale.asDiagonal() * inertia.eigenvectors();
  const Eigen::MatrixXd k = q.transpose() * stiffness * q;
  const Eigen::Index free = n - rank;
  const Eigen::LDLT<Eigen::MatrixXd> factors(k.topLeftCorner(free, free));
  if (factors.info() != Eigen::Success || !factors.isPositive() || !(factors.rcond() > 1e-15)) {
    throw std::invalid_argument("the mass matrix is not positive definite, and a motion without mass has no stiffness");
  }
  const Eigen::MatrixXd follow = -factors.solve(k.topRightCorner(free, rank));
  const Eigen::MatrixXd condensed = k.bottomRightCorner(rank, rank) + k.bottomLeftCorner(rank, free) * follow;
  const Eigen::MatrixXd whole = q.rightCols(rank) + q.leftCols(free) * follow;
  Modes modes =
      vibration_modes(0.5 * (condensed + condensed.transpose()), Eigen::MatrixXd(values.tail(rank).asDiagonal()));
  modes.shapes = (whole * modes.shapes).eval();
  for (Eigen::Index i = 0; i < rank; ++i) {
    Eigen::Index largest = 0;
    modes.shapes.col(i).cwiseAbs().maxCoeff(&largest);
    if (modes.shapes(largest, i) < 0.0) modes.shapes.col(i) *= -1.0;
  }
  return modes;
}

}  // namespace

Modes vibration_modes(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& mass) {
  if (mass.rows() == 0) return {};
  if (Eigen::LLT<Eigen::MatrixXd>(mass).info() != Eigen::Success) return modes_of_the_massive(stiffness, mass);
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
