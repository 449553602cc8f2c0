#include "microslip/system/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"
#include "microslip/structure/large_modes.hpp"

namespace microslip {

namespace {

/// Joint stiffness blocks from each law's own word.
template <class Stiffness>
Eigen::MatrixXd joint_blocks(const std::vector<Joint>& joints, const std::vector<int>& offsets, Stiffness&& of) {
  Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(offsets.back(), offsets.back());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int first = offsets[j];
    std::visit(
        [&]<class L>(const L& law) {
          const auto block = of(law);
          if constexpr (!UsersLaw<L>) {
            blocks(first, first) = block;
          } else {
            for (int i = 0; i < law.components(); ++i) {
              for (int k = 0; k < law.components(); ++k) blocks(first + i, first + k) = block[i][k];
            }
          }
        },
        joints[j].law);
  }
  return blocks;
}

void drop_lowest(Modes& modes, int count) {
  modes.omega = modes.omega.tail(modes.omega.size() - count).eval();
  modes.shapes = modes.shapes.rightCols(modes.shapes.cols() - count).eval();
  modes.rigid -= count;
}

/// With the joints' stiffness in their directions.
Modes all_modes(const LinearStructure& structure, const Eigen::MatrixXd& directions, const Eigen::MatrixXd& joints) {
  const Eigen::MatrixXd b = structure.on_independent(directions);
  Modes modes =
      vibration_modes(structure.independent_stiffness() + b * joints * b.transpose(), structure.independent_mass());
  modes.shapes = structure.with_dependent(modes.shapes);
  return modes;
}

/// A singular M: motions v without mass have no mode, but give way, by v v^T/(v^T K v). They join the modes as motions
/// of a frequency far above all others, so that every method sees their flexibility; K v is orthogonal to the modes.
void add_massless(const LinearStructure& structure, const Eigen::MatrixXd& stiffness, Modes& modes) {
  const Eigen::MatrixXd mass = structure.independent_mass();
  const Eigen::Index n = mass.rows(), rank = modes.omega.size(), rest = n - rank;
  if (rest == 0) return;
  Eigen::VectorXd scale = mass.diagonal();
  for (double& value : scale) value = 1.0 / std::sqrt(value > 0.0 ? value : scale.maxCoeff());
  const SymmetricEigen inertia = symmetric_eigen(scale.asDiagonal() * mass * scale.asDiagonal());
  const Eigen::MatrixXd motions = scale.asDiagonal() * inertia.vectors.leftCols(rest);
  const SymmetricEigen pairs = symmetric_eigen(congruent(stiffness, motions));
  constexpr double far = 1e4;
  const double omega = far * (rank > 0 && modes.omega.maxCoeff() > 0.0 ? modes.omega.maxCoeff() : 1.0);
  const Eigen::MatrixXd shapes = structure.with_dependent(
      motions * pairs.vectors * (omega * pairs.values.cwiseSqrt().cwiseInverse()).asDiagonal());
  modes.omega.conservativeResize(n);
  modes.omega.tail(rest).setConstant(omega);
  modes.shapes.conservativeResize(Eigen::NoChange, n);
  modes.shapes.rightCols(rest) = shapes;
}

}  // namespace

Signal default_normal(const Law& law) {
  return Signal(Constant{is_rigid_friction(law) ? 1.0 : 0.0});
}

void refuse_rigid_friction(const System& system) {
  for (const Joint& joint : system.joints()) {
    if (!is_rigid_friction(joint.law)) continue;
    throw std::invalid_argument("joint \"" + joint.name +
                                "\": rigid friction (coulomb) needs method = \"events\" (transient) or "
                                "\"piecewise_linear\" (frf)");
  }
}

System::System(LinearStructure structure, std::vector<Joint> joints, const Truncation& truncation)
    : structure_(std::move(structure)), joints_(std::move(joints)) {
  const Eigen::Index n = structure_.size();
  for (const Joint& joint : joints_) {
    const int count = components_of(joint.law);
    if (joint.directions.rows() != n || joint.directions.cols() != count) {
      throw std::invalid_argument("joint \"" + joint.name + "\": directions must be " + std::to_string(n) + " x " +
                                  std::to_string(count));
    }
    if (!joint.normal.never_negative()) {
      throw std::invalid_argument("joint \"" + joint.name + "\": the normal load must not be negative");
    }
    offsets_.push_back(offsets_.back() + count);
  }
  directions_.resize(n, offsets_.back());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    directions_.middleCols(offsets_[j], offsets_[j + 1] - offsets_[j]) = joints_[j].directions;
  }
  stuck_ = joint_blocks(joints_, offsets_, [](const auto& law) { return law.stuck_stiffness(); });
  slipped_ = joint_blocks(joints_, offsets_, [](const auto& law) { return law.slipped_stiffness(); });

  if (structure_.independent() <= Truncation::most_dense) {
    stuck_modes_ = all_modes(structure_, directions_, stuck_);
    computed_modes_ = static_cast<int>(stuck_modes_.omega.size());
    const Eigen::MatrixXd b = structure_.on_independent(directions_);
    add_massless(structure_, structure_.independent_stiffness() + b * stuck_ * b.transpose(), stuck_modes_);
  } else {
    const Eigen::MatrixXd directions = structure_.on_independent(directions_);
    const SparseMatrix b = directions.sparseView();
    const SparseMatrix stuck = stuck_.sparseView();
    const SparseMatrix bridge = b * stuck * SparseMatrix(b.transpose());
    Eigen::MatrixXd statics = directions;
    if (const Eigen::Index loads = truncation.static_loads.cols(); loads > 0) {
      statics.conservativeResize(Eigen::NoChange, directions.cols() + loads);
      statics.rightCols(loads) = structure_.on_independent(truncation.static_loads);
    }
    stuck_modes_ = lowest_modes(structure_.independent_stiffness() + bridge, structure_.independent_mass(),
                                truncation.count, statics);
    stuck_modes_.shapes = structure_.with_dependent(stuck_modes_.shapes);
    computed_modes_ = truncation.count;
    truncated_ = true;
  }
  if (structure_.constrain_rigid_body()) {
    constrained_ = stuck_modes_.rigid;
    drop_lowest(stuck_modes_, constrained_);
    computed_modes_ -= constrained_;
  }

  const Eigen::Index modes = stuck_modes_.omega.size();
  const Eigen::VectorXd& omega = stuck_modes_.omega;
  joint_damping_ = Eigen::MatrixXd::Zero(components(), components());
  Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(modes);
  if (const auto* modal = std::get_if<ModalDamping>(&structure_.damping())) {
    const auto& ratios = modal->ratios;
    if (ratios.size() > 1 && static_cast<int>(ratios.size()) != computed_modes_) {
      throw std::invalid_argument("there are " + std::to_string(computed_modes_) + " modes but " +
                                  std::to_string(ratios.size()) + " damping ratios");
    }
    for (Eigen::Index i = 0; i < modes && !ratios.empty(); ++i) {
      const auto own = std::min(static_cast<std::size_t>(i), ratios.size() - 1);  // the last one for all behind it
      diagonal(i) = 2.0 * omega(i) * ratios[own];
    }
  } else if (const auto* rayleigh = std::get_if<RayleighDamping>(&structure_.damping())) {
    diagonal = (rayleigh->a + rayleigh->b * omega.array().square()).matrix();
    joint_damping_ = -rayleigh->b * stuck_;
  }
  modal_damping_ = diagonal.asDiagonal();
  if (const auto* matrix = std::get_if<MatrixDamping>(&structure_.damping())) {
    modal_damping_ = congruent(matrix->matrix, stuck_modes_.shapes);
    Eigen::MatrixXd off_diagonal = modal_damping_;
    off_diagonal.diagonal().setZero();
    diagonal_damping_ =
        off_diagonal.size() == 0 || off_diagonal.cwiseAbs().maxCoeff() <= 1e-13 * modal_damping_.cwiseAbs().maxCoeff();
  }
}

std::optional<System> System::with_laws(std::vector<Joint> joints) const {
  if (joints.size() != joints_.size()) return std::nullopt;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint &next = joints[j], &now = joints_[j];
    if (next.name != now.name || components_of(next.law) != components_of(now.law)) return std::nullopt;
    if (next.directions.rows() != size() || next.directions.cols() != now.directions.cols()) return std::nullopt;
    if (next.directions != now.directions) return std::nullopt;
  }
  if (joint_blocks(joints, offsets_, [](const auto& law) { return law.stuck_stiffness(); }) != stuck_) {
    return std::nullopt;
  }
  System result = *this;
  result.slipped_ = joint_blocks(joints, offsets_, [](const auto& law) { return law.slipped_stiffness(); });
  result.joints_ = std::move(joints);
  return result;
}

std::string System::component_name(int component) const {
  std::size_t joint = 0;
  while (offsets_[joint + 1] <= component) ++joint;
  if (offsets_[joint + 1] - offsets_[joint] == 1) return joints_[joint].name;
  return joints_[joint].name + "." + std::to_string(component - offsets_[joint] + 1);
}

Modes System::slipped_modes() const {
  if (!truncated()) {
    Modes modes = all_modes(structure_, directions_, slipped_);
    drop_lowest(modes, constrained_);
    return modes;
  }
  const Eigen::MatrixXd psi = transpose_times(stuck_modes_.shapes, directions_);
  const Eigen::Index r = psi.rows();
  Eigen::MatrixXd stiffness = psi * (slipped_ - stuck_) * psi.transpose();
  stiffness.diagonal() += stuck_modes_.omega.cwiseAbs2();
  const SymmetricEigen pairs = symmetric_eigen(stiffness);
  // Rigid modes hold on to no joint but for rounding, which the joint's stiffness makes larger than their own.
  const double rounding = 1e-12 * stiffness.cwiseAbs().maxCoeff();
  Modes modes;
  modes.shapes = stuck_modes_.shapes * pairs.vectors;
  modes.omega = Eigen::VectorXd::Zero(r);
  for (Eigen::Index i = 0; i < r; ++i) {
    const double energy = pairs.values(i);
    if (energy < -1e3 * rounding) {
      throw std::invalid_argument(
          fmt::format("the stiffness matrix is indefinite: it has a mode with omega^2 = {:.6g}", energy));
    }
    if (energy <= rounding) {
      modes.rigid++;
    } else {
      modes.omega(i) = std::sqrt(energy);
    }
  }
  return modes;
}

double System::absolute_mass_damping() const {
  const auto* rayleigh = std::get_if<RayleighDamping>(&structure_.damping());
  return rayleigh != nullptr && rayleigh->absolute_mass_term ? rayleigh->a : 0.0;
}

Eigen::VectorXd System::beyond_modes(const Eigen::VectorXd& r) const {
  constexpr double rounding = 1e-8;
  const Eigen::VectorXd inertia = structure_.mass() * r;
  Eigen::VectorXd rest = r - stuck_modes_.shapes * transpose_times(stuck_modes_.shapes, inertia);
  if (rest.size() == 0 || rest.cwiseAbs().maxCoeff() <= rounding * r.cwiseAbs().maxCoeff()) rest.resize(0);
  return rest;
}

Eigen::VectorXd System::damping_ratios() const {
  const Eigen::MatrixXd psi = transpose_times(directions_, stuck_modes_.shapes);
  Eigen::VectorXd ratios = modal_damping_.diagonal();
  ratios += congruent(joint_damping_, psi).diagonal();
  for (const Damper& damper : structure_.dampers()) {
    ratios += damper.coefficient * transpose_times(stuck_modes_.shapes, damper.direction).cwiseAbs2();
  }
  for (Eigen::Index i = 0; i < ratios.size(); ++i) {
    ratios(i) = stuck_modes_.omega(i) > 0.0 ? ratios(i) / (2.0 * stuck_modes_.omega(i)) : 0.0;
  }
  return ratios;
}

JointMemory System::initial_memory() const {
  refuse_rigid_friction(*this);
  std::vector<const Law*> laws;
  std::vector<double> normals;
  for (const Joint& joint : joints_) {
    laws.push_back(&joint.law);
    normals.push_back(joint.normal.static_value());
  }
  return JointMemory(laws, normals);
}

Eigen::VectorXd System::modal_force(int mode) const {
  return structure_.mass() * stuck_modes_.shapes.col(mode);
}

}  // namespace microslip
