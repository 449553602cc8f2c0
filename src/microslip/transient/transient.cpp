#include "microslip/transient/transient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/lanes.hpp"
#include "microslip/system/joint_equation.hpp"
#include "microslip/transient/forcing.hpp"
#include "microslip/transient/modal_stepper.hpp"
#include "microslip/transient/motion_table.hpp"
#include "microslip/transient/oscillator.hpp"
#include "microslip/transient/transient_check.hpp"

namespace microslip {

namespace {

/// Motions without mass never move by themselves.
int moving_modes(const System& system, const TransientOptions& options) {
  const bool massless = !system.truncated() && system.stuck_modes().omega.size() > system.computed_modes();
  return options.modes == 0 && massless ? system.computed_modes() : options.modes;
}

class Simulation {
 public:
  Simulation(const System& system, std::span<const Load> loads, const InitialConditions& initial, const Record& record,
             const TransientOptions& options)
      : system_(system),
        record_(record),
        options_(options),
        basis_(modal_basis(system, moving_modes(system, options))),
        forcing_(system, basis_, loads),
        equation_(system, JointEquation::Terms::all),
        psi_(std::make_shared<const Eigen::MatrixXd>(transpose_times(basis_.shapes, basis_.directions))) {
    const Eigen::MatrixXd truncated = transpose_times(basis_.truncated_shapes, basis_.directions);
    residual_compliance_ = transpose_times(truncated, truncated);
    levels_.resize(options.max_halvings + 1);
    oscillator_ = basis_.kept == 1 && !basis_.truncated() && equation_.is_single();
    for (const Load& load : loads) {
      oscillator_ = oscillator_ && !load.base;
      loads_end_ = std::max(loads_end_, load.signal.end());
    }
    recorded_shapes_ = basis_.shapes(record.dofs, Eigen::all);
    recorded_truncated_ = basis_.truncated_shapes(record.dofs, Eigen::all);
    start(initial);
  }

  /// Steps `first` to `first + count`. Returns those done: fewer when one does not converge even in the shortest
  /// sub-steps.
  long advance(long first, long count);

  [[nodiscard]] bool finite() const { return std::isfinite(now_.d.sum() + now_.v.sum()); }
  void finish(TransientResult& result);
  [[nodiscard]] EnergyLedger energy() const;

  // What a row tells.
  [[nodiscard]] double time() const { return time_; }
  void displacements(double* values) const;
  void velocities(double* values) const;
  void accelerations(double* values) const;
  void deflections(double* values) const { copy_recorded(u_, values); }
  void joint_forces(double* values) const { copy_recorded(f_, values); }

  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  /// A custom law that does not know its energies: its whole work counts as dissipated, by the trapezoidal rule.
  struct WorkedJoint {
    int joint;
    double work = 0.0;
    std::vector<double> u, f;  ///< at the last step
  };

  /// Work that is summed as force times displacement: of the ground, whose velocity may jump, and of loads on truncated
  /// modes, which have none.
  struct LoadWork {
    int load;
    bool base;
    double value;  ///< signal at the last step: displacement of the ground, or the load
    double other;  ///< its partner: force of the ground, or deflection in the truncated modes
  };

  void start(const InitialConditions& initial);
  long advance_oscillator(long first, long count);
  bool advance_at_level(double t, int level);
  bool advance_once(double t, const ModalStepper& stepper, int level);
  const ModalStepper& stepper(int level);
  void guess_forces(int level);
  void accept(double t);
  void update_total_force();
  void account(double h);
  void account_work(WorkedJoint& worked) const;
  [[nodiscard]] double damping_power() const;
  [[nodiscard]] double input_power() const { return forcing_.active() ? forcing_.power(now_.v) : 0.0; }
  [[nodiscard]] double mechanical_energy() const;
  void copy_recorded(const std::vector<double>& components, double* values) const;
  [[nodiscard]] Eigen::VectorXd displacement() const;
  [[nodiscard]] Eigen::VectorXd velocity() const;
  [[nodiscard]] Eigen::VectorXd acceleration() const;
  [[nodiscard]] std::vector<int> all_dofs() const;

  const System& system_;
  const Record& record_;
  const TransientOptions& options_;
  ModalBasis basis_;
  Forcing forcing_;
  JointEquation equation_;
  std::shared_ptr<const Eigen::MatrixXd> psi_;
  Eigen::MatrixXd residual_compliance_;
  std::vector<std::unique_ptr<ModalStepper>> levels_;  ///< step h/2^level, made when needed

  ModalState now_, next_;
  Eigen::VectorXd force_;        ///< total modal force g at the current time
  Eigen::VectorXd joint_force_;  ///< Psi x
  JointMemory memory_;
  double time_ = 0.0;
  std::vector<double> u_, f_;  ///< deflections and forces of the joints at time_
  std::vector<double> x_, guess_, u_star_, v_star_;
  std::vector<double> older_[3];  ///< x of the three steps before
  int history_ = 0;               ///< how many of them belong to steps of the present length
  int history_level_ = 0;

  double initial_energy_ = 0.0, input_ = 0.0, damping_ = 0.0;
  double last_input_power_ = 0.0, last_damping_power_ = 0.0;
  bool damped_ = false;
  Eigen::VectorXd damping_diagonal_;
  double free_[3] = {};  ///< the fast loop's, from one call to the next
  bool free_ready_ = false;
  bool oscillator_ = false;  ///< one mode, one scalar joint, no base motion: the fast loop applies
  double loads_end_ = 0.0;   ///< no load acts after it
  std::vector<LoadWork> load_works_;
  std::vector<double> initial_dissipation_;

  std::vector<WorkedJoint> worked_;

  Eigen::MatrixXd recorded_shapes_, recorded_truncated_;  ///< rows of the shapes that go to the sink

  long evaluations_ = 0, halved_ = 0;
  std::string failure_;
};

void Simulation::start(const InitialConditions& initial) {
  const Eigen::Index n = basis_.omega.size();
  const int unknowns = equation_.size();
  for (ModalState* state : {&now_, &next_}) *state = {Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n), {}};
  now_.a = next_.a = force_ = joint_force_ = Eigen::VectorXd::Zero(n);
  const auto to_modal = [&](const Eigen::VectorXd& q) {
    return transpose_times(basis_.shapes, Eigen::VectorXd(system_.structure().mass() * q));
  };
  if (initial.q.size() > 0) now_.d = to_modal(initial.q);
  if (initial.v.size() > 0) now_.v = to_modal(initial.v);
  memory_ = initial.memory ? *initial.memory : system_.initial_memory();
  for (auto* work : {&x_, &guess_, &u_star_, &v_star_, &older_[0], &older_[1], &older_[2]}) work->assign(unknowns, 0.0);

  // Joint forces at t = 0; truncated modes make them implicit.
  forcing_.set_time(0.0);
  if (unknowns > 0) {
    Eigen::Map<Eigen::VectorXd>(u_star_.data(), unknowns) = psi_->transpose() * now_.d;
    Eigen::Map<Eigen::VectorXd>(v_star_.data(), unknowns) = psi_->transpose() * now_.v;
    forcing_.add_to_joints(u_star_.data(), v_star_.data());
    const JointCompliance compliance{residual_compliance_, Eigen::MatrixXd::Zero(unknowns, unknowns)};
    const auto outcome = equation_.solve(memory_, compliance, u_star_.data(), v_star_.data(), 0.0, options_.tolerance,
                                         options_.max_iterations, x_.data());
    evaluations_ += outcome.evaluations;
    if (outcome.converged) {
      memory_.commit();
    } else {
      failure_ = "the joints find no force for the initial displacement";
    }
  }
  accept(0.0);
  for (int j = 0; j < memory_.joints(); ++j) {
    initial_dissipation_.push_back(memory_.dissipated_energy(j));
    if (tells_energy(system_.joints()[j].law)) continue;
    const auto from = system_.offset(j), to = system_.offset(j + 1);
    worked_.push_back({j, 0.0, {u_.begin() + from, u_.begin() + to}, {f_.begin() + from, f_.begin() + to}});
  }
  joint_force_ = *psi_ * Eigen::Map<const Eigen::VectorXd>(x_.data(), unknowns);
  update_total_force();
  now_.a = force_ - basis_.damping * now_.v - basis_.omega.cwiseAbs2().cwiseProduct(now_.d);

  damped_ = basis_.damping.size() > 0 && basis_.damping.cwiseAbs().maxCoeff() > 0.0;
  damping_diagonal_ = basis_.damping.diagonal();
  initial_energy_ = mechanical_energy();
  last_input_power_ = input_power();
  last_damping_power_ = damping_power();
  for (int i = 0; i < forcing_.count(); ++i) {
    LoadWork load{i, forcing_.is_base(i), forcing_.value(i), 0.0};
    load.other = load.base ? forcing_.ground_force(i, now_.v, now_.a) : forcing_.truncated_deflection(i, x_.data());
    if (load.base || basis_.truncated()) load_works_.push_back(load);
  }
}

/// The last solution of the joint equation becomes the present.
void Simulation::accept(double t) {
  time_ = t;
  u_ = equation_.deflection();
  f_ = equation_.response().force;
}

void Simulation::update_total_force() {
  force_ = -joint_force_;
  if (forcing_.active()) force_ += forcing_.modal();
}

const ModalStepper& Simulation::stepper(int level) {
  if (!levels_[level]) {
    levels_[level] =
        std::make_unique<ModalStepper>(options_, std::ldexp(options_.step, -level), basis_.omega, basis_.damping,
                                       system_.modal_damping_is_diagonal(), psi_, residual_compliance_);
  }
  return *levels_[level];
}

/// Cubic extrapolation of the joint forces over steps of equal length: mostly so close that one evaluation does.
void Simulation::guess_forces(int level) {
  if (level != history_level_) history_ = 0;
  history_level_ = level;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (history_ >= 3) {
      guess_[i] = 4.0 * (x_[i] + older_[1][i]) - 6.0 * older_[0][i] - older_[2][i];
    } else {
      guess_[i] = x_[i];
    }
  }
}

long Simulation::advance(long first, long count) {
  long done = 0;
  while (done < count) {
    if (oscillator_) done += advance_oscillator(first + done, count - done);
    if (done == count) break;
    if (!advance_at_level(static_cast<double>(first + done) * options_.step, 0)) break;
    done++;
  }
  return done;
}

/// Hands the state to the fast loop for a single oscillator and takes it back.
long Simulation::advance_oscillator(long first, long count) {
  const ModalStepper& step = stepper(0);
  const OscillatorCoefficients coefficients(*step.diagonal(), (*psi_)(0, 0), step.compliance(),
                                            system_.stuck_joint_stiffness()(0, 0), damping_diagonal_(0), step.step());
  if (history_level_ != 0) history_ = history_level_ = 0;
  Oscillator o;
  o.d = now_.d(0), o.v = now_.v(0), o.a = now_.a(0);
  o.force = force_(0);
  o.x[0] = x_[0];
  for (int i = 0; i < 3; ++i) o.x[i + 1] = older_[i][0];
  o.history = history_;
  o.u = u_[0];
  o.joint_force = f_[0];
  std::copy_n(free_, 3, o.free);
  o.ready = free_ready_;
  o.input_power = last_input_power_;
  o.damping_power = last_damping_power_;

  const auto load = [&](long n) {
    const double t = static_cast<double>(first + n + 1) * options_.step;
    if (t > loads_end_) return 0.0;
    forcing_.set_time(t);
    return forcing_.modal()(0);
  };
  const long done = memory_.visit_open(0, [&]<class L>(const L& law, auto& state) -> long {
    if constexpr (L::needs_rates) {
      return 0;
    } else {
      return run_oscillator(coefficients, o, law, state, load, count, options_);
    }
  });

  now_.d(0) = o.d, now_.v(0) = o.v, now_.a(0) = o.a;
  force_(0) = o.force;
  joint_force_(0) = (*psi_)(0, 0) * o.x[0];
  x_[0] = o.x[0];
  for (int i = 0; i < 3; ++i) older_[i][0] = o.x[i + 1];
  history_ = o.history;
  time_ = static_cast<double>(first + done) * options_.step;
  u_[0] = o.u;
  f_[0] = o.joint_force;
  input_ += o.input;
  damping_ += o.dissipated;
  std::copy_n(o.free, 3, free_);
  free_ready_ = done == count;  // else a step of another kind comes next
  last_input_power_ = o.input_power;
  last_damping_power_ = o.damping_power;
  evaluations_ += o.evaluations;
  return done;
}

bool Simulation::advance_at_level(double t, int level) {
  const ModalStepper& step = stepper(level);
  if (advance_once(t, step, level)) return true;
  if (level == options_.max_halvings) return false;
  halved_++;
  return advance_at_level(t, level + 1) && advance_at_level(t + 0.5 * step.step(), level + 1);
}

bool Simulation::advance_once(double t, const ModalStepper& step, int level) {
  const double t_next = t + step.step();
  forcing_.set_time(t_next);
  step.predict(now_, force_, forcing_.active() ? &forcing_.modal() : nullptr, next_, u_star_.data());
  if (equation_.needs_rates()) step.predict_rates(next_, v_star_.data());
  if (forcing_.active()) forcing_.add_to_joints(u_star_.data(), v_star_.data());

  guess_forces(level);
  const auto outcome = equation_.solve(memory_, step.compliance(), u_star_.data(), v_star_.data(), t_next,
                                       options_.tolerance, options_.max_iterations, guess_.data());
  evaluations_ += outcome.evaluations;
  if (!outcome.converged) {
    const std::string who = outcome.worst < system_.components()
                                ? "joint \"" + system_.component_name(outcome.worst) + "\""
                                : "damper " + std::to_string(outcome.worst - system_.components() + 1);
    failure_ =
        fmt::format("{} did not converge at t = {:.6g} (residual {:.2g} of its force)", who, t_next, outcome.residual);
    return false;
  }
  memory_.commit();
  accept(t_next);
  step.correct(guess_.data(), next_, joint_force_);
  older_[2].swap(older_[1]);
  older_[1].swap(older_[0]);
  older_[0].swap(x_);
  x_.swap(guess_);
  history_ = std::min(history_ + 1, 3);
  now_.d.swap(next_.d);
  now_.v.swap(next_.v);
  now_.a.swap(next_.a);
  if (step.uses_old_force()) update_total_force();
  account(step.step());
  return true;
}

/// Trapezoidal sums of input and damping power, and of force over displacement where there is no velocity to use.
void Simulation::account(double h) {
  const double input = input_power();
  input_ += 0.5 * h * (last_input_power_ + input);
  last_input_power_ = input;
  const double damping = damping_power();
  damping_ += 0.5 * h * (last_damping_power_ + damping);
  last_damping_power_ = damping;
  for (WorkedJoint& worked : worked_) account_work(worked);
  for (LoadWork& load : load_works_) {
    const double value = forcing_.value(load.load);
    const double other = load.base ? forcing_.ground_force(load.load, now_.v, now_.a)
                                   : forcing_.truncated_deflection(load.load, x_.data());
    input_ += load.base ? 0.5 * (other + load.other) * (value - load.value)
                        : 0.5 * (value + load.value) * (other - load.other);
    load.value = value;
    load.other = other;
  }
}

void Simulation::account_work(WorkedJoint& worked) const {
  const int first = system_.offset(worked.joint);
  for (std::size_t i = 0; i < worked.u.size(); ++i) {
    const double u = u_[first + i];
    const double f = f_[first + i];
    worked.work += 0.5 * (f + worked.f[i]) * (u - worked.u[i]);
    worked.u[i] = u;
    worked.f[i] = f;
  }
}

/// (q' - r g')^T C (q' - r g') and the joint-space terms; of a mass term on the absolute motion, q'^T a M q'.
double Simulation::damping_power() const {
  double power = 0.0;
  if (damped_ && system_.modal_damping_is_diagonal() && !forcing_.has_base()) {
    Lanes sum = {}, v, c;
    for (Eigen::Index i = 0; i < now_.v.size(); i += lane_count) {
      load(v, now_.v.data() + i);
      load(c, damping_diagonal_.data() + i);
      sum += c * v * v;
    }
    power = sum_of(sum);
  } else if (damped_) {
    const Eigen::VectorXd v = now_.v - forcing_.ground_modal(1);
    power = v.dot(basis_.damping * v) + system_.absolute_mass_damping() * (now_.v.squaredNorm() - v.squaredNorm());
  }
  if (equation_.needs_rates()) {
    const auto& v = equation_.rates();
    for (int i = 0; i < system_.components(); ++i) {
      for (int k = 0; k < system_.components(); ++k) power += v[i] * system_.joint_damping()(i, k) * v[k];
    }
    const auto& dampers = system_.structure().dampers();
    for (std::size_t i = 0; i < dampers.size(); ++i) {
      const double rate = v[system_.components() + i];
      power += dampers[i].coefficient * rate * rate;
    }
  }
  return power;
}

/// Kinetic energy, strain energy of the structure without joints, energy stored in the joints.
double Simulation::mechanical_energy() const {
  const Eigen::VectorXd strain = basis_.omega.cwiseProduct(now_.d - forcing_.ground_modal(0));
  double energy = 0.5 * now_.v.squaredNorm() + 0.5 * strain.squaredNorm();
  if (basis_.truncated()) energy += forcing_.truncated_energy(x_.data());
  const Eigen::Map<const Eigen::VectorXd> u(u_.data(), system_.components());
  energy -= 0.5 * u.dot(system_.stuck_joint_stiffness() * u);
  for (int j = 0; j < memory_.joints(); ++j) energy += memory_.stored_energy(j);
  return energy;
}

Eigen::VectorXd Simulation::displacement() const {
  Eigen::VectorXd q = basis_.shapes * now_.d;
  if (basis_.truncated()) q += forcing_.truncated_displacement(basis_.truncated_shapes, x_.data());
  if (forcing_.moves_beyond_modes()) q += forcing_.motion_beyond_modes(all_dofs(), 0);
  return q;
}

Eigen::VectorXd Simulation::velocity() const {
  Eigen::VectorXd v = basis_.shapes * now_.v;
  if (basis_.truncated() && forcing_.has_base()) v += forcing_.truncated_ground_velocity(basis_.truncated_shapes);
  if (forcing_.moves_beyond_modes()) v += forcing_.motion_beyond_modes(all_dofs(), 1);
  return v;
}

Eigen::VectorXd Simulation::acceleration() const {
  Eigen::VectorXd a = basis_.shapes * now_.a;
  if (forcing_.moves_beyond_modes()) a += forcing_.motion_beyond_modes(all_dofs(), 2);
  return a;
}

std::vector<int> Simulation::all_dofs() const {
  std::vector<int> dofs(static_cast<std::size_t>(system_.size()));
  std::iota(dofs.begin(), dofs.end(), 0);
  return dofs;
}

void Simulation::displacements(double* values) const {
  Eigen::Map<Eigen::VectorXd> q(values, recorded_shapes_.rows());
  q.noalias() = recorded_shapes_ * now_.d;
  if (basis_.truncated()) q += forcing_.truncated_displacement(recorded_truncated_, x_.data());
  if (forcing_.moves_beyond_modes()) q += forcing_.motion_beyond_modes(record_.dofs, 0);
}

void Simulation::velocities(double* values) const {
  Eigen::Map<Eigen::VectorXd> v(values, recorded_shapes_.rows());
  v.noalias() = recorded_shapes_ * now_.v;
  if (basis_.truncated() && forcing_.has_base()) v += forcing_.truncated_ground_velocity(recorded_truncated_);
  if (forcing_.moves_beyond_modes()) v += forcing_.motion_beyond_modes(record_.dofs, 1);
}

void Simulation::accelerations(double* values) const {
  Eigen::Map<Eigen::VectorXd> a(values, recorded_shapes_.rows());
  a.noalias() = recorded_shapes_ * now_.a;
  if (forcing_.moves_beyond_modes()) a += forcing_.motion_beyond_modes(record_.dofs, 2);
}

void Simulation::copy_recorded(const std::vector<double>& components, double* values) const {
  for (const int joint : record_.joints) {
    for (int c = system_.offset(joint); c < system_.offset(joint + 1); ++c) *values++ = components[c];
  }
}

void Simulation::finish(TransientResult& result) {
  forcing_.set_time(time_);  // a failed trial may have moved it
  result.time = time_;
  result.newton_iterations = evaluations_;
  result.halved_steps = halved_;
  result.q = displacement();
  result.v = velocity();
  result.a = acceleration();
  result.memory = memory_;

  result.energy = energy();
}

EnergyLedger Simulation::energy() const {
  EnergyLedger energy;
  energy.initial = initial_energy_;
  energy.input = input_;
  energy.damping = damping_;
  energy.stored = mechanical_energy();
  for (int j = 0; j < memory_.joints(); ++j) {
    energy.joints.push_back(memory_.dissipated_energy(j) - initial_dissipation_[j]);
  }
  for (const WorkedJoint& worked : worked_) energy.joints[worked.joint] = worked.work;
  balance(energy);
  return energy;
}

/// `count` more; false with a message where they cannot be taken.
bool take_steps(Simulation& simulation, long count, const TransientOptions& options, TransientResult& result) {
  const long done = simulation.advance(result.steps, count);
  result.steps += done;
  if (done < count) {
    result.message = fmt::format("{}, even in steps of {:.6g}", simulation.failure(),
                                 std::ldexp(options.step, -options.max_halvings));
  } else if (!simulation.finite()) {
    result.message = fmt::format("the response has grown beyond all numbers at t = {:.6g}", simulation.time());
  } else {
    return true;
  }
  result.ending = Ending::no_convergence;
  return false;
}

}  // namespace

void balance(EnergyLedger& energy) {
  const double dissipated = std::accumulate(energy.joints.begin(), energy.joints.end(), energy.damping);
  const double imbalance = energy.initial + energy.input - energy.stored - dissipated;
  double largest = std::max({std::abs(energy.initial), std::abs(energy.input), std::abs(energy.stored)});
  for (const double joint : energy.joints) largest = std::max(largest, std::abs(joint));
  largest = std::max(largest, std::abs(energy.damping));
  energy.error = largest > 0.0 ? std::abs(imbalance) / largest : 0.0;
}

Record record_everything(const System& system) {
  Record record;
  record.dofs.resize(system.size());
  std::iota(record.dofs.begin(), record.dofs.end(), 0);
  record.joints.resize(system.joints().size());
  std::iota(record.joints.begin(), record.joints.end(), 0);
  return record;
}

TransientResult simulate(const System& system, std::span<const Load> loads, const InitialConditions& initial,
                         const Record& record, Sink& sink, const TransientOptions& options, const Observer& observer,
                         Sink* ledger) {
  check_transient(system, initial, record, options);
  constexpr long observe_every = 256;
  const bool recording = !record.dofs.empty() || !record.joints.empty();
  const long total = step_count(options);
  const long ledger_every = (total + ledger_rows - 1) / ledger_rows;

  Simulation simulation(system, loads, initial, record, options);
  TransientResult result;
  if (!simulation.failure().empty()) {
    result.ending = Ending::no_convergence;
    result.message = simulation.failure();
    return result;
  }
  Table<Simulation> rows = motion_table<Simulation>(system, record);
  rows.begin(sink);
  if (recording) rows.write(simulation, sink);
  Table<LedgerRow> energies = ledger_table(system);
  if (ledger != nullptr) {
    energies.begin(*ledger);
    energies.write({simulation.time(), simulation.energy()}, *ledger);
  }
  while (result.steps < total) {
    const long n = result.steps;
    const double share = static_cast<double>(n) / static_cast<double>(total);
    if (n % observe_every == 0 && observer && !observer(share)) {
      result.ending = Ending::interrupted;
      result.message = fmt::format("stopped at t = {:.6g}", simulation.time());
      break;
    }
    long count = std::min(total - n, observe_every - n % observe_every);
    if (recording) count = std::min(count, record.every - n % record.every);
    if (ledger != nullptr) count = std::min(count, ledger_every - n % ledger_every);
    if (!take_steps(simulation, count, options, result)) break;
    if (recording && (result.steps % record.every == 0 || result.steps == total)) {
      rows.write(simulation, sink);
    }
    if (ledger != nullptr && result.steps % ledger_every == 0 && result.steps < total) {
      energies.write({simulation.time(), simulation.energy()}, *ledger);
    }
  }
  if (observer && result.ending == Ending::completed) observer(1.0);
  simulation.finish(result);
  if (ledger != nullptr && simulation.time() > 0.0) energies.write({result.time, result.energy}, *ledger);
  return result;
}

}  // namespace microslip
