#pragma once
// The lowest modes of a large sparse structure, and the static answers that they leave out.

#include "microslip/structure/linear_structure.hpp"
#include "microslip/structure/modes.hpp"

namespace microslip {

/// The lowest `count` modes of (K - omega^2 M) phi = 0 by shift and invert, K positive semidefinite (free bodies
/// included), M positive semidefinite, K and M without a common null vector. None is missed: the number of eigenvalues
/// below the highest of them is counted by Sylvester's law, and a count that differs is an error.
///
/// They are followed by one shape for each direction b of `statics`: the part of K^+ b (b without its rigid part) that
/// the modes leave out, made orthogonal and diagonal in K and M. So the shapes together give the static answer to each
/// b exactly, and a method that takes all columns for modes truncates without forgetting the flexibility of the rest.
/// Directions whose answer the modes already hold are left out.
///
/// Throws std::invalid_argument when the pair has no such modes, std::runtime_error when Lanczos does not converge.
[[nodiscard]] Modes lowest_modes(const SparseMatrix& stiffness, const SparseMatrix& mass, int count,
                                 const Eigen::MatrixXd& statics);

}  // namespace microslip
