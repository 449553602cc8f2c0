#pragma once
// Equilibrium of one mode under alpha M phi, step by step, with the memory of the joints. Newton in joint space,
//
//   x = f(u) - k u,   u = u* - A x        (quasi_static_mode.hpp)
//
// and from its Jacobian the exact tangent: with G = df/du - k, prescribed alpha gives (I + G A) dx/d alpha = G b and
// dq/d alpha = c - b dx/d alpha; prescribed q likewise. Nothing is allocated after construction.
//
// Where the other modes vibrate, A' = A - b b^T/c need not be positive and one q may have several equilibria. The one
// that begins at rest, where G = 0 (or the joints stick) and det(I + G A') = 1, goes on to the first fold, det = 0:
// beyond q cannot grow. What has det <= 0 is another branch and no equilibrium of this one.

#include <string>
#include <vector>

#include "microslip/joints/joint_memory.hpp"
#include "microslip/modal/quasi_static_mode.hpp"

namespace microslip {

/// A point of the modal curve alpha(q).
struct EquilibriumState {
  double alpha = 0.0;    ///< load
  double q = 0.0;        ///< modal displacement
  double tangent = 0.0;  ///< d alpha/dq
  double excess = 0.0;   ///< alpha - q/c: what the joints take from the stuck line (< 0: softening), no cancellation
  double slope = 0.0;    ///< its derivative, d alpha/dq - 1/c, no cancellation
};

class ModalEquilibrium {
 public:
  /// The mode must outlive it. `tolerance`: of the joint forces, relative.
  ModalEquilibrium(const QuasiStaticMode& mode, double tolerance, int max_iterations);

  /// Tries the equilibrium under a load, or at a modal displacement. True when Newton converged: the trial may then be
  /// committed. What is committed does not change.
  bool try_load(double alpha);
  bool try_displacement(double q);
  /// Accepts the last trial.
  void commit();
  /// Goes on from what another has committed; both have the same mode.
  void continue_from(const ModalEquilibrium& other);
  /// The load turns: the joints that slipped stick, so that the slopes of the way here say nothing about the way back.
  void turn();

  [[nodiscard]] const EquilibriumState& trial() const { return trial_; }
  [[nodiscard]] const EquilibriumState& committed() const { return committed_; }

  // Of the committed state.
  [[nodiscard]] const std::vector<double>& deflections() const { return last_.u; }
  /// x = f - k u.
  [[nodiscard]] const std::vector<double>& excess_forces() const { return last_.x; }
  [[nodiscard]] const std::vector<double>& forces() const { return last_response_.force; }
  /// q_s/q of every other mode s; 0 where q is. Until the next call.
  [[nodiscard]] const Eigen::VectorXd& ratios();
  /// Of all joints since they were new; joints that do not know it count with their whole work, by Hermite's rule.
  [[nodiscard]] double dissipated_energy() const;

  /// Of a joint component at rest.
  [[nodiscard]] double stiffness(std::size_t component) const { return scale_[component]; }
  /// The joint component with the largest residual in the last trial.
  [[nodiscard]] std::string worst_component() const { return component_name(worst_); }
  [[nodiscard]] std::string component_name(int component) const { return mode_->system->component_name(component); }
  /// The last trial, if it was not committed, was led beyond a fold.
  [[nodiscard]] bool passed_fold() const { return passed_fold_; }
  /// Evaluations of all joints so far.
  [[nodiscard]] long evaluations() const { return evaluations_; }

 private:
  /// The unknowns at a point.
  struct Unknowns {
    std::vector<double> x;      ///< f - k u, one a component
    std::vector<double> slope;  ///< dx/dq
    std::vector<double> u;      ///< deflections
  };
  struct Block {
    int first, width;
    bool tells_energy;
  };

  void guess(double to, double from, double before, double slope_scale, double slope_scale_before);
  /// Newton, on the branch that begins at rest.
  bool find(const Eigen::MatrixXd& compliance, const double* u_star);
  bool newton(const Eigen::MatrixXd& compliance, const double* u_star);
  void evaluate(const Eigen::MatrixXd& compliance, const double* u_star);
  [[nodiscard]] double residual_norm(const double* u_star);
  /// I + G A at the last evaluation.
  void set_matrix(const Eigen::MatrixXd& compliance);
  /// (I + G A) y = y in place, at the last evaluation.
  bool solve_linear(const Eigen::MatrixXd& compliance, double* y);
  /// y = G b.
  void tangent_times_load(double* y) const;
  [[nodiscard]] double dot_load(const std::vector<double>& values) const;
  [[nodiscard]] double work_of_step(const Block& block) const;

  const QuasiStaticMode* mode_;
  double tolerance_;
  int max_iterations_;
  int size_;
  bool scalar_joints_ = true;
  bool all_tell_energy_ = true;
  std::vector<Block> blocks_;
  std::vector<double> stuck_;  ///< k, blocks like JointResponse
  std::vector<double> scale_;  ///< stiffness that tells what force is small, one a component

  JointMemory memory_;
  JointResponse response_, last_response_;
  Unknowns now_, last_, before_;
  std::vector<double> u_star_, zero_, residual_, step_, matrix_;
  Eigen::VectorXd others_;
  EquilibriumState trial_, committed_, previous_;
  int history_ = 1;  ///< committed points that the guess may use; the state at rest is one
  double work_ = 0.0;
  int worst_ = 0;
  bool passed_fold_ = false;
  long evaluations_ = 0;
};

}  // namespace microslip
