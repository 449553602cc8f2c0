#include "microslip/periodic/shooting_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/balance_curve.hpp"
#include "microslip/periodic/curve_error.hpp"
#include "microslip/periodic/shooting.hpp"

namespace microslip {
namespace {

constexpr int first_steps = 256;
constexpr double weight_of_half = 2.0;  // of the change of a multiplier in its error
constexpr int most_harmonics = 25;      ///< in the series of an orbit

/// Extremes of samples that have rates: of the cubic between two of them where the rate changes its sign.
double half_range(const Eigen::RowVectorXd& q, const Eigen::RowVectorXd& v, double step) {
  double low = q.minCoeff(), high = q.maxCoeff();
  for (Eigen::Index i = 0; i + 1 < q.size(); ++i) {
    if ((v(i) < 0.0) == (v(i + 1) < 0.0)) continue;
    const double v0 = step * v(i), v1 = step * v(i + 1), rise = q(i + 1) - q(i);
    const double c2 = 3.0 * rise - 2.0 * v0 - v1, c3 = v0 + v1 - 2.0 * rise;
    double s = v0 / (v0 - v1);
    for (int k = 0; k < 3; ++k) {
      const double slope = 2.0 * c2 + 6.0 * c3 * s;
      if (slope != 0.0) s = std::clamp(s - (v0 + s * (2.0 * c2 + 3.0 * c3 * s)) / slope, 0.0, 1.0);
    }
    const double extreme = q(i) + s * (v0 + s * (c2 + s * c3));
    low = std::min(low, extreme);
    high = std::max(high, extreme);
  }
  return 0.5 * (high - low);
}

/// Farther from their middle by `factor`, or less far.
void spread(std::vector<double>& reversals, double factor) {
  if (reversals.empty()) return;
  const auto [low, high] = std::minmax_element(reversals.begin(), reversals.end());
  const double middle = 0.5 * (*low + *high);
  for (double& u : reversals) u = middle + factor * (u - middle);
}

/// Does the slope of a joint jump at some deflection, or where all of it slips?
bool has_corners(const Law& law) {
  return std::visit(
      []<class L>(const L& l) {
        if constexpr (SpringLaw<L>) {
          return !l.corners().empty();
        } else if constexpr (MasingLaw<L>) {
          const auto shape = l.shape();
          return !shape.corners().empty() || shape.at(shape.yield() * (1.0 - 1e-9)).slope > 1e-3 * l.stuck_stiffness();
        } else {
          return false;
        }
      },
      law);
}

/// Fourier coefficients of samples over one period, the last of which repeats the first.
Eigen::VectorXd series_of(const Eigen::RowVectorXd& samples, int harmonics) {
  Eigen::VectorXd result(series_size(harmonics));
  series_of_samples({samples.data(), static_cast<std::size_t>(samples.size() - 1)}, harmonics, result.data());
  return result;
}

}  // namespace

ShootingCurve::ShootingCurve(const System& system, const HarmonicLoad& load, const ResponseRecord& record,
                             const FrequencyResponseOptions& options, double omega_scale)
    : system_(&system), load_(&load), record_(&record), options_(&options), omega_scale_(omega_scale) {
  // Two steps in the period of the highest mode, which would be driven by what it does not see otherwise.
  const double highest = system.stuck_modes().omega.maxCoeff();
  int chosen = first_steps;
  while (chosen < options.max_steps && chosen < 2.0 * highest / omega_scale) chosen *= 2;
  set_steps(options.steps > 0 ? options.steps : chosen);
  const auto& joints = system.joints();
  drops_ =
      std::any_of(joints.begin(), joints.end(), [](const Joint& j) { return memory_of(j.law) == MemoryKind::sliders; });
  corners_ = std::any_of(joints.begin(), joints.end(), [](const Joint& j) { return has_corners(j.law); });
  if (options.stability && stability_obstacle(system).empty()) floquet_.emplace(system);
}

bool ShootingCurve::start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
  FrequencyResponseOptions rough = *options_;
  rough.stability = false;
  rough.tolerance = std::max(options_->tolerance, 1e-4);
  const ResponseRecord nothing;
  BalanceCurve balance(*system_, *load_, nothing, rough);
  const bool found = balance.start(omega, level, y, iterations, message);
  growth_ = balance.growth();
  if (!found) {
    message = "no motion to start from: " + message;
    return false;
  }
  const PeriodicOrbit guess = balance.point(alone(y, omega), Sweep::over_frequency(level)).orbit;
  PeriodState state = period_start(*map_, *load_, guess);
  const int steps = map_->steps();
  iterations = 0;
  while (true) {
    ShootingSolution solution = shoot(*map_, state, omega, level);
    iterations += solution.iterations;
    if (!solution.converged && options_->steps == 0 && map_->steps() < options_->max_steps) {
      set_steps(2 * map_->steps());  // too long for the highest modes
      state = period_start(*map_, *load_, guess);
      continue;
    }
    if (!solution.converged) {
      message = fmt::format("omega = {:.6g}, level {:g}: {}", omega, level, solution.message);
      if (map_->steps() != steps) set_steps(steps);  // more of them did not help
      return false;
    }
    state = std::move(solution.state);
    reference_ = state;
    linear_ = false;
    y = motion(state);
    if (!refine(alone(y, omega), Sweep::over_frequency(level))) return true;
  }
}

bool ShootingCurve::refine(const CurvePoint& at, const Sweep& sweep) {
  if (options_->steps > 0 || map_->steps() >= options_->max_steps) return false;
  if (!(estimate(at, sweep).motion > options_->tolerance)) return false;
  set_steps(2 * map_->steps());
  return true;
}

ResponsePoint ShootingCurve::point(const CurvePoint& at, const Sweep& sweep) {
  const Eigen::VectorXd& y = at.y;
  const double omega = sweep.omega(at.lambda), level = sweep.level(at.lambda);
  ResponsePoint result;
  PeriodDerivative derivative;
  PeriodHistory history;
  PeriodState end;
  const PeriodState state = state_at(y, omega, level);
  if (!map_->run(state, omega, level, end, options_->stability ? &derivative : nullptr, &history,
                 Turns::between_nodes)) {
    return unknown_point(at, omega, level);
  }
  const double step = two_pi / (omega * map_->steps());
  for (const int dof : record_->dofs) {
    const auto [q, v] = map_->motion(dof, history, omega, level);
    const Eigen::VectorXd series = series_of(q, 1);
    result.amplitude.push_back(half_range(q, v, step));
    result.harmonic1.push_back(std::hypot(series(1), series(2)));
    result.phase1.push_back(std::atan2(-series(2), series(1)));
  }
  result.dissipation = history.dissipation;
  result.orbit.omega = omega;
  result.orbit.level = level;
  result.orbit.harmonics = std::min(most_harmonics, map_->steps() / 4);
  const auto joints = static_cast<Eigen::Index>(system_->components());
  result.orbit.deflection.resize(series_size(result.orbit.harmonics), joints);
  result.orbit.force.resize(series_size(result.orbit.harmonics), joints);
  for (Eigen::Index j = 0; j < joints; ++j) {
    result.orbit.deflection.col(j) = series_of(history.u.row(j), result.orbit.harmonics);
    result.orbit.force.col(j) = series_of(history.f.row(j), result.orbit.harmonics);
  }
  result.iterations = at.iterations;
  result.samples = map_->steps();
  result.errors.quadrature = estimate(at, sweep).motion;
  result.errors.steepness = estimate_.steepness;
  for (std::size_t j = 0; j < result.dissipation.size(); ++j) {
    double off = 0.0;
    for (const Estimate::Loss& loss : estimate_.losses) {
      const double apart = loss.weight * std::abs(loss.of_joints[j] - result.dissipation[j]);
      if (!(apart <= off)) off = apart;  // not a number stays none
    }
    const double along = off * std::max(1.0, estimate_.steepness);
    const bool told = estimate_.losses.size() >= halves_ && !std::isnan(along);
    result.dissipation_error.push_back(told ? std::max(along, loss_of_more(j, result)) : not_known);
  }
  if (options_->stability) {
    const MultiplierEstimate largest = multiplier(at, sweep, result.orbit, history, derivative.monodromy);
    result.multiplier = std::abs(largest.value);
    result.multiplier_error = largest.error;
  }
  return result;
}

double ShootingCurve::loss_of_more(std::size_t joint, const ResponsePoint& point) const {
  const Joint& j = system_->joints()[joint];
  const int c = system_->offset(static_cast<int>(joint)), harmonics = point.orbit.harmonics;
  if (components_of(j.law) != 1 || memory_of(j.law) == MemoryKind::none) return 0.0;
  AlternatingTransform transform(j.law, j.normal.static_value(), harmonics, 8 * harmonics);
  Eigen::VectorXd u = point.orbit.deflection.col(c), force(u.size());
  const auto loss = [&] {
    if (!transform.evaluate(u.data(), point.orbit.omega, force.data())) return not_known;
    return work_per_period(force.data(), u.data(), harmonics);
  };
  const double now = loss();
  u *= 1.0 + point.errors.at_point();
  return std::abs(loss() - now);
}

std::function<double(const CurvePoint&)> ShootingCurve::multiplier_between(const ResponsePoint& start,
                                                                           const ResponsePoint& end,
                                                                           const Sweep& sweep) {
  const bool of_loops = floquet_ && (sides(start.orbit, start.errors.quadrature) == Sides::differ ||
                                     sides(end.orbit, end.errors.quadrature) == Sides::differ);
  return [this, sweep, of_loops](const CurvePoint& at) {
    PeriodHistory history;
    Eigen::VectorXd r;
    if (!evaluate(at.y, at.lambda, sweep, r, nullptr, nullptr, &history)) return not_known;
    if (of_loops) {
      const PeriodicOrbit orbit = motion_of(history.u, at, sweep);
      return std::abs(floquet_->largest(orbit, orbit).value);
    }
    PeriodState after;
    PeriodDerivative derivative;
    if (!map_->run(linearised_.state, sweep.omega(at.lambda), sweep.level(at.lambda), after, &derivative, nullptr,
                   Turns::between_nodes)) {
      return not_known;
    }
    const Eigen::MatrixXd& monodromy = derivative.monodromy;
    return monodromy.size() > 0 ? std::abs(largest_multiplier(monodromy)) : not_known;
  };
}

double ShootingCurve::amplitude_slope(const CurvePoint& at, const Sweep& sweep) {
  const double length = 1e-4 * at.y.norm() / std::max(at.y_tangent.norm(), 1e-300);
  const double reach = std::min(length, 1e-4 * std::abs(at.lambda) / std::max(std::abs(at.lambda_tangent), 1e-300));
  const auto amplitude = [&](double s) {
    const double lambda = at.lambda + s * at.lambda_tangent;
    return amplitude_of(record_->peak_dof, at.y + s * at.y_tangent, sweep.omega(lambda), sweep.level(lambda));
  };
  return (amplitude(reach) - amplitude(-reach)) / (2.0 * reach);
}

Residual ShootingCurve::residual(const Sweep& sweep) {
  return [this, sweep](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                       Eigen::VectorXd* by_lambda) { return evaluate(y, lambda, sweep, r, jacobian, by_lambda); };
}

RelativeSize ShootingCurve::size_at(double /*level*/) {
  return [](const Eigen::VectorXd& r, const Eigen::VectorXd& y) {
    const double size = y.norm();
    return size > 0.0 ? r.norm() / size : r.norm();
  };
}

ResponsePoint ShootingCurve::unknown_point(const CurvePoint& at, double omega, double level) const {
  ResponsePoint result;
  for (auto* values : {&result.amplitude, &result.harmonic1, &result.phase1}) {
    values->assign(record_->dofs.size(), not_known);
  }
  result.dissipation.assign(system_->joints().size(), not_known);
  result.dissipation_error = result.dissipation;
  result.orbit = {omega, level, 1, {}, {}};
  result.orbit.deflection.setConstant(series_size(1), system_->components(), not_known);
  result.orbit.force = result.orbit.deflection;
  result.iterations = at.iterations;
  result.samples = map_->steps();
  result.errors = {1.0, 1.0, 1.0};
  if (options_->stability) {
    result.multiplier = not_known;
    result.multiplier_error = 1.0;
  }
  return result;
}

MultiplierEstimate ShootingCurve::multiplier(const CurvePoint& at, const Sweep& sweep, const PeriodicOrbit& orbit,
                                             const PeriodHistory& history, const Eigen::MatrixXd& monodromy) {
  const Estimate& left = estimate(at, sweep);
  const Sides loops = sides(orbit, left.motion);
  MultiplierEstimate largest{not_known, 1.0};
  if (loops == Sides::differ && floquet_) {
    largest = multiplier_of_loops(at, sweep, history, left);
  } else if (monodromy.size() > 0) {
    largest = multiplier_of_map(monodromy, left);
    if (loops == Sides::may_differ && floquet_) {  // it may be either
      const MultiplierEstimate other = multiplier_of_loops(at, sweep, history, left);
      largest.error = std::max(largest.error, std::abs(std::abs(largest.value) - std::abs(other.value)) + other.error);
    }
  }
  const double omega = sweep.omega(at.lambda), level = sweep.level(at.lambda);
  if (drops_) {
    const double change = change_of_sides(largest.value, state_at(at.y, omega, level), omega, level);
    largest.error = std::max(largest.error, change);
  }
  if (loops != Sides::alike && !floquet_) largest.error = std::max(largest.error, 1.0);  // which side is not known
  if (loops != Sides::differ && monodromy.size() > 0) {
    const Eigen::VectorXd mean = history.d.leftCols(map_->steps()).rowwise().mean();
    const double change = change_of_size(largest.value, state_at(at.y, omega, level), mean, left.motion, omega, level);
    largest.error = std::max(largest.error, change);
  }
  if (!(left.motion < 1.0)) largest.error = std::max(largest.error, 1.0);  // nor is the motion known
  return largest;
}

MultiplierEstimate ShootingCurve::multiplier_of_loops(const CurvePoint& at, const Sweep& sweep,
                                                      const PeriodHistory& history, const Estimate& left) const {
  const PeriodicOrbit orbit = motion_of(history.u, at, sweep);
  if (left.rough.u.size() == 0) return {floquet_->largest(orbit, orbit).value, 1.0};
  // With half the steps and half the harmonics: all of what first order would leave.
  MultiplierEstimate largest =
      floquet_->largest(orbit, orbit_of(left.rough.u, left.rough.omega, left.rough.level, orbit.harmonics / 2));
  for (const double factor : sizes_within(left.motion)) {
    PeriodicOrbit other = orbit;
    other.deflection.bottomRows(other.deflection.rows() - 1) *= factor;
    const double size = std::abs(floquet_->largest(other, other).value);
    largest.error = std::max(largest.error, std::abs(size - std::abs(largest.value)));
  }
  return largest;
}

MultiplierEstimate ShootingCurve::multiplier_of_map(const Eigen::MatrixXd& monodromy, const Estimate& left) const {
  const auto halves = std::count_if(left.multipliers.begin(), left.multipliers.end(),
                                    [](const auto& others) { return others.weight == weight_of_half; });
  MultiplierEstimate largest{largest_multiplier(monodromy), halves < static_cast<int>(all_halves) ? 1.0 : 1e-12};
  for (const auto& [weight, others] : left.multipliers) {
    largest.error = std::max(largest.error, weight * multiplier_change(largest.value, others));
  }
  return largest;
}

double ShootingCurve::change_of_sides(std::complex<double> largest, const PeriodState& state, double omega,
                                      double level) {
  constexpr double little = 1e-4;  // beyond what Newton leaves, and less than steps do
  double change = 0.0;
  for (const double factor : {1.0 - little, 1.0 + little}) {
    PeriodState side = state, end;
    for (std::size_t j = 0; j < side.reversals.size(); ++j) {
      if (memory_of(system_->joints()[j].law) == MemoryKind::sliders) spread(side.reversals[j], factor);
    }
    PeriodDerivative derivative;
    if (!map_->run(side, omega, level, end, &derivative, nullptr, Turns::between_nodes)) return 1.0;
    if (derivative.monodromy.size() == 0) return 1.0;
    change = std::max(change, multiplier_change(largest, complex_eigenvalues(derivative.monodromy)));
  }
  return change;
}

std::vector<double> ShootingCurve::sizes_within(double error) const {
  if (!corners_ || !(error < 1.0)) return {};
  return {1.0 - 2.0 * error, 1.0 + 2.0 * error};
}

double ShootingCurve::change_of_size(std::complex<double> largest, const PeriodState& state,
                                     const Eigen::VectorXd& mean, double error, double omega, double level) const {
  double change = 0.0;
  for (const double factor : sizes_within(error)) {
    PeriodState other = state;
    other.d = mean + factor * (state.d - mean);
    other.v *= factor;
    for (auto& reversals : other.reversals) spread(reversals, factor);
    Linear there;
    if (!linearise(*map_, std::move(other), omega, factor * level, false, there, nullptr, Turns::between_nodes)) {
      return 1.0;
    }
    change = std::max(change, multiplier_change(largest, complex_eigenvalues(there.derivative.monodromy)));
  }
  return change;
}

ShootingCurve::Sides ShootingCurve::sides(const PeriodicOrbit& orbit, double error) const {
  const int harmonics = std::min(12, orbit.harmonics);
  const auto sizes = [&](Eigen::Index j) {  // of the even harmonics with the mean, and of the others
    double even = std::pow(orbit.deflection(0, j), 2), odd = 0.0;
    for (int h = 1; h <= harmonics; ++h) {
      (h % 2 == 0 ? even : odd) += orbit.deflection.col(j).segment(2 * h - 1, 2).squaredNorm();
    }
    return std::pair(std::sqrt(even), std::sqrt(odd));
  };
  double largest = 0.0;
  for (Eigen::Index j = 0; j < orbit.deflection.cols(); ++j) largest = std::max(largest, sizes(j).second);
  const auto& joints = system_->joints();
  Sides result = Sides::alike;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto [even, odd] = sizes(static_cast<Eigen::Index>(j));
    const MemoryKind memory = memory_of(joints[j].law);
    if (even <= 1e-6 * odd || (memory != MemoryKind::reversals && memory != MemoryKind::sliders)) continue;
    if (even > 1e-6 * odd + error * largest) return Sides::differ;
    result = Sides::may_differ;
  }
  return result;
}

PeriodicOrbit ShootingCurve::motion_of(const Eigen::MatrixXd& u, const CurvePoint& at, const Sweep& sweep) const {
  return orbit_of(u, sweep.omega(at.lambda), sweep.level(at.lambda), std::min(256, map_->steps() / 8));
}

PeriodicOrbit ShootingCurve::orbit_of(const Eigen::MatrixXd& u, double omega, double level, int harmonics) {
  PeriodicOrbit orbit{omega, level, harmonics, {}, {}};
  orbit.deflection.resize(series_size(harmonics), u.rows());
  for (Eigen::Index j = 0; j < u.rows(); ++j) orbit.deflection.col(j) = series_of(u.row(j), harmonics);
  return orbit;
}

void ShootingCurve::set_steps(int steps) {
  map_ = std::make_unique<PeriodMap>(*system_, *load_, steps);
  coarse_.clear();
  const int half = steps / 4 * 2, third = steps / 6 * 2;  // even numbers: the loop is the same on both sides
  const auto add = [&](int about) {
    const int number = std::max(about, 8);
    for (const auto& map : coarse_) {
      if (map->steps() == number) return;  // of less than 48 steps
    }
    coarse_.push_back(std::make_unique<PeriodMap>(*system_, *load_, number));
  };
  for (const int about : {half, half - 2, half - 6}) add(about);
  halves_ = coarse_.size();
  for (const int about : {third, third - 4}) add(about);
  estimated_ = {};
}

Eigen::VectorXd ShootingCurve::motion(const PeriodState& state) const {
  Eigen::VectorXd y = state.unknowns().head(2 * state.d.size() + static_cast<Eigen::Index>(state.z.size()));
  y.segment(state.d.size(), state.d.size()) /= omega_scale_;
  return y;
}

PeriodState ShootingCurve::state_at(const Eigen::VectorXd& y, double omega, double level) const {
  PeriodState state = reference_;
  Eigen::VectorXd all = state.unknowns();
  const Eigen::Index moving = y.size();
  if (linear_ && all.size() > moving) {
    all.tail(all.size() - moving) +=
        linearised_.memory_shift + linearised_.memory_by_motion * (y - reference_y_) +
        linearised_.memory_by_lambda * (sweep_.over_level ? level - reference_lambda_ : omega - reference_lambda_);
  }
  all.head(moving) = y;
  all.segment(modes(), modes()) *= omega_scale_;
  state.set_unknowns(all);
  if (!state.alike(reference_)) {  // too far: minima and maxima have changed places
    PeriodState still = reference_;
    all.tail(all.size() - moving) = still.unknowns().tail(all.size() - moving);
    still.set_unknowns(all);
    return still;
  }
  return state;
}

bool ShootingCurve::linearise(PeriodMap& map, PeriodState state, double omega, double level, bool over_level,
                              Linear& out, PeriodHistory* history, Turns turns) const {
  PeriodState end;
  for (int i = 0;; ++i) {
    if (i > most_changes || !map.run(state, omega, level, end, &out.derivative, history, turns)) return false;
    if (state.alike(end)) break;
    state.reversals = end.reversals;
  }
  const Eigen::Index all = state.size();
  const Eigen::Index moving = 2 * state.d.size() + static_cast<Eigen::Index>(state.z.size());
  const Eigen::Index memory = all - moving;
  const Eigen::VectorXd change = end.unknowns() - state.unknowns();
  const Eigen::MatrixXd& m = out.derivative.monodromy;
  out.state = std::move(state);
  out.motion = m.topLeftCorner(moving, moving) - Eigen::MatrixXd::Identity(moving, moving);
  const Eigen::VectorXd& by = over_level ? out.derivative.by_level : out.derivative.by_omega;
  out.by_lambda = by.head(moving);
  out.r = change.head(moving);
  if (memory > 0) {
    const LuFactors<double> rest(Eigen::MatrixXd::Identity(memory, memory) - m.bottomRightCorner(memory, memory));
    out.memory_shift = rest.solve(Eigen::VectorXd(change.tail(memory)));
    out.memory_by_motion = rest.solve(Eigen::MatrixXd(m.bottomLeftCorner(memory, moving)));
    out.memory_by_lambda = rest.solve(Eigen::VectorXd(by.tail(memory)));
    const Eigen::MatrixXd from_memory = m.topRightCorner(moving, memory);
    out.r += from_memory * out.memory_shift;
    out.motion += from_memory * out.memory_by_motion;
    out.by_lambda += from_memory * out.memory_by_lambda;
  }
  const Eigen::Index n = out.state.d.size();
  out.r.segment(n, n) /= omega_scale_;
  out.motion.middleRows(n, n) /= omega_scale_;
  out.motion.middleCols(n, n) *= omega_scale_;
  out.by_lambda.segment(n, n) /= omega_scale_;
  if (memory > 0) out.memory_by_motion.middleCols(n, n) *= omega_scale_;
  return out.r.allFinite() && out.motion.allFinite();
}

PeriodState ShootingCurve::moved(const Linear& from, const Eigen::VectorXd& dy, double dlambda) const {
  PeriodState state = from.state;
  Eigen::VectorXd all = state.unknowns();
  Eigen::VectorXd change = dy;
  const Eigen::Index n = state.d.size();
  change.segment(n, n) *= omega_scale_;
  all.head(dy.size()) += change;
  if (all.size() > dy.size()) {
    all.tail(all.size() - dy.size()) +=
        from.memory_shift + from.memory_by_motion * dy + from.memory_by_lambda * dlambda;
  }
  state.set_unknowns(all);
  return state;
}

bool ShootingCurve::evaluate(const Eigen::VectorXd& y, double lambda, const Sweep& sweep, Eigen::VectorXd& r,
                             Eigen::MatrixXd* jacobian, Eigen::VectorXd* by_lambda, PeriodHistory* history) {
  const double omega = sweep.omega(lambda), level = sweep.level(lambda);
  if (!(omega > 0.0)) return false;
  if (sweep_.over_level != sweep.over_level) linear_ = false;
  sweep_ = sweep;
  if (!linearise(*map_, state_at(y, omega, level), omega, level, sweep.over_level, linearised_, history)) {
    return false;
  }
  reference_ = linearised_.state;
  reference_y_ = y;
  reference_lambda_ = lambda;
  linear_ = true;
  r = linearised_.r;
  if (jacobian != nullptr) *jacobian = linearised_.motion;
  if (by_lambda != nullptr) *by_lambda = linearised_.by_lambda;
  return true;
}

bool ShootingCurve::run_alike(PeriodMap& map, PeriodState state, double omega, double level, PeriodHistory& history) {
  PeriodState end;
  for (int i = 0; i <= most_changes; ++i) {
    if (!map.run(state, omega, level, end, nullptr, &history)) return false;
    if (state.alike(end)) return true;
    state.reversals = end.reversals;
  }
  return false;
}

std::vector<double> ShootingCurve::amplitudes(PeriodMap& map, const PeriodHistory& history, double omega,
                                              double level) const {
  std::vector<double> result;
  for (const int dof : record_->dofs) {
    const auto [q, v] = map.motion(dof, history, omega, level);
    result.push_back(half_range(q, v, two_pi / (omega * map.steps())));
  }
  return result;
}

double ShootingCurve::amplitude_of(int dof, const Eigen::VectorXd& y, double omega, double level) {
  PeriodHistory history;
  PeriodState end;
  if (!map_->run(state_at(y, omega, level), omega, level, end, nullptr, &history)) return not_known;
  const auto [q, v] = map_->motion(dof, history, omega, level);
  return half_range(q, v, two_pi / (omega * map_->steps()));
}

const ShootingCurve::Estimate& ShootingCurve::estimate(const CurvePoint& at, const Sweep& sweep) {
  const bool same = estimated_.y.size() == at.y.size() && estimated_.y == at.y && estimated_.lambda == at.lambda &&
                    estimated_.y_tangent.size() == at.y_tangent.size() && estimated_.y_tangent == at.y_tangent &&
                    estimated_sweep_.over_level == sweep.over_level && estimated_sweep_.fixed == sweep.fixed;
  if (same) return estimate_;
  estimated_ = at;
  estimated_sweep_ = sweep;
  estimate_ = {};
  estimate_.motion = 0.0;
  double farthest = -1.0;
  const double size = at.y.norm();
  const double omega = sweep.omega(at.lambda), level = sweep.level(at.lambda);
  constexpr double chance = 0.134;  // that one map says less than a third, see Estimate
  const double enlarged = std::pow(chance, 1.0 - static_cast<double>(all_maps) / static_cast<double>(coarse_.size()));
  PeriodHistory history;
  // The amplitudes that are recorded may be off by more than the motion as a whole.
  PeriodState end;
  const std::vector<double> recorded = map_->run(state_at(at.y, omega, level), omega, level, end, nullptr, &history)
                                           ? amplitudes(*map_, history, omega, level)
                                           : std::vector<double>();
  const double largest = recorded.empty() ? 0.0 : *std::max_element(recorded.begin(), recorded.end());
  for (std::size_t i = 0; i < coarse_.size(); ++i) {
    PeriodMap& map = *coarse_[i];
    Linear linear;
    if (!linearise(map, state_at(at.y, omega, level), omega, level, sweep.over_level, linear, &history)) {
      estimate_.motion = std::max(estimate_.motion, 1.0);
      continue;
    }
    const CurveStep nearby(linear.motion, linear.by_lambda, at, map_rounding);
    const Eigen::VectorXd step = nearby.answer(-linear.r);
    const double change = step.norm(), dlambda = nearby.dlambda(step);
    const double ratio = static_cast<double>(map_->steps()) / map.steps();
    const double relative = change * size / moving_size(history.d, history.v, omega_scale_);
    const double more = drops_ ? ratio - 1.0 : ratio * ratio - 1.0;  // times what the map itself leaves
    const double told = 2.0 * relative / more;
    const double left = std::isfinite(told) ? std::min(enlarged * told, std::max(told, 1.0)) : 1.0;
    if (left >= estimate_.motion) {
      estimate_.motion = left;
      estimate_.steepness = nearby.steepness(step);
    }
    const bool half = i < halves_;
    if (!(half || (options_->stability && i == halves_)) || !(change < 0.1)) continue;
    const double lambda = at.lambda + dlambda;
    PeriodState start = moved(linear, nearby.dy(step), dlambda);
    Linear there;
    if (!(options_->stability ? linearise(map, start, sweep.omega(lambda), sweep.level(lambda), sweep.over_level, there,
                                          &history, Turns::between_nodes)
                              : run_alike(map, start, sweep.omega(lambda), sweep.level(lambda), history))) {
      continue;
    }
    if (half && largest > 0.0) {
      const std::vector<double> there_recorded = amplitudes(map, history, sweep.omega(lambda), sweep.level(lambda));
      for (std::size_t k = 0; k < recorded.size(); ++k) {
        const double off = 2.0 / more * std::abs(there_recorded[k] - recorded[k]) / largest;
        if (off > estimate_.motion) estimate_.motion = std::min(off, 1.0);
      }
    }
    // Only halves, and a loss may be a small difference: twice what is allowed for the motion.
    if (half) estimate_.losses.push_back({enlarged * 4.0 / more, history.dissipation});
    if (!options_->stability) continue;
    estimate_.multipliers.push_back({half ? weight_of_half : 1.0, complex_eigenvalues(there.derivative.monodromy)});
    if (!half || left <= farthest) continue;
    farthest = left;
    estimate_.rough = {sweep.omega(lambda), sweep.level(lambda), history.u};
  }
  if (!(size > 0.0)) estimate_.motion = 0.0;
  return estimate_;
}

}  // namespace microslip
