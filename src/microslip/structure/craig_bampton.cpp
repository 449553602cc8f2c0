#include "microslip/structure/craig_bampton.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "microslip/structure/constrained_solver.hpp"
#include "microslip/structure/lanczos.hpp"

namespace microslip {

ReducedModel craig_bampton(const SparseMatrix& stiffness, const SparseMatrix& mass, const SparseMatrix& boundary,
                           int modes) {
  const Eigen::Index n = mass.rows(), b = boundary.rows();
  constexpr int beyond = 3;  // pairs behind the wanted ones: where to count
  if (b == 0) throw std::invalid_argument("a reduced model needs a boundary");
  if (modes < 0 || b + modes + beyond >= n) {
    throw std::invalid_argument(
        fmt::format("the number of modes must be from 0 to {}, got {}", n - b - beyond - 1, modes));
  }
  const ConstrainedSolver solver(stiffness, boundary);
  ReducedModel reduced;
  reduced.free_motions = solver.free_motions();
  reduced.recovery.resize(n, b + modes);
  reduced.recovery.leftCols(b) = solver.solve(Eigen::MatrixXd::Zero(n, b), Eigen::MatrixXd::Identity(b, b));
  reduced.held_omega.resize(modes);
  if (modes > 0) {
    const RitzPairs held =
        lowest_pairs([&](auto x) { solver.solve_homogeneous(x); }, stiffness, mass, 0.0, modes + beyond);
    const auto [below, place] = gap_behind(held.values, modes);
    if (const int counted = constrained_modes_below(stiffness, mass, boundary, place); counted != below) {
      throw std::runtime_error(
          fmt::format("{} modes with the boundary held were found below omega^2 = {:.6g}, where there are {} by "
                      "Sylvester's law; ask for another number of modes",
                      below, place, counted));
    }
    reduced.held_omega = held.values.head(modes).cwiseSqrt();
    reduced.recovery.rightCols(modes) = held.shapes.leftCols(modes);
    for (Eigen::Index i = b; i < b + modes; ++i) {
      auto shape = reduced.recovery.col(i);
      Eigen::Index largest = 0;
      shape.cwiseAbs().maxCoeff(&largest);
      if (shape(largest) < 0.0) shape = -shape;
    }
  }
  const Eigen::MatrixXd inertia = mass * reduced.recovery;
  reduced.mass = reduced.recovery.transpose() * inertia;
  reduced.mass = (0.5 * (reduced.mass + reduced.mass.transpose())).eval();
  const auto shapes = reduced.recovery.leftCols(b);
  Eigen::MatrixXd static_part = shapes.transpose() * (stiffness * shapes);
  reduced.stiffness = Eigen::MatrixXd::Zero(b + modes, b + modes);
  reduced.stiffness.topLeftCorner(b, b) = 0.5 * (static_part + static_part.transpose());
  reduced.stiffness.diagonal().tail(modes) = reduced.held_omega.cwiseAbs2();
  return reduced;
}

}  // namespace microslip
