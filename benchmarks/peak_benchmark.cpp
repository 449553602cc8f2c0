// Peaks of three masses with three Iwan joints (Zare and Allen) over the level: followed as a curve, or found on a
// whole response each.

#include <benchmark/benchmark.h>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/peak_curve.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double lowest = 0.1, highest = 3.0;  // levels
constexpr double from = 4.0 * two_pi, to = 6.0 * two_pi;

HarmonicLoad shaker() {
  HarmonicLoad load;
  load.force = Eigen::Vector3d(1.0, 2.0, -1.0).cast<std::complex<double>>();
  return load;
}

FrequencyResponseOptions without_stability() {
  FrequencyResponseOptions options;
  options.stability = false;
  return options;
}

/// About 100 points.
void peaks_as_a_curve(benchmark::State& state) {
  const System system = testing::zare_masses();
  const HarmonicLoad load = shaker();
  FrequencyResponseOptions options = without_stability();
  options.max_step = 0.0365;
  const PeakRequest request{.values = {lowest, highest}, .from = from, .to = to};
  double points = 0.0;
  for (auto _ : state) {
    points = static_cast<double>(peak_curve(system, load, request, {{0}, 0}, options).points.size());
  }
  state.counters["points"] = points;
}
BENCHMARK(peaks_as_a_curve)->Unit(benchmark::kMillisecond);

/// One of as many responses.
void peak_of_a_response(benchmark::State& state) {
  const System system = testing::zare_masses();
  const HarmonicLoad load = shaker();
  const FrequencyResponseOptions options = without_stability();
  for (auto _ : state) {
    const OverFrequency request{.level = 1.0, .from = from, .to = to};
    benchmark::DoNotOptimize(steady_vibration(system, load, request, {{0}, 0}, options).special.size());
  }
}
BENCHMARK(peak_of_a_response)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
