// Altamirano's chain with a friction damper: a frequency point by exact orbits with all modes and with ten, against
// time integration to the steady state, by Newmark with all modes (a stiff Jenkins element for the damper) and from
// event to event; and the placement of a damper, 100 peaks.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>

#include "microslip/periodic/piecewise_response.hpp"
#include "support/friction_systems.hpp"

namespace microslip {
namespace {

/// Points across the resonance, three half-bandwidths to each side, each begun at the one before.
constexpr int points = 200;
/// Steady: a disturbance from rest has fallen to this.
constexpr double steady = 1e-6;

double decay_a_period(const System& system) {
  const double omega = system.stuck_modes().omega(0);
  return std::exp(-0.005 * omega * omega * 2.0 * std::numbers::pi / omega);  // C = 0.01 K
}

int periods_to_steady_state(const System& system) {
  return static_cast<int>(std::ceil(std::log(steady) / std::log(decay_a_period(system))));
}

/// Chain of range(0) masses, range(1) modes, 0: all.
void piecewise_point(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const System system = testing::friction_chain(n);
  const Load load = testing::sine_force(n, n - 1, 1.0, 1.0);
  const PiecewiseModel model(system, std::span(&load, 1), static_cast<int>(state.range(1)));
  PiecewiseOrbits orbits(model);
  PiecewiseOrbit first;
  const double omega = system.stuck_modes().omega(0);
  const double half_width = 0.005 * omega;
  const auto at = [&](int i) { return omega * (1.0 + half_width * (6.0 * i / points - 3.0)); };
  if (!orbits.find(at(0), 1.0, first)) {
    state.SkipWithError("no orbit");
    return;
  }
  long iterations = 0;
  for (auto _ : state) {
    PiecewiseOrbit orbit = first;
    for (int i = 1; i <= points; ++i) {
      if (!orbits.follow(at(i), 1.0, orbit)) state.SkipWithError("lost");
      iterations += orbit.iterations;
    }
  }
  state.counters["us_a_point"] =
      benchmark::Counter(points * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["iterations"] = static_cast<double>(iterations) / (points * static_cast<double>(state.iterations()));
}
BENCHMARK(piecewise_point)
    ->Args({50, 0})
    ->Args({50, 10})
    ->Args({100, 0})
    ->Args({100, 10})
    ->Args({300, 0})
    ->Args({300, 10})
    ->Args({500, 0})
    ->Args({500, 10})
    ->Unit(benchmark::kMillisecond);

/// One frequency, from rest until it is steady: 2000 steps a period.
void piecewise_newmark(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const System system(testing::mass_chain(n, 0.1, 500.0, RayleighDamping{0.0, 0.01}),
                      {Joint{"damper", Jenkins<double>(1e4, 0.1), testing::link(n, -1, 0)}});
  const double omega = testing::friction_chain(n).stuck_modes().omega(0);
  const Load load = testing::sine_force(n, n - 1, 1.0, omega);
  TransientOptions options;
  const int periods = periods_to_steady_state(testing::friction_chain(n));
  options.step = 2.0 * std::numbers::pi / omega / 2000.0;
  options.duration = periods * 2.0 * std::numbers::pi / omega;
  for (auto _ : state) {
    NullSink nothing;
    benchmark::DoNotOptimize(simulate(system, std::span(&load, 1), {}, {}, nothing, options).q);
  }
  state.counters["periods"] = periods;
}
BENCHMARK(piecewise_newmark)->Arg(50)->Arg(500)->Iterations(1)->Unit(benchmark::kMillisecond);

void piecewise_events(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  const System system = testing::friction_chain(n);
  const double omega = system.stuck_modes().omega(0);
  const Load load = testing::sine_force(n, n - 1, 1.0, omega);
  const PiecewiseModel model(system, std::span(&load, 1), static_cast<int>(state.range(1)));
  const int periods = periods_to_steady_state(system);
  const double end = periods * 2.0 * std::numbers::pi / omega;
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.size());
  for (auto _ : state) {
    RegimeBook book(model);
    Excitation excitation(model);
    ContactMotion motion(book, excitation);
    bool going = motion.start(0.0, rest, rest);
    while (going) {
      going = motion.find_end(end);
      if (motion.until() >= end) break;
      going = going && motion.pass();
    }
    if (!going) state.SkipWithError(motion.message().c_str());
  }
  state.counters["periods"] = periods;
}
BENCHMARK(piecewise_events)
    ->Args({50, 0})
    ->Args({500, 10})
    ->Args({500, 0})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

void piecewise_placement(benchmark::State& state) {
  const Load base{"base", Eigen::VectorXd::Ones(5), Signal(Sine{0.005, 1.0, 0.0}), true};
  for (auto _ : state) {
    for (int place = 1; place <= 5; ++place) {
      for (int friction = 1; friction <= 10; ++friction) {
        const System system = testing::damped_building(place, friction);
        FrequencyResponseOptions options;
        options.stability = false;
        PiecewiseResponses responses(system, std::span(&base, 1), {{4}, 4}, options);
        for (int mode = 0; mode < 2; ++mode) {
          const double omega = system.stuck_modes().omega(mode);
          const auto point = responses.peak({.level = 1.0, .from = 0.97 * omega, .to = 1.03 * omega});
          if (!point) state.SkipWithError("no peak");
          benchmark::DoNotOptimize(point);
        }
      }
    }
  }
}
BENCHMARK(piecewise_placement)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
