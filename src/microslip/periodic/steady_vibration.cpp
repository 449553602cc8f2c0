#include "microslip/periodic/steady_vibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/balance_curve.hpp"
#include "microslip/periodic/isolas.hpp"
#include "microslip/periodic/joint_past.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/periodic/response_curve.hpp"
#include "microslip/periodic/shooting_curve.hpp"

namespace microslip {
namespace {

void require_steady(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("steady vibration: " + what);
}

void check_record(const System& system, const ResponseRecord& record) {
  const auto check = [&](int dof) {
    require_steady(dof < system.size(), fmt::format("no such degree of freedom: {} of {}", dof, system.size()));
  };
  for (const int dof : record.dofs) {
    require_steady(dof >= 0, fmt::format("no such degree of freedom: {}", dof));
    check(dof);
  }
  check(record.peak_dof);
}

void check_options(const System& system, const SteadyRequest& request, const FrequencyResponseOptions& options) {
  require_steady(options.harmonics >= 0 && options.harmonics <= 1000, "harmonics must be 0 to 1000");
  require_steady(options.samples == 0 || options.samples >= 16, "samples must be 0, or at least 16");
  require_steady(options.steps == 0 || options.steps >= 16, "steps must be 0, or at least 16");
  require_steady(options.tolerance > 0.0, "tolerance must be > 0");
  require_steady(options.max_step > 0.0, "max_step must be > 0");
  require_steady(options.start.size() == 0 || options.start.size() == system.size(),
                 "the motion to start from needs one number a degree of freedom");
  require_steady(!options.near || options.near->deflection.cols() == system.components(),
                 "the motion to start from needs a series of each joint component");
  require_steady(options.isolas == 0.0 || (options.isolas > 1.0 && std::isfinite(options.isolas)),
                 "isolas must be 0, or above 1");
  require_steady(options.isolas == 0.0 || (std::holds_alternative<OverFrequency>(request) &&
                                           options.method != SteadyMethod::piecewise_linear),
                 "isolas are looked for beside a curve over frequency, not by exact orbits");
  const bool iterates =
      options.method == SteadyMethod::harmonic_balance && options.solver == HarmonicSolver::fixed_point;
  require_steady(!iterates || std::holds_alternative<AtFrequencies>(request),
                 "the fixed-point iteration follows no curve; give single frequencies");
}

/// The same load as one of signals, for exact orbits. Phases stay: the first is a cosine.
std::vector<Load> periodic_loads(const HarmonicLoad& load) {
  const auto cosine = [](double phase) { return Signal(Sine{1.0, 1.0, 0.5 * pi + phase}); };
  std::vector<Load> loads = {{"cosine", load.force.real(), cosine(0.0), false},
                             {"sine", -load.force.imag(), cosine(-0.5 * pi), false}};
  if (load.constant.size() > 0) loads.push_back({"constant", load.constant, Signal(Constant{1.0}), false});
  if (load.ground.size() == 0 || load.ground.isZero(0.0)) return loads;
  Eigen::Index most = 0;
  load.ground.cwiseAbs().maxCoeff(&most);
  const double phase = std::arg(load.ground(most));
  const Eigen::VectorXcd shape = load.ground * std::polar(1.0, -phase);
  require_steady(shape.imag().norm() <= 1e-12 * shape.norm(), "exact orbits take one motion of the ground");
  loads.push_back({"ground", shape.real(), cosine(phase), true});
  return loads;
}

/// One curve of two that begin at the same motion, `branch(-1)` towards falling and `branch(1)` towards growing
/// parameters; the first alone where it comes back.
template <class Branch>
FrequencyResponse both_ways(const Branch& branch) {
  FrequencyResponse back = branch(-1.0);
  if (back.points.empty() || back.ending == Ending::interrupted || back.closed) return back;
  FrequencyResponse result = branch(1.0);
  std::reverse(back.points.begin(), back.points.end());
  std::reverse(back.special.begin(), back.special.end());
  back.points.pop_back();  // the start
  result.points.insert(result.points.begin(), back.points.begin(), back.points.end());
  result.special.insert(result.special.begin(), back.special.begin(), back.special.end());
  result.ending = worse(result.ending, back.ending);
  add_note(result.message, back.message);
  result.message = back.message;
  return result;
}

/// What a method answers. `make(omega)` gives its equations, for frequencies of the size of omega.
template <class Make>
class Answer {
 public:
  Answer(const Make& make, const ResponseRecord& record, const FrequencyResponseOptions& options,
         const Observer& observer)
      : make_(&make), record_(&record), options_(&options), observer_(&observer) {}

  FrequencyResponse operator()(const OverFrequency& asked) const {
    CurveEquations auto equations = (*make_)(0.5 * (asked.from + asked.to));
    const Sweep sweep = Sweep::over_frequency(asked.level);
    return ResponseCurve(equations, sweep, asked.from, asked.to, *record_, *options_).run(*observer_);
  }

  FrequencyResponse operator()(const ThroughFrequency& asked) const {
    CurveEquations auto equations = (*make_)(asked.omega);
    const auto [low, high] = std::minmax(asked.from, asked.to);
    const Sweep sweep = Sweep::over_frequency(asked.level);
    return both_ways([&, from = low, to = high](double direction) {
      ResponseCurve curve(equations, sweep, from, to, *record_, *options_);
      curve.begin_at(asked.omega, direction);
      return curve.run(*observer_);
    });
  }

  FrequencyResponse operator()(const OverLevel& asked) const {
    CurveEquations auto equations = (*make_)(asked.omega);
    const Sweep sweep = Sweep::over_levels(asked.omega);
    return ResponseCurve(equations, sweep, asked.from, asked.to, *record_, *options_).run(*observer_);
  }

  FrequencyResponse operator()(const AtFrequencies& asked) const {
    FrequencyResponse result;
    for (std::size_t i = 0; i < asked.omegas.size(); ++i) {
      const double fraction = static_cast<double>(i) / static_cast<double>(asked.omegas.size());
      const auto stopped = [this, fraction] { return *observer_ && !(*observer_)(fraction); };
      if (stopped()) {
        result.ending = Ending::interrupted;
        add_note("interrupted", result.message);
        break;
      }
      add_motion(asked.omegas[i], asked.level, stopped, result);
    }
    return result;
  }

 private:
  void add_motion(double omega, double level, const std::function<bool()>& stopped, FrequencyResponse& result) const {
    CurveEquations auto equations = (*make_)(omega);
    if constexpr (requires { equations.watch(stopped); }) equations.watch(stopped);
    Eigen::VectorXd y;
    int iterations = 0;
    std::string message;
    if (!equations.start(omega, level, y, iterations, message)) {  // the others may still be found
      if (!equations.growth().nothing) result.ending = Ending::no_convergence;
      add_note(message, result.message);
      return;
    }
    result.points.push_back(equations.point(alone(y, omega, iterations), Sweep::over_frequency(level)));
    result.points.back().farthest_before = equations.growth().farthest;
    if (equations.growth().folds) result.folded_growth.push_back(omega);
    if (equations.growth().transient) result.from_transient.push_back(omega);
  }

  const Make* make_;
  const ResponseRecord* record_;
  const FrequencyResponseOptions* options_;
  const Observer* observer_;
};

/// Tells of `folded_growth` and `from_transient`; `starts`: motions that the load has grown to.
void note_growth(FrequencyResponse& result, std::size_t starts) {
  const auto where = [&](const std::vector<double>& omegas) {
    const std::string of =
        starts > 1 ? fmt::format("{} of {} frequencies, the first at ", omegas.size(), starts) : std::string();
    return fmt::format("{}omega = {:.6g}", of, omegas.front());
  };
  const auto &folded = result.folded_growth, &settled = result.from_transient;
  if (!folded.empty()) {
    add_note(fmt::format("several motions at {}: the growth of the load folds back on its way, where a slow one jumps",
                         where(folded)),
             result.remark);
  }
  if (!settled.empty()) {
    add_note(fmt::format("at {} the growth of the load was not followed: the motion was found from a transient",
                         where(settled)),
             result.remark);
  }
}

/// Single motions that no transient settles to.
void note_unstable(FrequencyResponse& result) {
  const auto unstable = std::count_if(result.points.begin(), result.points.end(),
                                      [](const ResponsePoint& point) { return point.unstable(); });
  if (unstable == 0) return;
  add_note(fmt::format("at {} of {} frequencies the motion is not stable: no transient settles to it", unstable,
                       result.points.size()),
           result.remark);
}

/// A note when the tolerance could not be kept.
void note_errors(FrequencyResponse& result, const FrequencyResponseOptions& options) {
  if (result.ending != Ending::completed) return;
  const auto errors = result.largest_errors();
  const bool stepped = errors.quadrature > options.tolerance;
  if (options.method == SteadyMethod::shooting) {
    if (options.steps > 0 || !stepped) return;
    add_note(
        fmt::format("tolerance {:g} was not reached: the steps leave {:.2g}", options.tolerance, errors.quadrature),
        result.message);
    return;
  }
  const bool truncated = options.harmonics == 0 && errors.truncation > options.tolerance;
  if (!truncated && !stepped) return;
  add_note(fmt::format("tolerance {:g} was not reached: harmonics left out {:.2g}, integration of the joint "
                       "forces {:.2g}",
                       options.tolerance, errors.truncation, errors.quadrature),
           result.message);
}

}  // namespace

FrequencyResponse steady_vibration(const System& system, const HarmonicLoad& load, const SteadyRequest& request,
                                   const ResponseRecord& record, const FrequencyResponseOptions& options,
                                   const Observer& observer) {
  check_request(request);
  check_record(system, record);
  check_options(system, request, options);
  if (options.method == SteadyMethod::piecewise_linear) {
    return PiecewiseResponses(system, periodic_loads(load), record, options).answer(request, observer);
  }
  const bool isolas = options.isolas > 0.0;
  const Observer curve_observer =
      isolas ? [&observer](double part) { return !observer || observer(0.5 * part); } : observer;
  const auto answer = [&](const auto& make) {
    return std::visit(Answer(make, record, options, curve_observer), request);
  };
  FrequencyResponse result =
      options.method == SteadyMethod::shooting
          ? answer([&](double omega) { return ShootingCurve(system, load, record, options, omega); })
          : answer([&](double /*omega*/) { return BalanceCurve(system, load, record, options); });
  const auto* single = std::get_if<AtFrequencies>(&request);
  note_growth(result, single != nullptr ? single->omegas.size() : 1);
  note_errors(result, options);
  add_note(result.unknown_points(), result.message);
  add_note(sliders_without_memory(system, result.points), result.message);
  if (single != nullptr) note_unstable(result);
  const auto* levels = std::get_if<OverLevel>(&request);
  const bool grows = levels != nullptr && std::abs(levels->to) > std::abs(levels->from);
  add_note(joint_past(system, load, result.points, grows), result.message);
  if (isolas) add_isolas(system, load, std::get<OverFrequency>(request), record, options, observer, result);
  return result;
}

}  // namespace microslip
