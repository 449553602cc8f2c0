#include "microslip/structure/craig_bampton.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "microslip/numerics/dense.hpp"
#include "microslip/structure/constrained_solver.hpp"
#include "microslip/structure/lanczos.hpp"
#include "microslip/structure/modes.hpp"

namespace microslip {
namespace {

/// Psi^T K Psi is nothing on free motions, and only rounding is there; taken out, in coordinates of like size.
Eigen::MatrixXd without_strain_of(const Eigen::MatrixXd& motions, const Eigen::VectorXd& scale,
                                  const Eigen::MatrixXd& stiffness) {
  if (motions.cols() == 0) return stiffness;
  const Eigen::VectorXd inverse = scale.cwiseInverse();
  const Eigen::MatrixXd basis = orthogonal_columns(inverse.asDiagonal() * motions, motions.cols());
  const Eigen::MatrixXd rest =
      Eigen::MatrixXd::Identity(motions.rows(), motions.rows()) - times(basis, Eigen::MatrixXd(basis.transpose()));
  const Eigen::MatrixXd clean =
      times(times(rest, Eigen::MatrixXd(scale.asDiagonal() * stiffness * scale.asDiagonal())), rest);
  return inverse.asDiagonal() * (0.5 * (clean + clean.transpose())) * inverse.asDiagonal();
}

/// Structures up to this size have their held modes by a dense eigensolver: all of them, if need be.
constexpr Eigen::Index most_dense = 1500;

/// The lowest modes with the boundary held.
RitzPairs held_modes(const ConstrainedSolver& solver, const SparseMatrix& stiffness, const SparseMatrix& mass,
                     const SparseMatrix& boundary, int modes) {
  const Eigen::Index n = mass.rows(), b = boundary.rows();
  constexpr int beyond = 3;  // pairs behind the wanted ones: where to count
  const auto refuse = [&](Eigen::Index most) {
    throw std::invalid_argument(fmt::format(
        "the number of modes must be from 0 to {}, as many as there are with the boundary held, got {}", most, modes));
  };
  if (modes == 0) return {Eigen::VectorXd(0), Eigen::MatrixXd(n, 0)};
  if (n <= most_dense) {
    if (modes > n - b) refuse(n - b);
    const Eigen::MatrixXd rows = Eigen::MatrixXd(SparseMatrix(boundary.transpose()));
    const Eigen::MatrixXd kernel = orthogonal_columns(rows, n).rightCols(n - b);  // G x = 0
    const Modes held = vibration_modes(transpose_times(kernel, Eigen::MatrixXd(stiffness * kernel)),
                                       transpose_times(kernel, Eigen::MatrixXd(mass * kernel)));
    if (modes > held.omega.size()) refuse(held.omega.size());
    return {held.omega.head(modes).cwiseAbs2(), times(kernel, Eigen::MatrixXd(held.shapes.leftCols(modes)))};
  }
  if (b + modes + beyond >= n) refuse(n - b - beyond - 1);
  RitzPairs held = lowest_pairs([&](auto x) { solver.solve_homogeneous(x); }, stiffness, mass, 0.0, modes + beyond);
  check_count(
      held, modes, [&](double place) { return constrained_modes_below(stiffness, mass, boundary, place); },
      "modes with the boundary held");
  held.values.conservativeResize(modes);
  held.shapes.conservativeResize(Eigen::NoChange, modes);
  return held;
}

/// Static answers to the inertia of the boundary's motion, without what the modes hold.
RitzPairs shapes_of_inertia(const ConstrainedSolver& solver, const SparseMatrix& stiffness, const SparseMatrix& mass,
                            const Eigen::MatrixXd& statics, const Eigen::MatrixXd& held) {
  Eigen::MatrixXd answers = mass * statics;
  solver.solve_homogeneous(answers);
  const Eigen::MatrixXd rest = answers - times(held, transpose_times(held, Eigen::MatrixXd(mass * answers)));
  const auto sizes = [&](const Eigen::MatrixXd& columns) -> Eigen::VectorXd {
    return columns.cwiseProduct(mass * columns).colwise().sum().cwiseMax(0.0).cwiseSqrt();
  };
  const Eigen::VectorXd moved = sizes(statics), all = sizes(answers), left = sizes(rest);
  const double flexibility = (moved.array() > 0.0).select(all.cwiseQuotient(moved), 0.0).maxCoeff();  // about 1/omega^2
  // Rounding: of an answer that the modes hold, and of no answer at all, where nothing free moves with the boundary.
  constexpr double held_already = 1e-7, no_answer = 1e-9;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < answers.cols(); ++i) {
    if (left(i) > held_already * all(i) && left(i) > no_answer * flexibility * moved(i)) kept.push_back(i);
  }
  return ritz(stiffness, mass, rest(Eigen::all, kept));
}

}  // namespace

ReducedModel craig_bampton(const SparseMatrix& stiffness, const SparseMatrix& mass, const SparseMatrix& boundary,
                           int modes, bool inertia) {
  const Eigen::Index n = mass.rows(), b = boundary.rows();
  if (b == 0) throw std::invalid_argument("a reduced model needs a boundary");
  const ConstrainedSolver solver(stiffness, boundary);
  const Eigen::MatrixXd statics = solver.solve(Eigen::MatrixXd::Zero(n, b), Eigen::MatrixXd::Identity(b, b));
  RitzPairs held = held_modes(solver, stiffness, mass, boundary, modes);
  if (inertia) {
    const RitzPairs rest = shapes_of_inertia(solver, stiffness, mass, statics, held.shapes);
    const Eigen::Index more = rest.values.size();
    held.values.conservativeResize(modes + more);
    held.values.tail(more) = rest.values;
    held.shapes.conservativeResize(Eigen::NoChange, modes + more);
    held.shapes.rightCols(more) = rest.shapes;
  }
  for (Eigen::Index i = 0; i < held.shapes.cols(); ++i) {
    Eigen::Index largest = 0;
    held.shapes.col(i).cwiseAbs().maxCoeff(&largest);
    if (held.shapes(largest, i) < 0.0) held.shapes.col(i) *= -1.0;
  }

  const Eigen::Index m = held.shapes.cols();
  ReducedModel reduced;
  reduced.free_motions = solver.free_motions();
  reduced.held_omega = held.values.cwiseSqrt();
  reduced.recovery.resize(n, b + m);
  reduced.recovery << statics, held.shapes;
  const Eigen::MatrixXd product = transpose_times(reduced.recovery, Eigen::MatrixXd(mass * reduced.recovery));
  reduced.mass = 0.5 * (product + product.transpose());
  const Eigen::MatrixXd static_part = transpose_times(statics, Eigen::MatrixXd(stiffness * statics));
  reduced.stiffness = Eigen::MatrixXd::Zero(b + m, b + m);
  reduced.stiffness.topLeftCorner(b, b) = without_strain_of(solver.free_boundary_motions(), solver.boundary_scale(),
                                                            0.5 * (static_part + static_part.transpose()));
  reduced.stiffness.diagonal().tail(m) = held.values;
  return reduced;
}

}  // namespace microslip
