#include "microslip/transient/forcing.hpp"

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/lanes.hpp"

namespace microslip {
namespace {

/// Second derivative of a signal; between corners, where it has one.
double second_rate(const Signal& signal, double t) {
  if (t >= signal.end()) return 0.0;
  std::vector<SignalTerm> terms;
  signal.terms(t, terms);
  double sum = 0.0;
  for (const SignalTerm& term : terms) sum += term.omega * (2.0 * term.sin1 - term.omega * term.cos0);
  return sum;
}

}  // namespace

ModalBasis modal_basis(const System& system, int modes, Eigen::Index first) {
  const Modes& stuck = system.stuck_modes();
  const Eigen::Index all = stuck.omega.size() - first;
  const Eigen::Index kept = modes > 0 ? modes : all;
  const auto& dampers = system.structure().dampers();

  ModalBasis basis;
  basis.kept = kept;
  const Eigen::Index padded = padded_size(kept);
  basis.omega = Eigen::VectorXd::Zero(padded);
  basis.omega.head(kept) = stuck.omega.segment(first, kept);
  basis.shapes = Eigen::MatrixXd::Zero(system.size(), padded);
  basis.shapes.leftCols(kept) = stuck.shapes.middleCols(first, kept);
  basis.damping = Eigen::MatrixXd::Zero(padded, padded);
  basis.damping.topLeftCorner(kept, kept) = system.modal_damping().block(first, first, kept, kept);
  basis.directions.resize(system.size(), system.components() + static_cast<Eigen::Index>(dampers.size()));
  basis.directions.leftCols(system.components()) = system.directions();
  for (std::size_t i = 0; i < dampers.size(); ++i) {
    basis.directions.col(system.components() + static_cast<Eigen::Index>(i)) = dampers[i].direction;
  }
  basis.truncated_shapes =
      stuck.shapes.rightCols(all - kept) * stuck.omega.tail(all - kept).cwiseInverse().asDiagonal();
  return basis;
}

Forcing::Forcing(const System& system, const ModalBasis& basis, std::span<const Load> loads) : basis_(&basis) {
  const Eigen::Index unknowns = basis.directions.cols();
  truncated_directions_ = transpose_times(basis.truncated_shapes, basis.directions);
  absolute_damping_ = system.absolute_mass_damping();
  for (const Load& load : loads) {
    Entry entry;
    entry.load = &load;
    entry.base = load.base;
    has_base_ = has_base_ || load.base;
    entry.joint_value = Eigen::VectorXd::Zero(unknowns);
    entry.joint_rate = Eigen::VectorXd::Zero(unknowns);
    if (load.base) {
      Eigen::VectorXd shape = system.structure().made_consistent(load.direction);
      const Eigen::VectorXd inertia = system.structure().mass() * shape;
      entry.ground = transpose_times(basis.shapes, inertia);
      entry.modal_value = basis.omega.cwiseAbs2().cwiseProduct(entry.ground);
      entry.modal_rate = basis.damping * entry.ground - absolute_damping_ * entry.ground;
      entry.beyond = system.beyond_modes(shape);
      if (entry.beyond.size() > 0) {
        beyond_ = true;
        shape -= entry.beyond;
      }
      entry.joint_value = -transpose_times(basis.directions, shape);
      // K0 r of the truncated modes: S^T K0 r = omega phi^T M r.
      entry.truncated_force = Eigen::VectorXd::Zero(basis.truncated_shapes.cols());
      for (Eigen::Index i = 0; i < entry.truncated_force.size(); ++i) {
        const double w = system.stuck_modes().omega(basis.kept + i);
        entry.truncated_force(i) = w * w * basis.truncated_shapes.col(i).dot(inertia);
      }
    } else {
      entry.modal_value = transpose_times(basis.shapes, load.direction);
      entry.truncated_force = transpose_times(basis.truncated_shapes, load.direction);
    }
    entry.joint_value += transpose_times(truncated_directions_, entry.truncated_force);
    if (load.base) entry.joint_rate = entry.joint_value;
    loads_.push_back(std::move(entry));
  }
  values_.assign(loads_.size(), 0.0);
  rates_.assign(loads_.size(), 0.0);
  modal_ = Eigen::VectorXd::Zero(basis.omega.size());
  for (auto& ground : ground_modal_) ground = Eigen::VectorXd::Zero(basis.omega.size());
}

void Forcing::set_time(double t) {
  time_ = t;
  if (active_) {
    modal_.setZero();
    for (auto& ground : ground_modal_) ground.setZero();
  }
  active_ = false;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const Entry& entry = loads_[i];
    values_[i] = entry.load->signal.value(t);
    rates_[i] = entry.base ? entry.load->signal.rate(t) : 0.0;
    if (values_[i] == 0.0 && rates_[i] == 0.0) continue;
    active_ = true;
    modal_ += values_[i] * entry.modal_value;
    if (entry.base) {
      modal_ += rates_[i] * entry.modal_rate;
      ground_modal_[0] += values_[i] * entry.ground;
      ground_modal_[1] += rates_[i] * entry.ground;
    }
  }
}

void Forcing::add_to_joints(double* u_star, double* v_star) const {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    for (Eigen::Index k = 0; k < loads_[i].joint_value.size(); ++k) {
      u_star[k] += values_[i] * loads_[i].joint_value(k);
      v_star[k] += rates_[i] * loads_[i].joint_rate(k);
    }
  }
}

double Forcing::power(const Eigen::VectorXd& velocity) const {
  double power = 0.0;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    if (!loads_[i].base) power += values_[i] * loads_[i].modal_value.dot(velocity);
  }
  return power;
}

double Forcing::ground_force(int load, const Eigen::VectorXd& velocity, const Eigen::VectorXd& acceleration) const {
  double force = loads_[load].ground.dot(acceleration) + absolute_damping_ * loads_[load].ground.dot(velocity);
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    if (!loads_[i].base) force -= values_[i] * loads_[load].ground.dot(loads_[i].modal_value);
  }
  return force;
}

Eigen::VectorXd Forcing::truncated_coordinates(const double* x, Frame frame) const {
  Eigen::VectorXd s = -truncated_directions_ * Eigen::Map<const Eigen::VectorXd>(x, truncated_directions_.cols());
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    if (frame == Frame::absolute || !loads_[i].base) s += values_[i] * loads_[i].truncated_force;
  }
  return s;
}

double Forcing::truncated_deflection(int load, const double* x) const {
  return loads_[load].truncated_force.dot(truncated_coordinates(x, Frame::ground));
}

Eigen::VectorXd Forcing::truncated_displacement(const Eigen::MatrixXd& shapes, const double* x) const {
  return shapes * truncated_coordinates(x, Frame::absolute);
}

Eigen::VectorXd Forcing::motion_beyond_modes(const std::vector<int>& dofs, int derivative) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dofs.size()));
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const Entry& entry = loads_[i];
    if (entry.beyond.size() == 0) continue;
    const double factor = derivative == 0   ? values_[i]
                          : derivative == 1 ? rates_[i]
                                            : second_rate(entry.load->signal, time_);
    for (std::size_t k = 0; k < dofs.size(); ++k)
      result(static_cast<Eigen::Index>(k)) += factor * entry.beyond(dofs[k]);
  }
  return result;
}

Eigen::VectorXd Forcing::truncated_ground_velocity(const Eigen::MatrixXd& shapes) const {
  Eigen::VectorXd rate = Eigen::VectorXd::Zero(basis_->truncated_shapes.cols());
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    if (loads_[i].base) rate += rates_[i] * loads_[i].truncated_force;
  }
  return shapes * rate;
}

double Forcing::truncated_energy(const double* x) const {
  return 0.5 * truncated_coordinates(x, Frame::ground).squaredNorm();
}

}  // namespace microslip
