#include "microslip/periodic/peak_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "microslip/periodic/joint_past.hpp"
#include "microslip/periodic/peak_equations.hpp"
#include "microslip/periodic/steady_vibration.hpp"

namespace microslip {
namespace {

void check_request(const PeakRequest& request, const ResponseRecord& record) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("peaks: ") + what);
  };
  const std::vector<double>& values = request.values;
  require(values.size() >= 2 && values.front() != values.back(), "two different values at least");
  require(std::ranges::is_sorted(values) || std::ranges::is_sorted(values, std::ranges::greater()),
          "values must rise or fall");
  require(request.model || values.front() * values.back() > 0.0, "levels must have the same sign and not be 0");
  require(record.peak_dof >= 0, "which degree of freedom peaks?");
}

/// The peak to begin with, on a response of few harmonics.
std::optional<PeriodicOrbit> first_peak(const LoadedSystem& model, double level, const PeakRequest& request,
                                        const ResponseRecord& record, FrequencyResponseOptions options,
                                        const Observer& observer, PeakCurve& result) {
  constexpr double rough = 1e-3;
  options.stability = false;
  options.tolerance = std::max(options.tolerance, rough);
  options.max_harmonics = 11;
  const OverFrequency whole{.level = level, .from = request.from, .to = request.to};
  const FrequencyResponse response =
      steady_vibration(*model.system, model.load, whole, {{record.peak_dof}, record.peak_dof}, options, observer);
  const ResponsePoint* best = nullptr;
  const auto rank = [&](const ResponsePoint& point) {
    return request.near > 0.0 ? -std::abs(std::log(point.orbit.omega / request.near)) : point.amplitude.front();
  };
  for (const SpecialPoint& special : response.special) {
    if (special.kind != SpecialKind::peak) continue;
    if (best == nullptr || rank(special.point) > rank(*best)) best = &special.point;
  }
  if (best != nullptr && response.ending != Ending::interrupted) {
    if (!response.message.empty()) {
      add_note("the response that the first peak was looked for on: " + response.message, result.message);
    }
    return best->orbit;
  }
  result.ending = response.ending == Ending::interrupted ? Ending::interrupted : Ending::no_convergence;
  result.message = fmt::format("{} = {:.6g}: no peak of the amplitude between omega = {:.6g} and {:.6g}", request.name,
                               request.values.front(), request.from, request.to);
  if (response.ending != Ending::completed) add_note(response.message, result.message);
  return std::nullopt;
}

/// One curve of peaks, point by point.
class Follower {
 public:
  Follower(PeakEquations& equations, const PeakRequest& request, const FrequencyResponseOptions& options,
           PeakCurve& result)
      : equations_(&equations),
        request_(&request),
        options_(&options),
        from_(request.values.front()),
        to_(request.values.back()),
        result_(&result) {}

  /// Newton from a motion near the peak, with harmonics as the tolerance needs.
  bool begin(const PeriodicOrbit& near) {
    Eigen::VectorXd z;
    int iterations = 0;
    if (!equations_->begin_near(near, from_, z)) return lose("the equations cannot be evaluated at the first peak");
    for (bool changed = true; changed;) {
      const SolveOutcome outcome = solve_at(equations_->residual(), equations_->size(), z, from_, tolerance, 40);
      iterations += outcome.iterations;
      if (!outcome.converged) return lose(fmt::format("no peak found near omega = {:.6g}", near.omega));
      CurvePoint at;
      at.y = at.y_tangent = z;
      at.lambda = from_;
      changed = equations_->refine(at);
      if (changed) equations_->carry_over(at);
      z = at.y;
    }
    make_continuation();
    if (!curve_->start(z, from_, to_ > from_ ? 1.0 : -1.0)) return lose("no tangent at the first peak");
    CurvePoint first = curve_->point();
    first.iterations = iterations;
    add(first);
    constexpr double away = 0.05;  // of omega: the response had few harmonics
    const PeakPoint& peak = result_->points.front();
    if (peak.maximum && std::abs(peak.point.orbit.omega / near.omega - 1.0) <= away) return true;
    result_->points.clear();
    return lose(fmt::format("the peak near omega = {:.6g} led to another point of the response", near.omega));
  }

  void run(const Observer& observer) {
    while (static_cast<int>(result_->points.size()) < options_->max_points) {
      const double part = std::clamp((curve_->point().lambda - from_) / (to_ - from_), 0.0, 1.0);
      if (observer && !observer(part)) return end(Ending::interrupted, "interrupted");
      if (!lost_.empty() || !curve_->advance()) return end(Ending::step_too_small, lost_.empty() ? text() : lost_);
      const CurvePoint now = curve_->point();
      const double done = (now.lambda - from_) / (to_ - from_);
      if (equations_->refine(now)) {
        go_on_from(curve_->previous(), 0.5 * curve_->step());
        continue;
      }
      if (!add_passed(now)) continue;
      find_fold(now);
      if (done >= 1.0) return end(Ending::completed, "");
      if (done < 0.0) {
        return end(Ending::completed, fmt::format("the curve of peaks turned back and left the range at its start, {} "
                                                  "= {:.6g}",
                                                  request_->name, from_));
      }
      add(now);
      if (equations_->coarsen()) go_on_from(now, curve_->step());
    }
    end(Ending::no_convergence, fmt::format("{} = {:.6g} reached after {} points, the limit", request_->name,
                                            curve_->point().lambda, options_->max_points));
  }

 private:
  static constexpr double tolerance = 1e-7;

  bool lose(const std::string& why) {
    end(Ending::no_convergence, fmt::format("{} = {:.6g}: {}", request_->name, from_, why));
    return false;
  }
  void end(Ending ending, const std::string& message) {
    result_->ending = ending;
    add_note(message, result_->message);
  }
  [[nodiscard]] std::string text() const { return fmt::format("{}: {}", request_->name, curve_->message()); }

  void make_continuation() {
    ContinuationOptions options;
    options.lambda_scale = std::abs(to_ - from_);
    options.first_step = 0.02;
    options.max_step = options_->max_step;
    options.tolerance = tolerance;
    curve_.emplace(equations_->residual(), equations_->size(), options);
  }

  void go_on_from(CurvePoint from, double step) {
    equations_->carry_over(from);
    make_continuation();
    if (!curve_->start_along(from)) {
      lost_ = fmt::format("no peak found with other harmonics near {} = {:.6g}", request_->name, from.lambda);
    }
    curve_->set_step(std::max(1e-6, step));
  }

  void add(const CurvePoint& at) {
    result_->points.push_back(equations_->point(at));
    if (!equations_->set_frame(at)) lost_ = "the equations cannot be evaluated at a point of the curve";
  }

  /// Points at the values that were passed, the ends of the range among them; false when one was not met: the step is
  /// taken back.
  bool add_passed(const CurvePoint& now) {
    const double before = curve_->previous().lambda;
    std::vector<double> passed;
    for (const double value : request_->values) {
      if (value != before && (value - before) * (value - now.lambda) <= 0.0) passed.push_back(value);
    }
    if (now.lambda < before) std::ranges::reverse(passed);
    if (to_ < from_) std::ranges::reverse(passed);
    std::vector<PeakPoint> points;
    for (const double value : passed) {
      CurvePoint landed;
      if (!curve_->land(value, landed)) {
        curve_->take_back();
        if (++refused_ > 50) lost_ = fmt::format("no peak found at {} = {:.6g}", request_->name, value);
        return false;
      }
      if (value != now.lambda || value == to_ || value == from_) points.push_back(equations_->point(landed));
    }
    refused_ = 0;
    for (PeakPoint& point : points) result_->points.push_back(std::move(point));
    return true;
  }

  void find_fold(const CurvePoint& now) {
    if ((curve_->previous().lambda_tangent < 0.0) == (now.lambda_tangent < 0.0)) return;
    CurvePoint located;
    equations_->take_exact_derivatives(true);
    if (!curve_->locate([](const CurvePoint& p) { return p.lambda_tangent; }, located)) located = now;
    equations_->take_exact_derivatives(false);
    result_->folds.push_back({equations_->point(located), equations_->responses_meet(located)});
  }

  PeakEquations* equations_;
  const PeakRequest* request_;
  const FrequencyResponseOptions* options_;
  double from_, to_;
  PeakCurve* result_;
  std::optional<Continuation> curve_;
  std::string lost_;
  int refused_ = 0;  ///< times in a row that a value was not met
};

/// A note when the tolerance could not be kept.
void note_errors(const FrequencyResponseOptions& options, PeakCurve& result) {
  double truncation = 0.0, quadrature = 0.0;
  for (const PeakPoint& peak : result.points) {
    truncation = std::max(truncation, peak.point.errors.truncation);
    quadrature = std::max(quadrature, peak.point.errors.quadrature);
  }
  const bool truncated = options.harmonics == 0 && truncation > options.tolerance;
  if (!truncated && quadrature <= options.tolerance) return;
  add_note(
      fmt::format("tolerance {:g} was not reached: harmonics left out {:.2g}, integration of the joint forces {:.2g}",
                  options.tolerance, truncation, quadrature),
      result.message);
}

/// What joints remember, as of responses.
void note_joints(const System& system, const HarmonicLoad& load, PeakCurve& result) {
  std::vector<ResponsePoint> points;
  for (const PeakPoint& peak : result.points) points.push_back(peak.point);
  add_note(sliders_without_memory(system, points), result.message);
  add_note(joint_past(system, load, points, false), result.message);
}

}  // namespace

PeakCurve peak_curve(const System& system, const HarmonicLoad& load, const PeakRequest& request,
                     const ResponseRecord& record, const FrequencyResponseOptions& options, const Observer& observer) {
  check_request(request, record);
  PeakCurve result;
  const double first = request.values.front();
  const LoadedSystem model =
      request.model ? request.model(first) : LoadedSystem{{std::shared_ptr<const System>(), &system}, load};
  const double level = request.model ? request.level : first;
  const Observer started = [&](double) { return !observer || observer(0.0); };
  const auto near = first_peak(model, level, request, record, options, started, result);
  if (!near) return result;
  PeakEquations equations(system, load, request, record, options);
  Follower follower(equations, request, options, result);
  if (follower.begin(*near)) follower.run(observer);
  note_errors(options, result);
  if (!request.model) {
    note_joints(*model.system, model.load, result);
  } else if (has_constant_load(model.load)) {
    add_note("what the joints remember of the constant load alone was not looked at", result.message);
  }
  return result;
}

}  // namespace microslip
