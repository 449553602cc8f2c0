#pragma once
// Sums of squares of the objectives of a Pareto front and their derivatives, and descents across from a point of the
// simplex (pareto.hpp).

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "microslip/inference/descent.hpp"
#include "microslip/inference/pareto.hpp"
#include "microslip/inference/residual_problem.hpp"

namespace microslip {

struct Misfits {
  Eigen::VectorXd values;                   ///< J
  Eigen::MatrixXd gradients;                ///< a column each
  std::vector<Eigen::MatrixXd> curvatures;  ///< by Gauss and Newton
  std::string why;                          ///< not empty: there are none
};
[[nodiscard]] Misfits misfits_at(const ResidualProblem& problem, const std::vector<ParetoObjective>& objectives,
                                 const Eigen::VectorXd& x, bool want_derivatives);

/// Misfits in units of a front.
struct FrontScale {
  Eigen::VectorXd ideal, range;
  [[nodiscard]] Eigen::VectorXd operator()(const Eigen::VectorXd& misfits) const {
    return (misfits - ideal).cwiseQuotient(range);
  }
};

/// Where a descent across from `target` stands.
struct FrontState {
  Eigen::VectorXd x, misfits, multipliers;
  double sum = 0.0;  ///< of F
  bool at_rest = false;
  std::size_t evaluations = 0;
};

class AcrossTheSimplex {
 public:
  AcrossTheSimplex(const ResidualProblem& problem, const std::vector<ParetoObjective>& objectives, FrontScale scale,
                   Box box, DescentOptions options)
      : problem_(&problem),
        objectives_(&objectives),
        scale_(std::move(scale)),
        box_(std::move(box)),
        options_(std::move(options)) {}

  /// Least sum of F with F - mean(F) = target - mean(target), by an augmented Lagrangian from `start`, whose
  /// multipliers may be empty. At rest only if no misfit wants to be larger: the weights of all are positive.
  [[nodiscard]] FrontState solve(const Eigen::VectorXd& target, const FrontState& start) const;
  /// Least sum of F with F <= limits: a point of the front, since the weights of all misfits are 1 or more.
  [[nodiscard]] FrontState below(const Eigen::VectorXd& limits, const FrontState& start) const;
  /// Least sum of weights F.
  [[nodiscard]] FrontState weighted(const Eigen::VectorXd& weights, const Eigen::VectorXd& start) const;

 private:
  /// How far F is from where it should be, the multipliers with it.
  struct Constraint {
    bool balance = false;  ///< F - mean(F) as in `wanted`; false: F <= wanted
    Eigen::VectorXd wanted;
  };
  [[nodiscard]] FrontState constrained(const Constraint& constraint, const FrontState& start) const;

  const ResidualProblem* problem_;
  const std::vector<ParetoObjective>* objectives_;
  FrontScale scale_;
  Box box_;
  DescentOptions options_;
};

}  // namespace microslip
