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

/// Coefficient k of a row of eight-mode blocks with `rows` of them.
Eigen::ArrayXd coefficients(const std::vector<double>& blocks, int rows, int k, Eigen::Index count) {
  Eigen::ArrayXd result(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    result(i) = blocks[static_cast<std::size_t>((i / lane_count * rows + k) * lane_count + i % lane_count)];
  }
  return result;
}

/// y += a x.
void add(double a, const double* x, Eigen::Index n, double* y) {
  for (Eigen::Index i = 0; i < n; ++i) y[i] += a * x[i];
}

/// Shooting needs the derivatives of the memory.
template <class L>
constexpr bool is_followed() {
  switch (L::memory) {
    case MemoryKind::none:
    case MemoryKind::reversals:
    case MemoryKind::fading:
      return true;
    case MemoryKind::sliders:
      if constexpr (SliderLaw<L>) return L::exact_tangent;
      return false;
    case MemoryKind::unknown:
      return false;
  }
  return false;
}

}  // namespace

template <class L>
class PeriodMap::ChunksOf final : public Chunks {
 public:
  ChunksOf(L law, double normal) : law_(std::move(law)), normal_(normal) {}
  void restart(std::size_t count) override { states_.assign(count, {}); }
  [[nodiscard]] std::size_t count() const override { return states_.size(); }
  [[nodiscard]] Dual<chunk> force(std::size_t i, const Dual<chunk>& u) const override { return trial(i, u).force; }
  void move(std::size_t i, const Dual<chunk>& u) override { law_.commit(states_[i], trial(i, u)); }

 private:
  [[nodiscard]] typename L::Trial trial(std::size_t i, const Dual<chunk>& u) const {
    JointInput<Dual<chunk>> input;
    input.u = u;
    input.normal = normal_;
    return law_.evaluate(states_[i], input);
  }

  L law_;
  double normal_;  ///< load of the joint
  std::vector<typename L::State> states_;
};

Eigen::Index PeriodState::size() const {
  Eigen::Index count = d.size() + v.size() + static_cast<Eigen::Index>(z.size());
  for (const auto& list : reversals) count += static_cast<Eigen::Index>(list.size());
  return count;
}

bool PeriodState::alike(const PeriodState& other) const {
  if (reversals.size() != other.reversals.size()) return false;
  for (std::size_t j = 0; j < reversals.size(); ++j) {
    if (reversals[j].size() != other.reversals[j].size()) return false;
    for (std::size_t i = 0; i + 1 < reversals[j].size(); ++i) {  // minima and maxima at the same places
      if ((reversals[j][i] < reversals[j][i + 1]) != (other.reversals[j][i] < other.reversals[j][i + 1])) return false;
    }
  }
  return true;
}

Eigen::VectorXd PeriodState::unknowns() const {
  Eigen::VectorXd y(size());
  y.head(d.size()) = d;
  y.segment(d.size(), v.size()) = v;
  Eigen::Index at = d.size() + v.size();
  for (const double value : z) y(at++) = value;
  for (const auto& list : reversals) {
    for (const double u : list) y(at++) = u;
  }
  return y;
}

void PeriodState::set_unknowns(const Eigen::VectorXd& y) {
  d = y.head(d.size());
  v = y.segment(d.size(), v.size());
  Eigen::Index at = d.size() + v.size();
  for (double& value : z) value = y(at++);
  for (auto& list : reversals) {
    for (double& u : list) u = y(at++);
  }
}

void require_shooting(const System& system, const HarmonicLoad& load) {
  if (system.components() > 0) require_mean_position(system, load);
  if (!system.modal_damping_is_diagonal()) {
    throw std::invalid_argument("shooting needs damping that does not couple the stuck modes: modal or rayleigh");
  }
  refuse_rigid_friction(system);
  for (const Joint& joint : system.joints()) {
    if (joint.directions.cols() != 1) {
      throw std::invalid_argument("joint \"" + joint.name + "\": shooting takes joints of one component");
    }
    const bool known = std::visit([]<class L>(const L&) { return is_followed<L>(); }, joint.law);
    if (!known) {
      throw std::invalid_argument("joint \"" + joint.name +
                                  "\": shooting does not know the memory of this law; harmonic balance does");
    }
  }
}

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
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const Joint& joint = system.joints()[j];
    Track track;
    track.joint = static_cast<int>(j);
    std::visit(
        [&]<class L>(const L& law) {
          if constexpr (is_followed<L>()) {  // see require_shooting
            track.memory = L::memory;
            track.residual = law.slipped_stiffness();
            if constexpr (MasingLaw<L>) track.yield = law.max_slider_strength();
            if constexpr (FadingLaw<L>) track.z_stiffness = law.z_stiffness();
            if constexpr (SliderLaw<L>) {
              using ChunkLaw = decltype(law.template with_scalar<Dual<chunk>>());
              track.chunks = std::make_unique<ChunksOf<ChunkLaw>>(law.template with_scalar<Dual<chunk>>(),
                                                                  joint.normal.static_value());
            }
          }
        },
        joint.law);
    tracks_.push_back(std::move(track));
  }
  const Eigen::Index n = basis_.omega.size(), unknowns = basis_.directions.cols();
  modal_force_ = transpose_times(basis_.shapes, load_.force);
  modal_ground_ = Eigen::VectorXcd::Zero(n);
  joint_ground_ = Eigen::VectorXcd::Zero(unknowns);
  absolute_damping_ = system.absolute_mass_damping();
  if (load_.ground.size() > 0) {
    const Eigen::MatrixXcd weighted =
        (basis_.shapes.transpose() * system.structure().mass()).cast<std::complex<double>>();
    modal_ground_ = weighted * load_.ground;
    Eigen::VectorXcd held = load_.ground;
    const Eigen::VectorXd real = system.beyond_modes(load_.ground.real()),
                          imaginary = system.beyond_modes(load_.ground.imag());
    if (real.size() + imaginary.size() > 0) {
      beyond_ = Eigen::VectorXcd::Zero(held.size());
      if (real.size() > 0) beyond_.real() = real;
      if (imaginary.size() > 0) beyond_.imag() = imaginary;
      held -= beyond_;
    }
    joint_ground_ = -transpose_times(basis_.directions, held);
  }
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
  t00_ = coefficients(scheme.transition, 9, 0, count);
  t01_ = coefficients(scheme.transition, 9, 1, count);
  t10_ = coefficients(scheme.transition, 9, 3, count);
  t11_ = coefficients(scheme.transition, 9, 4, count);
  b0d_ = coefficients(scheme.from_old, 3, 0, count);
  b0v_ = coefficients(scheme.from_old, 3, 1, count);
  b1d_ = coefficients(scheme.from_new, 3, 0, count);
  b1v_ = coefficients(scheme.from_new, 3, 1, count);
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

/// Drives the joints from rest to their outermost reversal and on to the last.
void PeriodMap::start_memory(const PeriodState& from, const Eigen::VectorXd& u0) {
  memory_ = system_->initial_memory();
  JointResponse response = memory_.make_response();
  const std::size_t joints = tracks_.size();
  std::vector<std::size_t> parameter(joints, 0);
  std::vector<std::vector<std::size_t>> path(joints);  ///< reversals to go through
  std::size_t longest = 0, at = static_cast<std::size_t>(from.d.size() + from.v.size()) + from.z.size(), z = 0;
  for (std::size_t j = 0; j < joints; ++j) {
    Track& track = tracks_[j];
    const auto& list = from.reversals[j];
    parameter[j] = at;
    at += list.size();
    std::size_t outermost = 0;
    for (std::size_t i = 1; i < list.size(); ++i) {  // of equal ones the last: the path is shortest
      if (std::abs(list[i]) >= std::abs(list[outermost]) * (1.0 - 1e-12)) outermost = i;
    }
    for (std::size_t i = outermost; i < list.size(); ++i) path[j].push_back(i);
    for (int cycle = 0; cycle < 3 && track.memory == MemoryKind::sliders; ++cycle) {
      for (std::size_t i = 0; i < list.size(); ++i) path[j].push_back(i);
    }
    longest = std::max(longest, path[j].size());
    const auto parameters = static_cast<std::size_t>(parameters_);
    for (Row* row : {&track.du, &track.df, &track.dcenter, &track.dz, &track.memory_part}) row->assign(parameters, 0.0);
    track.u = track.center = 0.0;
    track.direction = 0;
    track.drifts = false;
    track.stack.clear();
    track.period.clear();
    if (track.chunks) track.chunks->restart((parameters + chunk - 1) / chunk);
    if (track.memory == MemoryKind::fading) {
      if (varying_) track.dz[static_cast<std::size_t>(from.d.size() + from.v.size()) + z] = 1.0;
      memory_.visit_open(track.joint, [&]<class L>(const L&, typename L::State& state) {
        if constexpr (FadingLaw<L>) {
          state.u = u0(static_cast<Eigen::Index>(j));
          state.z = from.z[z];
        }
      });
      ++z;
    }
  }
  std::vector<double> u(joints, 0.0), zero(joints, 0.0);
  for (std::size_t j = 0; j < joints; ++j) {
    if (tracks_[j].memory == MemoryKind::fading) u[j] = u0(static_cast<Eigen::Index>(j));
  }
  Row unit(static_cast<std::size_t>(parameters_), 0.0);
  for (std::size_t i = 0; i < longest; ++i) {
    for (std::size_t j = 0; j < joints; ++j) {
      if (i < path[j].size()) u[j] = from.reversals[j][path[j][i]];
    }
    memory_.evaluate(u.data(), zero.data(), 0.0, response);
    memory_.commit();
    for (std::size_t j = 0; j < joints; ++j) {
      if (i >= path[j].size()) continue;
      const std::size_t p = parameter[j] + path[j][i];
      if (varying_) unit[p] = 1.0;
      follow(tracks_[j], u[j], response.stiffness[j], false);
      settle(tracks_[j], u[j], response.stiffness[j], unit.data());
      if (varying_) unit[p] = 0.0;
    }
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
  dd_.setZero();
  dv_.setZero();
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    dd_(i, i) = 1.0;
    dv_(basis_.kept + i, i) = 1.0;
  }
  du_.setZero();
  dvr_.setZero();
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    for (Eigen::Index i = 0; i < basis_.kept; ++i) {
      du_(i, j) = (*psi_)(i, j);
      dvr_(basis_.kept + i, j) = (*psi_)(i, j);
    }
    const auto ground = joint_ground_(j);
    du_(parameters_ - 1, j) += ground.real();
    dvr_(parameters_ - 1, j) -= omega_ * ground.imag();
    dvr_(parameters_ - 2, j) -= level_ * ground.imag();
  }
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(unknowns, unknowns);
  for (std::size_t j = 0; j < tracks_.size(); ++j) {
    gains_[j] = 1.0;
    slopes_[j] = 0.0;
    follow(tracks_[j], equation_.deflection()[j], equation_.response().stiffness[j], false);
  }
  vary_joints(none, none);
  return true;
}

void PeriodMap::follow(Track& track, double u, double k, bool in_period) {
  const Eigen::Index count = varying_ ? parameters_ : 0;
  Row& part = track.memory_part;
  if (track.memory == MemoryKind::none) return;
  if (track.memory == MemoryKind::fading) {
    if (count == 0) return;
    // z1 = Z(z0, u1 - u0): dz1 = slope (du1 - du0) + gain dz0; z_stiffness of it is force.
    const auto j = static_cast<std::size_t>(&track - tracks_.data());
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i] = track.z_stiffness * (gains_[j] * track.dz[i] - slopes_[j] * track.du[i]);
    }
    return;
  }
  const int direction = u > track.u ? 1 : u < track.u ? -1 : track.direction;
  if (direction != track.direction && track.direction != 0) {
    track.stack.push_back({track.u, track.du, track.df});
    if (in_period) track.period.push_back(track.stack.back());
  }
  track.direction = direction;
  if (track.memory == MemoryKind::sliders) {
    track.stack.clear();
    follow_chunks(track, u);
    return;
  }
  const auto passed = [&](double at) { return direction > 0 ? u >= at : u <= at; };
  while (track.stack.size() >= 2 && passed(track.stack[track.stack.size() - 2].u)) {
    track.stack.resize(track.stack.size() - 2);
  }
  if (track.stack.size() == 1 && passed(2.0 * track.center - track.stack[0].u)) track.stack.clear();
  track.drifts = track.stack.empty() && std::abs(u - track.center) > track.yield;
  if (track.stack.empty()) {
    for (Eigen::Index i = 0; i < count; ++i) part[i] = -(k - track.residual) * track.dcenter[i];
  } else {
    const Reversal& from = track.stack.back();
    for (Eigen::Index i = 0; i < count; ++i) part[i] = from.df[i] - k * from.du[i];
  }
}

void PeriodMap::settle(Track& track, double u, double k, const double* du) {
  track.u = u;
  if (track.drifts) track.center = u > track.center ? u - track.yield : u + track.yield;
  if (!varying_) return;
  if (track.memory == MemoryKind::fading) {
    const auto j = static_cast<std::size_t>(&track - tracks_.data());
    for (std::size_t i = 0; i < track.dz.size(); ++i) {
      track.dz[i] = slopes_[j] * (du[i] - track.du[i]) + gains_[j] * track.dz[i];
    }
  }
  if (track.memory == MemoryKind::sliders) settle_chunks(track, u, du);
  for (std::size_t i = 0; i < track.du.size(); ++i) {
    track.du[i] = du[i];
    track.df[i] = k * du[i] + track.memory_part[i];
  }
  if (track.drifts) track.dcenter = track.du;
}

/// The force at a given u, whose derivatives are those of the memory alone.
void PeriodMap::follow_chunks(Track& track, double u) {
  for (std::size_t c = 0; c < track.chunks->count(); ++c) {
    const Dual<chunk> force = track.chunks->force(c, Dual<chunk>(u));
    for (std::size_t i = 0; i < chunk && c * chunk + i < track.memory_part.size(); ++i) {
      track.memory_part[c * chunk + i] = force.derivative[i];
    }
  }
}

void PeriodMap::settle_chunks(Track& track, double u, const double* du) {
  for (std::size_t c = 0; c < track.chunks->count(); ++c) {
    Dual<chunk> at(u);
    for (std::size_t i = 0; i < chunk && c * chunk + i < track.du.size(); ++i) at.derivative[i] = du[c * chunk + i];
    track.chunks->move(c, at);
  }
}

bool PeriodMap::step(int n) {
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
    for (std::size_t j = 0; j < tracks_.size(); ++j) {  // before the memory forgets where the step began
      if (tracks_[j].memory != MemoryKind::fading || !varying_) continue;
      memory_.visit(tracks_[j].joint, [&]<class L>(const L& law, const typename L::State& state) {
        if constexpr (FadingLaw<L>) {
          const double normal = system_->joints()[j].normal.static_value();
          const auto trial = law.evaluate(state, {equation_.deflection()[j], 0.0, 0.0, normal});
          gains_[j] = trial.gain;
          slopes_[j] = trial.slope;
        }
      });
    }
    memory_.commit();
    stepper_->correct(guess_.data(), next_, joint_force_);
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

/// The derivatives over the step that has just been taken.
void PeriodMap::vary(int n) {
  const Eigen::Index p = parameters_, unknowns = static_cast<Eigen::Index>(equation_.size());
  const double tau = 2.0 * std::numbers::pi * n / steps_, c = std::cos(tau), s = std::sin(tau);
  const double step_by_omega = -step_ / omega_;
  du_.setZero();
  dvr_.setZero();
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    double *d = dd_.col(i).data(), *v = dv_.col(i).data();
    const double* g = dg_.col(i).data();
    const double t00 = t00_(i), t01 = t01_(i), t10 = t10_(i), t11 = t11_(i), b0d = b0d_(i), b0v = b0v_(i);
    for (Eigen::Index k = 0; k < p; ++k) {
      const double old = d[k];
      d[k] = t00 * old + t01 * v[k] + b0d * g[k];
      v[k] = t10 * old + t11 * v[k] + b0v * g[k];
    }
    // Load by level and omega, and the length of the step; the load stands in dg_ for the correction below.
    const double w2 = basis_.omega(i) * basis_.omega(i), damping = basis_.damping(i, i) - absolute_damping_;
    const std::complex<double> amplitude =
        modal_force_(i) + std::complex<double>(w2, omega_ * damping) * modal_ground_(i);
    const std::complex<double> rate = std::complex<double>(0.0, level_ * damping) * modal_ground_(i);
    const double by_level = amplitude.real() * c - amplitude.imag() * s;
    const double by_omega = rate.real() * c - rate.imag() * s;
    const double force_rate = (force_(i) - old_force_(i)) / step_;
    d[p - 1] += b1d_(i) * by_level;
    v[p - 1] += b1v_(i) * by_level;
    d[p - 2] += b1d_(i) * by_omega + step_by_omega * (now_.v(i) - b1d_(i) * force_rate);
    v[p - 2] += b1v_(i) * by_omega + step_by_omega * (now_.a(i) - b1v_(i) * force_rate);
    double* load = dg_.col(i).data();
    std::fill(load, load + p, 0.0);
    load[p - 1] = by_level;
    load[p - 2] = by_omega;
    for (Eigen::Index j = 0; j < unknowns; ++j) {
      add((*psi_)(i, j), d, p, du_.col(j).data());
      if (equation_.needs_rates()) add((*psi_)(i, j), v, p, dvr_.col(j).data());
    }
  }
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    const auto ground = joint_ground_(j);
    du_(p - 1, j) += ground.real() * c - ground.imag() * s;
    dvr_(p - 1, j) -= omega_ * (ground.real() * s + ground.imag() * c);
    dvr_(p - 2, j) -= level_ * (ground.real() * s + ground.imag() * c);
  }
  vary_joints(stepper_->compliance().displacement, stepper_->compliance().rate);
  for (Eigen::Index i = 0; i < basis_.kept; ++i) {
    for (Eigen::Index j = 0; j < unknowns; ++j) {
      const double psi = (*psi_)(i, j);
      if (psi == 0.0) continue;
      const double* x = dx_.col(j).data();
      add(-psi, x, p, dg_.col(i).data());
      add(-psi * b1d_(i), x, p, dd_.col(i).data());
      add(-psi * b1v_(i), x, p, dv_.col(i).data());
    }
  }
}

/// x = f(u) - k0 u + c v for joints, c v for dampers; u = u* - A x, v = v* - Av x:
/// (I + K A + C Av) dx = K du* + C dv* + memory part.
void PeriodMap::vary_joints(const Eigen::MatrixXd& a, const Eigen::MatrixXd& a_rate) {
  const Eigen::Index p = parameters_, unknowns = static_cast<Eigen::Index>(equation_.size());
  if (unknowns == 0) return;
  const auto components = static_cast<Eigen::Index>(system_->components());
  Eigen::VectorXd k = Eigen::VectorXd::Zero(unknowns), c = Eigen::VectorXd::Zero(unknowns);
  for (Eigen::Index j = 0; j < components; ++j) {
    double tangent = equation_.response().stiffness[static_cast<std::size_t>(j)];
    const Track& track = tracks_[static_cast<std::size_t>(j)];
    if (track.memory == MemoryKind::fading) {
      tangent = track.residual + track.z_stiffness * slopes_[static_cast<std::size_t>(j)];
    }
    k(j) = tangent - system_->stuck_joint_stiffness()(j, j);
    c(j) = equation_.response().damping[static_cast<std::size_t>(j)] + system_->joint_damping()(j, j);
  }
  const auto& dampers = system_->structure().dampers();
  for (Eigen::Index j = components; j < unknowns; ++j) {
    c(j) = dampers[static_cast<std::size_t>(j - components)].coefficient;
  }
  for (Eigen::Index j = 0; j < unknowns; ++j) {
    double* x = dx_.col(j).data();
    std::fill(x, x + p, 0.0);
    add(k(j), du_.col(j).data(), p, x);
    if (c(j) != 0.0) add(c(j), dvr_.col(j).data(), p, x);
    if (j < components && tracks_[static_cast<std::size_t>(j)].memory != MemoryKind::none) {
      add(1.0, tracks_[static_cast<std::size_t>(j)].memory_part.data(), p, x);
    }
  }
  const Eigen::MatrixXd matrix =
      Eigen::MatrixXd::Identity(unknowns, unknowns) + k.asDiagonal() * a + (c.asDiagonal() * a_rate).eval();
  dx_ = (dx_ * inverse(matrix).transpose()).eval();
  du_.noalias() -= dx_ * a.transpose();
  for (Eigen::Index j = 0; j < components; ++j) {
    const double tangent = k(j) + system_->stuck_joint_stiffness()(j, j);
    settle(tracks_[static_cast<std::size_t>(j)], equation_.deflection()[static_cast<std::size_t>(j)], tangent,
           du_.col(j).data());
  }
}

void PeriodMap::store(PeriodHistory& history, int n) const {
  history.d.col(n) = now_.d.head(basis_.kept);
  history.v.col(n) = now_.v.head(basis_.kept);
  for (Eigen::Index j = 0; j < history.u.rows(); ++j) {
    history.u(j, n) = equation_.deflection()[static_cast<std::size_t>(j)];
    history.f(j, n) = equation_.response().force[static_cast<std::size_t>(j)];
  }
}

bool PeriodMap::run(const PeriodState& from, double omega, double level, PeriodState& to, PeriodDerivative* derivative,
                    PeriodHistory* history) {
  set_omega(omega);
  level_ = level;
  varying_ = derivative != nullptr;
  const auto unknowns = static_cast<Eigen::Index>(equation_.size());
  parameters_ = varying_ ? from.size() + 2 : 0;
  if (varying_) {
    for (Eigen::MatrixXd* matrix : {&dd_, &dv_, &dg_}) matrix->setZero(parameters_, basis_.kept);
    for (Eigen::MatrixXd* matrix : {&du_, &dvr_, &dx_}) matrix->setZero(parameters_, unknowns);
  }
  if (!first_forces(from)) return false;
  if (varying_) {  // modal force at the start
    for (Eigen::Index i = 0; i < basis_.kept; ++i) {
      const double w2 = basis_.omega(i) * basis_.omega(i), damping = basis_.damping(i, i) - absolute_damping_;
      const std::complex<double> amplitude =
          modal_force_(i) + std::complex<double>(w2, omega_ * damping) * modal_ground_(i);
      dg_(parameters_ - 1, i) = amplitude.real();
      dg_(parameters_ - 2, i) = (std::complex<double>(0.0, level_ * damping) * modal_ground_(i)).real();
      for (Eigen::Index j = 0; j < unknowns; ++j) {
        add(-(*psi_)(i, j), dx_.col(j).data(), parameters_, dg_.col(i).data());
      }
    }
  }
  if (history != nullptr) {
    history->d.resize(basis_.kept, steps_ + 1);
    history->v.resize(basis_.kept, steps_ + 1);
    history->u.resize(system_->components(), steps_ + 1);
    history->f.resize(system_->components(), steps_ + 1);
    store(*history, 0);
    history->dissipation.clear();
    for (int j = 0; j < memory_.joints(); ++j) history->dissipation.push_back(-memory_.dissipated_energy(j));
  }
  for (int n = 1; n <= steps_; ++n) {
    if (!step(n)) return false;
    if (history != nullptr) store(*history, n);
  }
  if (history != nullptr) {
    for (int j = 0; j < memory_.joints(); ++j) {
      history->dissipation[static_cast<std::size_t>(j)] += memory_.dissipated_energy(j);
    }
  }
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
  if (!to.d.allFinite() || !to.v.allFinite()) {
    failure_ = "the motion is not finite";
    return false;
  }
  if (!varying_) return true;

  const Eigen::Index size = from.size(), moving = 2 * basis_.kept + static_cast<Eigen::Index>(from.z.size());
  const bool alike = from.alike(to);
  Eigen::MatrixXd all(alike ? size : moving, parameters_);
  all.topRows(basis_.kept) = dd_.transpose();
  all.middleRows(basis_.kept, basis_.kept) = dv_.transpose();
  Eigen::Index row = 2 * basis_.kept;
  const auto set_row = [&](const Row& values) {
    all.row(row++) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), parameters_);
  };
  for (const Track& track : tracks_) {
    if (track.memory == MemoryKind::fading) set_row(track.dz);
  }
  if (alike) {
    for (const Track& track : tracks_) {
      for (const Reversal& reversal : track.period) set_row(reversal.du);
    }
  }
  derivative->motion = all.topLeftCorner(moving, size);
  derivative->monodromy = alike ? all.leftCols(size).eval() : Eigen::MatrixXd();
  derivative->by_omega = all.col(parameters_ - 2);
  derivative->by_level = all.col(parameters_ - 1);
  return true;
}

}  // namespace microslip
