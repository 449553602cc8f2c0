#include "microslip/analyses/response/motion_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <nlohmann/json.hpp>

#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/steady_vibration.hpp"

namespace microslip {
namespace {

std::string chosen_or(int number) {
  return number > 0 ? std::to_string(number) : std::string("chosen");
}

}  // namespace

std::string in_words(SteadyMethod method) {
  switch (method) {
    case SteadyMethod::shooting:
      return "shooting";
    case SteadyMethod::piecewise_linear:
      return "exact linear arcs";
    case SteadyMethod::harmonic_balance:
      break;
  }
  return "harmonic balance";
}

double MotionRequest::tolerance() const {
  return options.solver == HarmonicSolver::fixed_point ? options.fixed_point_tolerance : options.tolerance;
}

std::string count_of_frequencies(std::size_t count) {
  return fmt::format("{} frequenc{}", count, count == 1 ? "y" : "ies");
}

std::string MotionRequest::modes_in_words() const {
  return options.modes > 0 ? fmt::format("{} mode{}", options.modes, options.modes == 1 ? "" : "s") : "all modes";
}

std::string describe_motions(const MotionRequest& motions, std::span<const double> levels,
                             const std::string& frequencies) {
  const std::string load = fmt::format("load {}, level{} {:g}, {}", fmt::join(motions.loads, ", "),
                                       levels.size() > 1 ? "s" : "", fmt::join(levels, ", "), frequencies);
  if (motions.piecewise()) return fmt::format("{}, piecewise linear, {}", load, motions.modes_in_words());
  const std::string_view unit = motions.shooting() ? "steps" : "harmonics";
  const int number = motions.shooting() ? motions.options.steps : motions.options.harmonics;
  const std::string accuracy =
      number > 0 ? fmt::format("{} {}", number, unit) : fmt::format("{} to {:g}", unit, motions.options.tolerance);
  return fmt::format("{}, {}, {}{}", load, in_words(motions.method()), accuracy,
                     motions.options.solver == HarmonicSolver::fixed_point ? ", fixed point" : "");
}

nlohmann::ordered_json load_settings(const MotionRequest& motions, std::span<const double> levels) {
  nlohmann::ordered_json json;
  json["load"] = motions.loads;
  json["levels"] = levels;
  return json;
}

void add_method_settings(const MotionRequest& motions, nlohmann::ordered_json& json) {
  json["method"] = word_of(motions.method(), response_methods);
  if (motions.piecewise()) {
    json["modes"] = motions.options.modes;
    json["period"] = motions.options.periods;
    json["stability"] = motions.options.stability;
    json["max_step"] = motions.options.max_step;
    return;
  }
  if (motions.shooting()) {
    json["steps"] = chosen_or(motions.options.steps);
  } else {
    json["solver"] = word_of(motions.options.solver, harmonic_solvers);
    json["harmonics"] = chosen_or(motions.options.harmonics);
    json["samples"] = chosen_or(motions.options.samples);
  }
  json["tolerance"] = motions.tolerance();
  json["max_step"] = motions.options.max_step;
}

std::string unseen_stability(const MotionRequest& motions, const System& system) {
  if (motions.shooting() || motions.piecewise()) return {};
  const std::string obstacle = stability_obstacle(system);
  return obstacle.empty() ? "" : "stability was not looked at: " + obstacle;
}

FrequencyResponse MotionRequest::respond(const System& system, const SteadyRequest& request,
                                         const Observer& observer) const {
  return response_or_failure([&] {
    return piecewise() ? PiecewiseResponses(*model, record, options).answer(request, observer)
                       : steady_vibration(system, load, request, record, options, observer);
  });
}

FrequencyResponse response_or_failure(const std::function<FrequencyResponse()>& method) {
  try {
    return method();
  } catch (const std::exception& error) {
    FrequencyResponse response;
    response.ending = Ending::no_convergence;
    response.message = error.what();
    return response;
  }
}

System with_idle_joint(const System& system, int dof) {
  Eigen::MatrixXd direction = Eigen::MatrixXd::Zero(system.size(), 1);
  direction(dof, 0) = 1.0;
  return {system.structure(), {Joint{"idle", Linear<double>(0.0), direction}}};
}

}  // namespace microslip
