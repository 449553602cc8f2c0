#include "microslip/updating/model_modes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"
#include "microslip/structure/modes.hpp"

namespace microslip {
namespace {

bool any_not_zero(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return value != 0.0; });
}

/// One ratio for all modes, or one a mode.
double ratio_of(const std::vector<double>& ratios, int mode) {
  if (ratios.empty()) return 0.0;
  return ratios[std::min(static_cast<std::size_t>(mode), ratios.size() - 1)];
}

/// phi^T C phi.
double modal_damping_of(const ModelMatrices& matrices, const ModelModes& modes, int mode) {
  const Eigen::VectorXd phi = modes.shapes.col(mode), beta = modes.joints.col(mode);
  const double omega = modes.omega(mode);
  double sum = 0.0;
  if (const auto* modal = std::get_if<ModalDamping>(&matrices.damping)) {
    sum = 2.0 * omega * ratio_of(modal->ratios, mode);
  } else if (const auto* rayleigh = std::get_if<RayleighDamping>(&matrices.damping)) {
    sum = rayleigh->a + rayleigh->b * (omega * omega - matrices.stuck.dot(beta.cwiseAbs2()));
  } else if (const auto* full = std::get_if<MatrixDamping>(&matrices.damping)) {
    sum = phi.dot(full->matrix * phi);
  }
  for (const Damper& damper : matrices.dampers) {
    const double rate = damper.direction.dot(phi);
    sum += damper.coefficient * rate * rate;
  }
  return sum;
}

/// Its derivative, that of the shape and of omega^2 being known.
double damping_change(const ModelMatrices& matrices, const ModelModes& modes, const MatrixChange& change, int mode,
                      const Eigen::VectorXd& d_phi, const Eigen::VectorXd& d_beta, double d_omega2) {
  const Eigen::VectorXd phi = modes.shapes.col(mode), beta = modes.joints.col(mode);
  const double omega = modes.omega(mode), d_omega = 0.5 * d_omega2 / omega;
  double sum = 0.0;
  if (const auto* modal = std::get_if<ModalDamping>(&matrices.damping)) {
    sum = 2.0 * (d_omega * ratio_of(modal->ratios, mode) + omega * ratio_of(change.ratios, mode));
  } else if (const auto* rayleigh = std::get_if<RayleighDamping>(&matrices.damping)) {
    const double own = omega * omega - matrices.stuck.dot(beta.cwiseAbs2());
    const double d_own =
        d_omega2 - change.stuck.dot(beta.cwiseAbs2()) - 2.0 * matrices.stuck.dot(beta.cwiseProduct(d_beta));
    sum = change.rayleigh_a + change.rayleigh_b * own + rayleigh->b * d_own;
  } else if (const auto* full = std::get_if<MatrixDamping>(&matrices.damping)) {
    sum = 2.0 * d_phi.dot(full->matrix * phi);
    if (change.damping.size() > 0) sum += phi.dot(change.damping * phi);
  }
  for (std::size_t i = 0; i < matrices.dampers.size(); ++i) {
    const Damper& damper = matrices.dampers[i];
    const double rate = damper.direction.dot(phi);
    sum += 2.0 * damper.coefficient * rate * damper.direction.dot(d_phi);
    if (!change.dampers.empty()) sum += change.dampers[i] * rate * rate;
  }
  return sum;
}

/// K0^+ B: shapes of the structure under unit forces in its joints.
Eigen::MatrixXd answers_to_joints(const ModelModes& modes) {
  const Eigen::Index elastic = modes.omega.size() - modes.rigid;
  const Eigen::VectorXd flexibility = modes.omega.tail(elastic).cwiseAbs2().cwiseInverse();
  return times(modes.shapes.rightCols(elastic) * flexibility.asDiagonal(),
               Eigen::MatrixXd(modes.joints.rightCols(elastic).transpose()));
}

}  // namespace

bool MatrixChange::keeps_modes() const {
  return mass.nonZeros() == 0 && stiffness.nonZeros() == 0 && stuck.cwiseAbs().sum() == 0.0;
}

bool MatrixChange::keeps_damping() const {
  return keeps_modes() && !any_not_zero(ratios) && rayleigh_a == 0.0 && rayleigh_b == 0.0 &&
         damping.cwiseAbs().sum() == 0.0 && !any_not_zero(dampers);
}

ModelModes model_modes(const ModelMatrices& matrices) {
  const Eigen::MatrixXd b = matrices.directions;
  const Eigen::MatrixXd stiffness =
      Eigen::MatrixXd(matrices.stiffness) + times(b * matrices.stuck.asDiagonal(), Eigen::MatrixXd(b.transpose()));
  const Modes found = vibration_modes(stiffness, Eigen::MatrixXd(matrices.mass));
  if (found.omega.size() != matrices.mass.rows()) {
    throw std::invalid_argument("the mass matrix is singular: the modes then have no derivatives");
  }
  ModelModes modes;
  const Eigen::Index kept = matrices.constrain_rigid_body ? found.omega.size() - found.rigid : found.omega.size();
  modes.omega = found.omega.tail(kept);
  modes.shapes = found.shapes.rightCols(kept);
  modes.rigid = matrices.constrain_rigid_body ? 0 : found.rigid;
  modes.joints = transpose_times(b, modes.shapes);
  return modes;
}

ModeConstants mode_constants(const ModelMatrices& matrices, const ModelModes& modes, int mode) {
  ModeConstants result;
  result.stiffness = modes.omega(mode) * modes.omega(mode);
  result.damping = modal_damping_of(matrices, modes, mode);
  result.beta = modes.joints.col(mode);
  const Eigen::Index joints = modes.joints.rows();
  result.compliance = Eigen::MatrixXd::Zero(joints, joints);
  for (Eigen::Index s = modes.rigid; s < modes.omega.size(); ++s) {
    if (s == mode) continue;
    const Eigen::VectorXd scaled = modes.joints.col(s) / modes.omega(s);
    for (Eigen::Index j = 0; j < joints; ++j) result.compliance.col(j) += scaled(j) * scaled;
  }
  return result;
}

ModeChange mode_change(const ModelMatrices& matrices, const ModelModes& modes, const MatrixChange& change, int mode) {
  const Eigen::VectorXd phi = modes.shapes.col(mode), beta = modes.joints.col(mode);
  const Eigen::Index count = modes.omega.size(), joints = beta.size();
  const double omega2 = modes.omega(mode) * modes.omega(mode);
  ModeChange result;
  result.shape = Eigen::VectorXd::Zero(count);
  ModeConstants& d = result.constants;
  d.beta = Eigen::VectorXd::Zero(joints);
  d.compliance = Eigen::MatrixXd::Zero(joints, joints);
  Eigen::VectorXd d_phi = Eigen::VectorXd::Zero(phi.size());
  if (!change.keeps_modes()) {
    const Eigen::VectorXd stiffness_on = change.stiffness * phi, mass_on = change.mass * phi;
    const Eigen::VectorXd joints_on = change.stuck.cwiseProduct(beta);
    const Eigen::VectorXd p = transpose_times(modes.shapes, stiffness_on) + transpose_times(modes.joints, joints_on);
    const Eigen::VectorXd q = transpose_times(modes.shapes, mass_on);
    d.stiffness = p(mode) - omega2 * q(mode);
    for (Eigen::Index s = 0; s < count; ++s) {
      const double gap = (modes.omega(s) - modes.omega(mode)) * (modes.omega(s) + modes.omega(mode));
      const bool same = std::abs(gap) <= 1e-10 * omega2;  // of two modes of one frequency either is as good
      result.shape(s) = s == mode ? -0.5 * q(mode) : same ? 0.0 : (omega2 * q(s) - p(s)) / gap;
    }
    d_phi = modes.shapes * result.shape;
    d.beta = modes.joints * result.shape;

    const Eigen::MatrixXd answers = answers_to_joints(modes);
    const Eigen::MatrixXd between = transpose_times(matrices.directions, answers);  // A
    const Eigen::MatrixXd stiffness_on_answers = change.stiffness * answers;
    d.compliance =
        -transpose_times(answers, stiffness_on_answers) - times(between * change.stuck.asDiagonal(), between);
    // A' = A - beta beta^T/omega^2
    const Eigen::MatrixXd cross = d.beta * beta.transpose();
    d.compliance += d.stiffness / (omega2 * omega2) * (beta * beta.transpose()) - (cross + cross.transpose()) / omega2;
  }
  d.damping = damping_change(matrices, modes, change, mode, d_phi, d.beta, d.stiffness);
  return result;
}

}  // namespace microslip
