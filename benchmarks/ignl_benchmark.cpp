// Cubic spring and Iwan element of Shetty's Paper IV, Table 10: frequency and damping at 200 amplitudes from two static
// curves, against the ring-down that the paper replaces (Newmark, steps of 1e-6 s) with the exact element and with the
// paper's 100 sliders.

#include <benchmark/benchmark.h>

#include <cmath>
#include <stdexcept>

#include "microslip/identify/ignl_fit.hpp"
#include "microslip/transient/transient.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double end = 4.05e-3;

Iwan4Backbone<double> backbone() {
  return Iwan4Backbone<double>::from_physical(10000.0, 2.632e5, -0.8, 2.0);
}

IgnlCurves curves() {
  const Iwan4<double> law(backbone());
  IgnlCurves result;
  for (int i = 0; i < 400; ++i) {
    const double u = end * std::pow(1e-5, 1.0 - i / 399.0), spring = 1.316e5 * u + 5.396e10 * u * u * u;
    result.stuck.u.push_back(u);
    result.slipping.u.push_back(u);
    result.stuck.f.push_back(spring + 2.632e5 * u);
    result.slipping.f.push_back(spring + law.backbone(u).force);
  }
  return result;
}

std::vector<double> amplitudes() {
  std::vector<double> q;
  for (int i = 0; i < 200; ++i) q.push_back(end * std::pow(1e-3, 1.0 - i / 199.0));
  return q;
}

/// Argument: 1 with a square term, swings up and down.
void ignl_curve_of_200_amplitudes(benchmark::State& state) {
  IgnlModel model = fit_ignl(curves()).model;
  if (state.range(0) == 1) model.stuck[1] = 4e7;
  const std::vector<double> q = amplitudes();
  for (auto _ : state) benchmark::DoNotOptimize(ignl_curve(model, q).points.back().omega);
}
BENCHMARK(ignl_curve_of_200_amplitudes)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void ignl_fit_and_curve(benchmark::State& state) {
  const IgnlCurves data = curves();
  const std::vector<double> q = amplitudes();
  for (auto _ : state) benchmark::DoNotOptimize(ignl_curve(fit_ignl(data).model, q).points.back().omega);
}
BENCHMARK(ignl_fit_and_curve)->Unit(benchmark::kMillisecond);

/// Argument: sliders; 0: the exact element. 0.4 s, from 4 to 1.4 mm.
void ignl_ring_down(benchmark::State& state) {
  const auto sliders = static_cast<int>(state.range(0));
  const Law law =
      sliders > 0 ? Law(IwanSliders<double>(slider_grid(backbone(), sliders - 1))) : Law(Iwan4<double>(backbone()));
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.316e5}}, {}, ModalDamping{{1e-4}}),
                      {{"spring", Polynomial<double>({0.0, 0.0, 5.396e10}), testing::between(1, -1, 0)},
                       {"joint", law, testing::between(1, -1, 0)}});
  TransientOptions options;
  options.step = 1e-6;
  options.duration = 0.4;
  NullSink sink;
  for (auto _ : state) {
    const TransientResult result =
        simulate(system, {}, {Eigen::VectorXd::Constant(1, end), Eigen::VectorXd::Zero(1), {}}, {}, sink, options);
    if (result.ending != Ending::completed) throw std::runtime_error(result.message);
    benchmark::DoNotOptimize(result.q(0));
  }
}
BENCHMARK(ignl_ring_down)->Arg(0)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
