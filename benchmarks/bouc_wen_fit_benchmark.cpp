// Bouc-Wen fit to three loops of an Iwan element, 100 points each: one evaluation of the forces, each loop in its
// steady state, the same with exact derivatives by dual numbers (central differences would take twelve evaluations),
// and a whole fit over 17 exponents.

#include <benchmark/benchmark.h>

#include "microslip/identify/bouc_wen_fit.hpp"
#include "microslip/identify/bouc_wen_residuals.hpp"

namespace microslip {
namespace {

/// Shetty, Paper II, Table 8.
Iwan4Backbone<double> element() {
  return Iwan4Backbone<double>::from_physical(1.518, 1.34e5, -0.162, 2.0);
}

std::vector<HysteresisRecord> loops() {
  std::vector<HysteresisRecord> records;
  for (const double ratio : {0.05, 0.2, 0.8}) {
    ForceCurve rise;
    for (int i = 1; i <= 50; ++i) {
      rise.u.push_back(ratio * element().phi_max() * i / 50);
      rise.f.push_back(element().at(rise.u.back()).force);
    }
    records.push_back(record_of(rise, Motion::masing));
  }
  return records;
}

void evaluate(benchmark::State& state, bool derivatives) {
  const std::vector<HysteresisRecord> records = loops();
  BoucWenResiduals residuals(records, element().phi_max());
  const BoucWenVector x = residuals.coordinates(bouc_wen_like(element()));
  std::vector<double> values(residuals.size()), jacobian(derivatives ? residuals.size() * bouc_wen_size : 0);
  for (auto _ : state) benchmark::DoNotOptimize(residuals.evaluate(x, values, jacobian));
}

void bouc_wen_residuals(benchmark::State& state) {
  evaluate(state, false);
}
BENCHMARK(bouc_wen_residuals)->Unit(benchmark::kMicrosecond);

void bouc_wen_residuals_and_derivatives(benchmark::State& state) {
  evaluate(state, true);
}
BENCHMARK(bouc_wen_residuals_and_derivatives)->Unit(benchmark::kMicrosecond);

void bouc_wen_whole(benchmark::State& state) {
  const std::vector<HysteresisRecord> records = loops();
  BoucWenFitOptions options;
  options.k0 = 1.34e5;
  options.alpha = 0.0;
  for (auto _ : state) benchmark::DoNotOptimize(fit_bouc_wen(records, options).best.misfit);
}
BENCHMARK(bouc_wen_whole)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace microslip
