// Curves of exact orbits through their states: see piecewise_curve.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/event_map.hpp"
#include "microslip/periodic/piecewise_curve.hpp"

namespace microslip {
namespace {

/// Fixed points of the map over a period, in the coordinates of one regime at one phase.
class FixedPoints {
 public:
  FixedPoints(PiecewiseOrbits& orbits, const Sweep& sweep, double rate_scale)
      : orbits_(&orbits),
        sweep_(sweep),
        period_(two_pi * orbits.periods()),
        map_(orbits.book(), orbits.load(), sweep, rate_scale) {}

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
    return [this](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                  Eigen::VectorXd* by_lambda) {
      if (!(sweep_.omega(lambda) > 0.0)) return false;
      if (!map_.run(place_, y, lambda, place_.phase + period_, jacobian != nullptr, arrival_)) return false;
      if (arrival_.place.regime != place_.regime) return false;
      r = arrival_.x - y;
      if (jacobian != nullptr) {
        *jacobian = arrival_.derivative.leftCols(y.size());
        jacobian->diagonal().array() -= 1.0;
      }
      if (by_lambda != nullptr) *by_lambda = arrival_.derivative.rightCols(1);
      return true;
    };
  }

  [[nodiscard]] bool orbit(const Eigen::VectorXd& y, double lambda, PiecewiseOrbit& out) {
    return orbits_->adopt(sweep_.omega(lambda), sweep_.level(lambda), *place_.regime, place_.phase,
                          map_.unpack(y, *place_.regime), out);
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
  Sweep sweep_;
  double period_;
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

class StateSteps final : public OrbitSteps {
 public:
  StateSteps(PiecewiseResponses& of, CurveFront& at)
      : OrbitSteps(of, at),
        equations_(of.orbits(), at.path.sweep,
                   0.5 * (at.path.sweep.omega(at.path.from) + at.path.sweep.omega(at.path.to))) {}

  bool start() override {
    ContinuationOptions options = continuation_options();
    options.tolerance = 1e-10;  // where events come and go, Newton may be slow
    curve_.emplace(equations_.residual(), relative_size, options);
    return curve_->start(equations_.take_place(at_->orbit), at_->path.sweep.lambda(at_->orbit), at_->direction);
  }

  bool next(OrbitStep& step) override {
    const CurvePath& path = at_->path;
    const auto stop = [&](const std::string& message) {
      at_->stop(Ending::step_too_small, message);
      return false;
    };
    const std::string here = path.text(path.sweep.lambda(at_->orbit));
    for (int moves = 0;;) {
      constexpr double least_room = 0.3;
      if (moves == 0 && equations_.room(at_->orbit) < least_room && !move(moves)) {
        return stop("the curve is lost at " + here);
      }
      if (!curve_->advance()) {
        // From another place other events are in the way.
        constexpr int most_moves = 4;
        if (moves < most_moves && move(moves)) continue;
        return stop(fmt::format("the curve cannot be followed beyond {}: {}", here, curve_->message()));
      }
      CurvePoint last = curve_->point();
      const double done = path.done(last.lambda);
      step.last = done >= 1.0 || done < 0.0;
      const bool lands = !step.last || curve_->land(done < 0.0 ? path.from : path.to, last);
      if (!lands || !orbit(last, step.orbit)) {
        if (curve_->step() <= 2.0 * continuation_options().min_step) {
          return stop(fmt::format("the curve is lost at {}: {}", here, of_->orbits().message()));
        }
        curve_->take_back();
        continue;
      }
      if (turns_round(curve_->previous(), last, path.range())) return stop("the branch ends at " + here);
      at_->direction = last.lambda_tangent >= 0.0 ? 1.0 : -1.0;
      step.fold = curve_->previous().lambda_tangent * last.lambda_tangent < 0.0;
      step.branch = curve_->passed_branch_point();
      step.point = of_->measure(step.orbit);
      constexpr double rounding_grows = 1e5;  // in a period, and hides the motion then
      if (step.point.multiplier.value_or(0.0) < rounding_grows) return true;
      return stop(fmt::format("the branch cannot be followed beyond {}: a disturbance grows by {:.1g} in a period",
                              here, *step.point.multiplier));
    }
  }

 protected:
  bool orbit(const CurvePoint& point, PiecewiseOrbit& orbit) override {
    if (!equations_.orbit(point.y, point.lambda, orbit)) return false;
    orbit.iterations = point.iterations;
    return true;
  }

 private:
  /// Away from events: they must not pass the place where states are taken.
  bool move(int& moves) {
    CurvePoint here = curve_->point();
    const double step = curve_->step();
    if (!equations_.move_place(at_->orbit, here, moves++) || !curve_->start_along(here)) return false;
    curve_->set_step(std::max(1e-6, step));
    return true;
  }

  FixedPoints equations_;
};

}  // namespace

std::unique_ptr<OrbitSteps> steps_by_states(PiecewiseResponses& of, CurveFront& at) {
  return std::make_unique<StateSteps>(of, at);
}

}  // namespace microslip
