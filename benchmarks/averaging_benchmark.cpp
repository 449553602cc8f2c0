// Averaging against time integration of the exact element (Shetty, Paper I): the 35 s ring-down after a pulse of 50 N,
// and 3200 s of noise at three levels. Without output.

#include <benchmark/benchmark.h>

#include "microslip/transient/averaging.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

double by_averaging(const System& system, const Load& load, double duration) {
  AveragingOptions options;
  options.duration = duration;
  options.step = 1e-3;
  NullSink sink;
  return simulate_by_averaging(system, {&load, 1}, {}, {}, sink, options).q(0);
}

double by_transient(const System& system, const Load& load, double duration, Scheme scheme, double step) {
  TransientOptions options;
  options.scheme = scheme;
  options.duration = duration;
  options.step = step;
  NullSink sink;
  return simulate(system, {&load, 1}, {}, {}, sink, options).q(0);
}

void averaging_ringdown(benchmark::State& state) {
  const System system = testing::shetty_oscillator();
  const Load pulse = testing::shetty_pulse(50.0);
  for (auto _ : state) benchmark::DoNotOptimize(by_averaging(system, pulse, 35.0));
}
BENCHMARK(averaging_ringdown)->Unit(benchmark::kMicrosecond);

/// Steps a second as given.
void averaging_ringdown_newmark(benchmark::State& state) {
  const System system = testing::shetty_oscillator();
  const Load pulse = testing::shetty_pulse(50.0);
  const double step = 1.0 / static_cast<double>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(by_transient(system, pulse, 35.0, Scheme::newmark, step));
}
BENCHMARK(averaging_ringdown_newmark)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

void averaging_ringdown_modal_exact(benchmark::State& state) {
  const System system = testing::shetty_oscillator();
  const Load pulse = testing::shetty_pulse(50.0);
  const double step = 1.0 / static_cast<double>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(by_transient(system, pulse, 35.0, Scheme::modal_exact, step));
}
BENCHMARK(averaging_ringdown_modal_exact)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

Load noise(double amplitude) {
  return {"noise", Eigen::VectorXd::Ones(1), Signal(RandomNoise{amplitude, 62.5, 1, 3200.0}), false};
}

/// Peaks of so many newtons.
void averaging_noise(benchmark::State& state) {
  const System system = testing::shetty_oscillator();
  const Load load = noise(static_cast<double>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(by_averaging(system, load, 3200.0));
}
BENCHMARK(averaging_noise)->Arg(1)->Arg(50)->Arg(150)->Unit(benchmark::kMillisecond);

/// 200 steps a period, as the paper.
void averaging_noise_newmark(benchmark::State& state) {
  const System system = testing::shetty_oscillator();
  const Load load = noise(static_cast<double>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(by_transient(system, load, 3200.0, Scheme::newmark, 1e-4));
}
BENCHMARK(averaging_noise_newmark)->Arg(1)->Arg(50)->Arg(150)->Unit(benchmark::kMillisecond);

/// A step a sample of the noise: 25 a period.
void averaging_noise_modal_exact(benchmark::State& state) {
  const System system = testing::shetty_oscillator();
  const Load load = noise(static_cast<double>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(by_transient(system, load, 3200.0, Scheme::modal_exact, 8e-4));
}
BENCHMARK(averaging_noise_modal_exact)->Arg(1)->Arg(50)->Arg(150)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
