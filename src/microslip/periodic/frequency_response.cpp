#include "microslip/periodic/frequency_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/response_curve.hpp"

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
    if (options.stability && stability_obstacle(system).empty()) floquet_.emplace(system, options.stability_steps / 2);
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
    old_harmonics_ = old_harmonics;
    rebuild();
    return true;
  }

  /// More harmonics or nodes when a solution needs them; true when they changed.
  bool refine(const CurvePoint& at, const Sweep& sweep) { return refine(errors(at, sweep)); }

  /// Fewer harmonics after a stretch that needs them no more; true when they changed.
  bool coarsen() {
    constexpr int stretch = 6;
    easy_ = errors_.truncation < 0.01 * options_->tolerance ? easy_ + 1 : 0;
    if (options_->harmonics > 0 || easy_ < stretch || harmonics_ <= first_harmonics) return false;
    easy_ = 0;
    old_harmonics_ = harmonics_;
    harmonics_ = std::max(first_harmonics, 2 * harmonics_ / 3);
    if (options_->samples == 0) samples_ = std::max(first_samples, 2 * samples_ / 3);
    rebuild();
    return true;
  }

  /// A solution or tangent from before the last change of harmonics.
  void carry_over(CurvePoint& point) const {
    point.y = equations_->with_harmonics(point.y, old_harmonics_);
    point.y_tangent = equations_->with_harmonics(point.y_tangent, old_harmonics_);
  }

  [[nodiscard]] ResponsePoint point(const CurvePoint& at, const Sweep& sweep) {
    const Eigen::VectorXd& y = at.y;
    const double omega = sweep.omega(at.lambda), level = sweep.level(at.lambda);
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
    result.iterations = at.iterations;
    result.samples = equations_->samples();
    result.errors = errors(at, sweep);
    if (tells_stability()) {
      const MultiplierEstimate largest = floquet_->largest(better_, beside(at, sweep));
      result.multiplier = std::abs(largest.value);
      // An error that cannot be told leaves no better motion to compare with.
      result.multiplier_error = std::max(largest.error, result.errors.truncation < 1.0 ? 0.0 : 1.0);
    }
    return result;
  }

  [[nodiscard]] bool tells_stability() const { return floquet_.has_value(); }
  /// The largest one along a piece of the curve.
  [[nodiscard]] std::function<double(const CurvePoint&)> multiplier_between(const ResponsePoint& /*start*/,
                                                                            const ResponsePoint& /*end*/,
                                                                            const Sweep& sweep) {
    return [this, sweep](const CurvePoint& at) {
      errors(at, sweep);
      return std::abs(floquet_->largest(better_, beside(at, sweep)).value);
    };
  }

  /// d amplitude/ds of the degree of freedom whose peaks are asked for.
  [[nodiscard]] double amplitude_slope(const CurvePoint& at, const Sweep& sweep) {
    const std::vector<int> dofs = {record_->peak_dof};
    const double omega = sweep.omega(at.lambda), level = sweep.level(at.lambda);
    const Eigen::MatrixXd q = equations_->displacements(at.y, omega, level, dofs);
    const Eigen::MatrixXd change =
        equations_->displacement_changes(at.y, omega, level, at.y_tangent, sweep.over_level ? 0.0 : at.lambda_tangent,
                                         sweep.over_level ? at.lambda_tangent : 0.0, dofs);
    const HalfRange range = scanner_->half_range(q.data());
    const int harmonics = equations_->harmonics();
    return 0.5 * (series_at(change.data(), harmonics, range.tau_max).value -
                  series_at(change.data(), harmonics, range.tau_min).value);
  }

  [[nodiscard]] Residual residual(const Sweep& sweep) {
    return [this, sweep](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                         Eigen::VectorXd* by_lambda) {
      const double omega = sweep.omega(lambda);
      if (!(omega > 0.0)) return false;
      return equations_->residual(y, omega, sweep.level(lambda), r, jacobian, sweep.over_level ? nullptr : by_lambda,
                                  sweep.over_level ? by_lambda : nullptr);
    };
  }
  [[nodiscard]] RelativeSize size_at(double level) {
    return [this, level](const Eigen::VectorXd& r, const Eigen::VectorXd& y) {
      return equations_->relative_size(r, y, level);
    };
  }

  /// The motion that a load growing from zero leads to, or the one near options.start, with harmonics and samples as
  /// the tolerance needs them.
  bool start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
    const bool given = options_->start.size() > 0;
    if (!(given ? near_start(omega, level, y, iterations, message) : ramp(omega, level, y, iterations, message))) {
      return false;
    }
    // The estimate is linear in what is left out. A harmonic near a weakly damped mode may answer more strongly: the
    // choice is right when half as many harmonics again change nothing.
    double verified = 0.0;  // 0: not yet; else the change that more harmonics made
    while (true) {
      const int old = equations_->harmonics();
      bool verifying = false;
      if (!refine(alone(y, omega), Sweep::over_frequency(level))) {
        if (verified > 0.0 && verified <= options_->tolerance) return true;
        if (!add_harmonics()) return true;
        verifying = true;
      }
      y = equations_->with_harmonics(y, old);
      const Eigen::VectorXd guess = y;
      const SolveOutcome outcome = solve_at(residual(Sweep::over_frequency(level)), size_at(level), y, omega, 1e-7, 20);
      iterations += outcome.iterations;
      if (outcome.converged && (y - guess).norm() <= 0.1 * guess.norm()) {
        verified = verifying ? std::max((y - guess).norm() / guess.norm(), 1e-300) : 0.0;
        continue;
      }
      if (given) {
        message = fmt::format("the motion at omega = {:.6g} is lost with more harmonics", omega);
        return false;
      }
      if (!ramp(omega, level, y, iterations, message)) return false;
    }
  }

  /// Did the load have to fall on the way to the last start?
  [[nodiscard]] bool growth_folds() const { return growth_folds_; }

 private:
  /// Half as many again; false when their number is given or at its limit.
  bool add_harmonics() {
    if (options_->harmonics > 0 || harmonics_ >= options_->max_harmonics) return false;
    old_harmonics_ = harmonics_;
    harmonics_ = std::min(options_->max_harmonics, harmonics_ + std::max(2, harmonics_ / 2));
    if (options_->samples == 0) samples_ = std::max(samples_, std::min(options_->max_samples, 8 * harmonics_));
    rebuild();
    return true;
  }

  /// What is left out, and the motion corrected by it, computed once a solution. A point without a tangent is no part
  /// of a curve.
  const HarmonicBalance::Errors& errors(const CurvePoint& at, const Sweep& sweep) {
    const bool same = checked_.y.size() == at.y.size() && checked_.y == at.y && checked_.lambda == at.lambda &&
                      checked_.y_tangent.size() == at.y_tangent.size() && checked_.y_tangent == at.y_tangent &&
                      checked_sweep_.over_level == sweep.over_level && checked_sweep_.fixed == sweep.fixed;
    if (!same) {
      const HarmonicBalance::Along along{at.y_tangent, at.lambda_tangent, sweep.over_level};
      errors_ = equations_->errors(at.y, sweep.omega(at.lambda), sweep.level(at.lambda), record_->dofs,
                                   at.y_tangent.size() > 0 ? &along : nullptr, tells_stability() ? &better_ : nullptr);
      checked_ = at;
      checked_sweep_ = sweep;
    }
    return errors_;
  }

  /// The motion before its correction and, on a curve, as far along it as the correction leads away from it: which
  /// motion of the right curve is meant is not known better than that.
  [[nodiscard]] PeriodicOrbit beside(const CurvePoint& at, const Sweep& sweep) const {
    const Eigen::Index series = series_size(harmonics_), components = at.y.size() / series;
    const auto as_series = [&](const Eigen::VectorXd& y) {
      return Eigen::Map<const Eigen::MatrixXd>(y.data(), series, components);
    };
    PeriodicOrbit result{sweep.omega(at.lambda), sweep.level(at.lambda), harmonics_, as_series(at.y), {}};
    if (at.y_tangent.size() == 0 || !(at.y.norm() > 0.0)) return result;
    const double size = at.y.norm(), scale = 0.01 * std::abs(at.lambda);
    const double lambda = sweep.over_level ? better_.level : better_.omega;
    const double away = std::hypot((better_.deflection.topRows(series) - result.deflection).norm() / size,
                                   (lambda - at.lambda) / scale);
    const double along = away / std::hypot(at.y_tangent.norm() / size, at.lambda_tangent / scale);
    result.deflection += along * as_series(at.y_tangent);
    (sweep.over_level ? result.level : result.omega) += along * at.lambda_tangent;
    return result;
  }

  void rebuild() {
    checked_ = {};
    equations_ = std::make_unique<HarmonicBalance>(*system_, *load_, harmonics_, samples_);
    scanner_ = std::make_unique<SeriesScanner>(harmonics_);
  }

  bool near_start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
    Eigen::VectorXcd moved = options_->start;
    if (load_->ground.size() > 0) moved -= level * load_->ground;
    const Eigen::VectorXcd u = transpose_times(system_->directions(), moved);
    // The mean and the first harmonic, then more of them: each a good start for the next.
    int old = 0;
    for (const int number : {1, 3, harmonics_}) {
      const bool last = number == harmonics_;
      if (!last && number >= harmonics_) continue;
      std::optional<HarmonicBalance> coarse;
      if (!last) coarse.emplace(*system_, *load_, number, samples_);
      HarmonicBalance& equations = last ? *equations_ : *coarse;
      if (old == 0) {
        y = equations.linear_solution(omega, 0.0);  // static loads
        const int series = series_size(number);
        for (Eigen::Index c = 0; c < u.size(); ++c) {
          y(c * series + 1) = u(c).real();
          y(c * series + 2) = -u(c).imag();
        }
      } else {
        y = equations.with_harmonics(y, old);
      }
      old = number;
      const Residual at_level = [&](const Eigen::VectorXd& at, double w, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                                    Eigen::VectorXd* by_omega) {
        return equations.residual(at, w, level, r, jacobian, by_omega, nullptr);
      };
      const RelativeSize size = [&](const Eigen::VectorXd& r, const Eigen::VectorXd& at) {
        return equations.relative_size(r, at, level);
      };
      const SolveOutcome outcome = solve_at(at_level, size, y, omega, 1e-7, 40);
      iterations += outcome.iterations;
      if (last && outcome.converged) return is_near(u, y, series_size(number), omega, level, message);
    }
    message = fmt::format("no motion found at omega = {:.6g}, level {:g}, from the one to start from", omega, level);
    return false;
  }

  static bool is_near(const Eigen::VectorXcd& u, const Eigen::VectorXd& y, int series, double omega, double level,
                      std::string& message) {
    double apart = 0.0;
    for (Eigen::Index c = 0; c < u.size(); ++c) {
      apart += std::norm(u(c) - std::complex<double>(y(c * series + 1), -y(c * series + 2)));
    }
    if (std::sqrt(apart) <= 0.3 * u.norm()) return true;
    message = fmt::format("omega = {:.6g}, level {:g}: the motion to start from led to another one", omega, level);
    return false;
  }

  bool ramp(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
    const Residual growing = residual(Sweep::over_levels(omega));
    growth_folds_ = false;
    const double first = 0.02 * level;
    y = equations_->linear_solution(omega, first);
    const SolveOutcome outcome = solve_at(growing, size_at(level), y, first, 1e-7, 40);
    iterations += outcome.iterations;
    if (!outcome.converged) {
      message = fmt::format("no motion found at omega = {:.6g} under 2 % of level {:g}", omega, level);
      return false;
    }
    ContinuationOptions options;
    options.lambda_scale = std::abs(level);
    options.floor = equations_->linear_solution(omega, level).norm();
    options.first_step = 0.2;
    options.max_step = 0.5;
    options.max_turn = 0.5;
    options.fast_iterations = 4;
    Continuation curve(growing, size_at(level), options);
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
      growth_folds_ = growth_folds_ || curve.point().lambda_tangent * level < 0.0;
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
  int harmonics_ = 0, samples_ = 0, old_harmonics_ = 0;
  bool growth_folds_ = false;
  int easy_ = 0;  ///< points in a row with far more harmonics than needed
  std::unique_ptr<HarmonicBalance> equations_;
  std::unique_ptr<SeriesScanner> scanner_;
  std::optional<Floquet> floquet_;
  HarmonicBalance::Errors errors_;
  PeriodicOrbit better_;  ///< the motion corrected by them
  CurvePoint checked_;    ///< of both
  Sweep checked_sweep_;
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
  require(options.start.size() == 0 || options.start.size() == system.size(),
          "the motion to start from needs one number a degree of freedom");
}

/// A note when the tolerance could not be kept.
void note_errors(FrequencyResponse& result, const FrequencyResponseOptions& options) {
  const auto errors = result.largest_errors();
  const bool chosen = options.harmonics == 0 && errors.truncation > options.tolerance;
  const bool integrated = errors.quadrature > options.tolerance;
  if (result.ending != Ending::completed || (!chosen && !integrated)) return;
  add_note(fmt::format("tolerance {:g} was not reached: harmonics left out {:.2g}, integration of the joint "
                       "forces {:.2g}",
                       options.tolerance, errors.truncation, errors.quadrature),
           result.message);
}

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
  return fmt::format("omega = {:.6g}: the fixed-point iteration has not converged after {} steps (change {:.2g}){}",
                     omega, iterations, change, why);
}

}  // namespace

void note_folded_growth(FrequencyResponse& result, std::size_t starts) {
  const auto& folded = result.folded_growth;
  if (folded.empty()) return;
  const std::string of =
      starts > 1 ? fmt::format("{} of {} frequencies, the first at ", folded.size(), starts) : std::string();
  add_note(fmt::format("several motions at {}omega = {:.6g}: the growth of the load folds back on its way, where a "
                       "slow one jumps",
                       of, folded.front()),
           result.remark);
}

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
  Balance balance(system, load, record, options);
  FrequencyResponse result =
      ResponseCurve<Balance>(balance, Sweep::over_frequency(level), from, to, record, options).run(observer);
  note_folded_growth(result);
  note_errors(result, options);
  return result;
}

FrequencyResponse both_ways(const std::function<FrequencyResponse(double)>& branch) {
  FrequencyResponse back = branch(-1.0);
  if (back.points.empty() || back.ending == Ending::interrupted) return back;
  FrequencyResponse result = branch(1.0);
  std::reverse(back.points.begin(), back.points.end());
  std::reverse(back.special.begin(), back.special.end());
  back.points.pop_back();  // the start
  result.points.insert(result.points.begin(), back.points.begin(), back.points.end());
  result.special.insert(result.special.begin(), back.special.begin(), back.special.end());
  if (result.ending == Ending::completed) result.ending = back.ending;
  add_note(result.message, back.message);
  result.message = back.message;
  return result;
}

FrequencyResponse frequency_response_through(const System& system, const HarmonicLoad& load, double level, double omega,
                                             double from, double to, const ResponseRecord& record,
                                             const FrequencyResponseOptions& options, const Observer& observer) {
  check(system, level, record, options);
  Balance balance(system, load, record, options);
  FrequencyResponse result = both_ways([&](double direction) {
    ResponseCurve<Balance> curve(balance, Sweep::over_frequency(level), std::min(from, to), std::max(from, to), record,
                                 options);
    curve.begin_at(omega, direction);
    return curve.run(observer);
  });
  note_folded_growth(result);
  note_errors(result, options);
  return result;
}

FrequencyResponse level_response(const System& system, const HarmonicLoad& load, double omega, double from, double to,
                                 const ResponseRecord& record, const FrequencyResponseOptions& options,
                                 const Observer& observer) {
  check(system, from, record, options);
  if (!(omega > 0.0)) throw std::invalid_argument("level sweep: omega must be > 0");
  if (!(from * to > 0.0 && from != to)) {
    throw std::invalid_argument("level sweep: levels must go from one value to another of the same sign");
  }
  Balance balance(system, load, record, options);
  FrequencyResponse result =
      ResponseCurve<Balance>(balance, Sweep::over_levels(omega), from, to, record, options).run(observer);
  note_folded_growth(result);
  note_errors(result, options);
  return result;
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
      add_note("interrupted", result.message);
      break;
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
      result.points.push_back(balance.point(alone(y, omegas[i], iterations), Sweep::over_frequency(level)));
      if (balance.growth_folds()) result.folded_growth.push_back(omegas[i]);
    } else {  // the others may still be found
      result.ending = Ending::no_convergence;
      add_note(message, result.message);
    }
  }
  note_folded_growth(result, omegas.size());
  note_errors(result, options);
  return result;
}

}  // namespace microslip
