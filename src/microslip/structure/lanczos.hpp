#pragma once
// Lowest eigenpairs of (K - omega^2 M) phi = 0 by Lanczos with an inverse at hand, and Rayleigh-Ritz in a given space.

#include <functional>
#include <utility>

#include "microslip/structure/linear_structure.hpp"

namespace microslip {

struct RitzPairs {
  Eigen::VectorXd values;  ///< omega^2, ascending
  Eigen::MatrixXd shapes;  ///< mass-normalised
};

/// K and M diagonal in the span of the columns; directions without mass, or that the others hold, are left out.
[[nodiscard]] RitzPairs ritz(const SparseMatrix& stiffness, const SparseMatrix& mass, const Eigen::MatrixXd& columns);

/// x -> (K - shift M)^-1 x, in place, on a column; also of a constrained K.
using Inverse = std::function<void(Eigen::Ref<Eigen::MatrixXd>)>;

/// The pairs nearest above `shift`. M may be singular. Throws std::runtime_error when they do not converge. A repeated
/// eigenvalue may be missed: count.
[[nodiscard]] RitzPairs lowest_pairs(const Inverse& inverse, const SparseMatrix& stiffness, const SparseMatrix& mass,
                                     double shift, Eigen::Index wanted);

/// Where to count: behind at least `count` of ascending values, between two neighbours that are farthest apart. How
/// many lie below, and the place.
[[nodiscard]] std::pair<Eigen::Index, double> gap_behind(const Eigen::VectorXd& values, Eigen::Index count);

}  // namespace microslip
