#pragma once
// Lowest eigenpairs of (K - omega^2 M) phi = 0 by Lanczos with an inverse at hand, and Rayleigh-Ritz in a given space.

#include <functional>
#include <string>
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

/// Eigenvalues below a place by the signs of factors, and the error of the matrix that rounding in them amounts to.
struct SignCount {
  int below = 0;
  double rounding = 0.0;  ///< E of K - place M, which moves an eigenvalue by phi^T E phi
  bool clear = true;      ///< no other number whose sign was counted is within its own rounding of 0
};
/// Are as many below the gap behind the first `count` pairs as were found? Where rounding may have spoiled the signs,
/// other places in the gap are asked, up to five: a sure count decides, and so do unsure ones when two more of them
/// agree than differ. Throws std::runtime_error when the count differs or none decides; `what`: "modes".
void check_count(const RitzPairs& pairs, Eigen::Index count, const std::function<SignCount(double place)>& count_below,
                 const std::string& what);

}  // namespace microslip
