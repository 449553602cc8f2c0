#pragma once
// A curve of periodic motions over frequency or level, point by point: pseudo-arclength continuation of any equations
// for them, with folds, peaks and changes of stability located on the way.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "microslip/numerics/continuation.hpp"
#include "microslip/periodic/frequency_response.hpp"
#include "microslip/periodic/sweep.hpp"

namespace microslip {

/// Equations of periodic motions that a curve can be made of, over frequency or level.
template <class E>
concept CurveEquations = requires(E& equations, const Sweep& sweep, const CurvePoint& at, CurvePoint& changed,
                                  const ResponsePoint& point, double omega, double level, Eigen::VectorXd& y,
                                  int& iterations, std::string& message) {
  // The first motion; false, and why, where it was not found. `growth`: of the load that led there.
  { equations.start(omega, level, y, iterations, message) } -> std::same_as<bool>;
  { equations.growth() } -> std::convertible_to<Growth>;
  { equations.residual(sweep) } -> std::convertible_to<Residual>;
  { equations.size_at(level) } -> std::convertible_to<RelativeSize>;
  // Finer where the point needs it, coarser where the last ones did not; true when they changed. `carry_over` takes a
  // point from before the change to them.
  { equations.refine(at, sweep) } -> std::same_as<bool>;
  { equations.coarsen() } -> std::same_as<bool>;
  equations.carry_over(changed);
  // What is told of a motion.
  { equations.point(at, sweep) } -> std::same_as<ResponsePoint>;
  // d amplitude/ds of the degree of freedom whose peaks are asked for.
  { equations.amplitude_slope(at, sweep) } -> std::same_as<double>;
  // The multiplier that is followed along the curve between two points.
  {
    equations.multiplier_between(point, point, sweep)
    } -> std::convertible_to<std::function<double(const CurvePoint&)>>;
};

template <CurveEquations Equations>
class ResponseCurve {
 public:
  ResponseCurve(Equations& equations, const Sweep& sweep, double from, double to, const ResponseRecord& record,
                const FrequencyResponseOptions& options)
      : equations_(&equations),
        sweep_(sweep),
        from_(from),
        to_(to),
        begin_(from),
        direction_(to > from ? 1.0 : -1.0),
        record_(&record),
        options_(&options) {}

  /// Begins inside the range instead, towards growing or falling parameters, and ends where it leaves the range or
  /// comes back to its beginning.
  void begin_at(double lambda, double direction) {
    begin_ = lambda;
    direction_ = direction;
  }

  FrequencyResponse run(const Observer& observer) {
    front_ = begin_;
    stopped_ = [&observer] { return observer && !observer(0.0); };
    watch();
    if (!begin(begin_, lost_)) {
      interrupted_ = stopped_();
      if (interrupted_ || !go_on_behind()) return end(lost_ending(), lost_);
    }
    while (static_cast<int>(result_.points.size()) < options_->max_points) {
      const double fraction = std::clamp((curve_->point().lambda - from_) / (to_ - from_), 0.0, 1.0);
      stopped_ = [&observer, fraction] { return observer && !observer(fraction); };
      watch();
      if (stopped_()) return end(Ending::interrupted, "interrupted");
      if (!lost_.empty() || !curve_->advance()) {
        if (lost_.empty()) lost_ = fmt::format("{}: {}", sweep_.name(), curve_->message());
        if (go_on_behind()) continue;
        return end(lost_ending(), lost_);
      }
      CurvePoint last = curve_->point();
      const double done = (last.lambda - from_) / (to_ - from_);
      if (done >= 1.0 || done < 0.0) {
        const double bound = done < 0.0 ? from_ : to_;
        if (!curve_->land(bound, last)) {
          curve_->take_back();
          if (++refused_ > 50) lost_ = fmt::format("no motion found at {} = {:.6g}", sweep_.name(), bound);
          continue;
        }
        refused_ = 0;
        if (refined(last)) continue;
        add(last);
        if (interrupted_) return end(Ending::interrupted, "interrupted");
        if (done >= 1.0 || begin_ != from_) return end(Ending::completed, "");
        left_at_start_ = true;  // beyond its farthest point there are other motions
        lost_ = fmt::format("the curve turned back and left the range at its start, {} = {:.6g}", sweep_.name(), from_);
        continue;
      }
      if (refined(last)) continue;
      result_.closed = closes(last);
      add(last);
      if (interrupted_) return end(Ending::interrupted, "interrupted");
      if (result_.closed) return end(Ending::completed, "");
      if (equations_->coarsen()) go_on_from(last, curve_->step());
    }
    return end(Ending::no_convergence, fmt::format("{} = {:.6g} reached after {} points, the limit", sweep_.name(),
                                                   curve_->point().lambda, options_->max_points));
  }

 private:
  /// A motion that the load grows to, the first of a piece of the curve.
  bool begin(double lambda, std::string& message) {
    Eigen::VectorXd y;
    int iterations = 0;
    if (!equations_->start(sweep_.omega(lambda), sweep_.level(lambda), y, iterations, message)) return false;
    make_continuation();
    if (!curve_->start(y, lambda, direction_)) {
      message = fmt::format("no tangent at {} = {:.6g}", sweep_.name(), lambda);
      return false;
    }
    if (equations_->growth().folds) result_.folded_growth.push_back(sweep_.omega(lambda));
    if (equations_->growth().transient) result_.from_transient.push_back(sweep_.omega(lambda));
    const bool behind_a_gap = !result_.points.empty();
    result_.points.push_back(equations_->point(alone(y, lambda, iterations), sweep_));
    result_.points.back().behind_a_gap = behind_a_gap;
    result_.points.back().farthest_before = equations_->growth().farthest;
    front_ = lambda;
    known_.reset();
    change_.reset();
    know(result_.points.back());
    if (record_->peak_dof >= 0) last_slope_ = equations_->amplitude_slope(curve_->point(), sweep_);
    if (begin_ != from_) first_ = curve_->point();
    return true;
  }

  /// Where the curve is lost: motions that the load grows to, beyond all that it has reached, by more and more of the
  /// range. It ends in a jump, which is told.
  bool go_on_behind() {
    constexpr int most_gaps = 10;
    if (begin_ != from_ || options_->begins_near() || ++gaps_ > most_gaps) return false;
    const double at = front_;
    std::optional<ResponsePoint> last;
    if (!result_.points.empty()) last = left_at_start_ ? farthest_point() : result_.points.back();
    std::string beyond;
    bool nothing = last.has_value() || equations_->growth().nothing;
    for (const double part : {1e-3, 1e-2, 3e-2, 0.1, 0.25, 0.5, 1.0}) {
      const double before_end = to_ - 1e-3 * (to_ - from_);  // at last
      const double next = part < 1.0 ? at + part * (to_ - from_) : before_end;
      if ((to_ - next) * direction_ <= 0.0 || (next - at) * direction_ <= 0.0) continue;
      if (begin(next, beyond)) {
        if (last) result_.special.push_back({SpecialKind::jump, *last});
        add_note(fmt::format("{}; the curve goes on at {} = {:.6g}", lost_, sweep_.name(), next), result_.message);
        lost_.clear();
        left_at_start_ = false;
        return true;
      }
      interrupted_ = stopped_();
      if (interrupted_) return false;
      nothing = nothing && equations_->growth().nothing;
    }
    nothing_behind_ = nothing && !beyond.empty();
    if (!beyond.empty()) lost_ += "; beyond it: " + beyond;
    return false;
  }

  /// Where a slow sweep would jump: the last fold or point that was the farthest.
  [[nodiscard]] const ResponsePoint& farthest_point() const {
    const ResponsePoint* farthest = &result_.points.front();
    const auto look_at = [&](const ResponsePoint& point) {
      if ((parameter_of(point) - parameter_of(*farthest)) * direction_ >= 0.0) farthest = &point;
    };
    for (const ResponsePoint& point : result_.points) look_at(point);
    for (const SpecialPoint& special : result_.special) look_at(special.point);
    return *farthest;
  }
  [[nodiscard]] double parameter_of(const ResponsePoint& point) const {
    return sweep_.over_level ? point.orbit.level : point.orbit.omega;
  }

  /// A curve behind whose end transients find no motion of the load's period, wherever that was tried, is whole.
  [[nodiscard]] Ending lost_ending() const {
    if (interrupted_) return Ending::interrupted;
    if (nothing_behind_) return Ending::completed;
    if (left_at_start_) return Ending::no_convergence;
    return result_.points.empty() ? Ending::no_convergence : Ending::step_too_small;
  }

  /// For equations that may be long about a motion.
  void watch() {
    if constexpr (requires { equations_->watch(stopped_); }) equations_->watch(stopped_);
  }

  void make_continuation() {
    ContinuationOptions options;
    options.lambda_scale = std::abs(to_ - from_);
    options.first_step = 0.01;
    options.max_step = options_->max_step;
    options.tolerance = curve_tolerance(*options_);
    if constexpr (requires { Equations::keep_factors_from; }) options.keep_factors_from = Equations::keep_factors_from;
    curve_.emplace(equations_->residual(sweep_), equations_->size_at(sweep_.level(to_)), options);
    if constexpr (requires { equations_->use_factors_of(*curve_); }) equations_->use_factors_of(*curve_);
  }

  /// The point needs finer equations: go on from the one before with these.
  bool refined(const CurvePoint& at) {
    if (!equations_->refine(at, sweep_)) return false;
    go_on_from(curve_->previous(), 0.5 * curve_->step());
    return true;
  }

  /// From a point of the equations before their last change.
  void go_on_from(CurvePoint from, double step) {
    equations_->carry_over(from);
    if (first_) equations_->carry_over(*first_);
    make_continuation();
    if (!curve_->start_along(from)) {
      lost_ = fmt::format("no motion found with other harmonics or steps near {} = {:.6g}", sweep_.name(), from.lambda);
    }
    curve_->set_step(std::max(1e-6, step));
  }

  /// Has the last step passed the beginning of the curve? `last` becomes the point there.
  bool closes(CurvePoint& last) {
    constexpr std::size_t fewest = 10;  // points: a step turns by a twentieth of a circle at most
    if (!first_ || result_.points.size() < fewest) return false;
    const double y_size = first_->y.norm(), range = std::abs(to_ - from_);
    const auto ahead = [&](const CurvePoint& p) {
      return first_->y_tangent.dot(p.y - first_->y) / (y_size * y_size) +
             first_->lambda_tangent * (p.lambda - first_->lambda) / (range * range);
    };
    const auto apart = [&](const CurvePoint& a, const CurvePoint& b) {
      return std::hypot((a.y - b.y).norm() / y_size, (a.lambda - b.lambda) / range);
    };
    const CurvePoint& before = curve_->previous();
    CurvePoint met;
    if (!(ahead(before) < 0.0 && ahead(last) >= 0.0) || !curve_->locate(ahead, met)) return false;
    if (apart(met, *first_) > 0.1 * apart(before, last)) return false;  // it only passes by
    last = met;
    return true;
  }

  void add(const CurvePoint& at) {
    ResponsePoint next = equations_->point(at, sweep_);
    if ((at.lambda - front_) * direction_ > 0.0) front_ = at.lambda;
    find_special(at, next);
    result_.points.push_back(std::move(next));
  }

  void find_special(const CurvePoint& end, const ResponsePoint& end_point) {
    const CurvePoint& start = curve_->previous();
    const bool fold = (start.lambda_tangent < 0.0) != (end.lambda_tangent < 0.0);
    if (fold && !locate(SpecialKind::fold, end, [](const CurvePoint& p) { return p.lambda_tangent; }) &&
        curve_->passed_corner()) {  // there it turns back; the point before is a short step away from it
      result_.special.push_back({SpecialKind::fold, result_.points.back()});
    }
    const bool branch = curve_->passed_branch_point();
    if (branch) result_.special.push_back({SpecialKind::branch, end_point});
    find_stability(end, end_point, fold || branch);
    if (interrupted_ || record_->peak_dof < 0) return;
    const double slope = equations_->amplitude_slope(end, sweep_);
    if (last_slope_ > 0.0 && slope <= 0.0) {
      locate(SpecialKind::peak, end, [&](const CurvePoint& p) { return equations_->amplitude_slope(p, sweep_); });
    }
    last_slope_ = slope;
  }

  /// A multiplier passes 1 at every fold and branch point; elsewhere that is a change of stability. It is told once
  /// points on both sides of it lie beyond the errors of their multipliers.
  void find_stability(const CurvePoint& end, const ResponsePoint& end_point, bool passed) {
    const ResponsePoint& start_point = result_.points.back();
    if (passed) {
      known_.reset();
      change_.reset();
    } else if (tells_multiplier(start_point) && tells_multiplier(end_point) &&
               (*start_point.multiplier > 1.0) != (*end_point.multiplier > 1.0)) {
      change_ = Change{curve_->previous().lambda, end.lambda, passage(end, start_point, end_point)};
    }
    if (!interrupted_) know(end_point);  // else nobody has looked to the end where it changes
  }

  [[nodiscard]] static bool tells_multiplier(const ResponsePoint& point) {
    return point.multiplier && std::isfinite(*point.multiplier);
  }

  /// Where a multiplier passes 1, up to a twentieth of its error. None also where what was found is no passage, but a
  /// jump.
  std::optional<ResponsePoint> passage(const CurvePoint& end, const ResponsePoint& start_point,
                                       const ResponsePoint& end_point) {
    constexpr double located_to = 1e-6;  // 1e-9 along the curve, times the slope of the multiplier
    const double near = 0.05 * std::min(start_point.multiplier_error, end_point.multiplier_error);
    const auto multiplier = equations_->multiplier_between(start_point, end_point, sweep_);
    const auto test = [&](const CurvePoint& p) {
      interrupted_ = interrupted_ || stopped_();
      return interrupted_ ? std::numeric_limits<double>::quiet_NaN() : multiplier(p) - 1.0;
    };
    CurvePoint located;
    if (!locate(end, test, located, near)) return {};
    const ResponsePoint at = equations_->point(located, sweep_);
    const bool passes = tells_multiplier(at) && std::abs(*at.multiplier - 1.0) <= at.multiplier_error + located_to;
    return passes ? std::optional(at) : std::nullopt;
  }

  /// A multiplier passes 1 between two points; `at`: where.
  struct Change {
    double from, to;
    std::optional<ResponsePoint> at;
  };

  void know(const ResponsePoint& point) {
    if (!point.stable() && !point.unstable()) return;
    const double lambda = parameter_of(point);
    if (known_ && *known_ != point.stable()) tell(change_.value_or(Change{known_at_, lambda, {}}));
    known_ = point.stable();
    known_at_ = lambda;
    change_.reset();
  }

  void tell(const Change& change) {
    if (change.at) {
      result_.special.push_back({SpecialKind::stability, *change.at});
    } else {
      add_note(fmt::format("stability changes between {0} = {1:.6g} and {0} = {2:.6g}, where that was not found",
                           sweep_.name(), change.from, change.to),
               result_.message);
    }
  }

  bool locate(const CurvePoint& end, const std::function<double(const CurvePoint&)>& test, CurvePoint& located,
              double near = 0.0) {
    if (!curve_->locate(test, located, near)) return false;
    return !((located.lambda - end.lambda) * (to_ - from_) > 0.0 && end.lambda == to_);  // beyond the end
  }

  bool locate(SpecialKind kind, const CurvePoint& end, const std::function<double(const CurvePoint&)>& test) {
    CurvePoint located;
    if (!locate(end, test, located)) return false;
    result_.special.push_back({kind, equations_->point(located, sweep_)});
    if ((located.lambda - front_) * direction_ > 0.0) front_ = located.lambda;
    return true;
  }

  FrequencyResponse end(Ending ending, const std::string& message) {
    result_.ending = ending;
    add_note(message, result_.message);
    return std::move(result_);
  }

  Equations* equations_;
  Sweep sweep_;
  double from_, to_;
  double begin_, direction_;
  const ResponseRecord* record_;
  const FrequencyResponseOptions* options_;
  std::optional<Continuation> curve_;
  std::optional<CurvePoint> first_;  ///< where it began, inside the range
  double last_slope_ = 0.0;          ///< of the amplitude along the curve
  double known_at_ = 0.0;            ///< parameter there
  std::optional<bool> known_;        ///< stable or not, at the last point where that is sure
  std::optional<Change> change_;     ///< where a multiplier has passed 1 since
  std::function<bool()> stopped_;    ///< asks the observer
  bool interrupted_ = false;         ///< by it, within a step
  std::string lost_;                 ///< why the curve ends here
  bool left_at_start_ = false;       ///< it turned back and left the range
  bool nothing_behind_ = false;      ///< a transient does not settle there
  double front_ = 0.0;               ///< farthest parameter that was reached
  int gaps_ = 0;                     ///< places where it was lost
  int refused_ = 0;                  ///< times in a row that the end of the range was not met
  FrequencyResponse result_;
};

}  // namespace microslip
