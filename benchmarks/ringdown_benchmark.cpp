// A record of 10^6 samples: turning points and Hilbert transform, against one pass over the record (its mean square).

#include <benchmark/benchmark.h>

#include <cmath>

#include "microslip/modal/hilbert.hpp"
#include "microslip/modal/ringdown.hpp"

namespace microslip {
namespace {

/// 50 samples a period, decay to 1e-3.
const SampledMotion& long_record() {
  static const SampledMotion motion = [] {
    SampledMotion m{0.0, 0.02, Quantity::velocity, {}};
    for (int i = 0; i < 1'000'000; ++i) m.values.push_back(std::exp(-7e-6 * i) * std::sin(0.1256637 * i + 0.4));
    return m;
  }();
  return motion;
}

void ringdown_one_pass(benchmark::State& state) {
  const SampledMotion& motion = long_record();
  for (auto _ : state) {
    double sum = 0.0;
    for (const double value : motion.values) sum += value * value;
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(ringdown_one_pass)->Unit(benchmark::kMillisecond);

void ringdown_turning_points(benchmark::State& state) {
  const SampledMotion& motion = long_record();
  for (auto _ : state) benchmark::DoNotOptimize(turning_point_ringdown(motion).points.size());
}
BENCHMARK(ringdown_turning_points)->Unit(benchmark::kMillisecond);

void ringdown_hilbert(benchmark::State& state) {
  const SampledMotion& motion = long_record();
  for (auto _ : state) benchmark::DoNotOptimize(hilbert_ringdown(motion).points.size());
}
BENCHMARK(ringdown_hilbert)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
