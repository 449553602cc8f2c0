// Curves of piecewise-linear orbits, in two ways. By the phases of their events: fast for any number of degrees of
// freedom. Through their states: continuation of the fixed points of the map over one period (event_map.hpp). There no
// list of events is assumed, so that they come and go along the way, on unstable branches too; it costs a square matrix
// of the size of the state for every event.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/continuation.hpp"
#include "microslip/periodic/event_map.hpp"
#include "microslip/periodic/piecewise_response.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// Fixed points of the map over a period, in the coordinates of one regime at one phase.
class FixedPoints {
 public:
  FixedPoints(PiecewiseOrbits& orbits, double level, double rate_scale)
      : orbits_(&orbits),
        level_(level),
        period_(two_pi * orbits.periods()),
        map_(orbits.book(), orbits.load(), level, rate_scale) {}

  /// States are taken in the middle of the longest arc of an orbit from now on; the state there.
  Eigen::VectorXd take_place(const PiecewiseOrbit& orbit) {
    const std::size_t arc = orbit.longest_arc();
    const double half = 0.5 * (orbit.end_of(arc) - orbit.arcs[arc].theta);
    place_ = {orbit.arcs[arc].regime, orbit.arcs[arc].theta + half};
    FlowState state;
    orbit.segment(arc).state(half / orbit.omega, state);
    return map_.pack(state);
  }

  /// Carries a point of a curve to the middle of another arc of its orbit, the longest or, with `skip`, the next ones.
  /// False when it cannot be.
  bool move_place(const PiecewiseOrbit& orbit, CurvePoint& point, int skip) {
    std::vector<std::size_t> arcs(orbit.arcs.size());
    std::iota(arcs.begin(), arcs.end(), std::size_t{0});
    const auto length = [&](std::size_t arc) { return orbit.end_of(arc) - orbit.arcs[arc].theta; };
    std::stable_sort(arcs.begin(), arcs.end(), [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
    if (static_cast<std::size_t>(skip) >= arcs.size()) return false;
    const std::size_t arc = arcs[static_cast<std::size_t>(skip)];
    double phase = orbit.arcs[arc].theta + 0.5 * length(arc);
    phase += period_ * std::ceil((place_.phase - phase) / period_);
    EventMap::Arrival arrival;
    if (!map_.run(place_, point.y, point.lambda, phase, true, arrival)) return false;
    Eigen::VectorXd tangent(point.y.size() + 1);
    tangent << point.y_tangent, point.lambda_tangent;
    point.y = arrival.x;
    point.y_tangent = arrival.derivative * tangent;
    place_ = {arrival.place.regime, phase - period_ * std::floor(phase / period_)};
    return true;
  }

  [[nodiscard]] Residual residual() {
    return [this](const Eigen::VectorXd& y, double omega, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                  Eigen::VectorXd* by_omega) {
      if (!(omega > 0.0)) return false;
      if (!map_.run(place_, y, omega, place_.phase + period_, jacobian != nullptr, arrival_)) return false;
      if (arrival_.place.regime != place_.regime) return false;
      r = arrival_.x - y;
      if (jacobian != nullptr) {
        *jacobian = arrival_.derivative.leftCols(y.size());
        jacobian->diagonal().array() -= 1.0;
      }
      if (by_omega != nullptr) *by_omega = arrival_.derivative.rightCols(1);
      return true;
    };
  }

  [[nodiscard]] bool orbit(const Eigen::VectorXd& y, double omega, PiecewiseOrbit& out) {
    return orbits_->adopt(omega, level_, *place_.regime, place_.phase, map_.unpack(y, *place_.regime), out);
  }
  /// The nearest event to the place, as part of half the longest arc.
  [[nodiscard]] double room(const PiecewiseOrbit& orbit) const {
    if (orbit.events() == 0) return 1.0;
    double nearest = period_;
    for (const OrbitArc& arc : orbit.arcs) {
      const double turns = std::round((arc.theta - place_.phase) / period_);
      nearest = std::min(nearest, std::abs(arc.theta - place_.phase - period_ * turns));
    }
    const std::size_t arc = orbit.longest_arc();
    return nearest / (0.5 * (orbit.end_of(arc) - orbit.arcs[arc].theta));
  }

 private:
  PiecewiseOrbits* orbits_;
  double level_, period_;
  EventMap map_;
  MapPlace place_;
  EventMap::Arrival arrival_;
};

/// The curve comes back on itself, as it does where a branch just ends; beyond a true corner it has another slope.
bool turns_round(const CurvePoint& before, const CurvePoint& after, double lambda_scale) {
  const double y_scale = std::max(after.y.norm(), 1e-300);
  const auto dot = [&](const CurvePoint& a, const CurvePoint& b) {
    return a.y_tangent.dot(b.y_tangent) / (y_scale * y_scale) +
           a.lambda_tangent * b.lambda_tangent / (lambda_scale * lambda_scale);
  };
  return dot(before, after) < -0.999 * std::sqrt(dot(before, before) * dot(after, after));
}

double relative_size(const Eigen::VectorXd& residual, const Eigen::VectorXd& y) {
  const double size = y.norm();
  return size > 0.0 ? residual.norm() / size : residual.norm();
}

bool same_sequence(const PiecewiseOrbit& a, const PiecewiseOrbit& b) {
  if (a.arcs.size() != b.arcs.size() || a.antisymmetric != b.antisymmetric) return false;
  for (std::size_t i = 0; i < a.arcs.size(); ++i) {
    if (a.arcs[i].regime != b.arcs[i].regime || a.arcs[i].ended_by != b.arcs[i].ended_by) return false;
  }
  return true;
}

}  // namespace

void PiecewiseResponses::trace_states(double from, double to, PiecewiseOrbit& orbit, double& direction,
                                      PiecewiseOrbit& front, PiecewiseResponse& result, const Observer& observer) {
  const auto stop = [&](Ending ending, std::string message) {
    result.ending = ending;
    result.message = std::move(message);
  };
  const double level = orbit.level;
  FixedPoints equations(orbits_, level, 0.5 * (from + to));
  ContinuationOptions options;
  options.lambda_scale = std::abs(to - from);
  options.first_step = 0.01;
  options.max_step = options_.max_step;
  options.min_step = 1e-9;
  options.tolerance = 1e-10;  // where events come and go, Newton may be slow
  Continuation curve(equations.residual(), relative_size, options);
  if (!curve.start(equations.take_place(orbit), orbit.omega, direction)) {
    return stop(Ending::no_convergence, fmt::format("no tangent at omega = {:.9g}", orbit.omega));
  }
  const auto point_of = [&](const CurvePoint& at, PiecewiseOrbit& its) -> std::optional<PiecewisePoint> {
    if (!equations.orbit(at.y, at.lambda, its)) return std::nullopt;
    its.iterations = at.iterations;
    return measure(its);
  };
  const auto locate = [&](SpecialKind kind, const std::function<double(const CurvePoint&)>& test) {
    CurvePoint located;
    PiecewiseOrbit its;
    if (!curve.locate(test, located)) return false;
    const auto point = point_of(located, its);
    if (point) result.special.push_back({kind, *point});
    return point.has_value();
  };
  const auto beyond_circle = [&](const CurvePoint& at) {
    PiecewiseOrbit its;
    return equations.orbit(at.y, at.lambda, its) ? orbits_.multipliers(its).cwiseAbs().maxCoeff() - 1.0 : std::nan("");
  };
  PiecewiseOrbit before;  // of the point before the last
  int moves = 0;          // of the place since the last step
  std::vector<PiecewisePoint> turns;
  while (static_cast<int>(result.points.size()) < options_.max_points) {
    if (observer && !observer(std::clamp((orbit.omega - from) / (to - from), 0.0, 1.0))) {
      return stop(Ending::interrupted, "interrupted");
    }
    // Away from events: they must not pass the place where states are taken.
    const auto move = [&] {
      CurvePoint here = curve.point();
      const double step = curve.step();
      if (!equations.move_place(orbit, here, moves++) || !curve.start_along(here)) return false;
      curve.set_step(std::max(1e-6, step));
      return true;
    };
    constexpr double least_room = 0.3;
    if (moves == 0 && equations.room(orbit) < least_room && !move()) {
      return stop(Ending::step_too_small, fmt::format("the curve is lost at omega = {:.9g}", orbit.omega));
    }
    if (!curve.advance()) {
      // From another place other events are in the way.
      constexpr int most_moves = 4;
      if (moves < most_moves && move()) continue;
      return stop(Ending::step_too_small,
                  fmt::format("the curve cannot be followed beyond omega = {:.9g}: {}", orbit.omega, curve.message()));
    }
    CurvePoint last = curve.point();
    const double done = (last.lambda - from) / (to - from);
    const bool lands = done >= 1.0 || done < 0.0;
    PiecewiseOrbit next;
    std::optional<PiecewisePoint> point;
    if (!lands || curve.land(done < 0.0 ? from : to, last)) point = point_of(last, next);
    if (!point) {
      if (curve.step() <= 2.0 * options.min_step) {
        return stop(Ending::step_too_small,
                    fmt::format("the curve is lost at omega = {:.9g}: {}", orbit.omega, orbits_.message()));
      }
      curve.take_back();
      continue;
    }
    if (turns_round(curve.previous(), last, options.lambda_scale)) {
      return stop(Ending::step_too_small, fmt::format("the branch ends at omega = {:.9g}", orbit.omega));
    }
    moves = 0;
    direction = last.lambda_tangent >= 0.0 ? 1.0 : -1.0;
    if (curve.previous().lambda_tangent * last.lambda_tangent < 0.0) {
      // Where it turned before, the same way: a closed curve. A sweep leaves it at its end.
      const auto same = [&](const PiecewisePoint& turn) {
        const double size = std::max(std::abs(turn.peak_motion), std::abs(point->peak_motion));
        return std::abs(turn.omega - point->omega) < 1e-5 * std::abs(to - from) &&
               std::abs(turn.peak_motion - point->peak_motion) <= 1e-4 * size;
      };
      if (std::count_if(turns.begin(), turns.end(), same) > 1) {
        orbit = front;
        direction = to > from ? 1.0 : -1.0;
        return stop(Ending::step_too_small, fmt::format("the curve is closed, its end is omega = {:.9g}", front.omega));
      }
      turns.push_back(*point);
      locate(SpecialKind::fold, [](const CurvePoint& p) { return p.lambda_tangent; });
    } else if (curve.passed_branch_point()) {
      result.special.push_back({SpecialKind::branch, *point});
    } else if (point->multiplier && result.points.back().multiplier &&
               point->stable() != result.points.back().stable()) {
      if (!locate(SpecialKind::stability, beyond_circle)) result.special.push_back({SpecialKind::stability, *point});
    }
    result.points.push_back(*point);
    if (!before.arcs.empty()) find_peak(before, orbit, next, result);
    before = std::move(orbit);
    orbit = std::move(next);
    if ((orbit.omega - front.omega) * (to - from) > 0.0) front = orbit;
    if (!lands) continue;
    if (done >= 1.0) return;
    return stop(Ending::no_convergence,
                fmt::format("the curve turned back at a fold and left the range at its start, omega = {:.6g}; other "
                            "motions may be found from the other end",
                            from));
  }
  stop(Ending::no_convergence,
       fmt::format("omega = {:.6g} reached after {} points, the limit", orbit.omega, result.points.size()));
}

PiecewiseResponse PiecewiseResponses::curve(double level, double from, double to, const Observer& observer) {
  const bool springs = model_.has_springs();
  PiecewiseResponse result;
  PiecewiseOrbit orbit;
  if (!begin(from, level, orbit)) {
    result.ending = Ending::no_convergence;
    result.message = orbits_.message();
    return result;
  }
  result.points.push_back(measure(orbit));
  double direction = to > from ? 1.0 : -1.0;
  // Where there is one motion at each frequency, where it settles is the right one.
  constexpr int most_coordinates = 100;  // for states without need
  const bool one_motion = model_.settles_to_one_motion();
  const bool small = model_.size() <= most_coordinates;
  bool by_states = springs || (small && !one_motion);
  constexpr int most_changes = 40;
  for (int changes = 0; changes <= most_changes; ++changes) {
    const std::size_t before = result.points.size();
    result.ending = Ending::completed;
    result.message.clear();
    PiecewiseOrbit front = orbit;  // of the points up to here the farthest on the way
    if (by_states) {
      trace_states(from, to, orbit, direction, front, result, observer);
    } else {
      trace(from, to, orbit, direction, result, observer);
    }
    const bool back = result.ending == Ending::no_convergence && orbit.omega == from && front.omega != from;
    if (result.ending != Ending::step_too_small && !back) break;
    if (one_motion) {  // where one way is lost the other may lead on
      if (back || !small || result.points.size() == before) break;
      by_states = !by_states;
    } else if (!jump(from, to, back, front, orbit, direction, result)) {
      break;
    }
  }
  return result;
}

/// A branch that ends: a slow sweep goes over to where the motion settles. From a stable motion just beyond it; an
/// unstable one is never met by a sweep, which leaves the branch where it turned back, and so it is when the branch is
/// `back` where the curve began.
bool PiecewiseResponses::jump(double from, double to, bool back, const PiecewiseOrbit& front, PiecewiseOrbit& orbit,
                              double& direction, PiecewiseResponse& result) {
  const PiecewisePoint last = result.points.back();
  const bool met = !back && (last.stable() || !last.multiplier);
  if (!met) direction = to > from ? 1.0 : -1.0;
  const PiecewiseOrbit& here = met ? orbit : front;
  for (const double part : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const double omega = here.omega + direction * part * std::abs(to - from);
    if (omega < std::min(from, to) || omega > std::max(from, to)) return false;
    PiecewiseOrbit next = here;
    if (!orbits_.follow(omega, orbit.level, next)) continue;
    const PiecewisePoint point = measure(next);
    const double size = std::max(std::abs(point.peak_motion), std::abs(last.peak_motion));
    constexpr double as_before = 1e-4;
    if (std::abs(point.peak_motion - last.peak_motion) > as_before * size) {
      result.special.push_back({SpecialKind::jump, point});
    }
    result.points.push_back(point);
    orbit = std::move(next);
    return true;
  }
  if (!back) add_note(fmt::format("beyond it: {}", orbits_.message()), result.message);
  return false;
}

void PiecewiseResponses::find_peak(const PiecewiseOrbit& first, const PiecewiseOrbit& middle,
                                   const PiecewiseOrbit& last, PiecewiseResponse& result) {
  if (record_.peak_dof < 0 || result.points.size() < 3) return;
  const PiecewisePoint* points = result.points.data() + result.points.size() - 3;
  const bool monotonic = (middle.omega - first.omega) * (last.omega - middle.omega) > 0.0;
  if (!monotonic || !(points[1].peak_amplitude > points[0].peak_amplitude) ||
      !(points[1].peak_amplitude >= points[2].peak_amplitude)) {
    return;
  }
  PiecewisePoint peak;
  const auto [low, high] = std::minmax(first.omega, last.omega);
  if (!maximise(middle, low, high, peak)) return;
  // On this branch, not on another one.
  const double apart = std::max(std::abs(points[0].peak_motion - points[1].peak_motion),
                                std::abs(points[2].peak_motion - points[1].peak_motion));
  if (std::abs(peak.peak_motion - points[1].peak_motion) <= 2.0 * apart) {
    result.special.push_back({SpecialKind::peak, peak});
  }
}

PiecewisePoint PiecewiseResponses::stability_change(const PiecewiseOrbit& first, const PiecewiseOrbit& last,
                                                    double range) {
  PiecewiseOrbit low = first;
  PiecewisePoint change = measure(last);
  const bool stable = measure(first).stable();
  while (std::abs(change.omega - low.omega) > 1e-9 * range) {
    PiecewiseOrbit middle = low;
    const double half = 0.5 * (low.omega + change.omega);
    if (half == low.omega || half == change.omega || !orbits_.follow(half, low.level, middle)) break;
    const PiecewisePoint point = measure(middle);
    if (point.stable() == stable) {
      low = std::move(middle);
    } else {
      change = point;
    }
  }
  return change;
}

void PiecewiseResponses::trace(double from, double to, PiecewiseOrbit& orbit, double& direction,
                               PiecewiseResponse& result, const Observer& observer) {
  const double level = orbit.level;
  const auto stop = [&](Ending ending, std::string message) {
    result.ending = ending;
    result.message = std::move(message);
  };
  const double range = std::abs(to - from);
  constexpr double least_step = 1e-9;
  constexpr double turn = 0.3;  ///< largest change of the motion from point to point, relative

  OrbitTangent tangent;
  const auto normalised = [&](const PiecewiseOrbit& of, double way, OrbitTangent& out) {
    if (!orbits_.tangent(of, out)) return false;
    const double length =
        std::sqrt(1.0 / (range * range) + (out.theta.size() > 0 ? out.theta.squaredNorm() / (pi * pi) : 0.0));
    out.theta *= way / length;
    out.omega = way / length;
    return true;
  };
  if (!normalised(orbit, direction, tangent)) return stop(Ending::no_convergence, "no tangent at the first frequency");
  std::vector<PiecewiseOrbit> trail = {orbit};  // the last three
  double largest = result.points.back().peak_amplitude;
  double step = 0.01;
  while (static_cast<int>(result.points.size()) < options_.max_points) {
    if (observer && !observer(std::clamp((orbit.omega - from) / (to - from), 0.0, 1.0))) {
      return stop(Ending::interrupted, "interrupted");
    }
    if (step < least_step) {
      return stop(Ending::step_too_small, fmt::format("the curve cannot be followed beyond omega = {:.9g}: {}",
                                                      orbit.omega, orbits_.message()));
    }
    // Predict.
    PiecewiseOrbit next = orbit;
    next.omega = orbit.omega + step * tangent.omega;
    bool lands = false;
    if ((next.omega - to) * (to - from) >= 0.0) {
      step *= (to - orbit.omega) / (next.omega - orbit.omega);
      next.omega = to;
      lands = true;
    }
    if ((next.omega - from) * (to - from) < 0.0) {
      return stop(Ending::no_convergence,
                  fmt::format("the curve turned back at a fold and left the range at its start, omega = {:.6g}; other "
                              "motions may be found from the other end",
                              from));
    }
    for (Eigen::Index i = 0; i < tangent.theta.size(); ++i) {
      next.arcs[static_cast<std::size_t>(i)].theta += step * tangent.theta(i);
    }
    const double predicted = next.omega;
    bool good = false;
    bool switched = false;
    if (lands || tangent.theta.size() == 0) {
      good = orbits_.follow(next.omega, level, next);
      switched = good && !same_sequence(next, orbit);
    } else {
      next.excitation = std::make_shared<Excitation>(model_, orbits_.load(), next.omega, level);
      OrbitTangent normal = tangent;
      normal.theta /= pi * pi;
      normal.omega /= range * range;
      good = orbits_.correct(normal, next);
      if (!good) {  // other events
        next = orbit;
        good = switched = orbits_.follow(predicted, level, next);
      }
    }
    PiecewisePoint point;
    if (good) {
      point = measure(next);
      const Complex old = result.points.back().peak_motion;
      const double size = std::max({std::abs(point.peak_motion), std::abs(old), 0.05 * largest});
      good = size == 0.0 || std::abs(point.peak_motion - old) <= turn * size;
    }
    if (!good) {
      step *= 0.5;
      continue;
    }
    OrbitTangent after;
    const double travelled = next.omega - orbit.omega;
    if (!normalised(next, 1.0, after)) {
      step *= 0.5;
      continue;
    }
    if (switched || after.theta.size() != tangent.theta.size()) {
      direction = travelled >= 0.0 ? 1.0 : -1.0;
    } else {
      const double along = after.theta.dot(tangent.theta) / (pi * pi) + after.omega * tangent.omega / (range * range);
      direction = along >= 0.0 ? 1.0 : -1.0;
    }
    after.theta *= direction;
    after.omega *= direction;
    if (!switched && after.omega * tangent.omega < 0.0) {
      // A fold: where the frequency does not change along the curve.
      PiecewiseOrbit low = orbit;
      OrbitTangent at_low = tangent;
      double part = step;
      PiecewisePoint fold = std::abs(after.omega) < std::abs(tangent.omega) ? point : result.points.back();
      for (int i = 0; i < 40 && part > 1e-12; ++i) {
        part *= 0.5;
        PiecewiseOrbit middle = low;
        middle.omega += part * at_low.omega;
        for (Eigen::Index k = 0; k < at_low.theta.size(); ++k) {
          middle.arcs[static_cast<std::size_t>(k)].theta += part * at_low.theta(k);
        }
        middle.excitation = std::make_shared<Excitation>(model_, orbits_.load(), middle.omega, level);
        OrbitTangent normal = at_low;
        normal.theta /= pi * pi;
        normal.omega /= range * range;
        OrbitTangent there;
        if (!orbits_.correct(normal, middle) || !normalised(middle, 1.0, there)) continue;
        const double along = there.theta.dot(at_low.theta) / (pi * pi) + there.omega * at_low.omega / (range * range);
        if (along < 0.0) {
          there.theta *= -1.0;
          there.omega *= -1.0;
        }
        if (there.omega * tangent.omega > 0.0) {
          low = middle;
          at_low = there;
        }
      }
      fold = measure(low);
      result.special.push_back({SpecialKind::fold, fold});
    } else if (point.multiplier && result.points.back().multiplier && point.stable() != result.points.back().stable()) {
      result.special.push_back({SpecialKind::stability, stability_change(orbit, next, range)});
    }
    result.points.push_back(point);
    largest = std::max(largest, point.peak_amplitude);
    trail.push_back(next);
    if (trail.size() > 3) trail.erase(trail.begin());
    if (trail.size() == 3) find_peak(trail[0], trail[1], trail[2], result);
    orbit = std::move(next);
    tangent = std::move(after);
    if (lands) break;
    const double most = options_.max_step;
    if (orbit.iterations <= 4) step = std::min(most, 1.6 * step);
    if (orbit.iterations > 7) step *= 0.6;
    if (switched) step = std::min(step, 0.02);
  }
  if (orbit.omega != to) {
    stop(Ending::no_convergence,
         fmt::format("omega = {:.6g} reached after {} points, the limit", orbit.omega, result.points.size()));
  }
}

}  // namespace microslip
