#pragma once
// What a period of shooting starts from and ends with, how that changes, and the motion between.

#include <Eigen/Core>
#include <vector>

namespace microslip {

/// What a period starts from, or ends with.
struct PeriodState {
  Eigen::VectorXd d, v;                        ///< stuck modes, without the rigid ones
  std::vector<std::vector<double>> reversals;  ///< of each joint, of the period before, in time; empty: no such memory
  std::vector<double> z;                       ///< of each joint whose memory fades, in their order

  /// Number of unknowns.
  [[nodiscard]] Eigen::Index size() const;
  /// The same reversals, one for one.
  [[nodiscard]] bool alike(const PeriodState& other) const;
  /// d, v, z, reversals joint by joint.
  [[nodiscard]] Eigen::VectorXd unknowns() const;
  void set_unknowns(const Eigen::VectorXd& y);
};

/// Derivatives of the unknowns at the end of a period.
struct PeriodDerivative {
  Eigen::MatrixXd monodromy;  ///< with respect to those at its start; only if the states are alike
  Eigen::MatrixXd motion;     ///< the rows of d, v, z: always
  Eigen::VectorXd by_omega, by_level;
};

/// Samples of a period at the ends of its steps, from its start.
struct PeriodHistory {
  Eigen::MatrixXd d, v;             ///< modes x (steps + 1)
  Eigen::MatrixXd u, f;             ///< joint components x (steps + 1)
  std::vector<double> dissipation;  ///< of each joint over the period, closed forms [energy]
};

}  // namespace microslip
