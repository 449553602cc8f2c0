#pragma once
// The Pareto front of two or more misfits of a ResidualProblem: parameters of which no others are better in all of
// them.
//
//   J_k(x) = sum of r_i^2 over the groups of objective k  (white_rows.hpp; no discrepancies)
//   F_k = (J_k - ideal_k)/(nadir_k - ideal_k),   ideal, nadir: least and largest J_k over the minima of each alone
//
// Normal-boundary intersection (Das and Dennis 1998): for each point of a grid on the simplex between those minima, the
// point of the front across from it,
//
//   minimise  sum of F_k   with   F - mean(F) = given
//
// by an augmented Lagrangian, whose curvature is that of Gauss and Newton: it finds convex and nonconvex parts, evenly
// spaced. It begins from the best of samples there, follows the front from neighbour to neighbour while that makes it
// better, and then leaves out what is dominated.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "microslip/inference/residual_problem.hpp"

namespace microslip {

struct ParetoObjective {
  std::string name;
  std::vector<std::size_t> groups;  ///< of the problem
};

struct ParetoOptions {
  std::size_t samples = 256;          ///< Sobol's points of the priors to begin from
  std::vector<Eigen::VectorXd> from;  ///< further ones: known trials, of which none will dominate the front
  std::size_t points = 41;            ///< about as many across the front
  std::uint64_t seed = 1;
  std::size_t threads = 1;  ///< the result is the same for any number
  int max_iterations = 60;  ///< of each descent
};

struct ParetoPoint {
  Eigen::VectorXd x;
  Eigen::VectorXd misfits;  ///< J
  bool traced = false;      ///< came to rest on the front; false: a sample that nothing dominates
};

struct ParetoFront {
  std::vector<ParetoPoint> points;  ///< by their first misfit; none dominates another
  Eigen::VectorXd ideal, nadir;
  std::size_t evaluations = 0;
  std::size_t not_at_rest = 0;  ///< points of the grid where no descent came to rest
  bool interrupted = false;
  std::string message;
};

/// Throws std::invalid_argument for less than two objectives, or one without groups.
[[nodiscard]] ParetoFront pareto_front(const ResidualProblem& problem, const std::vector<ParetoObjective>& objectives,
                                       const ParetoOptions& options = {},
                                       const std::function<bool(double fraction)>& observer = {});

/// Numbers of the points that no other is better than in one misfit and not worse in the others; of equal ones the
/// first.
[[nodiscard]] std::vector<std::size_t> not_dominated(const std::vector<Eigen::VectorXd>& misfits);

/// The point with the least sum of F_k, with ideal and nadir of the points themselves, at least a square apart: of two
/// misfits, the one farthest from the straight line between the ends.
[[nodiscard]] std::size_t knee_of(const ParetoFront& front);
/// The point with the least sum of weight_k J_k.
[[nodiscard]] std::size_t point_by_weight(const ParetoFront& front, const Eigen::VectorXd& weights);

}  // namespace microslip
