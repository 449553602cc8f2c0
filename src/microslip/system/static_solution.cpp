#include "microslip/system/static_solution.hpp"

#include <fmt/format.h>

#include "microslip/numerics/dense.hpp"
#include "microslip/system/joint_equation.hpp"

namespace microslip {

StaticSolution static_solution(const System& system, const Eigen::VectorXd& force, const StaticOptions& options) {
  const Modes& modes = system.stuck_modes();
  const Eigen::Index elastic = modes.omega.size() - modes.rigid;
  // Columns of phi/omega: K0^+ = scaled scaled^T.
  const Eigen::MatrixXd scaled =
      modes.shapes.rightCols(elastic) * modes.omega.tail(elastic).cwiseInverse().asDiagonal();
  const Eigen::MatrixXd joints = transpose_times(scaled, system.directions());
  const Eigen::VectorXd load = transpose_times(scaled, force);

  JointEquation equation(system, JointEquation::Terms::without_rates);
  const JointCompliance compliance{transpose_times(joints, joints), Eigen::MatrixXd()};
  const Eigen::VectorXd u_full = transpose_times(joints, load);
  const Eigen::VectorXd no_rates = Eigen::VectorXd::Zero(system.components());

  StaticSolution solution;
  solution.memory = system.initial_memory();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(system.components());
  double fraction = 0.0;
  double increment = 1.0 / options.steps;
  while (fraction < 1.0) {
    const double next = fraction + increment > 1.0 - 1e-12 ? 1.0 : fraction + increment;
    Eigen::VectorXd trial = x;
    const Eigen::VectorXd u_star = next * u_full;
    const auto outcome = equation.solve(solution.memory, compliance, u_star.data(), no_rates.data(), 0.0,
                                        options.tolerance, options.max_iterations, trial.data());
    if (!outcome.converged) {
      increment *= 0.5;
      if (increment > 1e-6 / options.steps) continue;
      solution.ending = Ending::limit_load;
      solution.message =
          fmt::format("no static equilibrium found beyond {:.6g} of the load: joint \"{}\" has no more force to give",
                      fraction, system.component_name(outcome.worst));
      break;
    }
    solution.memory.commit();
    x = trial;
    fraction = next;
  }
  solution.load_fraction = fraction;
  solution.q = scaled * (fraction * load - joints * x);
  solution.forces = x + system.stuck_joint_stiffness() * (system.directions().transpose() * solution.q);
  return solution;
}

}  // namespace microslip
