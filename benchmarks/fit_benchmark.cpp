// Fit of a modal Iwan oscillator to 100 points: one evaluation of the residuals, the same with exact derivatives by
// dual numbers (central differences would take twelve evaluations), and a whole fit with its starts. Argument: 0
// decrement, 1 tangent.

#include <benchmark/benchmark.h>

#include <cmath>

#include "microslip/identify/modal_iwan_residuals.hpp"

namespace microslip {
namespace {

ModalIwanResiduals residuals(ZetaForm form) {
  const ModalIwanModel<double> model({1.399, 1e-4, 2.877, 7.843e-2, -0.515, 5.614});  // Lacayo, Table 2.3, mode 2
  ModalIwanResiduals result;
  result.zeta_form = form;
  result.zeta_scale = 1e-4;
  for (int i = 0; i < 100; ++i) {
    const double q = model.phi_max() * 1e-3 * std::pow(3e4, i / 99.0);
    const double wiggle = 1.0 + 0.01 * std::sin(37.0 * i);  // a fit with residuals
    result.points.push_back({{q, model.omega(q, OmegaForm::first_harmonic), wiggle * model.zeta(q, form)}, 1.0});
  }
  return result;
}

ZetaForm form_of(const benchmark::State& state) {
  return state.range(0) == 0 ? ZetaForm::decrement : ZetaForm::tangent;
}

void evaluate(benchmark::State& state, bool derivatives) {
  const ModalIwanResiduals fit = residuals(form_of(state));
  const FitVector x = fit.coordinates({1.4, 1e-4, 2.8, 7.8e-2, -0.5, 5.5});
  std::vector<double> values(fit.size()), jacobian(derivatives ? fit.size() * modal_iwan_size : 0);
  for (auto _ : state) benchmark::DoNotOptimize(fit.evaluate(x, values, jacobian));
}

void fit_residuals(benchmark::State& state) {
  evaluate(state, false);
}
BENCHMARK(fit_residuals)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void fit_residuals_and_derivatives(benchmark::State& state) {
  evaluate(state, true);
}
BENCHMARK(fit_residuals_and_derivatives)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

void fit_whole(benchmark::State& state) {
  std::vector<AmplitudePoint> points;
  for (const WeightedPoint& point : residuals(form_of(state)).points) points.push_back(point.data);
  ModalIwanFitOptions options;
  options.zeta_form = form_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(fit_modal_iwan(points, options).parameters);
}
BENCHMARK(fit_whole)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace microslip
