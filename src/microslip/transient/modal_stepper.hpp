#pragma once
// One step of the stuck modes: predict with everything but the joint forces, then correct with them.
//
//   predict   z* = T z + b0 g[n] + b1 (load part of g[n+1]),   u* = Psi^T eta*,  v* = Psi^T eta'*
//   correct   z  = z* - b1 (Psi x)
//
// Psi = Phi^T B: joint directions in modal coordinates. O(modes * joints), no allocation.

#include <Eigen/Core>
#include <memory>
#include <variant>
#include <vector>

#include "microslip/system/joint_equation.hpp"
#include "microslip/transient/scheme.hpp"

namespace microslip {

class ModalStepper {
 public:
  /// `residual`: static compliance of truncated modes in joint space, added to A.
  ModalStepper(const TransientOptions& options, double step, const Eigen::VectorXd& omega,
               const Eigen::MatrixXd& damping, bool diagonal, std::shared_ptr<const Eigen::MatrixXd> psi,
               const Eigen::MatrixXd& residual);

  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] const JointCompliance& compliance() const { return compliance_; }

  /// `old_force`: g[n], total. `new_load`: load part of g[n+1], or null when there is none. Fills `next` and u*.
  void predict(const ModalState& now, const Eigen::VectorXd& old_force, const Eigen::VectorXd* new_load,
               ModalState& next, double* u_star) const;
  /// v* of the state that predict left.
  void predict_rates(const ModalState& next, double* v_star) const;
  /// Adds the joint forces x to `next`; `joint_force` returns Psi x.
  void correct(const double* x, ModalState& next, Eigen::VectorXd& joint_force) const;
  /// Null when the damping couples the modes.
  [[nodiscard]] const DiagonalScheme* diagonal() const { return std::get_if<DiagonalScheme>(&scheme_); }
  [[nodiscard]] bool uses_old_force() const { return uses_old_force_; }

 private:
  double step_;
  std::variant<DiagonalScheme, CoupledScheme> scheme_;
  std::shared_ptr<const Eigen::MatrixXd> psi_;
  Eigen::MatrixXd coupled_response_;  ///< from_new_force * Psi
  JointCompliance compliance_;
  bool uses_old_force_ = false;
};

}  // namespace microslip
