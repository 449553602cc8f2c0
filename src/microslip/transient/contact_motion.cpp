#include "microslip/transient/contact_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr double rounding = 1e-12;  ///< of forces and accelerations in the choice of a regime, relative
constexpr int most_at_once = 200;   ///< events without time between them

bool is_steady(const Signal& signal) {
  return std::holds_alternative<Constant>(signal.kind()) || std::holds_alternative<Sine>(signal.kind()) ||
         std::holds_alternative<Fourier>(signal.kind());
}

/// Sticking and slipping of the dampers at rest, each 0 or the sign of its slip.
class Choice {
 public:
  Choice(Eigen::MatrixXd inertia, Eigen::VectorXd a0, Eigen::VectorXd fs, Eigen::VectorXd fk)
      : inertia_(std::move(inertia)), a0_(std::move(a0)), fs_(std::move(fs)), fk_(std::move(fk)) {}

  /// Forces and accelerations of a choice.
  void solve(const std::vector<int>& slip, Eigen::VectorXd& f, Eigen::VectorXd& a) const {
    const Eigen::Index n = a0_.size();
    f = Eigen::VectorXd::Zero(n);
    std::vector<Eigen::Index> stuck;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (slip[static_cast<std::size_t>(i)] == 0) {
        stuck.push_back(i);
      } else {
        f(i) = slip[static_cast<std::size_t>(i)] * fk_(i);
      }
    }
    if (!stuck.empty()) {
      const Eigen::VectorXd rest = a0_ - inertia_ * f;
      const Eigen::MatrixXd w = inertia_(stuck, stuck);
      const Eigen::VectorXd held = solve_symmetric(w, Eigen::VectorXd(rest(stuck)));
      for (std::size_t i = 0; i < stuck.size(); ++i) f(stuck[i]) = held(static_cast<Eigen::Index>(i));
    }
    a = a0_ - inertia_ * f;
    for (const Eigen::Index i : stuck) a(i) = 0.0;
  }

  /// The worst offence against |f| <= fs and sign(a) = slip, over what rounding may do; -1: none. `free` is not asked.
  [[nodiscard]] Eigen::Index offender(const std::vector<int>& slip, const Eigen::VectorXd& f, const Eigen::VectorXd& a,
                                      Eigen::Index free) const {
    Eigen::Index worst = -1;
    double size = rounding;
    const double scale = a0_.cwiseAbs().maxCoeff() + (inertia_.cwiseAbs() * f.cwiseAbs()).maxCoeff();
    for (Eigen::Index i = 0; i < a0_.size(); ++i) {
      const int s = slip[static_cast<std::size_t>(i)];
      double offence = 0.0;
      if (s == 0) {
        const double reference = std::max({fs_(i), std::abs(f(i)), 1e-300});
        offence = (std::abs(f(i)) - fs_(i)) / reference;
      } else if (i != free) {
        offence = scale > 0.0 ? -s * a(i) / scale : 0.0;
      }
      if (offence > size) {
        size = offence;
        worst = i;
      }
    }
    return worst;
  }

 private:
  Eigen::MatrixXd inertia_;
  Eigen::VectorXd a0_, fs_, fk_;
};

}  // namespace

Excitation::Excitation(const PiecewiseModel& model) : model_(&model) {
  steady_ = std::all_of(model.loads().begin(), model.loads().end(),
                        [](const Load& load) { return is_steady(load.signal); }) &&
            std::all_of(model.contacts().begin(), model.contacts().end(),
                        [](const Contact& contact) { return is_steady(contact.normal); });
  if (!steady_) return;
  force_ = model.force(0.0);
  for (const Contact& contact : model.contacts()) normals_.push_back(PiecewiseModel::terms_of(contact.normal, 0.0));
}

Excitation::Excitation(const PiecewiseModel& model, const PeriodicLoad& load, double omega, double level)
    : model_(&model), steady_(true), force_(model.size()) {
  force_.constant = load.constant;
  for (std::size_t h = 1; h <= load.force.size(); ++h) {
    const double s = static_cast<double>(h) * omega;
    const Eigen::VectorXcd amplitude = load.force[h - 1] + load.of_ground(s) * load.ground[h - 1];
    if (amplitude.isZero(0.0)) continue;
    force_.at(s).a += level * amplitude;
  }
  for (const auto& harmonics : load.normal) {
    ForceTerms normal(1);
    normal.constant(0) = harmonics[0].real();
    for (std::size_t h = 1; h < harmonics.size(); ++h) {
      if (harmonics[h] != 0.0) normal.at(static_cast<double>(h) * omega).a(0) += harmonics[h];
    }
    normals_.push_back(std::move(normal));
  }
}

std::shared_ptr<const Drive> Excitation::drive(const Regime& regime, double t, double& origin) {
  if (steady_) {
    origin = 0.0;
    std::shared_ptr<const Drive>& drive = drives_[&regime];
    if (!drive) {
      drive = std::make_shared<const Drive>(make_drive(regime, regime.force(*model_, force_, normals_), normals_));
    }
    return drive;
  }
  origin = t;
  std::vector<ForceTerms> normals;
  for (const Contact& contact : model_->contacts()) normals.push_back(PiecewiseModel::terms_of(contact.normal, t));
  const ForceTerms loads = model_->force(t);
  return std::make_shared<const Drive>(make_drive(regime, regime.force(*model_, loads, normals), normals));
}

Eigen::VectorXd Excitation::force(double t) const {
  return steady_ ? force_.value(t) : model_->force(t).value(0.0);
}

double Excitation::normal(int contact, double t) const {
  const auto j = static_cast<std::size_t>(contact);
  return steady_ ? normals_[j].value(t)(0) : model_->contacts()[j].normal.value(t);
}

namespace {

/// What pulls at the contacts at rest: loads, less all other forces of the structure and its contacts.
Eigen::VectorXd pull_on(const Excitation& excitation, double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate,
                        const std::vector<int>& at_rest, const ContactStates& states) {
  const PiecewiseModel& model = excitation.model();
  const auto& contacts = model.contacts();
  Eigen::VectorXd pull = excitation.force(t) - model.damped(rate) - model.omega_squared().cwiseProduct(eta);
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const Contact& contact = contacts[j];
    if (contact.kind == Contact::Kind::spring) {
      const auto piece = static_cast<std::size_t>(states[j]);
      pull -= (contact.stiffness[piece] * contact.b.dot(eta) + contact.offset[piece]) * contact.b;
    } else if (std::find(at_rest.begin(), at_rest.end(), static_cast<int>(j)) == at_rest.end()) {
      pull -= (states[j] * contact.kinetic_level * excitation.normal(static_cast<int>(j), t)) * contact.b;
    }
  }
  return pull;
}

/// Every combination, the most stuck first.
bool choose_any(const Choice& choice, std::vector<int>& slip) {
  constexpr Eigen::Index most_enumerated = 8;
  const auto count = static_cast<Eigen::Index>(slip.size());
  if (count > most_enumerated) return false;
  Eigen::VectorXd f, a;
  long combinations = 1;
  for (Eigen::Index i = 0; i < count; ++i) combinations *= 3;
  std::vector<std::pair<int, long>> order;
  for (long c = 0; c < combinations; ++c) {
    int moving = 0;
    for (long rest = c; rest > 0; rest /= 3) moving += rest % 3 != 0;
    order.emplace_back(moving, c);
  }
  std::sort(order.begin(), order.end());
  for (const auto& [moving, code] : order) {
    long rest = code;
    for (int& state : slip) {
      state = static_cast<int>(rest % 3) == 2 ? -1 : static_cast<int>(rest % 3);
      rest /= 3;
    }
    choice.solve(slip, f, a);
    if (choice.offender(slip, f, a, -1) < 0) return true;
  }
  return false;
}

}  // namespace

bool choose_regime(const Excitation& excitation, double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate,
                   const std::vector<int>& at_rest, int released, int sign, ContactStates& states, double favour) {
  const PiecewiseModel& model = excitation.model();
  const auto& contacts = model.contacts();
  const auto count = static_cast<Eigen::Index>(at_rest.size());
  if (count == 0) return true;
  const Eigen::VectorXd pull = pull_on(excitation, t, eta, rate, at_rest, states);
  Eigen::MatrixXd directions(model.size(), count);
  Eigen::VectorXd fs(count), fk(count);
  Eigen::Index free = -1;
  for (Eigen::Index i = 0; i < count; ++i) {
    const int j = at_rest[static_cast<std::size_t>(i)];
    const Contact& contact = contacts[static_cast<std::size_t>(j)];
    const double normal = excitation.normal(j, t);
    directions.col(i) = contact.b;
    fs(i) = contact.static_level * normal * (1.0 + favour);
    fk(i) = contact.kinetic_level * normal;
    if (j == released) free = i;
  }
  const Choice choice(transpose_times(directions, directions), transpose_times(directions, pull), fs, fk);
  std::vector<int> slip(at_rest.size(), 0);
  if (free >= 0) slip[static_cast<std::size_t>(free)] = sign;
  Eigen::VectorXd f, a;
  const auto accept = [&] {
    for (Eigen::Index i = 0; i < count; ++i) {
      states[static_cast<std::size_t>(at_rest[static_cast<std::size_t>(i)])] = slip[static_cast<std::size_t>(i)];
    }
    return true;
  };
  // Release the worst offender, or stop it again, until there is none.
  for (int round = 0; round < 4 * static_cast<int>(count) + 4; ++round) {
    choice.solve(slip, f, a);
    const Eigen::Index worst = choice.offender(slip, f, a, free);
    if (worst < 0) return accept();
    int& state = slip[static_cast<std::size_t>(worst)];
    state = state == 0 ? (f(worst) > 0.0 ? 1 : -1) : 0;
    if (worst == free) free = -1;
  }
  return choose_any(choice, slip) && accept();
}

std::vector<int> contacts_at_rest(const PiecewiseModel& model, const Regime& before, int function) {
  const EventFunction& event = before.events()[static_cast<std::size_t>(function)];
  std::vector<int> result;
  for (std::size_t j = 0; j < before.states().size(); ++j) {
    if (model.contacts()[j].kind != Contact::Kind::friction) continue;
    const bool stops = static_cast<int>(j) == event.contact && event.kind == EventFunction::Kind::stops;
    if (before.states()[j] == 0 || stops) result.push_back(static_cast<int>(j));
  }
  return result;
}

std::vector<int> functions_from_zero(const PiecewiseModel& model, const Regime& before, int function,
                                     const Regime& after) {
  const EventFunction& event = before.events()[static_cast<std::size_t>(function)];
  std::vector<int> result;
  for (const int contact : contacts_at_rest(model, before, function)) {
    const int stops = after.event(contact, EventFunction::Kind::stops);
    if (stops >= 0) result.push_back(stops);
  }
  if (event.kind == EventFunction::Kind::leaves_below) {
    result.push_back(after.event(event.contact, EventFunction::Kind::leaves_above));
  } else if (event.kind == EventFunction::Kind::leaves_above) {
    result.push_back(after.event(event.contact, EventFunction::Kind::leaves_below));
  }
  return result;
}

bool ContactMotion::fail(std::string message) {
  message_ = std::move(message);
  return false;
}

bool ContactMotion::start(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate) {
  const auto& contacts = excitation_->model().contacts();
  ContactStates states(contacts.size(), 0);
  std::vector<int> at_rest;
  from_zero_.clear();
  crowded_ = 0;
  last_time_ = t;
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const Contact& contact = contacts[j];
    if (contact.kind == Contact::Kind::spring) {
      const double u = contact.b.dot(eta);
      states[j] =
          static_cast<int>(std::upper_bound(contact.breaks.begin(), contact.breaks.end(), u) - contact.breaks.begin());
      continue;
    }
    const double v = contact.b.dot(rate);
    const double size = contact.b.cwiseAbs().dot(rate.cwiseAbs());
    states[j] = std::abs(v) <= 1e-13 * size ? 0 : (v > 0.0 ? 1 : -1);
    if (states[j] == 0) at_rest.push_back(static_cast<int>(j));
  }
  if (!choose_regime(*excitation_, t, eta, rate, at_rest, -1, 0, states)) {
    return fail(fmt::format("no state of the dampers is consistent at t = {:.9g}", t));
  }
  if (!enter(t, eta, rate, states)) return false;
  const Regime& regime = segment_->regime();
  for (const int j : at_rest) {
    const int function = regime.event(j, EventFunction::Kind::stops);
    if (function >= 0) from_zero_.push_back(function);
  }
  for (std::size_t f = 0; f < regime.events().size(); ++f) {
    const bool spring = regime.events()[f].kind == EventFunction::Kind::leaves_below ||
                        regime.events()[f].kind == EventFunction::Kind::leaves_above;
    if (spring && segment_->event_value(static_cast<int>(f), 0.0).first == 0.0)
      from_zero_.push_back(static_cast<int>(f));
  }
  return true;
}

bool ContactMotion::start_in(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate,
                             const ContactStates& states) {
  from_zero_.clear();
  crowded_ = 0;
  last_time_ = t;
  if (!enter(t, eta, rate, states)) return false;
  for (std::size_t f = 0; f < segment_->regime().events().size(); ++f) {
    if (!(segment_->event_value(static_cast<int>(f), 0.0).first > 0.0)) {
      return fail(fmt::format("the state of the contacts does not hold at t = {:.9g}", t));
    }
  }
  return true;
}

bool ContactMotion::enter(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate,
                          const ContactStates& states) {
  const Regime& regime = (*book_)[states];
  FlowState state;
  regime.flow().state(eta, rate, state);
  double origin = 0.0;
  std::shared_ptr<const Drive> drive = excitation_->drive(regime, t, origin);
  segment_ = std::make_unique<Segment>(regime, std::move(drive), t, origin, std::move(state));
  until_ = t;
  return true;
}

bool ContactMotion::find_end(double limit) {
  const double start = segment_->start();
  const double corner = excitation_->next_corner(start);
  const double end = std::min(limit, corner);
  const Segment::Found found = segment_->next_event(end - start, from_zero_);
  evaluations_ += found.evaluations;
  if (found.lost) return fail(fmt::format("the next event after t = {:.9g} could not be found", start));
  ends_with_ = found.function;
  until_ = found.function < 0 ? end : start + found.tau;
  return true;
}

bool ContactMotion::pass() {
  const Regime& regime = segment_->regime();
  FlowState state;
  Eigen::VectorXd eta, rate;
  segment_->state(until_ - segment_->start(), state);
  regime.flow().coordinates(state, eta, rate);
  if (ends_with_ >= 0) return pass_event(eta, rate);
  if (ground_jumps(eta, rate)) {
    last_ = {until_, -1, EventFunction::Kind::stops, regime.states(), {}};
    if (!start(until_, eta, rate)) return false;
    last_.after = segment_->regime().states();
    return true;
  }
  return pass_corner(eta, rate);
}

/// The ground's velocity jumps at a corner of its displacement, and both at the end of its signal; the masses do not
/// follow at once: the relative motion jumps.
bool ContactMotion::ground_jumps(Eigen::VectorXd& eta, Eigen::VectorXd& rate) const {
  const PiecewiseModel& model = excitation_->model();
  const double t = until_, duration = until_ - segment_->start();
  if (model.ground_shape().size() == 0 || model.ground_shape().isZero(0.0)) return false;
  if (excitation_->next_corner(segment_->start()) != t) return false;
  // Across a short time, since a corner's value may belong to either side.
  const double before = segment_->start() + duration * (1.0 - 1e-9);
  const double after = t + duration * 1e-9;
  const double rate_jump = model.ground_rate(after) - model.ground_rate(before);
  const double jump = model.ground(after) - model.ground(before) -
                      0.5 * (after - before) * (model.ground_rate(after) + model.ground_rate(before));
  const double size = std::abs(model.ground(before)) + std::abs(model.ground(after));
  const bool steps = std::abs(jump) > 1e-8 * size;
  if (rate_jump == 0.0 && !steps) return false;
  const Eigen::VectorXd shape = model.projection() * model.ground_shape();
  rate -= rate_jump * shape;
  if (steps) eta -= jump * shape;
  return true;
}

/// A corner of a load, or a place to look: friction at rest may break loose.
bool ContactMotion::pass_corner(const Eigen::VectorXd& eta, const Eigen::VectorXd& rate) {
  const PiecewiseModel& model = excitation_->model();
  ContactStates states = segment_->regime().states();
  const double t = until_;
  std::vector<int> at_rest;
  for (std::size_t j = 0; j < states.size(); ++j) {
    const bool friction = model.contacts()[j].kind == Contact::Kind::friction;
    if (friction && states[j] == 0) at_rest.push_back(static_cast<int>(j));
  }
  last_ = {t, -1, EventFunction::Kind::stops, states, {}};
  if (!choose_regime(*excitation_, t, eta, rate, at_rest, -1, 0, states)) {
    return fail(fmt::format("no state of the dampers is consistent at t = {:.9g}", t));
  }
  last_.after = states;
  from_zero_.clear();
  if (!enter(t, eta, rate, states)) return false;
  for (const int j : at_rest) {
    const int function = segment_->regime().event(j, EventFunction::Kind::stops);
    if (function >= 0) from_zero_.push_back(function);
  }
  return true;
}

bool ContactMotion::pass_event(const Eigen::VectorXd& eta, const Eigen::VectorXd& rate) {
  const Regime& regime = segment_->regime();
  ContactStates states = regime.states();
  const double t = until_;
  const EventFunction& event = regime.events()[static_cast<std::size_t>(ends_with_)];
  crowded_ = t - last_time_ <= 1e-13 * std::abs(t) ? crowded_ + 1 : 0;
  last_time_ = t;
  if (crowded_ > most_at_once) {
    return fail(fmt::format("events follow each other without end at t = {:.9g} (joint \"{}\")", t,
                            excitation_->model().contacts()[static_cast<std::size_t>(event.contact)].name));
  }
  last_ = {t, event.contact, event.kind, states, {}};
  const auto j = static_cast<std::size_t>(event.contact);
  const bool at_once = until_ - segment_->start() == 0.0;
  const std::vector<int> at_rest = contacts_at_rest(excitation_->model(), regime, ends_with_);
  int released = -1;
  int sign = 0;
  bool grazes = false;
  switch (event.kind) {
    case EventFunction::Kind::leaves_below:
      states[j] -= 1;
      break;
    case EventFunction::Kind::leaves_above:
      states[j] += 1;
      break;
    case EventFunction::Kind::breaks_up:
    case EventFunction::Kind::breaks_down:
      sign = event.kind == EventFunction::Kind::breaks_up ? 1 : -1;
      released = event.contact;
      break;
    case EventFunction::Kind::stops:
      // Broke loose and stopped at once: it only touched its limit.
      grazes = at_once && std::find(from_zero_.begin(), from_zero_.end(), ends_with_) != from_zero_.end();
      break;
  }
  const int direction = regime.states()[j];
  if (!choose_regime(*excitation_, t, eta, rate, at_rest, released, sign, states)) {
    return fail(fmt::format("no state of the dampers is consistent at t = {:.9g}", t));
  }
  if (grazes) states[j] = 0;
  last_.after = states;
  const int ended_by = ends_with_;
  if (!enter(t, eta, rate, states)) return false;
  const Regime& next = segment_->regime();
  from_zero_ = functions_from_zero(excitation_->model(), regime, ended_by, next);
  if (grazes) {
    from_zero_.push_back(
        next.event(event.contact, direction > 0 ? EventFunction::Kind::breaks_up : EventFunction::Kind::breaks_down));
  }
  return true;
}

}  // namespace microslip
