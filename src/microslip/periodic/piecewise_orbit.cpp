#include "microslip/periodic/piecewise_orbit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/orbit_passage.hpp"

namespace microslip {
namespace {

using namespace orbit_passage;
/// Arcs may be this much shorter than nothing: events at the same instant [rad].
constexpr double same_instant = 1e-9;
/// Forces this close to the static level, relative, may stick or slip: orbits are this exact.
constexpr double marginal = 1e-8;

Eigen::Index count_alive(const LinearFlow& flow, double duration) {
  return (flow.decay() * duration > died_out).count();
}

}  // namespace

double PiecewiseOrbit::span() const {
  return two_pi * periods * (antisymmetric ? 0.5 : 1.0);
}

double PiecewiseOrbit::end_of(std::size_t arc) const {
  return arc + 1 < arcs.size() ? arcs[arc + 1].theta : arcs.front().theta + span();
}

int PiecewiseOrbit::events() const {
  if (arcs.empty() || arcs.front().ended_by < 0) return 0;
  return static_cast<int>(arcs.size()) * (antisymmetric ? 2 : 1);
}

double PiecewiseOrbit::period() const {
  return two_pi * periods / omega;
}

std::size_t PiecewiseOrbit::longest_arc() const {
  std::size_t longest = 0;
  double length = -1.0;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const double its = end_of(i) - arcs[i].theta;
    if (its <= length) continue;
    length = its;
    longest = i;
  }
  return longest;
}

Segment PiecewiseOrbit::segment(std::size_t arc) const {
  const OrbitArc& a = arcs[arc];
  double origin = 0.0;
  std::shared_ptr<const Drive> drive = excitation->drive(*a.regime, 0.0, origin);
  return Segment(*a.regime, std::move(drive), a.theta / omega, origin, a.start);
}

PiecewiseOrbits::PiecewiseOrbits(const PiecewiseModel& model, int periods)
    : model_(&model), periods_(periods), load_(model.periodic()), book_(model), transitions_(model) {
  if (periods % 2 == 0) load_.antisymmetric = false;
}

bool PiecewiseOrbits::newton(PiecewiseOrbit& orbit) {
  constexpr int most_iterations = 25;
  constexpr double small_phase = 2e-12;
  constexpr double small_motion = 2e-11;
  OrbitPassage passage(transitions_, load_, orbit);
  const Eigen::Index size = passage.unknowns();
  Eigen::VectorXd x, residual, step;
  Eigen::MatrixXd jacobian;
  LuFactors<double> lu;
  passage.read(orbit, x);
  orbit.iterations = 0;
  bool fresh = false;  // the factors belong to this point
  bool have = false;
  double last = std::numeric_limits<double>::infinity();
  while (orbit.iterations < most_iterations) {
    ++orbit.iterations;
    passage.evaluate(orbit, residual, size == 0);
    if (size == 0) {
      passage.keep_states(orbit);
      orbit.error = 0.0;
      return true;
    }
    if (!residual.allFinite()) return false;
    if (!have) {
      passage.derivatives(orbit, jacobian);
      lu.compute(jacobian.leftCols(size));
      ++factorisations_;
      have = true;
      fresh = true;
    }
    step = -lu.solve(residual);
    if (!step.allFinite()) return false;
    double phase = 0.0;
    double motion = 0.0;
    for (Eigen::Index i = 0; i < passage.unknowns(); ++i) {
      const double s = std::abs(step(i)) / passage.scale(i);
      (i >= passage.free() ? phase : motion) = std::max(i >= passage.free() ? phase : motion, s);
    }
    const double length = std::max(phase, motion);
    if (!fresh && length > 0.1 * last) {  // the old factors lead nowhere
      have = false;
      --orbit.iterations;
      last = std::numeric_limits<double>::infinity();
      if (length > 10.0) return false;
      continue;
    }
    // Events keep their order: none passes another by more than most of the arc between them.
    double factor = phase > 0.5 ? 0.5 / phase : 1.0;
    for (std::size_t i = 0; passage.events() > 0 && i < orbit.arcs.size(); ++i) {
      const auto here = passage.free() + static_cast<Eigen::Index>(i);
      const bool wraps = i + 1 == orbit.arcs.size();
      const double shrink = step(here) - (wraps ? step(passage.free()) : step(here + 1));
      const double length_of_arc = orbit.end_of(i) - orbit.arcs[i].theta;
      if (shrink > 0.8 * std::max(length_of_arc, same_instant)) {
        factor = std::min(factor, 0.8 * std::max(length_of_arc, same_instant) / shrink);
      }
    }
    if (factor < 1e-3) return false;
    x += factor * step;
    passage.write(x, orbit);
    orbit.error = phase;
    if (factor == 1.0 && phase < small_phase && motion < small_motion) {
      passage.evaluate(orbit, residual, true);
      passage.keep_states(orbit);
      orbit.slope = -lu.solve(Eigen::VectorXd(jacobian.col(size)));
      return true;
    }
    // Close by, the same factors serve again.
    have = factor == 1.0 && length < 1e-3;
    fresh = false;
    last = factor == 1.0 ? length : std::numeric_limits<double>::infinity();
  }
  return false;
}

bool PiecewiseOrbits::holds(const PiecewiseOrbit& orbit) {
  const std::size_t count = orbit.arcs.size();
  if (orbit.arcs.front().ended_by < 0) {
    const Segment::Found found = orbit.segment(0).next_event(orbit.period(), {});
    return found.function < 0 && !found.lost;
  }
  Eigen::VectorXd eta, rate;
  FlowState end;
  for (std::size_t i = 0; i < count; ++i) {
    const OrbitArc& arc = orbit.arcs[i];
    const double span = orbit.end_of(i) - arc.theta;
    if (span < -same_instant) return false;
    const std::size_t previous = before(i, count);
    const Segment segment = orbit.segment(i);
    ContactStates mirrored = orbit.arcs[previous].regime->states();
    if (i == 0 && orbit.antisymmetric) {
      for (int& state : mirrored) state = -state;
    }
    if (span > same_instant) {
      const Regime& before_it = book_[mirrored];
      int function = orbit.arcs[previous].ended_by;
      if (i == 0 && orbit.antisymmetric) {
        const EventFunction& event = orbit.arcs[previous].regime->events()[static_cast<std::size_t>(function)];
        EventFunction::Kind kind = event.kind;
        if (kind == EventFunction::Kind::breaks_up) {
          kind = EventFunction::Kind::breaks_down;
        } else if (kind == EventFunction::Kind::breaks_down) {
          kind = EventFunction::Kind::breaks_up;
        }
        function = before_it.event(event.contact, kind);
      }
      const auto zeros = functions_from_zero(*model_, before_it, function, *arc.regime);
      const double duration = span / orbit.omega;
      const Segment::Found found = segment.next_event(duration + 1e-6 / orbit.omega, zeros);
      if (found.lost || found.function < 0) return false;
      if (std::abs(found.tau - duration) * orbit.omega > 1e-7) return false;
      if (found.function != arc.ended_by) {
        // Another event at the same instant may come first.
        if (std::abs(segment.event_value(found.function, duration).first) >
            1e-6 * (1e-300 + std::abs(segment.event_value(found.function, 0.5 * duration).first))) {
          return false;
        }
      }
    }
    // The regime after it.
    const double t = orbit.end_of(i) / orbit.omega;
    segment.state(span / orbit.omega, end);
    arc.regime->flow().coordinates(end, eta, rate);
    ContactStates states = arc.regime->states();
    const EventFunction& event = arc.regime->events()[static_cast<std::size_t>(arc.ended_by)];
    const auto j = static_cast<std::size_t>(event.contact);
    int released = -1;
    int sign = 0;
    if (event.kind == EventFunction::Kind::leaves_below) states[j] -= 1;
    if (event.kind == EventFunction::Kind::leaves_above) states[j] += 1;
    if (event.kind == EventFunction::Kind::breaks_up || event.kind == EventFunction::Kind::breaks_down) {
      released = event.contact;
      sign = event.kind == EventFunction::Kind::breaks_up ? 1 : -1;
    }
    ContactStates expected = orbit.arcs[i + 1 < count ? i + 1 : 0].regime->states();
    if (i + 1 == count && orbit.antisymmetric) {
      for (int& state : expected) state = -state;
    }
    // Where sticking is marginal, a little more or less of it may be meant.
    const auto at_rest = contacts_at_rest(*model_, *arc.regime, arc.ended_by);
    const auto leads_on = [&](double favour) {
      ContactStates choice = states;
      return choose_regime(*orbit.excitation, t, eta, rate, at_rest, released, sign, choice, favour) &&
             choice == expected;
    };
    if (!leads_on(0.0) && !leads_on(marginal) && !leads_on(-marginal)) return false;
  }
  return true;
}

void PiecewiseOrbits::arrange(PiecewiseOrbit& orbit, std::vector<OrbitArc> arcs, std::vector<FlowState> ends,
                              bool halves) {
  const std::size_t count = arcs.size();
  orbit.antisymmetric = false;
  if (halves && load_.antisymmetric && count % 2 == 0 && arcs.front().ended_by >= 0) {
    const std::size_t half = count / 2;
    const double turn = std::numbers::pi * periods_;
    bool mirrored = true;
    for (std::size_t i = 0; i < half && mirrored; ++i) {
      const auto& a = arcs[i].regime->states();
      const auto& b = arcs[i + half].regime->states();
      for (std::size_t j = 0; j < a.size(); ++j) mirrored = mirrored && a[j] == -b[j];
      mirrored = mirrored && std::abs(arcs[i + half].theta - arcs[i].theta - turn) < 0.3 * turn;
    }
    for (std::size_t j = 0; j < arcs.front().regime->states().size() && mirrored; ++j) {
      const bool frozen =
          std::all_of(arcs.begin(), arcs.end(), [&](const OrbitArc& arc) { return arc.regime->states()[j] == 0; });
      mirrored = !frozen;
    }
    if (mirrored) {
      orbit.antisymmetric = true;
      arcs.resize(half);
      ends.resize(half);
    }
  }
  const std::size_t kept = arcs.size();
  const double span = orbit.span();
  // The arc with the least left at its end comes last.
  std::size_t best = kept - 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kept && arcs.front().ended_by >= 0; ++i) {
    const double end = i + 1 < kept ? arcs[i + 1].theta : arcs.front().theta + span;
    const double duration = (end - arcs[i].theta) / orbit.omega;
    const auto left = static_cast<double>(count_alive(arcs[i].regime->flow(), duration)) - 1e-3 * duration;
    if (left < least) {
      least = left;
      best = i;
    }
  }
  const std::size_t first = (best + 1) % kept;
  const double turns = two_pi * periods_ * std::floor(arcs[first].theta / (two_pi * periods_));
  // What wraps around comes one span later, mirrored where the halves are.
  const auto mirror = [&](OrbitArc& arc) {
    if (!orbit.antisymmetric) return;
    ContactStates states = arc.regime->states();
    for (int& state : states) state = -state;
    const Regime& other = book_[states];
    const EventFunction& event = arc.regime->events()[static_cast<std::size_t>(arc.ended_by)];
    EventFunction::Kind kind = event.kind;
    if (kind == EventFunction::Kind::breaks_up) {
      kind = EventFunction::Kind::breaks_down;
    } else if (kind == EventFunction::Kind::breaks_down) {
      kind = EventFunction::Kind::breaks_up;
    }
    arc.ended_by = other.event(event.contact, kind);
    arc.regime = &other;
  };
  orbit.arcs.clear();
  for (std::size_t i = 0; i < kept; ++i) {
    const std::size_t from = (first + i) % kept;
    OrbitArc arc = arcs[from];
    arc.theta -= turns;
    if (from < first && first != 0) {
      arc.theta += span;
      mirror(arc);
    }
    orbit.arcs.push_back(std::move(arc));
  }
  // Free motion at the end of the last arc.
  OrbitArc& last = orbit.arcs.back();
  orbit.end = ends[best];
  const bool turned = best < first && first != 0;
  if (turned && orbit.antisymmetric) {
    orbit.end.q *= -1.0;
    orbit.end.v *= -1.0;
    orbit.end.d *= -1.0;
  }
  double origin = 0.0;
  const auto drive = orbit.excitation->drive(*last.regime, 0.0, origin);
  add_reference(drive->motion, orbit.end_of(kept - 1) / orbit.omega, -1.0, orbit.end.q, orbit.end.v);
  if (last.ended_by < 0) {
    orbit.end.q.setZero();
    orbit.end.v.setZero();
  }
}

bool PiecewiseOrbits::simulate(double t, const Eigen::VectorXd& eta, const Eigen::VectorXd& rate, int count,
                               PiecewiseOrbit& orbit) {
  ContactMotion motion(book_, *orbit.excitation);
  if (!motion.start(t, eta, rate)) {
    message_ = motion.message();
    return false;
  }
  return simulate(motion, t, count, true, orbit);
}

bool PiecewiseOrbits::simulate(ContactMotion& motion, double t, int count, bool halves, PiecewiseOrbit& orbit) {
  const double period = orbit.period();
  const double window = t + (count - 1) * period;
  const double end = t + count * period;
  std::vector<OrbitArc> arcs;
  std::vector<FlowState> ends;           // ends[i]: of the arc before arc i
  const Regime* first_regime = nullptr;  // of the arc that the first event in the window ends
  int first_function = -1;
  double now = t;
  time_ = t;
  constexpr long most_events = 1000000;
  long events = 0;
  while (now < end) {
    if (!motion.find_end(end)) {
      message_ = motion.message();
      return false;
    }
    now = motion.until();
    const int function = motion.ends_with();
    if (now >= end) break;
    const bool counts = function >= 0 && now > window;
    if (counts) {
      ends.emplace_back();
      motion.segment().state(now - motion.segment().start(), ends.back());
      if (arcs.empty()) {
        first_regime = &motion.segment().regime();
        first_function = function;
      } else {
        arcs.back().ended_by = function;
      }
    }
    if (!motion.pass()) {
      message_ = motion.message();
      return false;
    }
    if (counts) arcs.push_back({&motion.segment().regime(), now * orbit.omega, -1, {}});
    if (++events > most_events) {
      message_ = fmt::format("more than {} events in {} periods", most_events, count);
      return false;
    }
  }
  // State at the end, for going on.
  FlowState last;
  motion.segment().state(end - motion.segment().start(), last);
  motion.segment().regime().flow().coordinates(last, eta_, rate_);
  time_ = end;
  if (arcs.empty()) {
    OrbitArc arc{&motion.segment().regime(), t * orbit.omega, -1, {}};
    arrange(orbit, {arc}, {last}, halves);
    return true;
  }
  if (arcs.back().regime != first_regime) {
    message_ = "the motion has not the period asked for";
    return false;
  }
  arcs.back().ended_by = first_function;
  std::rotate(ends.begin(), ends.begin() + 1, ends.end());  // now of arc i itself
  arrange(orbit, std::move(arcs), std::move(ends), halves);
  return true;
}

bool PiecewiseOrbits::settle(PiecewiseOrbit& orbit, double t, Eigen::VectorXd eta, Eigen::VectorXd rate,
                             int most_periods) {
  int done = 0;
  for (int count = 1; done < most_periods; count *= 2) {
    const bool simulated = simulate(t, eta, rate, count, orbit);
    done += count;
    if (simulated && newton(orbit) && holds(orbit)) return true;
    if (!simulated && time_ <= t) return false;
    t = time_;
    eta = eta_;
    rate = rate_;
  }
  const std::string reason = settled_period(orbit, t, eta, rate);
  message_ = fmt::format("no periodic motion found at omega = {:.9g} within {} periods from the start: {}", orbit.omega,
                         done, reason);
  return false;
}

std::string PiecewiseOrbits::settled_period(PiecewiseOrbit& orbit, double t, Eigen::VectorXd eta,
                                            Eigen::VectorXd rate) {
  constexpr int longest = 12;
  constexpr double close = 1e-5;  // of the motion, so slowly does it still change
  const Eigen::VectorXd first = eta;
  double size = first.norm();
  for (int n = 1; n <= longest; ++n) {
    time_ = t;
    static_cast<void>(simulate(t, eta, rate, 1, orbit));
    if (time_ <= t) return message_;
    t = time_;
    eta = eta_;
    rate = rate_;
    size = std::max(size, eta.norm());
    if ((eta - first).norm() > close * size) continue;
    if (n == 1) return "it settles too slowly";
    return fmt::format("the motion repeats after {} periods of the load, ask for period = {}", n * periods_,
                       n * periods_);
  }
  return fmt::format("the motion does not repeat within {} periods", longest * periods_);
}

void PiecewiseOrbits::middle(const PiecewiseOrbit& orbit, double& t, Eigen::VectorXd& eta,
                             Eigen::VectorXd& rate) const {
  const std::size_t arc = orbit.longest_arc();
  const double half = 0.5 * (orbit.end_of(arc) - orbit.arcs[arc].theta);
  FlowState state;
  orbit.segment(arc).state(half / orbit.omega, state);
  orbit.arcs[arc].regime->flow().coordinates(state, eta, rate);
  t = (orbit.arcs[arc].theta + half) / orbit.omega;
}

PiecewiseOrbit PiecewiseOrbits::blank(double omega, double level) const {
  PiecewiseOrbit orbit;
  orbit.omega = omega;
  orbit.level = level;
  orbit.periods = periods_;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  return orbit;
}

OrbitSeed PiecewiseOrbits::seed(const PiecewiseOrbit& orbit) const {
  double t = 0.0;
  Eigen::VectorXd eta, rate;
  middle(orbit, t, eta, rate);
  return {t * orbit.omega, model_->shapes() * eta, model_->shapes() * rate};
}

OrbitSeed PiecewiseOrbits::seed_at(const PiecewiseOrbit& orbit, double phase) const {
  const double turns = std::floor((phase - orbit.arcs.front().theta) / orbit.span());
  const double theta = phase - turns * orbit.span();
  std::size_t arc = 0;
  while (arc + 1 < orbit.arcs.size() && orbit.arcs[arc + 1].theta <= theta) ++arc;
  FlowState state;
  Eigen::VectorXd eta, rate;
  orbit.segment(arc).state((theta - orbit.arcs[arc].theta) / orbit.omega, state);
  orbit.arcs[arc].regime->flow().coordinates(state, eta, rate);
  const double sign = orbit.antisymmetric && std::fmod(turns, 2.0) != 0.0 ? -1.0 : 1.0;  // the other half
  return {phase, sign * (model_->shapes() * eta), sign * (model_->shapes() * rate)};
}

bool PiecewiseOrbits::find_near(const OrbitSeed& seed, double omega, double level, PiecewiseOrbit& orbit) {
  orbit = blank(omega, level);
  if (seed.q.size() != model_->projection().cols()) return false;
  constexpr int most_periods = 63;
  return settle(orbit, seed.phase / omega, model_->projection() * seed.q, model_->projection() * seed.v, most_periods);
}

bool PiecewiseOrbits::find(double omega, double level, PiecewiseOrbit& orbit) {
  orbit = blank(omega, level);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model_->size());
  if (!model_->has_springs()) {
    // Vibration without friction.
    Eigen::VectorXcd eta = Eigen::VectorXcd::Zero(model_->size());
    Eigen::VectorXcd rate = eta;
    for (std::size_t h = 1; h <= load_.force.size(); ++h) {
      const double s = static_cast<double>(h) * omega;
      const Eigen::VectorXcd force = level * (load_.force[h - 1] + load_.of_ground(s) * load_.ground[h - 1]);
      Eigen::VectorXcd x;
      if (model_->proportional()) {
        x = force.cwiseQuotient(
            (model_->omega_squared().array() - s * s + i_unit * s * model_->damping().diagonal().array()).matrix());
      } else {
        Eigen::MatrixXcd z = (i_unit * s * model_->damping()).eval();
        z.diagonal() += (model_->omega_squared().array() - s * s).matrix().cast<Complex>();
        x = LuFactors<Complex>(z).solve(force);
      }
      eta += x;
      rate += i_unit * s * x;
    }
    if (eta.allFinite() && settle(orbit, 0.0, eta.real(), rate.real(), 31)) return true;
  }
  return settle(orbit, 0.0, rest, rest, 4095);
}

bool PiecewiseOrbits::follow(double omega, double level, PiecewiseOrbit& orbit) {
  if (orbit.arcs.empty()) return find(omega, level, orbit);
  const PiecewiseOrbit old = orbit;
  orbit.omega = omega;
  orbit.level = level;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  if (level == old.level && orbit.slope.size() > 0) {
    const OrbitPassage passage(transitions_, load_, orbit);
    if (passage.events() > 0 && passage.unknowns() == orbit.slope.size()) {
      Eigen::VectorXd x;
      passage.read(orbit, x);
      // Not where arcs would turn over.
      const double turn = (omega - old.omega) * orbit.slope.tail(passage.events()).cwiseAbs().maxCoeff();
      if (std::abs(turn) < 0.2) {
        x += (omega - old.omega) * orbit.slope;
        passage.write(x, orbit);
      }
    }
  }
  if (newton(orbit) && holds(orbit)) return true;
  double t = 0.0;
  Eigen::VectorXd eta, rate;
  middle(old, t, eta, rate);
  orbit = old;
  orbit.omega = omega;
  orbit.level = level;
  orbit.excitation = std::make_shared<Excitation>(*model_, load_, omega, level);
  if (settle(orbit, t * old.omega / omega, eta, rate, 255)) return true;
  return find(omega, level, orbit);
}

bool PiecewiseOrbits::adopt(double omega, double level, const Regime& regime, double phase, const FlowState& state,
                            PiecewiseOrbit& orbit) {
  orbit = blank(omega, level);
  ContactMotion motion(book_, *orbit.excitation);
  Eigen::VectorXd eta, rate;
  regime.flow().coordinates(state, eta, rate);
  const double t = phase / omega;
  if (!motion.start_in(t, eta, rate, regime.states())) {
    message_ = motion.message();
    return false;
  }
  if (!simulate(motion, t, 1, false, orbit)) return false;
  OrbitPassage passage(transitions_, load_, orbit);
  Eigen::VectorXd residual;
  passage.evaluate(orbit, residual, true);
  passage.keep_states(orbit);
  orbit.error = 0.0;  // what does not close, relative
  for (Eigen::Index i = 0; i < passage.free(); ++i) {
    orbit.error = std::max(orbit.error, std::abs(residual(i)) / passage.scale(i));
  }
  return residual.allFinite();
}

Eigen::VectorXcd PiecewiseOrbits::multipliers(const PiecewiseOrbit& orbit) {
  OrbitPassage passage(transitions_, load_, orbit);
  Eigen::VectorXd residual;
  passage.evaluate(orbit, residual, true);
  if (passage.free() == 0) return Eigen::VectorXcd::Zero(1);
  Eigen::VectorXcd result = complex_eigenvalues(passage.monodromy(orbit));
  if (orbit.antisymmetric) result = result.cwiseProduct(result).eval();
  return result;
}

}  // namespace microslip
