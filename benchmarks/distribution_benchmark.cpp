// Sliders from a curve of 500 points (Paper III, U shape, noise 1e-3 of F_S): the fit alone and with 100 resamplings,
// the paper's spline procedure, and one quadratic programme from a cold and from a warm start.

#include <benchmark/benchmark.h>

#include "microslip/identify/cell_least_squares.hpp"
#include "microslip/identify/distribution_fit.hpp"
#include "microslip/identify/spline_distribution.hpp"
#include "support/true_distributions.hpp"

namespace microslip {
namespace {

ForceCurve noisy_curve() {
  ForceCurve curve = test::u_shape().curve(500, 1.25, 1e-3, 1);
  curve.weight.assign(curve.size(), 1.0);
  return curve;
}

void distribution_fit(benchmark::State& state) {
  const ForceCurve curve = noisy_curve();
  DistributionFitOptions options;
  options.residual = 0.0;
  options.bands = state.range(0) == 1;
  for (auto _ : state) benchmark::DoNotOptimize(fit_distribution({curve}, options).slip_force);
}
BENCHMARK(distribution_fit)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void distribution_spline(benchmark::State& state) {
  const ForceCurve curve = noisy_curve();
  SplineDistributionOptions options;
  options.residual = 0.0;
  for (auto _ : state) benchmark::DoNotOptimize(spline_distribution({curve}, options).negative);
}
BENCHMARK(distribution_spline)->Unit(benchmark::kMillisecond);

/// 0: every unknown positive at first; 1: those of the solution.
void distribution_programme(benchmark::State& state) {
  CellLeastSquares problem(noisy_curve(), 0.0, true);
  const CellSolution solution = problem.solve(0.8, 0.1, problem.data());
  const CellSolution* start = state.range(0) == 1 ? &solution : nullptr;
  int factorisations = 0;
  for (auto _ : state) {
    factorisations = problem.solve(0.8, 0.1, problem.data(), start).factorisations;
    benchmark::DoNotOptimize(factorisations);
  }
  state.counters["factorisations"] = factorisations;
}
BENCHMARK(distribution_programme)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace microslip
