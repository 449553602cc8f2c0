#pragma once
// The one nonlinear equation of every time step and load step, in joint space:
//
//   x = g(u, v),   u = u* - A x,   v = v* - Av x
//
// x: what the joints add to the stuck linear structure, one number a joint component and discrete damper,
//   joints    g = f(u, v) - k u + c v    (k: stuck stiffness, c: joint-space part of Rayleigh damping)
//   dampers   g = c v
// u*, v*: deflection and rate of the stuck structure under everything but x; A, Av: its compliances.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/joints/joint_memory.hpp"
#include "microslip/system/system.hpp"

namespace microslip {

struct JointCompliance {
  Eigen::MatrixXd displacement;  ///< A [length/force]
  Eigen::MatrixXd rate;          ///< Av [length/(force time)]
};

/// Halvings of a Newton step that makes the residual grow.
inline constexpr int max_newton_backtracks = 8;

/// Corrections that a small residual may still take until the forces are right.
inline constexpr int max_force_corrections = 3;

/// Beside a stiff joint that slips, k u* is many times the force f, and a residual that is small beside it may leave f
/// anywhere on its loop. What the last correction of the deflection may change of f, k times it, must be small beside f
/// too: ten times the tolerance, the error that it leaves being of the order of its square. `size`: of the terms that
/// the deflection is the difference of, times k, which tells what rounding takes.
[[nodiscard]] inline bool force_is_right(double change, double force, double size, double tolerance) {
  constexpr double small = 1e-6, rounding = 1e-13;
  return std::abs(change) <= 10.0 * tolerance * std::abs(force) + std::max(small * tolerance, rounding) * size;
}

struct NewtonOutcome {
  bool converged = false;
  int evaluations = 0;    ///< of all joints
  int worst = 0;          ///< unknown with the largest residual
  double residual = 0.0;  ///< relative, at the last evaluation
};

/// The equation for one scalar joint without rates: x = f(u) - k u, u = u* - A x. `evaluate(u)` returns a trial; the
/// last one belongs to the solution. The same iteration as JointEquation::solve, in registers.
template <class Evaluate>
NewtonOutcome solve_single(Evaluate&& evaluate, double stuck, double compliance, double u_star, double tolerance,
                           int max_iterations, double& x);

class JointEquation {
 public:
  enum class Terms { all, without_rates };  ///< static problems have no rates and no dampers

  JointEquation(const System& system, Terms terms);

  /// Number of unknowns: joint components and, with rates, dampers.
  [[nodiscard]] int size() const { return size_; }
  /// False when no force depends on a rate: v* is not looked at then.
  [[nodiscard]] bool needs_rates() const { return needs_rates_; }

  /// Newton from the guess in x. Converged means that the residual was below `tolerance`, and the forces right, where
  /// the joints were evaluated last; one more correction with the tangent there makes the error of x of the order of
  /// its square. On success the memory holds the trials of the solution, ready to commit. The memory's states do not
  /// change.
  NewtonOutcome solve(JointMemory& memory, const JointCompliance& compliance, const double* u_star,
                      const double* v_star, double t, double tolerance, int max_iterations, double* x);

  /// One scalar joint and no rates: solve_single applies.
  [[nodiscard]] bool is_single() const { return single_; }

  /// Deflections at the last solution.
  [[nodiscard]] const std::vector<double>& deflection() const { return u_; }
  [[nodiscard]] const std::vector<double>& rates() const { return v_; }
  /// Forces of the joints at the last evaluation.
  [[nodiscard]] const JointResponse& response() const { return response_; }

 private:
  void evaluate(JointMemory& memory, const JointCompliance& compliance, const double* u_star, const double* v_star,
                double t, const double* x);
  /// Largest |x - g| over |f| + |k u*| + |c v*|. Neither x nor u counts: where the structure has no static answer both
  /// grow without bound, and so would what is small beside them.
  double residual_norm(const double* u_star, const double* v_star, const double* x, int& worst) const;
  /// step = -(I + Ku A + Kv Av)^-1 (x - g).
  bool newton_step(const JointCompliance& compliance);
  /// force_is_right of every joint with the step that is about to be taken from x.
  [[nodiscard]] bool forces_are_right(const JointCompliance& compliance, const double* u_star, const double* x,
                                      double tolerance) const;

  int components_ = 0;
  int size_ = 0;
  bool needs_rates_ = false;
  bool scalar_joints_ = true;  ///< every joint has one component
  bool single_ = false;
  std::vector<int> block_first_, block_width_;  ///< joint blocks: first component, width
  std::vector<double> stuck_, joint_damping_;   ///< blocks like JointResponse
  std::vector<double> stuck_size_, rate_size_;  ///< magnitudes for the residual's scale, one an unknown
  std::vector<double> dampers_;                 ///< coefficients
  JointResponse response_;
  std::vector<double> u_, v_, residual_, matrix_, step_;
};

template <class Evaluate>
NewtonOutcome solve_single(Evaluate&& evaluate, double stuck, double compliance, double u_star, double tolerance,
                           int max_iterations, double& x) {
  NewtonOutcome outcome;
  double previous = 0.0;
  double step = 0.0;
  int backtracks = 0, force_corrections = 0;
  while (!outcome.converged && outcome.evaluations < max_iterations) {
    const double u = u_star - compliance * x;
    const auto& trial = evaluate(u);
    outcome.evaluations++;
    const double residual = x - (trial.force - stuck * u);
    const double size = std::abs(stuck * u_star), scale = std::abs(trial.force) + size;
    const bool small = std::abs(residual) <= tolerance * scale;
    if (!small) {
      outcome.residual = std::abs(residual) / scale;
      const bool grew = outcome.evaluations > 1 && !(outcome.residual < previous);
      if (grew && backtracks < max_newton_backtracks) {
        backtracks++;
        step *= 0.5;
        x -= step;
        continue;
      }
      previous = outcome.residual;
      backtracks = 0;
    }
    const double slope = 1.0 + (trial.stiffness - stuck) * compliance;
    step = -residual * (1.0 / slope);  // the inverse is ready before the residual is
    if (!std::isfinite(step) || std::abs(slope) < 1e-14) break;
    outcome.converged = small && (force_is_right(stuck * compliance * step, trial.force,
                                                 size + std::abs(stuck * compliance * x), tolerance) ||
                                  force_corrections++ == max_force_corrections);
    x += step;
  }
  return outcome;
}

}  // namespace microslip
