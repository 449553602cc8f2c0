// One evaluation of the law, force and tangent: exact element against sliders. The table of Shetty's Paper I.

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "microslip/joints/bouc_wen.hpp"
#include "microslip/joints/iwan4.hpp"
#include "microslip/joints/iwan5.hpp"
#include "microslip/joints/iwan_sliders.hpp"
#include "slider_loop.hpp"

namespace microslip {
namespace {

Iwan4Backbone<double> paper_element() {
  return Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0);
}

/// A branch in the middle of a cycle of half the macroslip amplitude.
template <class Law>
typename Law::State in_a_cycle(const Law& law, double amplitude) {
  typename Law::State state;
  for (const double u : {0.5 * amplitude, amplitude, 0.2 * amplitude, -0.9 * amplitude, -0.5 * amplitude}) {
    law.commit(state, law.evaluate(state, {u}));
  }
  return state;
}

template <class Law>
void evaluate_law(benchmark::State& state, const Law& law, double amplitude) {
  const auto memory = in_a_cycle(law, amplitude);
  std::vector<double> inputs;
  for (int i = 0; i < 64; ++i) inputs.push_back(amplitude * (-0.5 + 0.02 * i));
  std::size_t i = 0;
  for (auto _ : state) {
    const auto trial = law.evaluate(memory, {inputs[i++ % 64]});
    benchmark::DoNotOptimize(trial.force);
    benchmark::DoNotOptimize(trial.stiffness);
  }
}

void law_exact(benchmark::State& state) {
  const auto element = paper_element();
  evaluate_law(state, Iwan4<double>(element), 0.5 * element.phi_max());
}
BENCHMARK(law_exact);

void law_sliders(benchmark::State& state) {
  const auto element = paper_element();
  const auto n = static_cast<int>(state.range(0)) - 1;
  evaluate_law(state, IwanSliders<double>(slider_grid(element, n, default_slider_spacing(n))), 0.5 * element.phi_max());
}
BENCHMARK(law_sliders)->Arg(30)->Arg(100)->Arg(1000);

/// Force alone by the tight loop of the competitor.
void law_slider_loop(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0)) - 1;
  const auto element = paper_element();
  const auto grid = slider_grid(element, n, default_slider_spacing(n));
  const benchmarks::SliderOscillator loop(1.0, 0.0, 0.0, grid.stiffness, grid.strength, 1e-4);
  double u = 0.0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(loop.force(u));
    u = u < 0.4 * element.phi_max() ? u + 0.01 * element.phi_max() : 0.0;
  }
}
BENCHMARK(law_slider_loop)->Arg(30)->Arg(100)->Arg(1000);

void law_iwan5(benchmark::State& state) {
  const auto element = paper_element();
  evaluate_law(state, Iwan5<double>(element, 0.5), 0.5 * element.phi_max());
}
BENCHMARK(law_iwan5);

void law_bouc_wen(benchmark::State& state) {
  evaluate_law(state, BoucWen<double>({6.32e4, 0.0, 1.0, 300.0, 300.0, 1.0}), 1e-3);
}
BENCHMARK(law_bouc_wen);

}  // namespace
}  // namespace microslip
