#pragma once
// Stuck modes of a structure whose matrices depend on parameters, their derivatives, and what a modal curve needs of
// them. With every mode known, in the modal basis (Nelson's derivatives in closed form): for dK0 = dK + B dk B^T, dM
// and P = Phi^T dK0 Phi, Q = Phi^T dM Phi,
//
//   d omega_r^2 = P_rr - omega_r^2 Q_rr
//   d phi_r     = Phi a,   a_s = (omega_r^2 Q_sr - P_sr)/(omega_s^2 - omega_r^2),   a_r = -Q_rr/2
//   d K0^+      = -K0^+ dK0 K0^+   between the joints, which rigid modes do not strain
//
// Ref: Fox, Kapoor, Rates of change of eigenvalues and eigenvectors, AIAA J. 6 (1968) 2426; Nelson, AIAA J. 14 (1976)
// 1201; docs/theory.md, "Derivatives of modes and of modal curves".

#include <Eigen/Core>
#include <vector>

#include "microslip/structure/linear_structure.hpp"

namespace microslip {

/// In the independent coordinates of a LinearStructure.
struct ModelMatrices {
  SparseMatrix mass, stiffness;  ///< K without the joints
  Eigen::MatrixXd directions;    ///< B, n x joints
  Eigen::VectorXd stuck;         ///< stiffness of the joints at rest
  Damping damping;
  std::vector<Damper> dampers;
  bool constrain_rigid_body = false;
};

/// A direction in which they move: derivatives of the same numbers.
struct MatrixChange {
  SparseMatrix mass, stiffness;  ///< n x n; may be empty of entries
  Eigen::VectorXd stuck;         ///< of the joints
  std::vector<double> ratios;    ///< of modal damping, as many as there are
  double rayleigh_a = 0.0, rayleigh_b = 0.0;
  Eigen::MatrixXd damping;      ///< of a matrix of dampers; may be empty
  std::vector<double> dampers;  ///< of the coefficients of discrete dampers; may be empty

  /// Nothing of it moves the modes.
  [[nodiscard]] bool keeps_modes() const;
  [[nodiscard]] bool keeps_damping() const;
};

struct ModelModes {
  Eigen::VectorXd omega;
  Eigen::MatrixXd shapes;  ///< n x modes, mass-normalised
  Eigen::MatrixXd joints;  ///< B^T Phi
  int rigid = 0;
};

/// Throws std::invalid_argument where M is not positive definite or K0 is indefinite.
[[nodiscard]] ModelModes model_modes(const ModelMatrices& matrices);

/// What a modal curve needs of mode r: with every joint stuck the modal stiffness is omega^2, the joints deflect by
/// beta a unit of q, and give way to forces x of their own by -A' x while q is held.
struct ModeConstants {
  double stiffness = 0.0;      ///< omega^2
  double damping = 0.0;        ///< phi^T C phi
  Eigen::VectorXd beta;        ///< B^T phi
  Eigen::MatrixXd compliance;  ///< A': sum of psi_s psi_s^T/omega_s^2 over the other modes that vibrate
};

[[nodiscard]] ModeConstants mode_constants(const ModelMatrices& matrices, const ModelModes& modes, int mode);

/// Derivatives of a mode along a change of the matrices.
struct ModeChange {
  Eigen::VectorXd shape;    ///< d phi, in coefficients of the modes
  ModeConstants constants;  ///< derivatives
};
[[nodiscard]] ModeChange mode_change(const ModelMatrices& matrices, const ModelModes& modes, const MatrixChange& change,
                                     int mode);

}  // namespace microslip
