#pragma once
// Component mode synthesis: a large structure in the coordinates of its boundary and a few modes with the boundary
// held.
//
//   u = Psi q_b + Phi q_m,   K Psi + G^T Lambda = 0, G Psi = I   (static answers to unit boundary coordinates)
//                            K Phi + G^T Lambda = M Phi omega^2, G Phi = 0   (modes with the boundary held)
//
// A boundary coordinate is q_b = G u: a degree of freedom (a row of the identity) or the mean motion of a patch (see
// spider.hpp). The static answers to forces on the boundary are exact, whatever the number of modes.
// Modes left out answer the inertia of the boundary's motion, M Psi q_b'', no more. With `inertia` their static answer
// to it, one shape for each boundary coordinate, joins the modes, and frequencies converge with twice the order. Ref:
// Craig, Bampton, Coupling of substructures for dynamic analyses, AIAA J. 6 (1968) 1313.

#include "microslip/structure/linear_structure.hpp"

namespace microslip {

struct ReducedModel {
  Eigen::MatrixXd mass, stiffness;  ///< boundary first, then the modes
  Eigen::MatrixXd recovery;         ///< [Psi Phi], u = recovery q
  Eigen::VectorXd held_omega;       ///< of the modes with the boundary held, then of the shapes of inertia [rad/time]
  int free_motions = 0;             ///< motions without strain of the structure
};

/// M may be singular. Throws std::invalid_argument when the boundary does not hold the structure; std::runtime_error
/// when modes do not converge or one is missing.
[[nodiscard]] ReducedModel craig_bampton(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                         const SparseMatrix& boundary, int modes, bool inertia = false);

}  // namespace microslip
