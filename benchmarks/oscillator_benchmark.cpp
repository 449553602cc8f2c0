// A single oscillator with an Iwan joint (Shetty, Paper I, Table 1), free motion from v = 0.2 m/s, 200 steps a period:
// time per Newmark step of the exact element against the tight loop over sliders.

#include <benchmark/benchmark.h>

#include "microslip/joints/iwan_sliders.hpp"
#include "microslip/transient/transient.hpp"
#include "slider_loop.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double step_length = 1e-4;
constexpr int step_count = 200000;

void report_per_step(benchmark::State& state) {
  state.counters["per_step"] = benchmark::Counter(
      static_cast<double>(step_count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

TransientResult free_motion(const System& system) {
  TransientOptions options;
  options.step = step_length;
  options.duration = step_count * step_length;
  InitialConditions initial;
  initial.v = Eigen::VectorXd::Zero(system.size());
  initial.v(0) = 0.2;
  NullSink sink;
  return simulate(system, {}, initial, {}, sink, options);
}

void oscillator_exact(benchmark::State& state) {
  const System system = testing::shetty_oscillator();
  for (auto _ : state) benchmark::DoNotOptimize(free_motion(system).q(0));
  report_per_step(state);
}
BENCHMARK(oscillator_exact)->Unit(benchmark::kMillisecond);

/// The loop for any number of modes and joints, on two masses of which one rests.
void oscillator_exact_general_loop(benchmark::State& state) {
  const System system(
      LinearStructure::lumped({1.0, 1.0}, {}, {{-1, 0, 3.55e4}, {-1, 1, 1.0}}, {}, ModalDamping{{1e-4}}),
      {testing::iwan_joint("joint", 2, -1, 0, 100.0, 6.32e4, -0.75, 5.0)});
  for (auto _ : state) benchmark::DoNotOptimize(free_motion(system).q(0));
  report_per_step(state);
}
BENCHMARK(oscillator_exact_general_loop)->Unit(benchmark::kMillisecond);

void oscillator_slider_loop(benchmark::State& state) {
  const auto sliders = static_cast<int>(state.range(0));
  const auto grid = slider_grid(Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0), sliders - 1,
                                default_slider_spacing(sliders - 1));
  const double omega = testing::shetty_oscillator().stuck_modes().omega(0);
  benchmarks::SliderOscillator loop(1.0, 2e-4 * omega, 3.55e4, grid.stiffness, grid.strength, step_length);
  for (auto _ : state) {
    loop.set_state(0.0, 0.2);
    benchmark::DoNotOptimize(loop.run(step_count));
  }
  report_per_step(state);
}
BENCHMARK(oscillator_slider_loop)->Arg(30)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
