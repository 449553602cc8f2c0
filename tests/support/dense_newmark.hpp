#pragma once
// The textbook way, for comparison: average acceleration in physical coordinates, Newton on all degrees of freedom with
// a dense factorisation an iteration. Shares nothing with the program but the laws.

#include <Eigen/Core>
#include <functional>

#include "microslip/numerics/dense.hpp"
#include "microslip/system/system.hpp"

namespace microslip::testing {

struct DenseNewmark {
  const Eigen::MatrixXd mass, damping, stiffness, directions;
  JointMemory memory;
  double step;
  Eigen::VectorXd q, v, a;
  double t = 0.0;
  long iterations = 0;

  DenseNewmark(const System& system, Eigen::MatrixXd damping_matrix, double step_length)
      : mass(system.structure().mass()),
        damping(std::move(damping_matrix)),
        stiffness(system.structure().stiffness()),
        directions(system.directions()),
        memory(system.initial_memory()),
        step(step_length),
        q(Eigen::VectorXd::Zero(system.size())),
        v(q),
        a(q) {}

  /// Acceleration from q, v and the load at t = 0; the joints go to B^T q.
  void start(const Eigen::VectorXd& load) {
    auto response = memory.make_response();
    const Eigen::VectorXd u = directions.transpose() * q;
    const Eigen::VectorXd rate = directions.transpose() * v;
    memory.evaluate(u.data(), rate.data(), 0.0, response);
    memory.commit();
    const Eigen::Map<const Eigen::VectorXd> f(response.force.data(), directions.cols());
    a = solve_symmetric(mass, Eigen::VectorXd(load - damping * v - stiffness * q - directions * f));
  }

  void advance(const Eigen::VectorXd& load) {
    const double h = step;
    t += h;
    auto response = memory.make_response();
    const Eigen::VectorXd q0 = q + h * v + 0.25 * h * h * a;
    const Eigen::VectorXd v0 = v + 0.5 * h * a;
    Eigen::VectorXd next = a;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::VectorXd qi = q0 + 0.25 * h * h * next;
      const Eigen::VectorXd vi = v0 + 0.5 * h * next;
      const Eigen::VectorXd u = directions.transpose() * qi;
      const Eigen::VectorXd rate = directions.transpose() * vi;
      memory.evaluate(u.data(), rate.data(), t, response);
      iterations++;
      const Eigen::Map<const Eigen::VectorXd> f(response.force.data(), directions.cols());
      const Eigen::VectorXd residual = mass * next + damping * vi + stiffness * qi + directions * f - load;
      Eigen::MatrixXd ku = Eigen::MatrixXd::Zero(directions.cols(), directions.cols());
      Eigen::MatrixXd kv = ku;
      for (int j = 0, first = 0, entry = 0; j < memory.joints(); first += memory.components(j), ++j) {
        for (int r = 0; r < memory.components(j); ++r) {
          for (int c = 0; c < memory.components(j); ++c, ++entry) {
            ku(first + r, first + c) = response.stiffness[entry];
            kv(first + r, first + c) = response.damping[entry];
          }
        }
      }
      const Eigen::MatrixXd jacobian = mass + 0.5 * h * (damping + directions * kv * directions.transpose()) +
                                       0.25 * h * h * (stiffness + directions * ku * directions.transpose());
      const Eigen::VectorXd correction = LuFactors<double>(jacobian).solve(residual);
      next -= correction;
      if (correction.norm() <= 1e-12 * (next.norm() + 1e-300)) break;
    }
    q = q0 + 0.25 * h * h * next;
    v = v0 + 0.5 * h * next;
    a = next;
    memory.commit();
  }
};

}  // namespace microslip::testing
