// Does the sequence of regimes of an orbit hold? Every arc ends with the first event on it, and the complementarity
// problem there leads to the next regime.

#include <cmath>

#include "microslip/periodic/orbit_mirror.hpp"
#include "microslip/periodic/orbit_passage.hpp"
#include "microslip/periodic/piecewise_orbit.hpp"

namespace microslip {
namespace {

using orbit_passage::same_instant;

/// Forces this close to the static level, relative, may stick or slip: orbits are this exact.
constexpr double marginal = 1e-8;

}  // namespace

bool PiecewiseOrbits::holds(const PiecewiseOrbit& orbit) {
  if (orbit.arcs.front().ended_by < 0) {
    const Segment::Found found = orbit.segment(0).next_event(orbit.period(), {});
    return found.function < 0 && !found.lost;
  }
  for (std::size_t i = 0; i < orbit.arcs.size(); ++i) {
    const double span = orbit.end_of(i) - orbit.arcs[i].theta;
    if (span < -same_instant) return false;
    const Segment segment = orbit.segment(i);
    if (span > same_instant && !ends_first(orbit, i, segment)) return false;
    if (!leads_on(orbit, i, segment)) return false;
  }
  return true;
}

/// The event that ends the arc is the first on it.
bool PiecewiseOrbits::ends_first(const PiecewiseOrbit& orbit, std::size_t i, const Segment& segment) {
  const OrbitArc& arc = orbit.arcs[i];
  const OrbitArc& previous = orbit.arcs[orbit_passage::before(i, orbit.arcs.size())];
  const bool turned = i == 0 && orbit.antisymmetric;
  const ContactStates& states = previous.regime->states();
  const Regime& before_it = book_[turned ? mirror_image(states) : states];
  const int function = turned ? mirror_event(*previous.regime, previous.ended_by, before_it) : previous.ended_by;
  const auto zeros = functions_from_zero(*model_, before_it, function, *arc.regime);
  const double duration = (orbit.end_of(i) - arc.theta) / orbit.omega;
  const Segment::Found found = segment.next_event(duration + 1e-6 / orbit.omega, zeros);
  if (found.lost || found.function < 0) return false;
  if (std::abs(found.tau - duration) * orbit.omega > 1e-7) return false;
  if (found.function == arc.ended_by) return true;
  // Another event at the same instant may come first.
  return !(std::abs(segment.event_value(found.function, duration).first) >
           1e-6 * (1e-300 + std::abs(segment.event_value(found.function, 0.5 * duration).first)));
}

/// The regime after the arc is the next one.
bool PiecewiseOrbits::leads_on(const PiecewiseOrbit& orbit, std::size_t i, const Segment& segment) const {
  const OrbitArc& arc = orbit.arcs[i];
  const double t = orbit.end_of(i) / orbit.omega;
  FlowState end;
  segment.state((orbit.end_of(i) - arc.theta) / orbit.omega, end);
  Eigen::VectorXd eta, rate;
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
  const bool wraps = i + 1 == orbit.arcs.size();
  ContactStates expected = orbit.arcs[wraps ? 0 : i + 1].regime->states();
  if (wraps && orbit.antisymmetric) expected = mirror_image(expected);
  // Where sticking is marginal, a little more or less of it may be meant.
  const auto at_rest = contacts_at_rest(*model_, *arc.regime, arc.ended_by);
  const auto leads_there = [&](double favour) {
    ContactStates choice = states;
    return choose_regime(*orbit.excitation, t, eta, rate, at_rest, released, sign, choice, favour) &&
           choice == expected;
  };
  return leads_there(0.0) || leads_there(marginal) || leads_there(-marginal);
}

}  // namespace microslip
