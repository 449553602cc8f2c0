// Curves of piecewise-linear orbits through their states: continuation of the fixed points of the map over one period
// (event_map.hpp). No list of events is assumed, so that they come and go along the way, on unstable branches too; it
// costs a square matrix of the size of the state for every event.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

#include "microslip/numerics/continuation.hpp"
#include "microslip/periodic/event_map.hpp"
#include "microslip/periodic/piecewise_response.hpp"

namespace microslip {
namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;

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
    if (const auto point = point_of(located, its)) result.special.push_back({kind, *point});
    return true;
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
      result.special.push_back({SpecialKind::stability, *point});
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

}  // namespace microslip
