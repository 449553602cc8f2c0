#include "microslip/periodic/balance_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "microslip/joints/law_traits.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/periodic/joint_past.hpp"

namespace microslip {
namespace {

constexpr int first_harmonics = 5;
constexpr int first_samples = 64;
constexpr int longest_stretch = 100;
constexpr int most_settled_harmonics = 40;  ///< a motion with jumps of force may have none beside it with a few
constexpr int samples_a_harmonic = 6;       ///< F e_H has harmonics up to 2 H and more: Gauss begins to converge at pi

}  // namespace

BalanceCurve::BalanceCurve(const System& system, const HarmonicLoad& load, const ResponseRecord& record,
                           const FrequencyResponseOptions& options)
    : system_(&system), load_(&load), record_(&record), options_(&options) {
  harmonics_ = options.harmonics > 0 ? options.harmonics : first_harmonics;
  samples_ = options.samples > 0 ? options.samples : std::max(first_samples, samples_a_harmonic * harmonics_);
  if (options.stability && stability_obstacle(system).empty()) floquet_.emplace(system, options.stability_steps / 2);
  rebuild();
}

bool BalanceCurve::refine(const HarmonicBalance::Errors& errors) {
  const int old_harmonics = harmonics_;
  const int old_samples = samples_;
  if (options_->harmonics == 0 && errors.truncation > options_->tolerance) {
    harmonics_ = std::min(options_->max_harmonics, harmonics_ + std::max(2, harmonics_ / 2));
  }
  if (options_->samples == 0) {
    if (errors.quadrature > 0.1 * options_->tolerance) samples_ = std::min(options_->max_samples, 2 * samples_);
    samples_ = std::max(samples_, std::min(options_->max_samples, samples_a_harmonic * harmonics_));
  }
  if (harmonics_ == old_harmonics && samples_ == old_samples) return false;
  easy_ = 0;
  if (std::exchange(coarsened_, false)) stretch_ = std::min(2 * stretch_, longest_stretch);
  old_harmonics_ = old_harmonics;
  rebuild();
  return true;
}

bool BalanceCurve::coarsen() {
  easy_ = errors_.truncation < 0.1 * options_->tolerance ? easy_ + 1 : 0;
  if (options_->harmonics > 0 || easy_ < stretch_ || harmonics_ <= first_harmonics) return false;
  easy_ = 0;
  coarsened_ = true;
  old_harmonics_ = harmonics_;
  harmonics_ = std::max(first_harmonics, 2 * harmonics_ / 3);
  if (options_->samples == 0) samples_ = std::max(first_samples, 2 * samples_ / 3);
  rebuild();
  return true;
}

void BalanceCurve::carry_over(CurvePoint& point) const {
  point.y = equations_->with_harmonics(point.y, old_harmonics_);
  point.y_tangent = equations_->with_harmonics(point.y_tangent, old_harmonics_);
}

ResponsePoint BalanceCurve::point(const CurvePoint& at, const Sweep& sweep) {
  const Eigen::VectorXd& y = at.y;
  const double omega = sweep.omega(at.lambda), level = sweep.level(at.lambda);
  ResponsePoint result;
  result.orbit = equations_->orbit(y, omega, level);
  const Eigen::MatrixXd q = equations_->displacements(y, omega, level, record_->dofs);
  for (Eigen::Index k = 0; k < q.cols(); ++k) {
    const double* series = q.col(k).data();
    result.amplitude.push_back(scanner_->half_range(series).value);
    result.harmonic1.push_back(std::hypot(series[1], series[2]));
    result.phase1.push_back(std::atan2(-series[2], series[1]));
  }
  result.dissipation = work_of_joints(result.orbit);
  result.iterations = at.iterations;
  result.samples = equations_->samples();
  result.errors = errors(at, sweep);
  const std::vector<double> better = work_of_joints(better_),
                            more =
                                work_of_joints(equations_->orbit((1.0 + result.errors.at_point()) * y, omega, level));
  for (std::size_t j = 0; j < better.size(); ++j) {
    // The correction is of first order: as much again may be left. Nor can it say less than a motion that is larger by
    // the stated error.
    const double off = 2.0 * std::abs(better[j] - result.dissipation[j]) * std::max(1.0, result.errors.steepness);
    result.dissipation_error.push_back(std::isnan(off) ? off
                                                       : std::max(off, std::abs(more[j] - result.dissipation[j])));
  }
  if (tells_stability()) {
    const MultiplierEstimate largest = floquet_->largest(better_, beside(at, sweep));
    result.multiplier = std::abs(largest.value);
    // An error that cannot be told leaves no better motion to compare with.
    result.multiplier_error = std::max(largest.error, result.errors.truncation < 1.0 ? 0.0 : 1.0);
  }
  return result;
}

std::vector<double> BalanceCurve::work_of_joints(const PeriodicOrbit& orbit) const {
  std::vector<double> result;
  for (int j = 0; j < static_cast<int>(system_->joints().size()); ++j) {
    double work = orbit.force.size() > 0 ? 0.0 : std::numeric_limits<double>::quiet_NaN();
    for (int c = system_->offset(j); c < system_->offset(j + 1) && orbit.force.size() > 0; ++c) {
      work += work_per_period(orbit.force.col(c).data(), orbit.deflection.col(c).data(), orbit.harmonics);
    }
    result.push_back(work);
  }
  return result;
}

std::function<double(const CurvePoint&)> BalanceCurve::multiplier_between(const ResponsePoint& /*start*/,
                                                                          const ResponsePoint& /*end*/,
                                                                          const Sweep& sweep) {
  return [this, sweep](const CurvePoint& at) {
    errors(at, sweep);
    return std::abs(floquet_->largest(better_, beside(at, sweep)).value);
  };
}

double BalanceCurve::amplitude_slope(const CurvePoint& at, const Sweep& sweep) {
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

Residual BalanceCurve::residual(const Sweep& sweep) {
  return [this, sweep](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                       Eigen::VectorXd* by_lambda) {
    const double omega = sweep.omega(lambda);
    if (!(omega > 0.0)) return false;
    return equations_->residual(y, omega, sweep.level(lambda), r, jacobian, sweep.over_level ? nullptr : by_lambda,
                                sweep.over_level ? by_lambda : nullptr);
  };
}

RelativeSize BalanceCurve::size_at(double level) {
  return [this, level](const Eigen::VectorXd& r, const Eigen::VectorXd& y) {
    return equations_->relative_size(r, y, level);
  };
}

bool BalanceCurve::start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
  const int many = harmonics_;
  curve_ = nullptr;
  if (options_->harmonics > 0 || many == first_harmonics) return begin(omega, level, y, iterations, message);
  set_harmonics(first_harmonics);
  if (begin(omega, level, y, iterations, message)) return true;
  if (growth_.nothing || harmonics_ >= many) return false;
  set_harmonics(many);
  message.clear();
  return begin(omega, level, y, iterations, message);
}

bool BalanceCurve::begin(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
  if (options_->solver == HarmonicSolver::fixed_point) return fixed_point(omega, level, y, iterations, message);
  if (!first_motion(omega, level, y, iterations, message)) return false;
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
    const double change = (y - guess).norm(), size = guess.norm();
    if (outcome.converged && change <= 0.1 * size) {
      verified = verifying ? std::max(size > 0.0 ? change / size : 0.0, 1e-300) : 0.0;
      continue;
    }
    if (options_->begins_near()) {
      message = fmt::format("the motion at omega = {:.6g} is lost with more harmonics", omega);
      return false;
    }
    if (!first_motion(omega, level, y, iterations, message)) return false;
  }
}

bool BalanceCurve::add_harmonics() {
  if (options_->harmonics > 0 || harmonics_ >= options_->max_harmonics) return false;
  old_harmonics_ = harmonics_;
  set_harmonics(std::min(options_->max_harmonics, harmonics_ + std::max(2, harmonics_ / 2)));
  return true;
}

void BalanceCurve::set_harmonics(int harmonics) {
  harmonics_ = harmonics;
  if (options_->samples == 0)
    samples_ = std::max(samples_, std::min(options_->max_samples, samples_a_harmonic * harmonics_));
  rebuild();
}

const HarmonicBalance::Errors& BalanceCurve::errors(const CurvePoint& at, const Sweep& sweep) {
  const bool same = checked_.y.size() == at.y.size() && checked_.y == at.y && checked_.lambda == at.lambda &&
                    checked_.y_tangent.size() == at.y_tangent.size() && checked_.y_tangent == at.y_tangent &&
                    checked_sweep_.over_level == sweep.over_level && checked_sweep_.fixed == sweep.fixed;
  if (!same) {
    const bool kept = curve_ != nullptr && curve_->has_factors_of(at);
    const HarmonicBalance::Along along{at.y_tangent, at.lambda_tangent, sweep.over_level, kept ? curve_ : nullptr};
    errors_ = equations_->errors(at.y, sweep.omega(at.lambda), sweep.level(at.lambda), record_->dofs,
                                 at.y_tangent.size() > 0 ? &along : nullptr, &better_);
    checked_ = at;
    checked_sweep_ = sweep;
  }
  return errors_;
}

PeriodicOrbit BalanceCurve::beside(const CurvePoint& at, const Sweep& sweep) const {
  const Eigen::Index series = series_size(harmonics_), components = at.y.size() / series;
  const auto as_series = [&](const Eigen::VectorXd& y) {
    return Eigen::Map<const Eigen::MatrixXd>(y.data(), series, components);
  };
  PeriodicOrbit result{sweep.omega(at.lambda), sweep.level(at.lambda), harmonics_, as_series(at.y), {}};
  if (at.y_tangent.size() == 0 || !(at.y.norm() > 0.0)) return result;
  const double size = at.y.norm(), scale = 0.01 * std::abs(at.lambda);
  const double lambda = sweep.over_level ? better_.level : better_.omega;
  const double away =
      std::hypot((better_.deflection.topRows(series) - result.deflection).norm() / size, (lambda - at.lambda) / scale);
  const double along = away / std::hypot(at.y_tangent.norm() / size, at.lambda_tangent / scale);
  result.deflection += along * as_series(at.y_tangent);
  (sweep.over_level ? result.level : result.omega) += along * at.lambda_tangent;
  return result;
}

void BalanceCurve::move_to(const System& system, const HarmonicLoad& load) {
  system_ = &system;
  load_ = &load;
  if (floquet_) floquet_.emplace(system, options_->stability_steps / 2);
  rebuild();
}

void BalanceCurve::rebuild() {
  checked_ = {};
  curve_ = nullptr;
  equations_ = std::make_unique<HarmonicBalance>(*system_, *load_, harmonics_, samples_);
  scanner_ = std::make_unique<SeriesScanner>(harmonics_);
  if (past_) equations_->begin_with(past_);
}

void BalanceCurve::begin_with(std::shared_ptr<const JointMemory> memory) {
  if (memory == past_) return;
  past_ = std::move(memory);
  rebuild();
}

bool BalanceCurve::fixed_point(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
  y = Eigen::VectorXd::Zero(equations_->size());
  double change = 1.0;
  for (iterations = 0; iterations < options_->fixed_point_iterations;) {
    if (!equations_->fixed_point_step(y, omega, level, change)) break;
    ++iterations;
    if (change < options_->fixed_point_tolerance && iterations > 1) return true;
  }
  std::string why;
  for (int h = 1; h <= harmonics_; ++h) {
    const double radius = equations_->fixed_point_radius(h, omega);
    if (radius <= 1.0) continue;
    why += fmt::format("{} harmonic {} ({:.3g})", why.empty() ? "; the iteration amplifies" : ",", h, radius);
  }
  message = fmt::format("omega = {:.6g}: the fixed-point iteration has not converged after {} steps (change {:.2g}){}",
                        omega, iterations, change, why);
  return false;
}

bool BalanceCurve::first_motion(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
  if (options_->near) return beside_orbit(omega, level, y, iterations, message);
  if (options_->start.size() > 0) return near_start(omega, level, y, iterations, message);
  begin_with(nullptr);
  // A growth that folds again and again is no slow growth: such a one jumps, and so does a transient.
  constexpr int winding = 300;
  if (ramp(omega, level, winding, y, iterations, message)) return true;
  const bool wound = wound_;
  if (settled(omega, level, y, iterations, message)) return true;
  return wound && !growth_.nothing && ramp(omega, level, options_->max_points, y, iterations, message);
}

bool BalanceCurve::settled(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
  const SettledMotion found = settle(*system_, *load_, omega, level, most_settled_harmonics, stopped_);
  growth_ = {};
  if (found.orbit.deflection.size() == 0) return false;
  growth_.transient = beside_settled(found, omega, level, y, iterations);
  const bool sliders = std::ranges::any_of(
      system_->joints(), [](const Joint& joint) { return memory_of(joint.law) == MemoryKind::sliders; });
  if (!growth_.transient && sliders && found.settled) {
    begin_with(std::make_shared<const JointMemory>(found.memory));
    growth_.transient = beside_settled(found, omega, level, y, iterations);
    if (!growth_.transient) begin_with(nullptr);
  }
  if (growth_.transient) return true;
  growth_.nothing = found.wanders;
  if (!found.settled) add_note(found.in_words(omega, level), message);
  return false;
}

bool BalanceCurve::beside_settled(const SettledMotion& found, double omega, double level, Eigen::VectorXd& y,
                                  int& iterations) {
  const Eigen::VectorXd motion = found.orbit.deflection.reshaped();
  do {
    const Eigen::VectorXd guess = equations_->with_harmonics(motion, most_settled_harmonics);
    y = guess;
    const SolveOutcome outcome = solve_at(residual(Sweep::over_frequency(level)), size_at(level), y, omega, 1e-7, 40);
    iterations += outcome.iterations;
    if (outcome.converged && (y - guess).norm() <= 0.3 * guess.norm()) return true;
  } while (harmonics_ < most_settled_harmonics && add_harmonics());
  return false;
}

bool BalanceCurve::beside_orbit(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
  constexpr double beside = 0.1;  // of the motion
  const PeriodicOrbit& near = *options_->near;
  const Eigen::VectorXd guess = equations_->with_harmonics(near.deflection.reshaped(), near.harmonics);
  y = guess;
  const SolveOutcome outcome = solve_at(residual(Sweep::over_frequency(level)), size_at(level), y, omega, 1e-7, 20);
  iterations += outcome.iterations;
  if (outcome.converged && (y - guess).norm() <= beside * guess.norm()) return true;
  message = fmt::format("no motion found at omega = {:.6g}, level {:g}, beside the one to start from", omega, level);
  return false;
}

bool BalanceCurve::near_start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
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

bool BalanceCurve::is_near(const Eigen::VectorXcd& u, const Eigen::VectorXd& y, int series, double omega, double level,
                           std::string& message) {
  double apart = 0.0;
  for (Eigen::Index c = 0; c < u.size(); ++c) {
    apart += std::norm(u(c) - std::complex<double>(y(c * series + 1), -y(c * series + 2)));
  }
  if (std::sqrt(apart) <= 0.3 * u.norm()) return true;
  message = fmt::format("omega = {:.6g}, level {:g}: the motion to start from led to another one", omega, level);
  return false;
}

void BalanceCurve::look_at_growth(const Eigen::VectorXd& y) {
  const Eigen::MatrixXd series =
      Eigen::Map<const Eigen::MatrixXd>(y.data(), series_size(harmonics_), y.size() / series_size(harmonics_));
  const Eigen::VectorXd now = farthest_deflections(series, *scanner_);
  if (growth_.farthest.size() == 0) growth_.farthest = now;
  for (Eigen::Index c = 0; c < now.size(); ++c) growth_.farthest(c) = farther(growth_.farthest(c), now(c));
}

bool BalanceCurve::ramp(double omega, double level, int most_points, Eigen::VectorXd& y, int& iterations,
                        std::string& message) {
  const Residual growing = residual(Sweep::over_levels(omega));
  wound_ = false;
  growth_ = {};
  const double first = 0.02 * level;
  y = equations_->linear_solution(omega, first);
  const SolveOutcome outcome = solve_at(growing, size_at(level), y, first, 1e-7, 40);
  iterations += outcome.iterations;
  if (!outcome.converged) {
    message = fmt::format("no motion found at omega = {:.6g} under 2 % of level {:g}", omega, level);
    return false;
  }
  const bool memory_may_count = has_constant_load(*load_);
  if (memory_may_count) look_at_growth(y);
  ContinuationOptions options;
  options.lambda_scale = std::abs(level);
  options.floor = equations_->linear_solution(omega, level).norm();
  options.first_step = 0.2;
  options.max_step = 0.5;
  options.max_turn = 0.5;
  options.fast_iterations = 4;
  options.keep_factors_from = keep_factors_from;
  Continuation curve(growing, size_at(level), options);
  if (!curve.start(y, first, level > 0.0 ? 1.0 : -1.0)) {
    message = fmt::format("no tangent at omega = {:.6g} under 2 % of level {:g}", omega, level);
    return false;
  }
  for (int i = 0; i < most_points; ++i) {
    if (!curve.advance()) {
      message = fmt::format("growth of the load at omega = {:.6g}: {}", omega, curve.message());
      return false;
    }
    iterations += curve.point().iterations;
    const bool falls = curve.point().lambda_tangent * level < 0.0;  // no slow growth goes that way
    growth_.folds = growth_.folds || falls;
    if (curve.point().lambda / level < 1.0) {
      if (memory_may_count && !falls) look_at_growth(curve.point().y);
      continue;
    }
    CurvePoint landed;
    if (curve.land(level, landed)) {
      y = landed.y;
      iterations += landed.iterations;
      return true;
    }
    curve.take_back();
  }
  wound_ = true;
  message = fmt::format("growth of the load at omega = {:.6g} does not reach level {:g}", omega, level);
  return false;
}

}  // namespace microslip
