#include "microslip/transient/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/numerics/gauss_legendre.hpp"
#include "microslip/transient/motion_table.hpp"

namespace microslip {
namespace {

/// State and forces of the model at one instant.
struct Instant {
  FlowState state;
  Eigen::VectorXd eta, rate, acceleration;
  std::vector<double> deflection, force;  ///< of the contacts
};

/// A contact that changes its regime in an event.
struct Change {
  const ContactEvent& event;
  std::size_t contact;
  int joint;
  const Instant& after;
};

Table<Change> change_table() {
  Table<Change> table;
  table.add({"time", "time", "time of the event"}, [](const Change& row) { return row.event.time; });
  table.add({"joint", "-", "number of the joint, from 1"}, [](const Change& row) { return row.joint + 1.0; });
  table.add({"before", "-", "its regime before: friction -1, 0 (stuck), 1; spring: piece from 0"},
            [](const Change& row) { return row.event.before[row.contact]; });
  table.add({"after", "-", "its regime after"}, [](const Change& row) { return row.event.after[row.contact]; });
  table.add({"u", "length", "its deflection"}, [](const Change& row) { return row.after.deflection[row.contact]; });
  table.add({"f", "force", "its force just after"}, [](const Change& row) { return row.after.force[row.contact]; });
  return table;
}

class EventRun {
 public:
  EventRun(const System& system, const PiecewiseModel& model, const Record& record, const EventsOptions& options)
      : system_(&system),
        record_(&record),
        options_(&options),
        model_(model),
        book_(model_),
        excitation_(model_),
        motion_(book_, excitation_),
        contact_of_(system.joints().size(), -1),
        dissipated_(system.joints().size(), 0.0),
        energies_(ledger_table(system)) {
    for (std::size_t c = 0; c < model_.contacts().size(); ++c) {
      contact_of_[static_cast<std::size_t>(model_.contacts()[c].joint)] = static_cast<int>(c);
    }
    rows_ = history_table();
  }

  // What a row tells.
  [[nodiscard]] double time() const { return row_time_; }
  void displacements(double* values) const { show(now_.eta, model_.ground(row_time_), values); }
  void velocities(double* values) const { show(now_.rate, model_.ground_rate(row_time_), values); }
  void accelerations(double* values) const { show(now_.acceleration, model_.ground_acceleration(row_time_), values); }
  void deflections(double* values) const {
    for (const int joint : record_->joints) {
      const int c = contact_of_[static_cast<std::size_t>(joint)];
      *values++ = c >= 0 ? now_.deflection[static_cast<std::size_t>(c)] : linear_deflection(joint);
    }
  }
  void joint_forces(double* values) const {
    for (const int joint : record_->joints) {
      const int c = contact_of_[static_cast<std::size_t>(joint)];
      *values++ = c >= 0 ? now_.force[static_cast<std::size_t>(c)] : stuck(joint) * linear_deflection(joint);
    }
  }

  EventsResult run(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Sink& history, Sink& events,
                   const Observer& observer, Sink* ledger) {
    EventsResult result;
    TransientResult& motion = result.motion;
    const long total = std::max(1L, static_cast<long>(std::ceil(options_->duration / options_->step * (1.0 - 1e-12))));
    const double end = static_cast<double>(total) * options_->step;
    rows_.begin(history);
    changes_.begin(events);
    ledger_ = ledger;
    ledger_step_ = end / ledger_rows;
    if (ledger_ != nullptr) energies_.begin(*ledger_);
    bool going = start(q, v);
    if (going) {
      look(0.0);
      initial_ = stored(now_);
      tell_energy(0.0);
      if (recording()) write(history, 0.0);
    }
    double reached = 0.0;
    while (going && reached < end) {
      if (observer && !observer(reached / end)) {
        stop(motion, Ending::interrupted, fmt::format("stopped at t = {:.6g}", reached));
        break;
      }
      // A part of the segment at a time, so that a long quiet one can be watched.
      going = motion_.find_end(end);
      if (!going) break;
      const double start = motion_.segment().start();
      const double until = motion_.until();
      integrate(start, until);
      write_rows(until, until >= end, total, motion, history);
      look(until - start);
      reached = until;
      if (!eta_finite()) {
        stop(motion, Ending::no_convergence,
             fmt::format("the response has grown beyond all numbers at t = {:.6g}", until));
        break;
      }
      if (until >= end && motion.steps >= total) break;
      if (reached >= ledger_due_) tell_energy(reached);
      going = pass();
      if (going && motion_.was_event()) {
        result.events += write_events(events);
        if (result.events >= options_->max_events) {
          stop(motion, Ending::step_too_small,
               fmt::format("{} events up to t = {:.9g}, the limit", result.events, until));
          break;
        }
      }
    }
    if (!going) stop(motion, Ending::step_too_small, motion_.message());
    if (observer && motion.ending == Ending::completed) observer(1.0);
    result.evaluations = motion_.evaluations();
    finish(motion, reached);
    return result;
  }

 private:
  [[nodiscard]] bool recording() const { return !record_->dofs.empty() || !record_->joints.empty(); }

  static void stop(TransientResult& motion, Ending ending, std::string message) {
    motion.ending = ending;
    motion.message = std::move(message);
  }

  /// Into the next segment.
  bool pass() {
    const double before = stored(now_);
    const bool corner = motion_.ends_with() < 0;
    if (!motion_.pass()) return false;
    if (corner) {  // a ground that jumps does work at once
      look(0.0);
      input_ += stored(now_) - before;
    }
    return true;
  }

  bool start(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    const Eigen::VectorXd base = model_.projection() * model_.ground_shape();
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(system_->size());
    const Eigen::VectorXd eta = model_.projection() * (q.size() > 0 ? q : zero) - model_.ground(0.0) * base;
    const Eigen::VectorXd rate = model_.projection() * (v.size() > 0 ? v : zero) - model_.ground_rate(0.0) * base;
    return motion_.start(0.0, eta, rate);
  }

  /// Rows of the segment; `reaches_end`: it reaches the end of the run.
  void write_rows(double until, bool reaches_end, long total, TransientResult& motion, Sink& history) {
    const double start = motion_.segment().start();
    while (motion.steps < total) {
      const double t = static_cast<double>(motion.steps + 1) * options_->step;
      const bool last = motion.steps + 1 == total;
      if (t > until && !(last && reaches_end)) break;
      ++motion.steps;
      if (!recording() || !(motion.steps % record_->every == 0 || last)) continue;
      look(std::min(t, until) - start);
      write(history, t);
    }
  }

  /// The motion at `tau` after the start of the segment.
  void look(double tau) { look(motion_.segment(), tau, now_); }

  void look(const Segment& segment, double tau, Instant& at) const {
    const Regime& regime = segment.regime();
    const LinearFlow& flow = regime.flow();
    const double t = segment.start() + tau;
    segment.state(tau, at.state);
    flow.coordinates(at.state, at.eta, at.rate);
    Eigen::VectorXd pull =
        load_force(segment, tau) - model_.damped(at.rate) - model_.omega_squared().cwiseProduct(at.eta);
    const auto& contacts = model_.contacts();
    at.deflection.resize(contacts.size());
    at.force.resize(contacts.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const Contact& contact = contacts[c];
      const double u = contact.b.dot(at.eta);
      at.deflection[c] = u;
      if (contact.kind == Contact::Kind::spring) {
        const auto piece = static_cast<std::size_t>(regime.states()[c]);
        const double added = contact.stiffness[piece] * u + contact.offset[piece];
        pull -= added * contact.b;
        at.force[c] = added + stuck(contact.joint) * u;
      } else {
        at.force[c] = regime.states()[c] * contact.kinetic_level * excitation_.normal(static_cast<int>(c), t);
        pull -= at.force[c] * contact.b;
      }
    }
    const Eigen::VectorXd held = flow.reaction() * pull;
    for (std::size_t i = 0; i < flow.stuck().size(); ++i) {
      const auto c = static_cast<std::size_t>(flow.stuck()[i]);
      at.force[c] = held(static_cast<Eigen::Index>(i));
      pull -= at.force[c] * contacts[c].b;
    }
    at.acceleration = pull;
  }

  /// Loads just before the end of the segment belong to it.
  [[nodiscard]] Eigen::VectorXd load_force(const Segment& segment, double tau) const {
    const double t = segment.start() + tau;
    const double corner = excitation_.next_corner(segment.start());
    if (!(t >= corner)) return excitation_.force(t);
    return model_.force(segment.start()).value(tau);
  }

  [[nodiscard]] double stuck(int joint) const {
    return system_->stuck_joint_stiffness()(system_->offset(joint), system_->offset(joint));
  }

  /// Kinetic and strain energy relative to the ground.
  [[nodiscard]] double stored(const Instant& at) const {
    double energy = 0.5 * at.rate.squaredNorm() + 0.5 * at.eta.dot(model_.omega_squared().cwiseProduct(at.eta));
    for (std::size_t c = 0; c < model_.contacts().size(); ++c) {
      const Contact& contact = model_.contacts()[c];
      if (contact.kind != Contact::Kind::spring) continue;
      energy += spring_energy(contact, at.deflection[c]);
    }
    return energy;
  }

  /// Work of the spring's force beyond the stuck stiffness from 0 to u.
  [[nodiscard]] static double spring_energy(const Contact& contact, double u) {
    double energy = 0.0;
    double from = 0.0;
    const double direction = u < 0.0 ? -1.0 : 1.0;
    while (from != u) {
      const auto above = std::upper_bound(contact.breaks.begin(), contact.breaks.end(), from);
      auto piece = static_cast<std::size_t>(above - contact.breaks.begin());
      double to = u;
      if (direction > 0.0) {
        if (piece < contact.breaks.size()) to = std::min(u, contact.breaks[piece]);
      } else {
        if (piece > 0 && contact.breaks[piece - 1] == from) --piece;
        if (piece > 0) to = std::max(u, contact.breaks[piece - 1]);
      }
      energy += (to - from) * (0.5 * contact.stiffness[piece] * (from + to) + contact.offset[piece]);
      from = to;
    }
    return energy;
  }

  /// Work of loads, damping and friction over a part of the segment.
  void integrate(double start, double until) {
    const Segment& segment = motion_.segment();
    double tau = 0.0;
    const double duration = until - segment.start();
    static_cast<void>(start);
    while (tau < duration) {
      const double speed = segment.fastest(tau, 1e-9);
      double panel = speed > 0.0 ? std::min(1.5 / speed, duration - tau) : duration - tau;
      if (duration - tau - panel < 1e-3 * panel) panel = duration - tau;
      for (std::size_t i = 0; i < rule_.node.size(); ++i) {
        look(segment, tau + panel * rule_.node[i], node_);
        const double weight = panel * rule_.weight[i];
        input_ += weight * load_force(segment, tau + panel * rule_.node[i]).dot(node_.rate);
        damping_ += weight * node_.rate.dot(model_.damped(node_.rate));
        for (std::size_t c = 0; c < model_.contacts().size(); ++c) {
          const Contact& contact = model_.contacts()[c];
          if (contact.kind != Contact::Kind::friction || segment.regime().states()[c] == 0) continue;
          if (is_constant(contact)) continue;
          dissipated_[static_cast<std::size_t>(contact.joint)] += weight * node_.force[c] * contact.b.dot(node_.rate);
        }
      }
      tau += panel;
      if (ledger_ == nullptr || tau >= duration || segment.start() + tau < ledger_due_) continue;
      tell_energy_inside(segment, tau);
    }
    for (std::size_t c = 0; c < model_.contacts().size(); ++c) {
      const Contact& contact = model_.contacts()[c];
      if (contact.kind != Contact::Kind::friction || segment.regime().states()[c] == 0 || !is_constant(contact))
        continue;
      look(segment, 0.0, node_);
      const double from = node_.deflection[c];
      look(segment, duration, node_);
      dissipated_[static_cast<std::size_t>(contact.joint)] += node_.force[c] * (node_.deflection[c] - from);
    }
  }

  /// All energies up to an instant.
  [[nodiscard]] EnergyLedger energy(const Instant& at) const {
    EnergyLedger energy;
    energy.initial = initial_;
    energy.stored = stored(at);
    energy.input = input_;
    energy.damping = damping_;
    energy.joints = dissipated_;
    balance(energy);
    return energy;
  }

  /// A row of the ledger, of the motion in `now_`.
  void tell_energy(double time) {
    if (ledger_ == nullptr) return;
    energies_.write({time, energy(now_)}, *ledger_);
    ledger_due_ = time + ledger_step_;
  }

  /// The same in the midst of a segment, before its friction is counted.
  void tell_energy_inside(const Segment& segment, double tau) {
    look(segment, 0.0, ledger_from_);
    look(segment, tau, ledger_at_);
    EnergyLedger ledger = energy(ledger_at_);
    for (std::size_t c = 0; c < model_.contacts().size(); ++c) {
      const Contact& contact = model_.contacts()[c];
      if (contact.kind != Contact::Kind::friction || segment.regime().states()[c] == 0 || !is_constant(contact))
        continue;
      ledger.joints[static_cast<std::size_t>(contact.joint)] +=
          ledger_at_.force[c] * (ledger_at_.deflection[c] - ledger_from_.deflection[c]);
    }
    balance(ledger);
    const double time = segment.start() + tau;
    energies_.write({time, ledger}, *ledger_);
    ledger_due_ = time + ledger_step_;
  }

  [[nodiscard]] static bool is_constant(const Contact& contact) {
    return std::holds_alternative<Constant>(contact.normal.kind());
  }

  [[nodiscard]] bool eta_finite() const { return now_.eta.allFinite() && now_.rate.allFinite(); }

  /// Of the coordinates, in the degrees of freedom recorded, into `values`.
  void show(const Eigen::VectorXd& coordinates, double ground, double* values) const {
    const Eigen::VectorXd& shape = model_.ground_shape();
    for (const int dof : record_->dofs) *values++ = model_.shapes().row(dof).dot(coordinates) + ground * shape(dof);
  }

  /// Of a joint that is a linear spring.
  [[nodiscard]] double linear_deflection(int joint) const {
    return system_->joints()[static_cast<std::size_t>(joint)].directions.col(0).dot(model_.shapes() * now_.eta);
  }

  /// The columns of a motion and the regimes of the contacts recorded.
  [[nodiscard]] Table<EventRun> history_table() const {
    Table<EventRun> table = motion_table<EventRun>(*system_, *record_);
    std::vector<std::string> names;
    std::vector<std::size_t> contacts;
    for (const int joint : record_->joints) {
      const int c = contact_of_[static_cast<std::size_t>(joint)];
      if (c < 0) continue;
      names.push_back(system_->joints()[static_cast<std::size_t>(joint)].name);
      contacts.push_back(static_cast<std::size_t>(c));
    }
    table.add_each("regime", names, "-", "friction: -1, 0 (stuck), 1, the sign of the slip; spring: its piece, from 0",
                   [contacts](const EventRun& run, std::size_t i) {
                     return run.motion_.segment().regime().states()[contacts[i]];
                   });
    return table;
  }

  void write(Sink& sink, double t) {
    row_time_ = t;
    rows_.write(*this, sink);
  }

  /// A row for each contact that changes its state; their number.
  long write_events(Sink& sink) {
    const ContactEvent& event = motion_.last_event();
    look(0.0);
    long count = 0;
    for (std::size_t c = 0; c < event.before.size(); ++c) {
      if (event.before[c] == event.after[c]) continue;
      ++count;
      changes_.write({event, c, model_.contacts()[c].joint, now_}, sink);
    }
    return count;
  }

  void finish(TransientResult& result, double time) {
    result.time = time;
    if (now_.eta.size() == 0) return;
    const Eigen::VectorXd& shape = model_.ground_shape();
    result.q = model_.shapes() * now_.eta + model_.ground(time) * shape;
    result.v = model_.shapes() * now_.rate + model_.ground_rate(time) * shape;
    result.a = model_.shapes() * now_.acceleration + model_.ground_acceleration(time) * shape;
    result.energy = energy(now_);
    if (time > 0.0) tell_energy(time);
  }

  const System* system_;
  const Record* record_;
  const EventsOptions* options_;
  const PiecewiseModel& model_;
  RegimeBook book_;
  Excitation excitation_;
  ContactMotion motion_;
  std::vector<int> contact_of_;  ///< of each joint; -1: a linear spring
  std::vector<double> dissipated_;
  double initial_ = 0.0, input_ = 0.0, damping_ = 0.0;
  Sink* ledger_ = nullptr;
  double ledger_step_ = 0.0, ledger_due_ = 0.0;  ///< a row is written at the first chance after it is due
  GaussRule rule_ = gauss_legendre(8);
  Instant now_, node_, ledger_from_, ledger_at_;
  double row_time_ = 0.0;
  Table<EventRun> rows_;
  Table<Change> changes_ = change_table();
  Table<LedgerRow> energies_;
};

}  // namespace

EventsResult simulate_events(const System& system, const PiecewiseModel& model, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& v, const Record& record, Sink& history, Sink& events,
                             const EventsOptions& options, const Observer& observer, Sink* ledger) {
  if (!(options.duration > 0.0) || !(options.step > 0.0)) {
    throw std::invalid_argument("duration and step must be > 0");
  }
  for (const Eigen::VectorXd* given : {&q, &v}) {
    if (given->size() != 0 && given->size() != system.size()) throw std::invalid_argument("initial state: wrong size");
  }
  EventRun run(system, model, record, options);
  return run.run(q, v, history, events, observer, ledger);
}

EventsResult simulate_events(const System& system, std::span<const Load> loads, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& v, const Record& record, Sink& history, Sink& events,
                             const EventsOptions& options, const Observer& observer, Sink* ledger) {
  const PiecewiseModel model(system, loads, options.modes);
  return simulate_events(system, model, q, v, record, history, events, options, observer, ledger);
}

}  // namespace microslip
