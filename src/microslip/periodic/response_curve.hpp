#pragma once
// A curve of periodic motions over frequency, point by point: pseudo-arclength continuation of any equations for them,
// with folds, peaks and changes of stability located on the way.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "microslip/numerics/continuation.hpp"
#include "microslip/periodic/frequency_response.hpp"

namespace microslip {

/// `Equations` offers start, point, over_omega, size_at, amplitude_slope, tells_stability, largest_multiplier and
/// refine: see frequency_response.cpp.
template <class Equations>
class ResponseCurve {
 public:
  ResponseCurve(Equations& equations, double level, double from, double to, const ResponseRecord& record,
                const FrequencyResponseOptions& options)
      : equations_(&equations), level_(level), from_(from), to_(to), record_(&record), options_(&options) {}

  FrequencyResponse run(const Observer& observer) {
    Eigen::VectorXd y;
    int iterations = 0;
    std::string message;
    if (!equations_->start(from_, level_, y, iterations, message)) return end(Ending::no_convergence, message);
    result_.points.push_back(equations_->point(y, from_, level_, iterations));
    make_continuation();
    if (!curve_->start(y, from_, to_ > from_ ? 1.0 : -1.0)) {
      return end(Ending::no_convergence, fmt::format("no tangent at omega = {:.6g}", from_));
    }
    if (record_->peak_dof >= 0) last_slope_ = equations_->amplitude_slope(curve_->point(), level_);
    while (static_cast<int>(result_.points.size()) < options_->max_points) {
      const double fraction = std::clamp((curve_->point().lambda - from_) / (to_ - from_), 0.0, 1.0);
      if (observer && !observer(fraction)) return end(Ending::interrupted, "interrupted");
      if (!curve_->advance()) return end(Ending::step_too_small, "omega: " + curve_->message());
      CurvePoint last = curve_->point();
      const double done = (last.lambda - from_) / (to_ - from_);
      if (done >= 1.0 || done < 0.0) {
        const double bound = done < 0.0 ? from_ : to_;
        if (!curve_->land(bound, last)) {
          curve_->take_back();
          continue;
        }
        if (refined(last)) continue;
        add(last);
        if (done >= 1.0) return end(Ending::completed, "");
        return end(Ending::no_convergence,
                   fmt::format("the curve turned back and left the range at its start, omega = {:.6g}", from_));
      }
      if (refined(last)) continue;
      add(last);
    }
    return end(Ending::no_convergence, fmt::format("omega = {:.6g} reached after {} points, the limit",
                                                   curve_->point().lambda, options_->max_points));
  }

 private:
  void make_continuation() {
    ContinuationOptions options;
    options.lambda_scale = std::abs(to_ - from_);
    options.first_step = 0.01;
    options.max_step = options_->max_step;
    curve_.emplace(equations_->over_omega(level_), equations_->size_at(level_), options);
  }

  /// The point needs finer equations: go on from the one before with these.
  bool refined(const CurvePoint& at) {
    CurvePoint again = curve_->previous();
    if (!equations_->refine(at, again)) return false;
    const double step = std::max(1e-6, 0.5 * curve_->step());
    make_continuation();
    curve_->start_along(again);
    curve_->set_step(step);
    return true;
  }

  void add(const CurvePoint& at) {
    ResponsePoint next = equations_->point(at.y, at.lambda, level_, at.iterations);
    find_special(at, next);
    result_.points.push_back(std::move(next));
  }

  void find_special(const CurvePoint& end, const ResponsePoint& end_point) {
    const CurvePoint& start = curve_->previous();
    const bool fold = (start.lambda_tangent < 0.0) != (end.lambda_tangent < 0.0);
    if (fold) locate(SpecialKind::fold, end, [](const CurvePoint& p) { return p.lambda_tangent; });
    if (equations_->tells_stability() && !fold && result_.points.back().multiplier) {
      const bool was_stable = *result_.points.back().multiplier < 1.0;
      if (was_stable != (*end_point.multiplier < 1.0)) {
        locate(SpecialKind::stability, end,
               [&](const CurvePoint& p) { return equations_->largest_multiplier(p, level_) - 1.0; });
      }
    }
    if (record_->peak_dof < 0) return;
    const double slope = equations_->amplitude_slope(end, level_);
    if (last_slope_ > 0.0 && slope <= 0.0) {
      locate(SpecialKind::peak, end, [&](const CurvePoint& p) { return equations_->amplitude_slope(p, level_); });
    }
    last_slope_ = slope;
  }

  void locate(SpecialKind kind, const CurvePoint& end, const std::function<double(const CurvePoint&)>& test) {
    CurvePoint located;
    if (!curve_->locate(test, located)) return;
    if ((located.lambda - end.lambda) * (to_ - from_) > 0.0 && end.lambda == to_) return;  // beyond the end
    result_.special.push_back({kind, equations_->point(located.y, located.lambda, level_, located.iterations)});
  }

  FrequencyResponse end(Ending ending, std::string message) {
    result_.ending = ending;
    result_.message = std::move(message);
    return std::move(result_);
  }

  Equations* equations_;
  double level_, from_, to_;
  const ResponseRecord* record_;
  const FrequencyResponseOptions* options_;
  std::optional<Continuation> curve_;
  double last_slope_ = 0.0;  ///< of the amplitude along the curve
  FrequencyResponse result_;
};

}  // namespace microslip
