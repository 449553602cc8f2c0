#include "microslip/periodic/shooting_response.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/periodic/curve_error.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/response_curve.hpp"
#include "microslip/periodic/shooting.hpp"

namespace microslip {
namespace {

constexpr int first_steps = 256;
constexpr int most_harmonics = 25;  ///< in the series of an orbit

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

/// Fourier coefficients of samples over one period, the last of which repeats the first.
Eigen::VectorXd series_of(const Eigen::RowVectorXd& samples, int harmonics) {
  const Eigen::Index n = samples.size() - 1;
  Eigen::VectorXd result(series_size(harmonics)), basis(series_size(harmonics));
  result.setZero();
  for (Eigen::Index i = 0; i < n; ++i) {
    series_basis(harmonics, two_pi * static_cast<double>(i) / static_cast<double>(n), basis.data());
    result += samples(i) * basis;
  }
  result *= 2.0 / static_cast<double>(n);
  result(0) *= 0.5;
  return result;
}

/// The equations of a curve: y = (d, v/omega_s, z).
class Shots {
 public:
  Shots(const System& system, const HarmonicLoad& load, const ResponseRecord& record,
        const FrequencyResponseOptions& options, double omega_scale)
      : system_(&system), load_(&load), record_(&record), options_(&options), omega_scale_(omega_scale) {
    // Two steps in the period of the highest mode, which would be driven by what it does not see otherwise.
    const double highest = system.stuck_modes().omega.maxCoeff();
    int chosen = first_steps;
    while (chosen < options.max_steps && chosen < 2.0 * highest / omega_scale) chosen *= 2;
    set_steps(options.steps > 0 ? options.steps : chosen);
    if (options.stability && stability_obstacle(system).empty()) floquet_.emplace(system);
  }

  /// From the motion that a slow growth of the load leads to, as harmonic balance finds it.
  bool start(double omega, double level, Eigen::VectorXd& y, int& iterations, std::string& message) {
    FrequencyResponseOptions rough = *options_;
    rough.stability = false;
    rough.tolerance = std::max(options_->tolerance, 1e-4);
    const FrequencyResponse guess = responses_at(*system_, *load_, level, {omega}, {{}, -1}, rough);
    if (guess.points.empty()) {
      message = "no motion to start from: " + guess.message;
      return false;
    }
    growth_folds_ = !guess.folded_growth.empty();
    PeriodState state = period_start(*map_, *load_, guess.points.front().orbit);
    iterations = 0;
    while (true) {
      ShootingSolution solution = shoot(*map_, state, omega, level);
      iterations += solution.iterations;
      if (!solution.converged && options_->steps == 0 && map_->steps() < options_->max_steps) {
        set_steps(2 * map_->steps());  // too long for the highest modes
        state = period_start(*map_, *load_, guess.points.front().orbit);
        continue;
      }
      if (!solution.converged) {
        message = fmt::format("omega = {:.6g}, level {:g}: {}", omega, level, solution.message);
        return false;
      }
      state = std::move(solution.state);
      reference_ = state;
      linear_ = false;
      y = motion(state);
      if (!refine(alone(y, omega), Sweep::over_frequency(level))) return true;
    }
  }

  /// Did the load have to fall on the way to the last start?
  [[nodiscard]] bool growth_folds() const { return growth_folds_; }

  /// More steps where the estimated error is above the tolerance; the unknowns stay the same.
  bool refine(const CurvePoint& at, const Sweep& sweep) {
    if (options_->steps > 0 || map_->steps() >= options_->max_steps) return false;
    if (!(estimate(at, sweep).motion > options_->tolerance)) return false;
    set_steps(2 * map_->steps());
    return true;
  }
  static bool coarsen() { return false; }
  static void carry_over(CurvePoint& /*point*/) {}

  [[nodiscard]] ResponsePoint point(const CurvePoint& at, const Sweep& sweep) {
    const Eigen::VectorXd& y = at.y;
    const double omega = sweep.omega(at.lambda), level = sweep.level(at.lambda);
    ResponsePoint result;
    PeriodDerivative derivative;
    PeriodHistory history;
    PeriodState end;
    const PeriodState state = state_at(y, omega, level);
    if (!map_->run(state, omega, level, end, options_->stability ? &derivative : nullptr, &history)) {
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
    if (options_->stability) {
      const MultiplierEstimate largest = multiplier(at, sweep, result.orbit, history, derivative.monodromy);
      result.multiplier = std::abs(largest.value);
      result.multiplier_error = largest.error;
    }
    return result;
  }

  [[nodiscard]] bool tells_stability() const { return options_->stability; }
  /// The largest one along the piece of the curve between two points, found in the same way all along it; not a number
  /// where there is none.
  [[nodiscard]] std::function<double(const CurvePoint&)> multiplier_between(const ResponsePoint& start,
                                                                            const ResponsePoint& end,
                                                                            const Sweep& sweep) {
    const bool of_loops = sides(start.orbit, start.errors.quadrature) == Sides::differ ||
                          sides(end.orbit, end.errors.quadrature) == Sides::differ;
    return [this, sweep, of_loops](const CurvePoint& at) {
      PeriodHistory history;
      Eigen::VectorXd r;
      if (!evaluate(at.y, at.lambda, sweep, r, nullptr, nullptr, &history)) return not_known;
      if (of_loops) {
        const PeriodicOrbit orbit = motion_of(history.u, at, sweep);
        return std::abs(floquet_->largest(orbit, orbit).value);
      }
      const Eigen::MatrixXd& monodromy = linearised_.derivative.monodromy;
      return monodromy.size() > 0 ? std::abs(largest_multiplier(monodromy)) : not_known;
    };
  }

  /// d amplitude/ds of the degree of freedom whose peaks are asked for, by a central difference along the tangent.
  [[nodiscard]] double amplitude_slope(const CurvePoint& at, const Sweep& sweep) {
    const double length = 1e-4 * at.y.norm() / std::max(at.y_tangent.norm(), 1e-300);
    const double reach = std::min(length, 1e-4 * std::abs(at.lambda) / std::max(std::abs(at.lambda_tangent), 1e-300));
    const auto amplitude = [&](double s) {
      const double lambda = at.lambda + s * at.lambda_tangent;
      return amplitude_of(record_->peak_dof, at.y + s * at.y_tangent, sweep.omega(lambda), sweep.level(lambda));
    };
    return (amplitude(reach) - amplitude(-reach)) / (2.0 * reach);
  }

  [[nodiscard]] Residual residual(const Sweep& sweep) {
    return [this, sweep](const Eigen::VectorXd& y, double lambda, Eigen::VectorXd& r, Eigen::MatrixXd* jacobian,
                         Eigen::VectorXd* by_lambda) { return evaluate(y, lambda, sweep, r, jacobian, by_lambda); };
  }
  [[nodiscard]] RelativeSize size_at(double /*level*/) {
    return [](const Eigen::VectorXd& r, const Eigen::VectorXd& y) {
      const double size = y.norm();
      return size > 0.0 ? r.norm() / size : r.norm();
    };
  }

 private:
  static constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

  /// What the steps leave out, from the motions that five coarser maps lead to. The error is of second order, but its
  /// coefficient depends on where in a step the joints begin to slip: it changes from one number of steps to the next,
  /// and its sign too. With c_n/n^2 left by n steps the difference to m = n/r is (r^2 c_m - c_n)/n^2, and may be as
  /// small as nothing: the largest of |r^2 c_m - c_n|/(r^2 - 1) is taken, twice. With c_m anywhere between -c and c
  /// twice one of them is below a third of |c_n| = c by a chance of (r^2 - 1)/(6 r^2): 1/8 of a half, 4/27 of a third,
  /// all five 4e-5.
  struct Estimate {
    double motion = 1.0;                        ///< relative to what moves, normal to a curve
    double steepness = 1.0;                     ///< of the curve, see HarmonicBalance::Errors
    std::vector<Eigen::VectorXcd> multipliers;  ///< of the maps with half the steps
    struct Rough {
      double omega = 0.0, level = 0.0;
      Eigen::MatrixXd u;  ///< deflections; empty: none
    } rough;              ///< that of their motions that is the farthest off
  };

  /// A period that could not be run: every number is there, and says so.
  [[nodiscard]] ResponsePoint unknown_point(const CurvePoint& at, double omega, double level) const {
    ResponsePoint result;
    for (auto* values : {&result.amplitude, &result.harmonic1, &result.phase1}) {
      values->assign(record_->dofs.size(), not_known);
    }
    result.dissipation.assign(system_->joints().size(), not_known);
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

  /// The largest one, of a period that was run: of its map or, where loops are not the same on both sides, of the
  /// disturbances along them. Not a number where the reversals at the ends of the period are not alike.
  MultiplierEstimate multiplier(const CurvePoint& at, const Sweep& sweep, const PeriodicOrbit& orbit,
                                const PeriodHistory& history, const Eigen::MatrixXd& monodromy) {
    const Estimate& left = estimate(at, sweep);
    const Sides loops = sides(orbit, left.motion);
    MultiplierEstimate largest{not_known, 1.0};
    if (loops == Sides::differ) {
      largest = multiplier_of_loops(at, sweep, history, left);
    } else if (monodromy.size() > 0) {
      largest = multiplier_of_map(monodromy, left);
      if (loops == Sides::may_differ) {  // it may be either
        const MultiplierEstimate other = multiplier_of_loops(at, sweep, history, left);
        largest.error =
            std::max(largest.error, std::abs(std::abs(largest.value) - std::abs(other.value)) + other.error);
      }
    }
    if (!(left.motion < 1.0)) largest.error = std::max(largest.error, 1.0);  // nor is the motion known
    return largest;
  }

  [[nodiscard]] MultiplierEstimate multiplier_of_loops(const CurvePoint& at, const Sweep& sweep,
                                                       const PeriodHistory& history, const Estimate& left) const {
    const PeriodicOrbit orbit = motion_of(history.u, at, sweep);
    if (left.rough.u.size() == 0) return {floquet_->largest(orbit, orbit).value, 1.0};
    // With half the steps and half the harmonics: all of what first order would leave.
    return floquet_->largest(orbit, orbit_of(left.rough.u, left.rough.omega, left.rough.level, orbit.harmonics / 2));
  }

  /// Twice the change from maps with half the steps, of which first order would leave half.
  [[nodiscard]] MultiplierEstimate multiplier_of_map(const Eigen::MatrixXd& monodromy, const Estimate& left) const {
    MultiplierEstimate largest{largest_multiplier(monodromy), left.multipliers.size() < halves_ ? 1.0 : 1e-12};
    for (const Eigen::VectorXcd& others : left.multipliers) {
      largest.error = std::max(largest.error, 2.0 * multiplier_change(largest.value, others));
    }
    return largest;
  }

  /// Are the loops of friction the same on both sides? Where they are not, which side of the outermost reversal the
  /// derivative of the map is taken on is chance, and of a decaying disturbance it is always the inner one, see
  /// joint_variation.cpp. They have a mean or even harmonics then, more than the relative `error` of the motion may
  /// make (an odd number of steps does); as long as it may make them, nobody knows.
  enum class Sides { alike, may_differ, differ };
  [[nodiscard]] Sides sides(const PeriodicOrbit& orbit, double error) const {
    if (!floquet_) return Sides::alike;
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
      if (even <= 1e-6 * odd || memory_of(joints[j].law) != MemoryKind::reversals) continue;
      if (even > 1e-6 * odd + error * largest) return Sides::differ;
      result = Sides::may_differ;
    }
    return result;
  }
  [[nodiscard]] PeriodicOrbit motion_of(const Eigen::MatrixXd& u, const CurvePoint& at, const Sweep& sweep) const {
    return orbit_of(u, sweep.omega(at.lambda), sweep.level(at.lambda), std::min(256, map_->steps() / 8));
  }
  /// Deflections over a period as a series.
  [[nodiscard]] static PeriodicOrbit orbit_of(const Eigen::MatrixXd& u, double omega, double level, int harmonics) {
    PeriodicOrbit orbit{omega, level, harmonics, {}, {}};
    orbit.deflection.resize(series_size(harmonics), u.rows());
    for (Eigen::Index j = 0; j < u.rows(); ++j) orbit.deflection.col(j) = series_of(u.row(j), harmonics);
    return orbit;
  }

  void set_steps(int steps) {
    map_ = std::make_unique<PeriodMap>(*system_, *load_, steps);
    coarse_.clear();
    const int half = steps / 4 * 2, third = steps / 6 * 2;  // even numbers: the loop is the same on both sides
    const auto add = [&](int about) {
      const int number = std::max(about, 8);
      for (const auto& map : coarse_) {
        if (map->steps() == number) return;  // of few steps
      }
      coarse_.push_back(std::make_unique<PeriodMap>(*system_, *load_, number));
    };
    for (const int about : {half, half - 2, half - 6}) add(about);
    halves_ = coarse_.size();
    for (const int about : {third, third - 4}) add(about);
    estimated_ = {};
  }

  [[nodiscard]] Eigen::Index modes() const { return reference_.d.size(); }
  [[nodiscard]] Eigen::VectorXd motion(const PeriodState& state) const {
    Eigen::VectorXd y = state.unknowns().head(2 * state.d.size() + static_cast<Eigen::Index>(state.z.size()));
    y.segment(state.d.size(), state.d.size()) /= omega_scale_;
    return y;
  }

  /// The reversals follow from the last linearisation.
  [[nodiscard]] PeriodState state_at(const Eigen::VectorXd& y, double omega, double level) const {
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

  /// The equations at a motion, r + motion dy + by_lambda dlambda, with the reversals eliminated:
  ///   dm = (I - M_mm)^-1 (change_m + M_my dy + M_ml dlambda).
  struct Linear {
    PeriodState state;
    PeriodDerivative derivative;
    Eigen::VectorXd r, by_lambda;
    Eigen::MatrixXd motion;
    Eigen::VectorXd memory_shift, memory_by_lambda;
    Eigen::MatrixXd memory_by_motion;
  };

  /// From a state whose reversals are about right: where some have come or gone the memory follows the motion.
  bool linearise(PeriodMap& map, PeriodState state, double omega, double level, bool over_level, Linear& out,
                 PeriodHistory* history = nullptr) const {
    PeriodState end;
    constexpr int most_changes = 8;
    for (int i = 0;; ++i) {
      if (i > most_changes || !map.run(state, omega, level, end, &out.derivative, history)) return false;
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

  /// A state moved by dy and dlambda, the reversals with it.
  [[nodiscard]] PeriodState moved(const Linear& from, const Eigen::VectorXd& dy, double dlambda) const {
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

  bool evaluate(const Eigen::VectorXd& y, double lambda, const Sweep& sweep, Eigen::VectorXd& r,
                Eigen::MatrixXd* jacobian, Eigen::VectorXd* by_lambda, PeriodHistory* history = nullptr) {
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

  double amplitude_of(int dof, const Eigen::VectorXd& y, double omega, double level) {
    PeriodHistory history;
    PeriodState end;
    if (!map_->run(state_at(y, omega, level), omega, level, end, nullptr, &history)) return 0.0;
    const auto [q, v] = map_->motion(dof, history, omega, level);
    return half_range(q, v, two_pi / (omega * map_->steps()));
  }

  /// Of this point, computed once.
  const Estimate& estimate(const CurvePoint& at, const Sweep& sweep) {
    const bool same = estimated_.y.size() == at.y.size() && estimated_.y == at.y && estimated_.lambda == at.lambda &&
                      estimated_.y_tangent.size() == at.y_tangent.size() && estimated_.y_tangent == at.y_tangent &&
                      estimated_sweep_.over_level == sweep.over_level && estimated_sweep_.fixed == sweep.fixed;
    if (same) return estimate_;
    estimated_ = at;
    estimated_sweep_ = sweep;
    estimate_ = {0.0, 1.0, {}, {}};
    double farthest = -1.0;
    const double size = at.y.norm();
    const double omega = sweep.omega(at.lambda), level = sweep.level(at.lambda);
    PeriodHistory history;
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
      const double left = std::isfinite(relative) ? 2.0 * relative / (ratio * ratio - 1.0) : 1.0;
      if (left >= estimate_.motion) {
        estimate_.motion = left;
        estimate_.steepness = nearby.steepness(step);
      }
      if (!options_->stability || i >= halves_ || !(change < 0.1)) continue;
      const double lambda = at.lambda + dlambda;
      Linear there;
      if (!linearise(map, moved(linear, nearby.dy(step), dlambda), sweep.omega(lambda), sweep.level(lambda),
                     sweep.over_level, there, &history)) {
        continue;
      }
      estimate_.multipliers.push_back(complex_eigenvalues(there.derivative.monodromy));
      if (left <= farthest) continue;
      farthest = left;
      estimate_.rough = {sweep.omega(lambda), sweep.level(lambda), history.u};
    }
    if (!(size > 0.0)) estimate_.motion = 0.0;
    return estimate_;
  }

  const System* system_;
  const HarmonicLoad* load_;
  const ResponseRecord* record_;
  const FrequencyResponseOptions* options_;
  double omega_scale_;
  std::unique_ptr<PeriodMap> map_;
  std::optional<Floquet> floquet_;
  std::vector<std::unique_ptr<PeriodMap>> coarse_;  ///< about half as many steps, then about a third
  std::size_t halves_ = 0;                          ///< of them, those with about half
  PeriodState reference_;
  Eigen::VectorXd reference_y_;
  Sweep sweep_;
  double reference_lambda_ = 0.0;
  bool growth_folds_ = false;
  bool linear_ = false;  ///< the next is of the reference
  Linear linearised_;
  CurvePoint estimated_;  ///< the next but one is of it
  Sweep estimated_sweep_;
  Estimate estimate_;
};

void note_error(FrequencyResponse& result, const FrequencyResponseOptions& options) {
  const double error = result.largest_errors().quadrature;
  if (result.ending != Ending::completed || options.steps > 0 || error <= options.tolerance) return;
  add_note(fmt::format("tolerance {:g} was not reached: the steps leave {:.2g}", options.tolerance, error),
           result.message);
}

}  // namespace

FrequencyResponse shooting_response(const System& system, const HarmonicLoad& load, double level, double from,
                                    double to, const ResponseRecord& record, const FrequencyResponseOptions& options,
                                    const Observer& observer) {
  if (!(from > 0.0 && to > 0.0 && from != to)) {
    throw std::invalid_argument("frequency response: omega must go from one positive value to another");
  }
  Shots shots(system, load, record, options, 0.5 * (from + to));
  FrequencyResponse result =
      ResponseCurve<Shots>(shots, Sweep::over_frequency(level), from, to, record, options).run(observer);
  note_folded_growth(result);
  note_error(result, options);
  return result;
}

FrequencyResponse shooting_response_through(const System& system, const HarmonicLoad& load, double level, double omega,
                                            double from, double to, const ResponseRecord& record,
                                            const FrequencyResponseOptions& options, const Observer& observer) {
  Shots shots(system, load, record, options, omega);
  FrequencyResponse result = both_ways([&](double direction) {
    ResponseCurve<Shots> curve(shots, Sweep::over_frequency(level), std::min(from, to), std::max(from, to), record,
                               options);
    curve.begin_at(omega, direction);
    return curve.run(observer);
  });
  note_folded_growth(result);
  note_error(result, options);
  return result;
}

FrequencyResponse shooting_levels(const System& system, const HarmonicLoad& load, double omega, double from, double to,
                                  const ResponseRecord& record, const FrequencyResponseOptions& options,
                                  const Observer& observer) {
  if (!(omega > 0.0)) throw std::invalid_argument("level sweep: omega must be > 0");
  if (!(from * to > 0.0 && from != to)) {
    throw std::invalid_argument("level sweep: levels must go from one value to another of the same sign");
  }
  Shots shots(system, load, record, options, omega);
  FrequencyResponse result =
      ResponseCurve<Shots>(shots, Sweep::over_levels(omega), from, to, record, options).run(observer);
  note_folded_growth(result);
  note_error(result, options);
  return result;
}

FrequencyResponse shooting_at(const System& system, const HarmonicLoad& load, double level,
                              const std::vector<double>& omegas, const ResponseRecord& record,
                              const FrequencyResponseOptions& options, const Observer& observer) {
  FrequencyResponse result;
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    if (!(omegas[i] > 0.0)) throw std::invalid_argument("frequency response: omega must be > 0");
    if (observer && !observer(static_cast<double>(i) / static_cast<double>(omegas.size()))) {
      result.ending = Ending::interrupted;
      add_note("interrupted", result.message);
      break;
    }
    Shots shots(system, load, record, options, omegas[i]);
    Eigen::VectorXd y;
    int iterations = 0;
    std::string message;
    if (shots.start(omegas[i], level, y, iterations, message)) {
      result.points.push_back(shots.point(alone(y, omegas[i], iterations), Sweep::over_frequency(level)));
      if (shots.growth_folds()) result.folded_growth.push_back(omegas[i]);
    } else {  // the others may still be found
      result.ending = Ending::no_convergence;
      add_note(message, result.message);
    }
  }
  note_folded_growth(result, omegas.size());
  note_error(result, options);
  return result;
}

}  // namespace microslip
