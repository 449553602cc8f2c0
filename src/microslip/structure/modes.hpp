#pragma once
// Undamped modes of a symmetric pair (K, M).

#include <Eigen/Core>

namespace microslip {

struct Modes {
  Eigen::VectorXd omega;   ///< ascending [rad/time]; exactly 0 for rigid modes
  Eigen::MatrixXd shapes;  ///< columns, mass-normalised, largest component positive
  int rigid = 0;           ///< how many of them are rigid
};

/// All modes of (K - omega^2 M) phi = 0; K and M positive semidefinite without a common null vector. Motions without
/// mass follow the others statically and have no mode: there are as many modes as M has rank. A mode is rigid when its
/// strain energy phi^T K phi is nothing but the rounding of its terms. Throws std::invalid_argument when M or K is
/// indefinite beyond rounding, or a motion has neither mass nor stiffness.
[[nodiscard]] Modes vibration_modes(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& mass);

}  // namespace microslip
