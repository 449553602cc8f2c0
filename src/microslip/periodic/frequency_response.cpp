#include "microslip/periodic/frequency_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>

#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/floquet.hpp"

namespace microslip {
namespace {

constexpr int first_harmonics = 5;
constexpr int first_samples = 64;

/// One system under one load: the equations at a number of harmonics that may grow.
class Balance {
 public:
  Balance(const System& system, const HarmonicLoad& load, const ResponseRecord& record,
          const FrequencyResponseOptions& options)
      : system_(&system), load_(&load), record_(&record), options_(&options) {
    harmonics_ = options.harmonics > 0 ? options.harmonics : first_harmonics;
    samples_ = options.samples > 0 ? options.samples : std::max(first_samples, 8 * harmonics_);
    if (options.stability && stability_obstacle(system).empty()) floquet_.emplace(system, options.stability_steps);
    rebuild();
  }

  [[nodiscard]] HarmonicBalance& equations() { return *equations_; }

  /// What to change when the errors are too large; false when they are not, or nothing may be changed.
  bool refine(const HarmonicBalance::Errors& errors) {
    const int old_harmonics = harmonics_;
    const int old_samples = samples_;
    if (options_->harmonics == 0 && errors.truncation > options_->tolerance) {
      harmonics_ = std::min(options_->max_harmonics, harmonics_ + std::max(2, harmonics_ / 2));
    }
    if (options_->samples == 0) {
      if (errors.quadrature > 0.1 * options_->tolerance) samples_ = std::min(options_->max_samples, 2 * samples_);
      samples_ = std::max(samples_, std::min(options_->max_samples, 8 * harmonics_));
    }
    if (harmonics_ == old_harmonics && samples_ == old_samples) return false;
    rebuild();
    return true;
  }

  /// Fewer harmonics after a stretch that needs them no more; true when they changed.
  bool coarsen(const HarmonicBalance::Errors& errors) {
    constexpr int stretch = 6;
    easy_ = errors.truncation < 0.01 * options_->tolerance ? easy_ + 1 : 0;
    if (options_->harmonics > 0 || easy_ < stretch || harmonics_ <= first_harmonics) return false;
    easy_ = 0;
    harmonics_ = std::max(first_harmonics, 2 * harmonics_ / 3);
    if (options_->samples == 0) samples_ = std::max(first_samples, 2 * samples_ / 3);
    rebuild();
    return true;
  }

  [[nodiscard]] ResponsePoint point(const Eigen::VectorXd& y, double omega, double level, int iterations,
                                    const HarmonicBalance::Errors& errors) {
    ResponsePoint result;
    result.orbit = equations_->orbit(y, omega, level);
    const int harmonics = equations_->harmonics();
    const Eigen::MatrixXd q = equations_->displacements(y, omega, level, record_->dofs);
    for (Eigen::Index k = 0; k < q.cols(); ++k) {
      const double* series = q.col(k).data();
      result.amplitude.push_back(scanner_->half_range(series).value);
      result.harmonic1.push_back(std::hypot(series[1], series[2]));
      result.phase1.push_back(std::atan2(-series[2], series[1]));
    }
    for (std::size_t j = 0; j < system_->joints().size(); ++j) {
      double work = 0.0;
      for (int c = system_->offset(static_cast<int>(j)); c < system_->offset(static_cast<int>(j) + 1); ++c) {
        work += work_per_period(result.orbit.force.col(c).data(), result.orbit.deflection.col(c).data(), harmonics);
      }
      result.dissipation.push_back(work);
    }
    result.iterations = iterations;
    result.samples = equations_->samples();
    result.errors = errors;
    if (floquet_) result.multiplier = largest_multiplier(result.orbit);
    return result;
  }

  [[nodiscard]] ResponsePoint point(const Eigen::VectorXd& y, double omega, double level, int iterations) {
    return point(y, omega, level, iterations, equations_->errors(y, omega, level, record_->dofs));
  }

  [[nodiscard]] bool tells_stability() const { return floquet_.has_value(); }
  [[nodiscard]] double largest_multiplier(const PeriodicOrbit& orbit) const {
    const Eigen::VectorXcd all = floquet_->multipliers(orbit);
    return all.size() > 0 ? std::abs(all(0)) : 0.0;
  }
  [[nodiscard]] double largest_multiplier(const CurvePoint& at, double level) {
    return largest_multiplier(equations_->orbit(at.y, at.lambda, level));
  }

  /// d amplitude/ds of the degree of freedom whose peaks are asked for.
  [[nodiscard]] double amplitude_slope(const CurvePoint& at, double level) {
    const std::vector<int> dofs = {record_->peak_dof};
    const Eigen::MatrixXd q = equations_->displacements(at.y, at.lambda, level, dofs);
    const Eigen::MatrixXd change =
        equations_->displacement_changes(at.y, at.lambda, level, at.y_tangent, at.lambda_tangent, 0.0, dofs);
    const HalfRange range = scanner_->half_range(q.data());
    const int harmonics = equations_->harmonics();
    return 0.5 * (series_at(change.data(), harmonics, range.tau_max).value -
                  series_at(change.data(), harmonics, range.tau_min).value);
  }

  [[nodiscard]] Residual over_omega(double level) {
    return [this, level](const Eigen::VectorXd& y, double omega, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                         Eigen::VectorXd* by_omega) {
      if (!(omega > 0.0)) return false;
      return equations_->residual(y, omega, level, r, jacobian, by_omega, nullptr);
    };
  }
  [[nodiscard]] RelativeSize size_at(double level) {
    return [this, level](const Eigen::VectorXd& r, const Eigen::VectorXd& y) {
      return equations_->relative_size(r, y, level);
    };
  }

  /// The motion that a load growing from zero leads to, with harmonics and samples as the tolerance needs them.
  bool start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
    if (!ramp(omega, level, y, iterations, message)) return false;
    while (true) {
      const int old = equations_->harmonics();
      if (!refine(equations_->errors(y, omega, level, record_->dofs))) return true;
      y = equations_->with_harmonics(y, old);
      const Eigen::VectorXd guess = y;
      const SolveOutcome outcome = solve_at(over_omega(level), size_at(level), y, omega, 1e-7, 20);
      iterations += outcome.iterations;
      if (!outcome.converged || (y - guess).norm() > 0.1 * guess.norm()) {
        if (!ramp(omega, level, y, iterations, message)) return false;
      }
    }
  }

 private:
  void rebuild() {
    equations_ = std::make_unique<HarmonicBalance>(*system_, *load_, harmonics_, samples_);
    scanner_ = std::make_unique<SeriesScanner>(harmonics_);
  }

  bool ramp(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
    const Residual residual = [&](const Eigen::VectorXd& at, double l, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                                  Eigen::VectorXd* by_level) {
      return equations_->residual(at, omega, l, r, jacobian, nullptr, by_level);
    };
    const double first = 0.02 * level;
    y = equations_->linear_solution(omega, first);
    const SolveOutcome outcome = solve_at(residual, size_at(level), y, first, 1e-7, 40);
    iterations += outcome.iterations;
    if (!outcome.converged) {
      message = fmt::format("no motion found at omega = {:.6g} under 2 % of level {:g}", omega, level);
      return false;
    }
    ContinuationOptions options;
    options.lambda_scale = std::abs(level);
    options.floor = equations_->linear_solution(omega, level).norm();
    options.first_step = 0.2;
    options.max_step = 1.0;
    options.max_turn = 0.7;
    options.fast_iterations = 4;
    Continuation curve(residual, size_at(level), options);
    if (!curve.start(y, first, level > 0.0 ? 1.0 : -1.0)) {
      message = fmt::format("no tangent at omega = {:.6g} under 2 % of level {:g}", omega, level);
      return false;
    }
    for (int i = 0; i < options_->max_points; ++i) {
      if (!curve.advance()) {
        message = fmt::format("growth of the load at omega = {:.6g}: {}", omega, curve.message());
        return false;
      }
      iterations += curve.point().iterations;
      if (curve.point().lambda / level < 1.0) continue;
      CurvePoint landed;
      if (curve.land(level, landed)) {
        y = landed.y;
        iterations += landed.iterations;
        return true;
      }
      curve.take_back();
    }
    message = fmt::format("growth of the load at omega = {:.6g} does not reach level {:g}", omega, level);
    return false;
  }

  const System* system_;
  const HarmonicLoad* load_;
  const ResponseRecord* record_;
  const FrequencyResponseOptions* options_;
  int harmonics_ = 0, samples_ = 0;
  int easy_ = 0;  ///< points in a row with far more harmonics than needed
  std::unique_ptr<HarmonicBalance> equations_;
  std::unique_ptr<SeriesScanner> scanner_;
  std::optional<Floquet> floquet_;
};

void check(const System& system, double level, const ResponseRecord& record, const FrequencyResponseOptions& options) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument("frequency response: " + what);
  };
  require(level != 0.0 && std::isfinite(level), fmt::format("level must be finite and not 0, got {:g}", level));
  require(options.harmonics >= 0 && options.harmonics <= 1000, "harmonics must be 0 to 1000");
  require(options.samples == 0 || options.samples >= 16, "samples must be 0, or at least 16");
  require(options.tolerance > 0.0, "tolerance must be > 0");
  require(options.max_step > 0.0, "max_step must be > 0");
  for (const int dof : record.dofs) require(dof >= 0 && dof < system.size(), "no such degree of freedom");
  require(record.peak_dof < system.size(), "no such degree of freedom");
}

/// A note when the tolerance could not be kept.
void note_errors(FrequencyResponse& result, const FrequencyResponseOptions& options) {
  const auto errors = result.largest_errors();
  const bool chosen = options.harmonics == 0 && errors.truncation > options.tolerance;
  const bool integrated = errors.quadrature > options.tolerance;
  if (result.ending != Ending::completed || (!chosen && !integrated)) return;
  result.message =
      fmt::format("tolerance {:g} was not reached: harmonics left out {:.2g}, integration of the joint forces {:.2g}",
                  options.tolerance, errors.truncation, errors.quadrature);
}

/// One curve, point by point.
class Curve {
 public:
  Curve(const System& system, const HarmonicLoad& load, double level, double from, double to,
        const ResponseRecord& record, const FrequencyResponseOptions& options)
      : balance_(system, load, record, options),
        level_(level),
        from_(from),
        to_(to),
        record_(&record),
        options_(&options) {}

  FrequencyResponse run(const Observer& observer) {
    Eigen::VectorXd y;
    int iterations = 0;
    std::string message;
    if (!balance_.start(from_, level_, y, iterations, message)) return end(Ending::no_convergence, message);
    result_.points.push_back(balance_.point(y, from_, level_, iterations));
    make_continuation();
    if (!curve_->start(y, from_, to_ > from_ ? 1.0 : -1.0)) {
      return end(Ending::no_convergence, fmt::format("no tangent at omega = {:.6g}", from_));
    }
    if (record_->peak_dof >= 0) last_slope_ = balance_.amplitude_slope(curve_->point(), level_);
    while (static_cast<int>(result_.points.size()) < options_->max_points) {
      const double fraction = std::clamp((curve_->point().lambda - from_) / (to_ - from_), 0.0, 1.0);
      if (observer && !observer(fraction)) return end(Ending::interrupted, "interrupted");
      if (!lost_.empty()) return end(Ending::no_convergence, lost_);
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
      const int old = balance_.equations().harmonics();
      if (balance_.coarsen(result_.points.back().errors)) go_on_from(last, old, curve_->step());
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
    curve_.emplace(balance_.over_omega(level_), balance_.size_at(level_), options);
  }

  /// The point needs more harmonics or nodes: go on from the one before with these.
  bool refined(const CurvePoint& at) {
    const int old = balance_.equations().harmonics();
    errors_ = balance_.equations().errors(at.y, at.lambda, level_, record_->dofs);
    if (!balance_.refine(errors_)) return false;
    go_on_from(curve_->previous(), old, 0.5 * curve_->step());
    return true;
  }

  /// With the present equations, from a point that has `old` harmonics.
  void go_on_from(CurvePoint point, int old, double step) {
    point.y = balance_.equations().with_harmonics(point.y, old);
    point.y_tangent = balance_.equations().with_harmonics(point.y_tangent, old);
    make_continuation();
    if (!curve_->start_along(point)) {
      lost_ = fmt::format("no motion with {} harmonics near omega = {:.6g}", balance_.equations().harmonics(),
                          point.lambda);
    }
    curve_->set_step(std::max(1e-6, step));
  }

  void add(const CurvePoint& at) {
    ResponsePoint next = balance_.point(at.y, at.lambda, level_, at.iterations, errors_);
    find_special(at, next);
    result_.points.push_back(std::move(next));
  }

  void find_special(const CurvePoint& end, const ResponsePoint& end_point) {
    const CurvePoint& start = curve_->previous();
    const bool fold = (start.lambda_tangent < 0.0) != (end.lambda_tangent < 0.0);
    if (fold) locate(SpecialKind::fold, end, [](const CurvePoint& p) { return p.lambda_tangent; });
    const bool branch = curve_->passed_branch_point();
    if (branch) result_.special.push_back({SpecialKind::branch, end_point});
    if (balance_.tells_stability() && !fold && !branch && result_.points.back().multiplier) {
      const bool was_stable = *result_.points.back().multiplier < 1.0;
      if (was_stable != (*end_point.multiplier < 1.0)) {
        locate(SpecialKind::stability, end,
               [&](const CurvePoint& p) { return balance_.largest_multiplier(p, level_) - 1.0; });
      }
    }
    if (record_->peak_dof < 0) return;
    const double slope = balance_.amplitude_slope(end, level_);
    if (last_slope_ > 0.0 && slope <= 0.0) {
      locate(SpecialKind::peak, end, [&](const CurvePoint& p) { return balance_.amplitude_slope(p, level_); });
    }
    last_slope_ = slope;
  }

  void locate(SpecialKind kind, const CurvePoint& end, const std::function<double(const CurvePoint&)>& test) {
    CurvePoint located;
    if (!curve_->locate(test, located)) return;
    if ((located.lambda - end.lambda) * (to_ - from_) > 0.0 && end.lambda == to_) return;  // beyond the end
    result_.special.push_back({kind, balance_.point(located.y, located.lambda, level_, located.iterations)});
  }

  FrequencyResponse end(Ending ending, std::string message) {
    result_.ending = ending;
    result_.message = std::move(message);
    // A multiplier passes 1 at every fold; the integration of the disturbances finds it a little beside.
    std::erase_if(result_.special, [&](const SpecialPoint& s) {
      return s.kind == SpecialKind::stability &&
             std::any_of(result_.special.begin(), result_.special.end(), [&](const SpecialPoint& fold) {
               return fold.kind == SpecialKind::fold &&
                      std::abs(s.point.orbit.omega - fold.point.orbit.omega) < 1e-3 * fold.point.orbit.omega;
             });
    });
    note_errors(result_, *options_);
    return std::move(result_);
  }

  Balance balance_;
  double level_, from_, to_;
  const ResponseRecord* record_;
  const FrequencyResponseOptions* options_;
  std::optional<Continuation> curve_;
  double last_slope_ = 0.0;         ///< of the amplitude along the curve
  std::string lost_;                ///< why the curve ends here
  HarmonicBalance::Errors errors_;  ///< of the point at hand
  FrequencyResponse result_;
};

/// Wang's iteration, from the structure without joints. Empty on success.
std::string fixed_point(HarmonicBalance& equations, double omega, double level, const FrequencyResponseOptions& options,
                        Eigen::VectorXd& y, int& iterations) {
  y = Eigen::VectorXd::Zero(equations.size());
  double change = 1.0;
  for (iterations = 0; iterations < options.fixed_point_iterations;) {
    if (!equations.fixed_point_step(y, omega, level, change)) break;
    ++iterations;
    if (change < options.fixed_point_tolerance && iterations > 1) return {};
  }
  std::string why;
  for (int h = 1; h <= equations.harmonics(); ++h) {
    const double radius = equations.fixed_point_radius(h, omega);
    if (radius <= 1.0) continue;
    why += fmt::format("{} harmonic {} ({:.3g})", why.empty() ? "; the iteration amplifies" : ",", h, radius);
  }
  return fmt::format(
      "omega = {:.6g}, level {:g}: the fixed-point iteration has not converged after {} steps (change {:.2g}){}", omega,
      level, iterations, change, why);
}

}  // namespace

HarmonicBalance::Errors FrequencyResponse::largest_errors() const {
  HarmonicBalance::Errors largest;
  for (const ResponsePoint& point : points) {
    largest.truncation = std::max(largest.truncation, point.errors.truncation);
    largest.quadrature = std::max(largest.quadrature, point.errors.quadrature);
  }
  return largest;
}

FrequencyResponse frequency_response(const System& system, const HarmonicLoad& load, double level, double from,
                                     double to, const ResponseRecord& record, const FrequencyResponseOptions& options,
                                     const Observer& observer) {
  check(system, level, record, options);
  if (!(from > 0.0 && to > 0.0 && from != to)) {
    throw std::invalid_argument("frequency response: omega must go from one positive value to another");
  }
  if (options.solver == HarmonicSolver::fixed_point) {
    throw std::invalid_argument(
        "frequency response: the fixed-point iteration follows no curve; give single frequencies");
  }
  return Curve(system, load, level, from, to, record, options).run(observer);
}

FrequencyResponse responses_at(const System& system, const HarmonicLoad& load, double level,
                               const std::vector<double>& omegas, const ResponseRecord& record,
                               const FrequencyResponseOptions& options, const Observer& observer) {
  check(system, level, record, options);
  FrequencyResponse result;
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    if (!(omegas[i] > 0.0)) throw std::invalid_argument("frequency response: omega must be > 0");
    if (observer && !observer(static_cast<double>(i) / static_cast<double>(omegas.size()))) {
      result.ending = Ending::interrupted;
      result.message = "interrupted";
      return result;
    }
    Balance balance(system, load, record, options);
    Eigen::VectorXd y;
    int iterations = 0;
    std::string message;
    bool found = true;
    if (options.solver == HarmonicSolver::fixed_point) {
      message = fixed_point(balance.equations(), omegas[i], level, options, y, iterations);
      found = message.empty();
    } else {
      found = balance.start(omegas[i], level, y, iterations, message);
    }
    if (found) {
      result.points.push_back(balance.point(y, omegas[i], level, iterations));
    } else {  // the others may still be found
      result.ending = Ending::no_convergence;
      result.message += (result.message.empty() ? "" : "; ") + message;
    }
  }
  note_errors(result, options);
  return result;
}

}  // namespace microslip
