#include "microslip/periodic/settled_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/fourier_series.hpp"
#include "microslip/system/static_solution.hpp"
#include "microslip/transient/transient.hpp"

namespace microslip {
namespace {

constexpr long most_steps = 400'000;
constexpr int stretch = 20;      ///< periods between two looks at what has changed
constexpr int most_repeats = 6;  ///< periods of a motion that is not of the load's period
constexpr double near_enough = 1e-2;

/// level Re(amplitude exp(i omega t)) as two loads.
void add_loads(const Eigen::VectorXcd& amplitude, bool base, double omega, double level, std::vector<Load>& loads) {
  if (amplitude.size() == 0) return;
  const Eigen::VectorXd cosine = amplitude.real(), sine = -amplitude.imag();
  if (!cosine.isZero(0.0)) loads.push_back({"", cosine, Signal(Fourier{omega, 0.0, {level}, {}}), base});
  if (!sine.isZero(0.0)) loads.push_back({"", sine, Signal(Fourier{omega, 0.0, {}, {level}}), base});
}

/// The state of a system, period after period of the load.
class Periods {
 public:
  Periods(const System& system, const HarmonicLoad& load, double omega, const std::function<bool()>& stopped)
      : system_(&system), load_(&load), omega_(omega) {
    if (stopped) observer_ = [&stopped](double) { return !stopped(); };
    // A tenth of the period of the highest mode that is worth it.
    const double highest = system.stuck_modes().omega.maxCoeff() / omega;
    steps_ = 128;
    while (steps_ < 2048 && steps_ < 10.0 * highest) steps_ *= 2;
    options_.scheme = system.modal_damping_is_diagonal() ? Scheme::modal_exact : Scheme::newmark;
    options_.step = two_pi / (omega * steps_);
    if (load.constant.size() == 0) return;
    StaticSolution rest = static_solution(system, load.constant);
    if (rest.ending != Ending::completed) return;
    state_.q = std::move(rest.q);
    state_.memory = std::move(rest.memory);
  }

  [[nodiscard]] int steps() const { return steps_; }
  [[nodiscard]] const InitialConditions& state() const { return state_; }

  /// False: a step did not converge, or it was stopped.
  bool run(double level, int periods, Sink& sink) {
    std::vector<Load> loads;
    add_loads(load_->force, false, omega_, level, loads);
    add_loads(load_->ground, true, omega_, level, loads);
    if (load_->constant.size() > 0) loads.push_back({"", load_->constant, Signal(Constant{1.0})});
    options_.duration = (static_cast<double>(periods) * steps_ - 0.5) * options_.step;
    Record record;
    for (int j = 0; j < static_cast<int>(system_->joints().size()); ++j) record.joints.push_back(j);
    TransientResult result = simulate(*system_, loads, state_, record, sink, options_, observer_);
    state_.q = std::move(result.q);
    state_.v = std::move(result.v);
    state_.memory = std::move(result.memory);
    return result.ending == Ending::completed;
  }

 private:
  const System* system_;
  const HarmonicLoad* load_;
  double omega_;
  int steps_ = 0;
  TransientOptions options_;
  InitialConditions state_;
  Observer observer_;
};

/// Displacements, and velocities over omega.
Eigen::VectorXd joined(const InitialConditions& state, double omega) {
  Eigen::VectorXd all(state.q.size() + state.v.size());
  all << state.q, state.v / omega;
  return all;
}

/// The deflections of one recorded period.
PeriodicOrbit orbit_of(const MemorySink& sink, int components, double omega, double level, int harmonics) {
  PeriodicOrbit orbit{omega, level, harmonics, Eigen::MatrixXd(series_size(harmonics), components), {}};
  std::vector<double> samples(sink.rows() - 1);
  for (int c = 0; c < components; ++c) {
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = sink.at(i, static_cast<std::size_t>(1 + c));
    series_of_samples(samples, harmonics, orbit.deflection.col(c).data());
  }
  return orbit;
}

/// Does the last state come back after 2, 3, ... periods, much more closely than after one?
int repetition(const std::deque<Eigen::VectorXd>& states, double size) {
  const double change = (states.back() - states[states.size() - 2]).norm();
  for (int n = 2; n < static_cast<int>(states.size()); ++n) {
    const double apart = (states.back() - states[states.size() - 1 - static_cast<std::size_t>(n)]).norm();
    if (apart < 0.05 * change && apart < 0.01 * size) return n;
  }
  return 0;
}

}  // namespace

std::string SettledMotion::in_words(double omega, double level) const {
  const std::string where = fmt::format("omega = {:.6g}, level {:g}", omega, level);
  if (repeats > 1) {
    return fmt::format("{}: no motion of the load's period was found; a transient settles to one of {} periods", where,
                       repeats);
  }
  return fmt::format(
      "{}: no motion of the load's period was found; a transient does not settle in {} periods (it changes by {:.2g} "
      "of the motion in the last)",
      where, periods, change);
}

SettledMotion settle(const System& system, const HarmonicLoad& load, double omega, double level, int harmonics,
                     const std::function<bool()>& stopped) {
  SettledMotion result;
  Periods periods(system, load, omega, stopped);
  NullSink nowhere;
  for (int tenth = 1; tenth < 10; ++tenth) {
    if (!periods.run(0.1 * tenth * level, 2, nowhere)) return result;
    result.periods += 2;
  }
  std::deque<Eigen::VectorXd> states;
  std::deque<double> changes;
  double before = 0.0;
  while (static_cast<long>(result.periods) * periods.steps() < most_steps) {
    if (!periods.run(level, stretch - most_repeats - 1, nowhere)) return result;
    states = {joined(periods.state(), omega)};
    MemorySink last;
    for (int n = 0; n <= most_repeats; ++n) {
      last = {};
      if (!periods.run(level, 1, last)) return result;
      states.push_back(joined(periods.state(), omega));
    }
    result.periods += stretch;
    if (periods.state().memory) result.memory = *periods.state().memory;
    result.orbit = orbit_of(last, system.components(), omega, level, harmonics);
    const double size = std::max(states.back().norm(), 1e-300);
    result.change = (states.back() - states[states.size() - 2]).norm() / size;
    result.repeats = repetition(states, size);
    changes.push_back(result.change);
    if (changes.size() > 11) changes.pop_front();
    result.wanders =
        std::isfinite(result.change) &&
        (result.repeats > 1 || (changes.size() > 10 && result.change > 0.02 && result.change > 0.8 * changes.front()));
    // The change falls by mu a period, mu^stretch from look to look: change/(1 - mu) is left to go.
    const double mu = before > 0.0 ? std::pow(result.change / before, 1.0 / stretch) : 1.0;
    before = result.change;
    result.settled = result.change <= near_enough * std::max(1.0 - mu, 1e-6);
    if (result.settled) break;
  }
  return result;
}

}  // namespace microslip
