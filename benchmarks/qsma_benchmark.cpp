// One curve of frequency and damping over amplitude, 50 points, five Iwan joints: quasi-static modal analysis with the
// mode prepared, the preparation of a mode, and for comparison the ring-down that it replaces, 300 periods of 20 steps
// (microseconds of each are comparable). The Brake-Reuss beam of example 04, 84 degrees of freedom,
// first bending mode; structures of n degrees of freedom for the growth with n.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "microslip/modal/quasi_static_modal.hpp"
#include "microslip/study/study.hpp"
#include "microslip/transient/transient.hpp"
#include "random_structure.hpp"

namespace microslip {
namespace {

constexpr LoadRamp microslip_ramp{0.05, 60.0, 50};
constexpr LoadRamp macroslip_ramp{0.05, 3e3, 50};

const System& brake_reuss_beam() {
  static const Study study = load_study(MICROSLIP_SOURCE_DIR "/examples/04_brake_reuss_beam/study.toml");
  return study.system;
}
constexpr int first_bending = 1;
constexpr LoadRamp beam_microslip{0.01, 60.0, 50};
constexpr LoadRamp beam_macroslip{0.01, 1e3, 50};

void run_ramp(benchmark::State& state, const System& system, int number, const LoadRamp& ramp) {
  const QuasiStaticMode mode(system, number);
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
  run_ramp(state, random_structure(static_cast<int>(state.range(0))), 0, microslip_ramp);
}
BENCHMARK(qsma_microslip)->Arg(21)->Arg(84)->Arg(336)->Unit(benchmark::kMicrosecond);

void qsma_macroslip(benchmark::State& state) {
  run_ramp(state, random_structure(static_cast<int>(state.range(0))), 0, macroslip_ramp);
}
BENCHMARK(qsma_macroslip)->Arg(84)->Unit(benchmark::kMicrosecond);

void qsma_beam_microslip(benchmark::State& state) {
  run_ramp(state, brake_reuss_beam(), first_bending, beam_microslip);
}
BENCHMARK(qsma_beam_microslip)->Unit(benchmark::kMicrosecond);

void qsma_beam_macroslip(benchmark::State& state) {
  run_ramp(state, brake_reuss_beam(), first_bending, beam_macroslip);
}
BENCHMARK(qsma_beam_macroslip)->Unit(benchmark::kMicrosecond);

void qsma_beam_preparation(benchmark::State& state) {
  const System& system = brake_reuss_beam();
  for (auto _ : state) benchmark::DoNotOptimize(QuasiStaticMode(system, first_bending).modal_compliance);
}
BENCHMARK(qsma_beam_preparation)->Unit(benchmark::kMicrosecond);

void qsma_beam_ringdown_instead(benchmark::State& state) {
  const System& system = brake_reuss_beam();
  const double omega = system.stuck_modes().omega(first_bending);
  InitialConditions initial;
  initial.v = system.stuck_modes().shapes.col(first_bending) * (beam_microslip.to / omega);
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.step = 2.0 * std::numbers::pi / omega / 20.0;
  options.duration = 300.0 * 20.0 * options.step;
  for (auto _ : state) {
    NullSink sink;
    benchmark::DoNotOptimize(simulate(system, {}, initial, {}, sink, options).q.sum());
  }
}
BENCHMARK(qsma_beam_ringdown_instead)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace microslip
