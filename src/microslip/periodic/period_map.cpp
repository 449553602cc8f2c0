#include "microslip/periodic/period_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/lanes.hpp"
#include "microslip/periodic/shooting_systems.hpp"

namespace microslip {
namespace {

constexpr double newton_tolerance = 1e-9;  // before the last correction
constexpr int newton_iterations = 30;

}  // namespace

PeriodMap::PeriodMap(const System& system, const HarmonicLoad& load, int steps)
    : system_(&system),
      load_(load),
      steps_(steps),
      // Nothing holds a rigid mode in place, and no joint moves it: it follows the load alone.
      basis_(modal_basis(system, 0, system.stuck_modes().rigid)),
      equation_(system, JointEquation::Terms::all),
      psi_(std::make_shared<const Eigen::MatrixXd>(basis_.shapes.transpose() * basis_.directions)) {
  require_shooting(system, load_);
  if (steps < 8) throw std::invalid_argument(fmt::format("a period needs 8 steps or more, got {}", steps));
  for (int j = 0; j < static_cast<int>(system.joints().size()); ++j) tracks_.push_back(track_of(j));
  const Eigen::Index n = basis_.omega.size(), unknowns = basis_.directions.cols();
  modal_force_ = transpose_times(basis_.shapes, load_.force);
  modal_ground_ = Eigen::VectorXcd::Zero(n);
  joint_ground_ = Eigen::VectorXcd::Zero(unknowns);
  absolute_damping_ = system.absolute_mass_damping();
  if (load_.ground.size() > 0) set_ground();
  modal_constant_ = Eigen::VectorXd::Zero(n);
  if (load_.constant.size() > 0) modal_constant_ = basis_.shapes.transpose() * load_.constant;
  for (ModalState* state : {&now_, &next_}) {
    state->d = state->v = state->a = Eigen::VectorXd::Zero(n);
  }
  load_now_ = force_ = old_force_ = joint_force_ = Eigen::VectorXd::Zero(n);
  for (auto* work : {&x_, &guess_, &older_[0], &older_[1], &older_[2], &u_star_, &v_star_}) {
    work->assign(static_cast<std::size_t>(unknowns), 0.0);
  }
  gains_.assign(tracks_.size(), 0.0);
  slopes_.assign(tracks_.size(), 0.0);
}

/// The motion of the ground in modes and joints, and what of it lies beyond the modes.
void PeriodMap::set_ground() {
  const Eigen::MatrixXcd weighted =
      (basis_.shapes.transpose() * system_->structure().mass()).cast<std::complex<double>>();
  modal_ground_ = weighted * load_.ground;
  Eigen::VectorXcd held = load_.ground;
  const Eigen::VectorXd real = system_->beyond_modes(load_.ground.real()),
                        imaginary = system_->beyond_modes(load_.ground.imag());
  if (real.size() + imaginary.size() > 0) {
    beyond_ = Eigen::VectorXcd::Zero(held.size());
    if (real.size() > 0) beyond_.real() = real;
    if (imaginary.size() > 0) beyond_.imag() = imaginary;
    held -= beyond_;
  }
  joint_ground_ = -transpose_times(basis_.directions, held);
}

PeriodState PeriodMap::rest() const {
  PeriodState state;
  state.d = state.v = Eigen::VectorXd::Zero(basis_.kept);
  state.reversals.resize(tracks_.size());
  for (const Track& track : tracks_) {
    if (track.memory == MemoryKind::fading) state.z.push_back(0.0);
  }
  return state;
}

PeriodMap::Motion PeriodMap::motion(int dof, const PeriodHistory& history, double omega, double level) const {
  const Eigen::RowVectorXd shape = basis_.shapes.row(dof).head(basis_.kept);
  Motion result{shape * history.d, shape * history.v};
  const Modes& modes = system_->stuck_modes();
  std::complex<double> rigid = 0.0;  // of rigid modes, and with the ground beyond the modes
  if (beyond_.size() > 0) rigid += level * beyond_(dof);
  for (Eigen::Index r = 0; r < modes.rigid; ++r) {
    const double damping = system_->modal_damping()(r, r);
    std::complex<double> force = modes.shapes.col(r).cast<std::complex<double>>().dot(load_.force);
    if (load_.ground.size() > 0) {
      const Eigen::VectorXd inertia = system_->structure().mass() * modes.shapes.col(r);
      force += std::complex<double>(0.0, omega * (damping - absolute_damping_)) *
               inertia.cast<std::complex<double>>().dot(load_.ground);
    }
    rigid += modes.shapes(dof, r) * level * force / std::complex<double>(-omega * omega, omega * damping);
  }
  if (rigid == 0.0) return result;
  for (Eigen::Index n = 0; n < result.q.size(); ++n) {
    const double tau = 2.0 * std::numbers::pi * static_cast<double>(n) / steps_, c = std::cos(tau), s = std::sin(tau);
    result.q(n) += rigid.real() * c - rigid.imag() * s;
    result.v(n) -= omega * (rigid.real() * s + rigid.imag() * c);
  }
  return result;
}

void PeriodMap::set_omega(double omega) {
  if (omega == omega_) return;
  omega_ = omega;
  step_ = 2.0 * std::numbers::pi / (omega * steps_);
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  const Eigen::Index unknowns = basis_.directions.cols();
  stepper_ = std::make_unique<ModalStepper>(options, step_, basis_.omega, basis_.damping, true, psi_,
                                            Eigen::MatrixXd::Zero(unknowns, unknowns));
  const DiagonalScheme& scheme = *stepper_->diagonal();
  const Eigen::Index count = basis_.kept;
  t00_ = coefficient_of_modes(scheme.transition, 9, 0, count);
  t01_ = coefficient_of_modes(scheme.transition, 9, 1, count);
  t10_ = coefficient_of_modes(scheme.transition, 9, 3, count);
  t11_ = coefficient_of_modes(scheme.transition, 9, 4, count);
  b0d_ = coefficient_of_modes(scheme.from_old, 3, 0, count);
  b0v_ = coefficient_of_modes(scheme.from_old, 3, 1, count);
  b1d_ = coefficient_of_modes(scheme.from_new, 3, 0, count);
  b1v_ = coefficient_of_modes(scheme.from_new, 3, 1, count);
}

/// Load part of the modal force: level Re[(p + (omega0^2 + i omega (c - a)) ground) exp(i tau)] + constant, a: mass
/// damping by the absolute motion.
void PeriodMap::set_load(int n) {
  const double tau = 2.0 * std::numbers::pi * n / steps_, c = std::cos(tau), s = std::sin(tau);
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    const double w2 = basis_.omega(i) * basis_.omega(i), rate = omega_ * (basis_.damping(i, i) - absolute_damping_);
    const std::complex<double> amplitude = modal_force_(i) + std::complex<double>(w2, rate) * modal_ground_(i);
    load_now_(i) = level_ * (amplitude.real() * c - amplitude.imag() * s) + modal_constant_(i);
  }
}

/// The motion of the ground in the deflections u and their rates v.
void PeriodMap::add_ground(int n, double* u, double* v) const {
  if (load_.ground.size() == 0) return;
  const double tau = 2.0 * std::numbers::pi * n / steps_, c = std::cos(tau), s = std::sin(tau);
  for (Eigen::Index j = 0; j < joint_ground_.size(); ++j) {
    const double a = joint_ground_(j).real(), b = joint_ground_(j).imag();
    u[j] += level_ * (a * c - b * s);
    v[j] -= level_ * omega_ * (a * s + b * c);
  }
}

bool PeriodMap::first_forces(const PeriodState& from) {
  const auto unknowns = static_cast<Eigen::Index>(equation_.size());
  std::fill(x_.begin(), x_.end(), 0.0);
  history_ = 0;
  now_.d.head(basis_.kept) = from.d;
  now_.v.head(basis_.kept) = from.v;
  set_load(0);
  if (unknowns > 0) {
    Eigen::Map<Eigen::VectorXd>(u_star_.data(), unknowns) = psi_->transpose() * now_.d;
    Eigen::Map<Eigen::VectorXd>(v_star_.data(), unknowns) = psi_->transpose() * now_.v;
    add_ground(0, u_star_.data(), v_star_.data());
    start_memory(from, Eigen::Map<const Eigen::VectorXd>(u_star_.data(), unknowns));
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(unknowns, unknowns);
    const auto outcome = equation_.solve(memory_, {none, none}, u_star_.data(), v_star_.data(), 0.0, newton_tolerance,
                                         newton_iterations, x_.data());
    if (!outcome.converged) {
      failure_ = "the joints find no force at the start of the period";
      return false;
    }
    memory_.commit();
    joint_force_ = *psi_ * Eigen::Map<const Eigen::VectorXd>(x_.data(), unknowns);
  }
  force_ = load_now_ - joint_force_;
  now_.a = force_ - basis_.damping.diagonal().cwiseProduct(now_.v) - basis_.omega.cwiseAbs2().cwiseProduct(now_.d);
  if (!varying_) {
    for (std::size_t j = 0; j < tracks_.size(); ++j) {
      const double k = equation_.response().stiffness[j];
      follow(tracks_[j], equation_.deflection()[j], k, false);
      settle(tracks_[j], equation_.deflection()[j], k, nullptr);
    }
    return true;
  }
  vary_start();
  return true;
}

/// The rate of a joint's deflection at a node.
double PeriodMap::joint_rate(Eigen::Index j, const ModalState& state, int n) const {
  const double of_modes = psi_->col(j).dot(state.v);
  if (load_.ground.size() == 0) return of_modes;
  const double tau = 2.0 * std::numbers::pi * n / steps_;
  return of_modes -
         level_ * omega_ * (joint_ground_(j).real() * std::sin(tau) + joint_ground_(j).imag() * std::cos(tau));
}

bool PeriodMap::step(int n) {
  node_ = n;
  set_load(n);
  stepper_->predict(now_, force_, &load_now_, next_, u_star_.data());
  if (equation_.needs_rates()) stepper_->predict_rates(next_, v_star_.data());
  add_ground(n, u_star_.data(), v_star_.data());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    guess_[i] = history_ >= 3 ? 4.0 * (x_[i] + older_[1][i]) - 6.0 * older_[0][i] - older_[2][i] : x_[i];
  }
  if (equation_.size() > 0) {
    const auto outcome = equation_.solve(memory_, stepper_->compliance(), u_star_.data(), v_star_.data(), n * step_,
                                         newton_tolerance, newton_iterations, guess_.data());
    if (!outcome.converged) {
      failure_ = fmt::format("step {} of {} of the period did not converge (joint \"{}\")", n, steps_,
                             system_->component_name(std::min(outcome.worst, system_->components() - 1)));
      return false;
    }
    stepper_->correct(guess_.data(), next_, joint_force_);
    if (varying_) set_gains();  // before the memory forgets where the step began
    memory_.commit();
  }
  older_[2].swap(older_[1]);
  older_[1].swap(older_[0]);
  older_[0].swap(x_);
  x_.swap(guess_);
  history_ = std::min(history_ + 1, 3);
  std::swap(now_, next_);
  old_force_.swap(force_);
  force_ = load_now_ - joint_force_;
  for (std::size_t j = 0; j < tracks_.size(); ++j) {
    follow(tracks_[j], equation_.deflection()[j], equation_.response().stiffness[j], true);
  }
  if (varying_) {
    vary(n);
  } else {
    for (std::size_t j = 0; j < tracks_.size(); ++j) {
      settle(tracks_[j], equation_.deflection()[j], equation_.response().stiffness[j], nullptr);
    }
  }
  return true;
}

void PeriodMap::store(PeriodHistory& history, int n) const {
  history.d.col(n) = now_.d.head(basis_.kept);
  history.v.col(n) = now_.v.head(basis_.kept);
  for (Eigen::Index j = 0; j < history.u.rows(); ++j) {
    history.u(j, n) = equation_.deflection()[static_cast<std::size_t>(j)];
    history.f(j, n) = equation_.response().force[static_cast<std::size_t>(j)];
  }
}

void PeriodMap::start_history(PeriodHistory& history) const {
  history.d.resize(basis_.kept, steps_ + 1);
  history.v.resize(basis_.kept, steps_ + 1);
  history.u.resize(system_->components(), steps_ + 1);
  history.f.resize(system_->components(), steps_ + 1);
  store(history, 0);
  history.dissipation.clear();
  for (int j = 0; j < memory_.joints(); ++j) history.dissipation.push_back(-memory_.dissipated_energy(j));
}

PeriodState PeriodMap::state() const {
  PeriodState to;
  to.d = now_.d.head(basis_.kept);
  to.v = now_.v.head(basis_.kept);
  to.z.clear();
  to.reversals.assign(tracks_.size(), {});
  for (std::size_t j = 0; j < tracks_.size(); ++j) {
    for (const Reversal& reversal : tracks_[j].period) to.reversals[j].push_back(reversal.u);
    if (tracks_[j].memory != MemoryKind::fading) continue;
    memory_.visit(tracks_[j].joint, [&]<class L>(const L&, const typename L::State& state) {
      if constexpr (FadingLaw<L>) to.z.push_back(state.z);
    });
  }
  return to;
}

bool PeriodMap::run(const PeriodState& from, double omega, double level, PeriodState& to, PeriodDerivative* derivative,
                    PeriodHistory* history, Turns turns) {
  set_omega(omega);
  level_ = level;
  varying_ = derivative != nullptr;
  turns_ = turns;
  node_ = 0;
  const auto unknowns = static_cast<Eigen::Index>(equation_.size());
  parameters_ = varying_ ? from.size() + 2 : 0;
  if (varying_) {
    for (Eigen::MatrixXd* matrix : {&dd_, &dv_, &dg_}) matrix->setZero(parameters_, basis_.kept);
    for (Eigen::MatrixXd* matrix : {&du_, &dvr_, &dx_}) matrix->setZero(parameters_, unknowns);
  }
  if (!first_forces(from)) return false;
  if (varying_) vary_start_force();
  if (history != nullptr) start_history(*history);
  for (int n = 1; n <= steps_; ++n) {
    if (!step(n)) return false;
    if (history != nullptr) store(*history, n);
  }
  if (history != nullptr) {
    for (int j = 0; j < memory_.joints(); ++j) {
      history->dissipation[static_cast<std::size_t>(j)] += memory_.dissipated_energy(j);
    }
  }
  to = state();
  if (!to.d.allFinite() || !to.v.allFinite()) {
    failure_ = "the motion is not finite";
    return false;
  }
  if (varying_) set_derivative(from, to, *derivative);
  return true;
}

}  // namespace microslip
