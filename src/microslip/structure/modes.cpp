#include "microslip/structure/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "microslip/numerics/dense.hpp"

namespace microslip {

namespace {

/// Shapes and omega^2 -> modes: signs, and which of them are rigid.
Modes sorted_out(Eigen::MatrixXd shapes, const Eigen::VectorXd& energies, const Eigen::MatrixXd& stiffness) {
  Modes modes;
  modes.shapes = std::move(shapes);
  const Eigen::Index count = energies.size();
  modes.omega.resize(count);
  const Eigen::MatrixXd magnitude = stiffness.cwiseAbs();
  // The terms of phi^T K phi sum to `scale` in magnitude; the eigensolver is accurate to a modest multiple of eps of
  // it.
  const double rounding =
      1e3 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(stiffness.rows()));
  // Nor can it tell anything from nothing that is below the rounding of its largest eigenvalue.
  const double floor = count > 0 ? 10.0 * std::numeric_limits<double>::epsilon() * energies.maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < count; ++i) {
    auto shape = modes.shapes.col(i);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    if (shape(largest) < 0.0) shape = -shape;

    const double energy = energies(i);
    const Eigen::VectorXd terms = shape.cwiseAbs();
    const double scale = terms.dot(magnitude * terms);
    if (energy < -1e3 * rounding * scale) {
      throw std::invalid_argument(
          fmt::format("the stiffness matrix is indefinite: it has a mode with omega^2 = {:.6g}", energy));
    }
    modes.omega(i) = std::sqrt(std::max(energy, 0.0));
    if (energy <= std::max(rounding * scale, floor))
      modes.rigid = static_cast<int>(i) + 1;  // and so are those below it
  }
  modes.omega.head(modes.rigid).setZero();
  return modes;
}

/// Is M positive definite beyond rounding, whatever the units of its rows?
bool has_mass_everywhere(const Eigen::MatrixXd& mass) {
  if (!(mass.diagonal().minCoeff() > 0.0)) return false;
  const Eigen::VectorXd scale = mass.diagonal().cwiseSqrt().cwiseInverse();
  constexpr double singular = 1e-13;
  return positive_rcond(scale.asDiagonal() * mass * scale.asDiagonal()) > singular;
}

/// M singular: u = Q (a, b) with M nothing in b. K then gives b = -K_bb^-1 K_ba a, and a has the mass of M.
Modes modes_of_the_massive(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& mass) {
  const Eigen::Index n = mass.rows();
  Eigen::VectorXd scale = mass.diagonal();  // so that units do not decide what is massless
  if (scale.minCoeff() < 0.0) throw std::invalid_argument("the mass matrix is not positive semidefinite");
  const double typical = scale.maxCoeff();
  if (!(typical > 0.0)) throw std::invalid_argument("the mass matrix is empty");
  for (double& value : scale) value = 1.0 / std::sqrt(value > 0.0 ? value : typical);
  const SymmetricEigen inertia = symmetric_eigen(scale.asDiagonal() * mass * scale.asDiagonal());
  const Eigen::VectorXd& values = inertia.values;
  constexpr double massless = 1e-12;
  if (values(0) < -massless * values(n - 1)) {
    throw std::invalid_argument("the mass matrix is not positive semidefinite");
  }
  Eigen::Index rank = 0;
  while (rank < n && values(n - 1 - rank) > massless * values(n - 1)) ++rank;
  const Eigen::MatrixXd q = scale.asDiagonal() * inertia.vectors;
  const Eigen::MatrixXd k = congruent(stiffness, q);
  const Eigen::Index free = n - rank;
  const auto held = solve_if_positive(k.topLeftCorner(free, free), k.topRightCorner(free, rank), 1e-15);
  if (!held) {
    throw std::invalid_argument("the mass matrix is not positive definite, and a motion without mass has no stiffness");
  }
  const Eigen::MatrixXd follow = -*held;
  const Eigen::MatrixXd condensed = k.bottomRightCorner(rank, rank) + k.bottomLeftCorner(rank, free) * follow;
  const Eigen::MatrixXd whole = q.rightCols(rank) + q.leftCols(free) * follow;
  const SymmetricEigen solution =
      symmetric_eigen(0.5 * (condensed + condensed.transpose()), Eigen::MatrixXd(values.tail(rank).asDiagonal()));
  if (!solution.converged) throw std::invalid_argument("the eigenvalues of K and M did not converge");
  // Condensation rounds by more than the rigid modes allow: their energy from K itself.
  const Eigen::MatrixXd shapes = times(whole, solution.vectors);
  const Eigen::VectorXd energies = shapes.cwiseProduct(stiffness * shapes).colwise().sum();
  return sorted_out(shapes, energies, stiffness);
}

}  // namespace

Modes vibration_modes(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& mass) {
  if (mass.rows() == 0) return {};
  if (!has_mass_everywhere(mass)) return modes_of_the_massive(stiffness, mass);
  const SymmetricEigen solution = symmetric_eigen(stiffness, mass);
  if (!solution.converged) throw std::invalid_argument("the eigenvalues of K and M did not converge");

  return sorted_out(solution.vectors, solution.values, stiffness);
}

}  // namespace microslip
