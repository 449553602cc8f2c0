#include "microslip/periodic/piecewise_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

/// How far two motions are apart, as part of the larger one.
bool nearly_same(const ResponsePoint& a, const ResponsePoint& b) {
  const std::complex<double> one = a.exact->peak_motion, other = b.exact->peak_motion;
  return std::abs(one - other) <= 1e-4 * std::max(std::abs(one), std::abs(other));
}

}  // namespace

std::string CurvePath::text(double lambda) const {
  return fmt::format("{} = {:.9g}", sweep.name(), lambda);
}

void CurveFront::stop_at_start() {
  stop(Ending::no_convergence, fmt::format("the curve turned back at a fold and left the range at its start, {} = "
                                           "{:.6g}; other motions may be found from the other end",
                                           path.sweep.name(), path.from));
}

ContinuationOptions OrbitSteps::continuation_options() const {
  ContinuationOptions options;
  options.lambda_scale = at_->path.range();
  options.first_step = 0.01;
  options.max_step = of_->options().max_step;
  options.min_step = 1e-9;
  return options;
}

std::optional<ResponsePoint> OrbitSteps::locate(const std::function<double(const CurvePoint&)>& test) {
  CurvePoint located;
  PiecewiseOrbit its;
  if (!curve_ || !curve_->locate(test, located) || !orbit(located, its)) return std::nullopt;
  return of_->measure(its);
}

std::optional<ResponsePoint> OrbitSteps::locate_stability() {
  return locate([this](const CurvePoint& at) {
    PiecewiseOrbit its;
    return orbit(at, its) ? of_->orbits().multipliers(its).cwiseAbs().maxCoeff() - 1.0 : std::nan("");
  });
}

PiecewiseCurve::PiecewiseCurve(PiecewiseResponses& of, const CurvePath& path, PiecewiseOrbit first)
    : of_(&of), at_{path, std::move(first), path.way(), {}}, farthest_(at_.orbit) {
  at_.result.points.push_back(of.measure(at_.orbit));
}

FrequencyResponse PiecewiseCurve::run(const Observer& observer) {
  constexpr int most_coordinates = 100;  // for states without need
  constexpr int most_changes = 40;
  const CurvePath& path = at_.path;
  const bool springs = of_->model().has_springs();
  // Where there is one motion at each parameter, where it settles is the right one.
  const bool one_motion = of_->model().settles_to_one_motion();
  const bool small = of_->model().size() <= most_coordinates;
  const bool friction = std::any_of(of_->model().contacts().begin(), of_->model().contacts().end(),
                                    [](const Contact& contact) { return contact.kind == Contact::Kind::friction; });
  bool by_states = springs || (small && !one_motion);
  for (int changes = 0; changes <= most_changes; ++changes) {
    const std::size_t points = at_.result.points.size();
    at_.stop(Ending::completed, "");
    farthest_ = at_.orbit;
    edge_ = path.sweep.lambda(at_.orbit);
    // Dampers that are held may be so at any place: no state is a fixed point by itself.
    const bool held = by_states && friction && at_.orbit.events() == 0;
    const auto steps = by_states && !held ? steps_by_states(*of_, at_) : steps_by_phases(*of_, at_, held);
    trace(*steps, observer);
    if (held && at_.result.ending == Ending::step_too_small && at_.orbit.events() > 0) continue;
    const double here = path.sweep.lambda(at_.orbit);
    const bool back =
        at_.result.ending == Ending::no_convergence && here == path.from && path.sweep.lambda(farthest_) != path.from;
    if (at_.result.ending != Ending::step_too_small && !back) break;
    if (one_motion) {  // where one way is lost the other may lead on
      if (back || !small || at_.result.points.size() == points) break;
      by_states = !by_states;
    } else if (!jump(back)) {
      break;
    }
  }
  return std::move(at_.result);
}

void PiecewiseCurve::trace(OrbitSteps& steps, const Observer& observer) {
  const CurvePath& path = at_.path;
  const auto here = [&] { return path.sweep.lambda(at_.orbit); };
  if (!steps.start()) return at_.stop(Ending::no_convergence, "no tangent at " + path.text(here()));
  before_ = {};
  turns_.clear();
  while (static_cast<int>(at_.result.points.size()) < of_->options().max_points) {
    if (observer && !observer(std::clamp(path.done(here()), 0.0, 1.0))) {
      return at_.stop(Ending::interrupted, "interrupted");
    }
    OrbitStep step;
    if (!steps.next(step)) return;
    if (step.fold && closed(step.point)) {  // a sweep leaves it at its end
      at_.orbit = farthest_;
      at_.direction = path.way();
      return at_.stop(Ending::step_too_small, "the curve is closed, its end is " + path.text(here()));
    }
    mark(steps, step);
    at_.result.points.push_back(step.point);
    find_peak(step);
    before_ = std::exchange(at_.orbit, std::move(step.orbit));
    if ((here() - path.sweep.lambda(farthest_)) * path.way() > 0.0) farthest_ = at_.orbit;
    edge_ = path.farther(edge_, here());
    if (!step.last) continue;
    if (here() != path.to) at_.stop_at_start();
    return;
  }
  at_.stop(Ending::no_convergence, fmt::format("{} = {:.6g} reached after {} points, the limit", path.sweep.name(),
                                               here(), at_.result.points.size()));
}

/// It turns where it turned before, the same way.
bool PiecewiseCurve::closed(const ResponsePoint& point) {
  const auto same = [&](const ResponsePoint& turn) {
    const double apart = at_.path.sweep.lambda(turn.orbit) - at_.path.sweep.lambda(point.orbit);
    return std::abs(apart) < 1e-5 * at_.path.range() && nearly_same(turn, point);
  };
  if (std::count_if(turns_.begin(), turns_.end(), same) > 1) return true;
  turns_.push_back(point);
  return false;
}

/// Special points of a step.
void PiecewiseCurve::mark(OrbitSteps& steps, const OrbitStep& step) {
  const ResponsePoint& old = at_.result.points.back();
  auto& special = at_.result.special;
  if (step.fold) {
    const auto fold = steps.locate([](const CurvePoint& p) { return p.lambda_tangent; });
    if (fold) special.push_back({SpecialKind::fold, *fold});
    if (fold) edge_ = at_.path.farther(edge_, at_.path.sweep.lambda(fold->orbit));
  } else if (step.branch) {
    special.push_back({SpecialKind::branch, step.point});
  } else if (step.point.multiplier && old.multiplier && step.point.stable() != old.stable()) {
    special.push_back({SpecialKind::stability,
                       step.anew ? stability_change(step.orbit) : steps.locate_stability().value_or(step.point)});
  }
}

/// Between the orbit of the front and one that the motion settled to, to 1e-9 of the range: bisection.
ResponsePoint PiecewiseCurve::stability_change(const PiecewiseOrbit& last) {
  const Sweep& sweep = at_.path.sweep;
  PiecewiseOrbit low = at_.orbit;
  ResponsePoint change = of_->measure(last);
  const bool stable = at_.result.points.back().stable();
  while (std::abs(sweep.lambda(change.orbit) - sweep.lambda(low)) > 1e-9 * at_.path.range()) {
    PiecewiseOrbit middle = low;
    const double half = 0.5 * (sweep.lambda(low) + sweep.lambda(change.orbit));
    if (half == sweep.lambda(low) || half == sweep.lambda(change.orbit) || !of_->follow(sweep, half, middle)) break;
    const ResponsePoint point = of_->measure(middle);
    if (point.stable() == stable) {
      low = std::move(middle);
    } else {
      change = point;
    }
  }
  return change;
}

/// The peak among the last two orbits and the one of a step, whose points are the last ones of the result.
void PiecewiseCurve::find_peak(const OrbitStep& step) {
  if (of_->record().peak_dof < 0 || before_.arcs.empty() || at_.result.points.size() < 3) return;
  const Sweep& sweep = at_.path.sweep;
  const ExactOrbit& first = *at_.result.points.end()[-3].exact;
  const ExactOrbit& middle = *at_.result.points.end()[-2].exact;
  const ExactOrbit& last = *at_.result.points.end()[-1].exact;
  const double from = sweep.lambda(before_), at = sweep.lambda(at_.orbit), to = sweep.lambda(step.orbit);
  if ((at - from) * (to - at) <= 0.0 || !(middle.peak_amplitude > first.peak_amplitude) ||
      !(middle.peak_amplitude >= last.peak_amplitude)) {
    return;
  }
  const auto peak = of_->maximise(at_.orbit, sweep, std::min(from, to), std::max(from, to));
  if (!peak) return;
  // On this branch, not on another one.
  const double apart =
      std::max(std::abs(first.peak_motion - middle.peak_motion), std::abs(last.peak_motion - middle.peak_motion));
  if (std::abs(peak->exact->peak_motion - middle.peak_motion) <= 2.0 * apart) {
    at_.result.special.push_back({SpecialKind::peak, *peak});
  }
}

/// A branch that ends: a slow sweep goes over to where the motion settles. From a stable motion just beyond it; an
/// unstable one is never met by a sweep, which leaves the branch where it turned back, and so it is when the branch is
/// `back` where the curve began.
bool PiecewiseCurve::jump(bool back) {
  const CurvePath& path = at_.path;
  const ResponsePoint last = at_.result.points.back();
  const bool met = !back && (last.stable() || !last.multiplier);
  if (!met) at_.direction = path.way();
  const PiecewiseOrbit& here = met ? at_.orbit : farthest_;
  const double edge = met ? path.sweep.lambda(here) : edge_;
  for (const double part : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const double lambda = edge + at_.direction * part * path.range();
    if (path.done(lambda) < 0.0 || path.done(lambda) > 1.0) return false;
    PiecewiseOrbit next = here;
    if (!of_->follow(path.sweep, lambda, next)) continue;
    const ResponsePoint point = of_->measure(next);
    if (!nearly_same(point, last)) at_.result.special.push_back({SpecialKind::jump, point});
    at_.result.points.push_back(point);
    at_.orbit = std::move(next);
    return true;
  }
  if (!back) add_note(fmt::format("beyond it: {}", of_->orbits().message()), at_.result.message);
  return false;
}

}  // namespace microslip
