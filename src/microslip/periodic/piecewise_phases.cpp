// Curves of exact orbits by the phases of their events: see piecewise_curve.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/periodic/phase_equations.hpp"
#include "microslip/periodic/piecewise_curve.hpp"

namespace microslip {
namespace {

bool same_events(const PiecewiseOrbit& a, const PiecewiseOrbit& b) {
  return a.antisymmetric == b.antisymmetric && std::equal(a.arcs.begin(), a.arcs.end(), b.arcs.begin(), b.arcs.end(),
                                                          [](const OrbitArc& x, const OrbitArc& y) {
                                                            return x.regime == y.regime && x.ended_by == y.ended_by;
                                                          });
}

class PhaseSteps final : public OrbitSteps {
 public:
  PhaseSteps(PiecewiseResponses& of, CurveFront& at, bool while_held)
      : OrbitSteps(of, at),
        while_held_(while_held),
        equations_(of.orbits(), at.path.sweep),
        one_motion_(of.model().settles_to_one_motion()),
        largest_(at.result.points.back().exact->peak_amplitude) {}

  bool start() override { return go_on_from(at_->orbit, first_step); }

  bool next(OrbitStep& step) override {
    const CurvePath& path = at_->path;
    if (while_held_ && at_->orbit.events() > 0) {
      at_->stop(Ending::step_too_small, "");
      return false;
    }
    if (restart_ && !go_on_from(at_->orbit, *std::exchange(restart_, std::nullopt))) curve_.reset();
    while (true) {
      const double length = curve_ ? curve_->step() : step_;
      const double here = path.sweep.lambda(at_->orbit);
      if (length < (while_held_ ? 1e-6 : 1e-9)) {
        at_->stop(Ending::step_too_small,
                  fmt::format("the curve cannot be followed beyond {}: {}", path.text(here), of_->orbits().message()));
        return false;
      }
      const double slope = curve_ ? curve_->point().lambda_tangent : at_->direction * path.range();
      const double ahead = here + length * slope;
      if (path.done(ahead) < 0.0) {
        at_->stop_at_start();
        return false;
      }
      const bool found = try_step(ahead, length, step);
      if (found && near_enough(step.point, length)) {
        take(step, length);
        return true;
      }
      shorten(found, step.anew, length);
    }
  }

 protected:
  bool orbit(const CurvePoint& point, PiecewiseOrbit& orbit) override { return equations_.orbit(point, orbit); }

 private:
  static constexpr double first_step = 0.01;
  static constexpr double step_anew = 0.02;  ///< at most, over a change of the events and after it

  /// By continuation or, at the end, without events and where they change, where the motion settles.
  bool try_step(double ahead, double length, OrbitStep& step) {
    const CurvePath& path = at_->path;
    step.last = path.done(ahead) >= 1.0;
    step.fold = step.branch = false;
    step.anew = true;
    if (step.last || !curve_) {
      if (!settle(step.last ? path.to : ahead, step)) return false;
      return length <= step_anew || same_events(step.orbit, at_->orbit);
    }
    if (!curve_->try_step()) {
      step.anew = curve_->turn() == 0.0 && length <= step_anew;  // else the curve may only be too round
      return step.anew && settle(ahead, step);
    }
    const CurvePoint& point = curve_->point();
    step.last = path.done(point.lambda) >= 1.0;
    if (step.last || path.done(point.lambda) < 0.0 || !orbit(point, step.orbit)) {
      curve_->take_back();
      return length <= step_anew && settle(step.last ? path.to : ahead, step);
    }
    step.anew = false;
    step.fold = curve_->previous().lambda_tangent * point.lambda_tangent < 0.0;
    step.branch = curve_->passed_branch_point();
    step.point = of_->measure(step.orbit);
    return true;
  }

  bool settle(double lambda, OrbitStep& step) {
    step.orbit = at_->orbit;
    if (!of_->follow(at_->path.sweep, lambda, step.orbit)) return false;
    step.point = of_->measure(step.orbit);
    return true;
  }

  /// No large change of the motion from point to point; where there is one motion, unless it is sudden.
  [[nodiscard]] bool near_enough(const ResponsePoint& point, double length) const {
    constexpr double most = 0.3, sudden = 1e-3;
    const std::complex<double> now = point.exact->peak_motion, old = at_->result.points.back().exact->peak_motion;
    const double size = std::max({std::abs(now), std::abs(old), 0.05 * largest_});
    return std::abs(now - old) <= most * size || (one_motion_ && length <= sudden);
  }

  void take(const OrbitStep& step, double length) {
    const double travelled = at_->path.sweep.lambda(step.orbit) - at_->path.sweep.lambda(at_->orbit);
    largest_ = std::max(largest_, step.point.exact->peak_amplitude);
    at_->direction = (step.anew ? travelled : curve_->point().lambda_tangent) >= 0.0 ? 1.0 : -1.0;
    if (step.last) return;
    if (step.anew) {
      const bool events = step.orbit.events() > 0;
      const double longer = std::min(1.6 * length, of_->options().max_step);
      restart_ = events ? std::min(longer, step_anew) : longer;
    } else if (!equations_.cover(step.orbit)) {
      restart_ = curve_->step();
    }
  }

  /// After a step that was not taken; one by continuation that found no point is shorter already.
  void shorten(bool found, bool anew, double length) {
    if (!curve_) {
      step_ = 0.5 * length;
    } else if (anew) {
      curve_->set_step(0.5 * length);
    } else if (found) {
      curve_->take_back();
    }
  }

  /// By continuation; without events from motion to motion.
  bool go_on_from(const PiecewiseOrbit& orbit, double step) {
    curve_.reset();
    step_ = step;
    if (orbit.events() == 0) return true;
    equations_.take(orbit);
    ContinuationOptions options = continuation_options();
    options.floor = 1.0;
    options.tolerance = 1e-11;
    options.fast_iterations = 4;
    options.max_turn = 0.6;  // near_enough() looks at the motion itself
    curve_.emplace(
        equations_.residual(), [](const Eigen::VectorXd& r, const Eigen::VectorXd&) { return r.norm(); }, options);
    curve_->set_step(step);
    return curve_->start(equations_.origin(), at_->path.sweep.lambda(orbit), at_->direction);
  }

  bool while_held_;
  PhaseEquations equations_;
  bool one_motion_;
  double largest_;                 ///< amplitude so far
  double step_ = first_step;       ///< without continuation: part of the range
  std::optional<double> restart_;  ///< from the next orbit on, with such a step
};

}  // namespace

std::unique_ptr<OrbitSteps> steps_by_phases(PiecewiseResponses& of, CurveFront& at, bool while_held) {
  return std::make_unique<PhaseSteps>(of, at, while_held);
}

}  // namespace microslip
