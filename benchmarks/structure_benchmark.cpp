// Structures of n degrees of freedom (random orthogonal shapes) with five Iwan joints: time per Newmark step in joint
// space, against dense Newton on all degrees of freedom.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>

#include "microslip/transient/transient.hpp"
#include "random_structure.hpp"
#include "support/dense_newmark.hpp"

namespace microslip {
namespace {

Load hit(int n) {
  return {"hit", Eigen::VectorXd::Ones(n), Signal(HalfSine{5.0, 0.01}), false};
}

double step_of(const System& system) {
  return 2.0 * std::numbers::pi / system.stuck_modes().omega(system.size() - 1) / 20.0;
}

void report_per_step(benchmark::State& state, double steps) {
  state.counters["per_step"] =
      benchmark::Counter(steps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void structure_joint_space(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  constexpr int steps = 50000;
  const System system = random_structure(n);
  const Load load = hit(n);
  TransientOptions options;
  options.step = step_of(system);
  options.duration = steps * options.step;
  for (auto _ : state) {
    NullSink sink;
    benchmark::DoNotOptimize(simulate(system, {&load, 1}, {}, {}, sink, options).q.sum());
  }
  report_per_step(state, steps);
}
BENCHMARK(structure_joint_space)->Arg(21)->Arg(42)->Arg(84)->Arg(168)->Arg(336)->Unit(benchmark::kMillisecond);

void structure_dense_newton(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  constexpr int steps = 200;
  const System system = random_structure(n);
  const Load load = hit(n);
  const double h = step_of(system);
  const Modes& modes = system.stuck_modes();
  const Eigen::MatrixXd damping =
      modes.shapes * (2.0 * damping_ratio * modes.omega).asDiagonal() * modes.shapes.transpose();  // M = 1
  for (auto _ : state) {
    testing::DenseNewmark newmark(system, damping, h);
    newmark.start(Eigen::VectorXd::Zero(n));
    for (int i = 1; i <= steps; ++i) newmark.advance(load.direction * load.signal.value(i * h));
    benchmark::DoNotOptimize(newmark.q.sum());
  }
  report_per_step(state, steps);
}
BENCHMARK(structure_dense_newton)->Arg(84)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
