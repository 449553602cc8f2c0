// A trial of model updating: curves of three bending modes of the Brake-Reuss beam of example 10 at 40 amplitudes each,
// and the same with their derivatives by twelve parameters (K_T, chi, phi_max and the share of three kinds of joints).
// update_trial_with_modes moves K_T, so that the modes of 84 degrees of freedom are found anew.

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

#include "microslip/joints/iwan4.hpp"
#include "microslip/study/study.hpp"
#include "microslip/updating/update_problem.hpp"

namespace microslip {
namespace {

constexpr int kind_of_joint[] = {0, 1, 2, 1, 0};

std::shared_ptr<const UpdateModel> beam_model() {
  const Study study = load_study(MICROSLIP_SOURCE_DIR "/examples/10_brake_reuss_test_model/study.toml");
  const System& system = study.system;
  UpdateModel::Parts parts;
  parts.matrices.mass = system.structure().independent_mass();
  parts.matrices.stiffness = system.structure().independent_stiffness();
  parts.matrices.directions = system.structure().on_independent(system.directions());
  parts.matrices.damping = ModalDamping{{1e-4}};
  for (const Joint& joint : system.joints()) {
    const Iwan4Backbone<double>& shape = std::get<Iwan4<double>>(joint.law).shape();
    LawSpec law;
    law.law = "iwan4";
    law.numbers = {
        {"KT", shape.initial_slope()}, {"chi", shape.chi()}, {"phi_max", shape.phi_max()}, {"share", shape.share()}};
    parts.laws.push_back(law);
  }
  for (int joint = 0; joint < 5; ++joint) {
    for (int number = 0; number < 4; ++number) {
      const double value = parts.laws[static_cast<std::size_t>(joint)].numbers[static_cast<std::size_t>(number)].second;
      parts.links.push_back({4 * kind_of_joint[joint] + number, static_cast<int>(parts.numbers.size()), value, false});
      parts.numbers.push_back({value, joint, number, {}});
    }
  }
  parts.parameters = 12;
  return std::make_shared<const UpdateModel>(std::move(parts));
}

/// Parameters are multiples of the numbers of the study.
const UpdateProblem& beam_problem() {
  static const UpdateProblem problem = [] {
    std::vector<UpdateParameter> parameters(12);
    for (UpdateParameter& parameter : parameters) parameter = {"p", 0.5, 1.5, 1.0, false, {}};
    std::vector<CurveTarget> curves;
    const double largest[] = {2e-4, 1e-4, 2e-5};  // sqrt(kg) m: microslip
    const int modes[] = {6, 8, 12};               // first, second and third bending, after six rigid ones
    for (int c = 0; c < 3; ++c) {
      CurveTarget curve;
      curve.mode = modes[c];
      for (int i = 0; i < 40; ++i) curve.q.push_back(largest[c] * std::pow(100.0, i / 39.0 - 1.0));
      curve.omega.assign(40, 1e3);
      curve.omega_error.assign(40, 1.0);
      curve.zeta.assign(40, 1e-3);
      curve.zeta_error.assign(40, 1e-4);
      curves.push_back(curve);
    }
    return UpdateProblem(beam_model(), std::move(parameters), std::move(curves), {});
  }();
  return problem;
}

void evaluate(benchmark::State& state, double stiffness, bool derivatives) {
  const UpdateProblem& problem = beam_problem();
  Eigen::VectorXd x = Eigen::VectorXd::Ones(12);
  for (int kind = 0; kind < 3; ++kind) {
    x(4 * kind) = stiffness;
    x(4 * kind + 1) = 0.9;
    x(4 * kind + 3) = 0.8;
  }
  double reached = 0.0;
  for (auto _ : state) {
    const ResidualProblem::Answer answer = problem.evaluate(x, derivatives);
    reached = answer.values.array().isFinite().cast<double>().mean();
    benchmark::DoNotOptimize(answer.values.data());
  }
  state.counters["reached"] = reached;
}

void update_trial(benchmark::State& state) {
  evaluate(state, 1.0, false);
}
BENCHMARK(update_trial)->Unit(benchmark::kMicrosecond);

void update_gradient(benchmark::State& state) {
  evaluate(state, 1.0, true);
}
BENCHMARK(update_gradient)->Unit(benchmark::kMicrosecond);

void update_trial_with_modes(benchmark::State& state) {
  evaluate(state, 1.01, false);
}
BENCHMARK(update_trial_with_modes)->Unit(benchmark::kMicrosecond);

void update_gradient_with_modes(benchmark::State& state) {
  evaluate(state, 1.01, true);
}
BENCHMARK(update_gradient_with_modes)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace microslip
