#pragma once
// Statics of a structure with prescribed means: the saddle point
//
//   [K  G^T] [x     ]   [f]
//   [G  0  ] [lambda] = [g]
//
// K positive semidefinite, possibly of free bodies; regular when G x = 0 leaves no motion without strain. Solved by the
// factors of K, raised in a diagonal entry for each motion without strain, and a small dense system for the multipliers
// and those entries: exact, whatever was raised.

#include <Eigen/Core>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/sparse_ldlt.hpp"
#include "microslip/structure/lanczos.hpp"
#include "microslip/structure/linear_structure.hpp"

namespace microslip {

/// A basis of the motions R with K R = 0 (to 1e-10 of the strain energy of their parts), in orthonormal columns.
/// `factors`: of factors_of_free_bodies(K).
[[nodiscard]] Eigen::MatrixXd motions_without_strain(const SparseMatrix& stiffness, const SparseLdlt& factors);

/// Factors of a K that may be singular: every pivot is raised that might be rounding.
[[nodiscard]] SparseLdlt factors_of_free_bodies(const SparseMatrix& stiffness);

class ConstrainedSolver {
 public:
  /// `constraints`: G, one row a constraint. Throws std::invalid_argument when the saddle point is singular: rows of G
  /// depend on each other, or a body is not held.
  ConstrainedSolver(const SparseMatrix& stiffness, const SparseMatrix& constraints);

  /// Columns of f and g; with one step of iterative refinement.
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& f, const Eigen::MatrixXd& g) const;
  /// The same with g = 0, without refinement, for Lanczos.
  void solve_homogeneous(Eigen::Ref<Eigen::MatrixXd> f) const;

  /// Motions without strain of the free structure, as the constraints see them: G R, K R = 0.
  [[nodiscard]] Eigen::MatrixXd free_boundary_motions() const { return constraints_ * motions_; }
  /// Lengths of the constraints' coordinates under forces of the same work, to make them comparable.
  [[nodiscard]] Eigen::VectorXd boundary_scale() const { return scale_.head(constraints_.rows()).cwiseInverse(); }
  [[nodiscard]] int free_motions() const { return static_cast<int>(motions_.cols()); }
  [[nodiscard]] int size() const { return factors_.size(); }

 private:
  struct Solution {
    Eigen::MatrixXd x, multipliers;
  };
  [[nodiscard]] Solution solve_once(const Eigen::MatrixXd& f, const Eigen::MatrixXd& g) const;

  SparseMatrix stiffness_, constraints_;
  SparseLdlt factors_;       ///< of F = K + E D E^T
  Eigen::MatrixXd motions_;  ///< R, K R = 0
  SparseMatrix rows_;        ///< C: G and -E^T
  Eigen::MatrixXd answers_;  ///< F^-1 C^T
  Eigen::VectorXd scale_;    ///< of the small system
  LuFactors<double> small_;  ///< scaled C F^-1 C^T - diag(0, 1/D)
};

/// How many eigenvalues of (K - omega^2 M) on the null space of G lie below `place`, by Sylvester's law.
[[nodiscard]] SignCount constrained_modes_below(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                                const SparseMatrix& constraints, double place);

}  // namespace microslip
