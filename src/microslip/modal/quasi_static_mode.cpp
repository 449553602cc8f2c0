#include "microslip/modal/quasi_static_mode.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

/// phi^T C phi of any shape: a = Phi^T M phi are its parts in the stuck modes.
double damping_of(const System& system, const Eigen::VectorXd& phi) {
  const Eigen::VectorXd a = system.stuck_modes().shapes.transpose() * (system.structure().mass() * phi);
  const Eigen::VectorXd at_joints = transpose_times(system.directions(), phi);
  double sum = a.dot(system.modal_damping() * a) + at_joints.dot(system.joint_damping() * at_joints);
  for (const Damper& damper : system.structure().dampers()) {
    const double rate = damper.direction.dot(phi);
    sum += damper.coefficient * rate * rate;
  }
  return sum;
}

/// d alpha/dq when x = G u.
double tangent_with(const QuasiStaticMode& mode, const Eigen::MatrixXd& g) {
  if (g.size() == 0) return 1.0 / mode.modal_compliance;
  const auto identity = Eigen::MatrixXd::Identity(g.rows(), g.cols());
  const auto x = solve_if_regular(identity + g * mode.compliance_fixed_q, g * mode.load);
  if (!x) return 0.0;
  const double tangent = 1.0 + mode.load.dot(*x) / mode.modal_compliance;
  return tangent > 1e-12 ? tangent / mode.modal_compliance : 0.0;
}

}  // namespace

QuasiStaticMode::QuasiStaticMode(const System& system_of, int mode_number, LoadShape shape, OtherModes answering)
    : system(&system_of), mode(mode_number) {
  refuse_rigid_friction(*system);
  const Modes& stuck = system->stuck_modes();
  const auto count = static_cast<int>(stuck.omega.size());
  const std::string name = "mode " + std::to_string(mode + 1);
  if (mode < 0 || mode >= count) {
    throw std::invalid_argument(name + ": there are modes 1 to " + std::to_string(count));
  }
  if (mode < stuck.rigid) throw std::invalid_argument(name + " is a rigid motion");

  const Modes slipped = shape == LoadShape::slipped ? system->slipped_modes() : Modes{};
  const Eigen::MatrixXd& shapes = shape == LoadShape::slipped ? slipped.shapes : stuck.shapes;
  const Eigen::VectorXd phi = shapes.col(mode);

  // K0^+ = scaled scaled^T.
  const Eigen::Index elastic = stuck.omega.size() - stuck.rigid;
  const Eigen::MatrixXd scaled =
      stuck.shapes.rightCols(elastic) * stuck.omega.tail(elastic).cwiseInverse().asDiagonal();
  const Eigen::MatrixXd joints = transpose_times(scaled, system->directions());
  const Eigen::MatrixXd weighted = (system->structure().mass() * scaled).transpose();  // M is symmetric
  const Eigen::VectorXd force = weighted * phi;
  compliance = transpose_times(joints, joints);
  rest_compliance = compliance.diagonal();
  load = transpose_times(joints, force);
  modal_compliance = force.squaredNorm();
  compliance_fixed_q = compliance - load * load.transpose() / modal_compliance;

  Eigen::MatrixXd others(elastic, shapes.cols() - 1);
  for (Eigen::Index s = 0, to = 0; s < shapes.cols(); ++s) {
    if (s != mode) others.col(to++) = weighted * shapes.col(s);
  }
  other_joints = transpose_times(others, joints);
  other_load = transpose_times(others, force);
  if (shape == LoadShape::stuck) other_load.setZero();  // but for rounding
  if (answering == OtherModes::vibrating) set_vibrating(name, shape);

  damping = damping_of(*system, phi);
  zeta0 = 0.5 * damping * std::sqrt(modal_compliance);
  slipped_tangent = tangent_with(*this, system->slipped_joint_stiffness() - system->stuck_joint_stiffness());
  masing = std::all_of(system->joints().begin(), system->joints().end(),
                       [](const Joint& joint) { return obeys_masing_rules(joint.law); });
}

/// A - b b^T/c is the sum of psi_s psi_s^T/omega_s^2 over the other modes, psi_s = B^T phi_s; rigid modes, left out of
/// statics, vibrate too.
void QuasiStaticMode::set_vibrating(const std::string& name, LoadShape shape) {
  if (shape != LoadShape::stuck) throw std::invalid_argument(name + ": vibrating other modes need the stuck shape");
  may_fold = true;
  const Modes& stuck = system->stuck_modes();
  const double omega = stuck.omega(mode);
  compliance_fixed_q.setZero();
  for (Eigen::Index s = 0, row = 0; s < stuck.omega.size(); ++s) {
    if (s == mode) continue;
    const double difference = (stuck.omega(s) - omega) * (stuck.omega(s) + omega);
    if (std::abs(difference) < 1e-3 * omega * omega) {
      throw std::invalid_argument(name + " and mode " + std::to_string(s + 1) +
                                  " have the same frequency: neither vibrates alone");
    }
    const Eigen::VectorXd psi = system->directions().transpose() * stuck.shapes.col(s);
    compliance_fixed_q += psi * psi.transpose() / difference;
    other_joints.row(row++) = psi.transpose() / difference;
  }
  compliance = compliance_fixed_q + load * load.transpose() / modal_compliance;
}

}  // namespace microslip
