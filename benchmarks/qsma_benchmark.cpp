// One curve of frequency and damping over amplitude, 50 points, five Iwan joints, n degrees of freedom: quasi-static
// modal analysis with the mode prepared, the preparation of a mode, and for comparison the ring-down that it replaces,
// 300 periods of 20 steps (microseconds of each are comparable).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/transient/transient.hpp"
#include "random_structure.hpp"

namespace microslip {
namespace {

constexpr LoadRamp microslip_ramp{0.05, 60.0, 50};
constexpr LoadRamp macroslip_ramp{0.05, 3e3, 50};

void run_ramp(benchmark::State& state, const LoadRamp& ramp) {
  const System system = random_structure(static_cast<int>(state.range(0)));
  const QuasiStaticMode mode(system, 0);
  std::size_t points = 0;
  long evaluations = 0;
  double slip = 0.0;  // largest deflection over phi_max
  const double phi_max = std::get<Iwan4<double>>(system.joints()[0].law).max_slider_strength();
  for (auto _ : state) {
    const ModalCurve curve = quasi_static_modal_analysis(mode, ramp);
    points = curve.points.size();
    evaluations = curve.evaluations;
    slip = std::abs(*std::max_element(curve.deflections.end() - system.components(), curve.deflections.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); })) /
           phi_max;
    benchmark::DoNotOptimize(curve.points.data());
  }
  state.counters["points"] = static_cast<double>(points);
  state.counters["slip"] = slip;
  state.counters["evaluations"] = static_cast<double>(evaluations);
}

void qsma_microslip(benchmark::State& state) {
  run_ramp(state, microslip_ramp);
}
BENCHMARK(qsma_microslip)->Arg(21)->Arg(84)->Arg(336)->Unit(benchmark::kMicrosecond);

void qsma_macroslip(benchmark::State& state) {
  run_ramp(state, macroslip_ramp);
}
BENCHMARK(qsma_macroslip)->Arg(84)->Unit(benchmark::kMicrosecond);

void qsma_preparation(benchmark::State& state) {
  const System system = random_structure(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(QuasiStaticMode(system, 0).modal_compliance);
}
BENCHMARK(qsma_preparation)->Arg(84)->Unit(benchmark::kMicrosecond);

void ringdown_instead(benchmark::State& state) {
  const System system = random_structure(static_cast<int>(state.range(0)));
  const double omega = system.stuck_modes().omega(0);
  InitialConditions initial;
  initial.v = system.stuck_modes().shapes.col(0) * (microslip_ramp.to / omega);
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.step = 2.0 * std::numbers::pi / omega / 20.0;
  options.duration = 300.0 * 20.0 * options.step;
  for (auto _ : state) {
    NullSink sink;
    benchmark::DoNotOptimize(simulate(system, {}, initial, {}, sink, options).q.sum());
  }
}
BENCHMARK(ringdown_instead)->Arg(84)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace microslip
