// Modes from frequency responses: the stabilisation diagram of order 100 of 100 channels and 4000 lines, and whole fits
// of 13 channels and 16384 lines with three parts, against one pass over the lines (the composite).

#include <benchmark/benchmark.h>

#include "microslip/measurement/lscf.hpp"
#include "microslip/measurement/modal_fit.hpp"
#include "microslip/measurement/stabilisation.hpp"
#include "unit/measurement/synthetic_responses.hpp"

namespace microslip {
namespace {

const ModalLines& many_channels() {
  static const ModalLines lines = [] {
    testing::KnownModes known;
    for (int m = 0; m < 20; ++m) {
      known.frequency_hz.push_back(40.0 + 45.0 * m + 3.0 * (m % 4));
      known.zeta.push_back(0.002 + 0.001 * (m % 5));
    }
    known.shapes = testing::cosine_shapes(100, 20);
    FrequencyResponses responses = testing::exact_responses(known, 0.25, 1000.0, 4000);
    testing::add_noise(0.01, 1, true, responses);
    return modal_lines({responses}, {0.0, 1e9});
  }();
  return lines;
}

/// Four bending modes, as of a beam hit three times.
const MeasuredResponses& hammer_test() {
  static const MeasuredResponses data = [] {
    testing::KnownModes known{{175.0, 590.0, 1196.0, 1661.0}, {0.0007, 0.0005, 0.0006, 0.001},
                              testing::cosine_shapes(13, 4),  {0},
                              Quantity::acceleration,         0.66};
    MeasuredResponses made;
    made.references.push_back(testing::exact_responses(known, 0.25, 4096.0, 16384));
    for (std::uint64_t hit = 0; hit < 3; ++hit) {
      made.parts.push_back({"hit", made.references});
      testing::add_noise(0.0173, 10 + hit, true, made.parts.back().references.front());
    }
    testing::add_noise(0.01, 1, true, made.references.front());
    return made;
  }();
  return data;
}

void modal_one_pass(benchmark::State& state) {
  const ModalLines& lines = many_channels();
  for (auto _ : state) benchmark::DoNotOptimize(composite(lines.values).sum());
}
BENCHMARK(modal_one_pass)->Unit(benchmark::kMillisecond);

void modal_stabilisation_of_order_100(benchmark::State& state) {
  const ModalLines& lines = many_channels();
  for (auto _ : state) {
    const Stabilisation diagram = stabilise(lscf_poles(lines, 2, 100), {0.0, 1e9});
    if (physical_clusters(diagram, {2, 100}).size() != 20) state.SkipWithError("not all modes are found");
  }
}
BENCHMARK(modal_stabilisation_of_order_100)->Unit(benchmark::kMillisecond);

void modal_fit_of_a_hammer_test(benchmark::State& state) {
  ModalFitOptions options;
  options.method = state.range(0) == 0 ? ModalMethod::lscf : ModalMethod::isolation;
  for (auto _ : state) {
    if (fit_modes(hammer_test(), options).modes.zeta.size() != 4) state.SkipWithError("not all modes are found");
  }
}
BENCHMARK(modal_fit_of_a_hammer_test)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
