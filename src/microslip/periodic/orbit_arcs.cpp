// An orbit out of a motion from event to event: the arcs of its last period, halved where one half mirrors the other,
// in such an order that most of the free motion has died out at the end of the last.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/orbit_mirror.hpp"
#include "microslip/periodic/orbit_passage.hpp"
#include "microslip/periodic/piecewise_orbit.hpp"

namespace microslip {
namespace {

/// The second half of the arcs, `turn` later, looks like the mirror image of the first.
bool halves_mirror(const std::vector<OrbitArc>& arcs, double turn) {
  const std::size_t half = arcs.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    if (arcs[i].regime->states() != mirror_image(arcs[i + half].regime->states())) return false;
    if (!(std::abs(arcs[i + half].theta - arcs[i].theta - turn) < 0.3 * turn)) return false;
  }
  for (std::size_t j = 0; j < arcs.front().regime->states().size(); ++j) {
    const bool frozen =
        std::all_of(arcs.begin(), arcs.end(), [&](const OrbitArc& arc) { return arc.regime->states()[j] == 0; });
    if (frozen) return false;
  }
  return true;
}

/// The arc with the least left at its end.
std::size_t most_decayed(const std::vector<OrbitArc>& arcs, double span, double omega) {
  std::size_t best = arcs.size() - 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < arcs.size() && arcs.front().ended_by >= 0; ++i) {
    const double end = i + 1 < arcs.size() ? arcs[i + 1].theta : arcs.front().theta + span;
    const double duration = (end - arcs[i].theta) / omega;
    const Eigen::Index alive = (arcs[i].regime->flow().decay() * duration > orbit_passage::died_out).count();
    const auto left = static_cast<double>(alive) - 1e-3 * duration;
    if (left < least) {
      least = left;
      best = i;
    }
  }
  return best;
}

}  // namespace

void PiecewiseOrbits::arrange(PiecewiseOrbit& orbit, std::vector<OrbitArc> arcs, std::vector<FlowState> ends,
                              bool halves) {
  const bool may_mirror = halves && load_.antisymmetric && arcs.size() % 2 == 0 && arcs.front().ended_by >= 0;
  orbit.antisymmetric = may_mirror && halves_mirror(arcs, std::numbers::pi * periods_);
  if (orbit.antisymmetric) {
    arcs.resize(arcs.size() / 2);
    ends.resize(arcs.size());
  }
  const std::size_t kept = arcs.size();
  const double span = orbit.span();
  const std::size_t best = most_decayed(arcs, span, orbit.omega), first = (best + 1) % kept;
  const double turns = two_pi * periods_ * std::floor(arcs[first].theta / (two_pi * periods_));
  orbit.arcs.clear();
  for (std::size_t i = 0; i < kept; ++i) {
    const std::size_t from = (first + i) % kept;
    OrbitArc arc = arcs[from];
    arc.theta -= turns;
    if (from < first && first != 0) {  // what wraps around comes one span later, mirrored where the halves are
      arc.theta += span;
      if (orbit.antisymmetric) {
        const Regime& other = book_[mirror_image(arc.regime->states())];
        arc.ended_by = mirror_event(*arc.regime, arc.ended_by, other);
        arc.regime = &other;
      }
    }
    orbit.arcs.push_back(std::move(arc));
  }
  set_end(orbit, ends[best], orbit.antisymmetric && best < first && first != 0);
}

/// Free motion at the end of the last arc; `mirrored`: of its mirror image.
void PiecewiseOrbits::set_end(PiecewiseOrbit& orbit, const FlowState& end, bool mirrored) const {
  const OrbitArc& last = orbit.arcs.back();
  orbit.end = end;
  if (mirrored) {
    orbit.end.q *= -1.0;
    orbit.end.v *= -1.0;
    orbit.end.d *= -1.0;
  }
  double origin = 0.0;
  const auto drive = orbit.excitation->drive(*last.regime, 0.0, origin);
  orbit_passage::add_reference(drive->motion, orbit.end_of(orbit.arcs.size() - 1) / orbit.omega, -1.0, orbit.end.q,
                               orbit.end.v);
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

}  // namespace microslip
