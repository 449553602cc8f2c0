// Shooting on Zare and Allen's three masses, 512 steps a period: a period alone, with its exact derivative (against as
// many periods as differences would need), a solution from that of a neighbouring frequency, and the same by harmonic
// balance; and the nonlinear mode of the Brake-Reuss beam against its quasi-static curve.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>

#include "microslip/modal/nonlinear_mode.hpp"
#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/periodic/shooting.hpp"
#include "microslip/study/study.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr int steps = 512;
constexpr double omega = 2.0 * std::numbers::pi * 4.98, level = 2.0;

HarmonicLoad load() {
  HarmonicLoad result;
  result.force = Eigen::Vector3cd(1.0, 2.0, -1.0);
  return result;
}

PeriodState steady_state(PeriodMap& map, double at) {
  PeriodState state = map.rest();
  settle(map, state, at, level, 20);
  return shoot(map, state, at, level).state;
}

void shooting_period(benchmark::State& state) {
  const System system = testing::zare_masses();
  PeriodMap map(system, load(), steps);
  const PeriodState start = steady_state(map, omega);
  PeriodState end;
  for (auto _ : state) benchmark::DoNotOptimize(map.run(start, omega, level, end));
}
BENCHMARK(shooting_period)->Unit(benchmark::kMillisecond);

void shooting_period_with_derivative(benchmark::State& state) {
  const System system = testing::zare_masses();
  PeriodMap map(system, load(), steps);
  const PeriodState start = steady_state(map, omega);
  PeriodState end;
  PeriodDerivative derivative;
  for (auto _ : state) benchmark::DoNotOptimize(map.run(start, omega, level, end, &derivative));
  state.counters["parameters"] = static_cast<double>(start.size() + 2);
}
BENCHMARK(shooting_period_with_derivative)->Unit(benchmark::kMillisecond);

void shooting_solution(benchmark::State& state) {
  const System system = testing::zare_masses();
  PeriodMap map(system, load(), steps);
  const PeriodState start = steady_state(map, 0.995 * omega);
  int iterations = 0;
  for (auto _ : state) {
    const ShootingSolution solution = shoot(map, start, omega, level);
    iterations = solution.iterations;
    benchmark::DoNotOptimize(largest_multiplier(solution.derivative.monodromy));
  }
  state.counters["periods"] = iterations;
}
BENCHMARK(shooting_solution)->Unit(benchmark::kMillisecond);

const System& brake_reuss_beam() {
  static const Study study = load_study(MICROSLIP_SOURCE_DIR "/examples/04_brake_reuss_beam/study.toml");
  return study.system;
}
constexpr int first_bending = 1;
constexpr LoadRamp ramp{0.01, 60.0, 50};

void nonlinear_mode_of_beam(benchmark::State& state) {
  const double stiffness = std::pow(brake_reuss_beam().stuck_modes().omega(first_bending), 2);
  std::vector<double> amplitudes;
  for (int i = 0; i < ramp.points; ++i) {
    amplitudes.push_back(ramp.from / stiffness * std::pow(ramp.to / ramp.from, i / (ramp.points - 1.0)));
  }
  NonlinearModeOptions options;
  options.harmonics = 7;
  for (auto _ : state) {
    benchmark::DoNotOptimize(nonlinear_mode(brake_reuss_beam(), first_bending, amplitudes, options).points.size());
  }
}
BENCHMARK(nonlinear_mode_of_beam)->Unit(benchmark::kMillisecond);

void nonlinear_mode_one_harmonic_static(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(quasi_static_modal_analysis(brake_reuss_beam(), first_bending, ramp).points.size());
  }
}
BENCHMARK(nonlinear_mode_one_harmonic_static)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
