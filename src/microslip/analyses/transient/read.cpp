#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "microslip/analyses/joint_methods.hpp"
#include "microslip/analyses/mode_numbers.hpp"
#include "microslip/analyses/transient/analysis.hpp"
#include "microslip/analyses/transient/schemes.hpp"
#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace {

void allow_keys(const TableReader& reader, Scheme scheme, const TransientKeys& names) {
  std::vector<std::string> keys = {"kind", "name", "load", "duration", "step", "steps_per_period"};
  keys.insert(keys.end(), {names.scheme, "modes", "initial"});
  keys.insert(keys.end(), names.more.begin(), names.more.end());
  keys.insert(keys.end(), {"tolerance", "max_iterations"});
  if (scheme == Scheme::newmark) keys.insert(keys.end(), {"gamma", "beta"});
  if (scheme == Scheme::hht) keys.emplace_back("alpha");
  if (scheme == Scheme::generalized_alpha) keys.emplace_back("rho_infinity");
  reader.allow_only(keys);
}

double read_step(const TableReader& reader, const System& system, const TransientOptions& options) {
  if (reader.exactly_one_of({"step", "steps_per_period"}) == "step") return reader.number("step", positive_number);
  const double count = reader.number("steps_per_period", positive_number);
  const Eigen::VectorXd& omega = system.stuck_modes().omega;
  const double highest = omega(options.modes > 0 ? options.modes - 1 : omega.size() - 1);
  if (!(highest > 0.0)) {
    throw reader.error("steps_per_period", "steps_per_period needs a mode that vibrates; give step instead");
  }
  return two_pi / (highest * count);
}

TransientOptions read_options(const TableReader& reader, const System& system, const TransientKeys& names) {
  TransientOptions options;
  options.scheme = read_choice_or(reader, names.scheme, options.scheme, scheme_choices);
  allow_keys(reader, options.scheme, names);
  if (options.scheme == Scheme::modal_exact && !system.modal_damping_is_diagonal()) {
    throw reader.error(names.scheme,
                       "modal_exact needs damping that is diagonal in the stuck modes: modal, rayleigh or dampers");
  }
  options.modes = read_moving_modes(reader, system);
  options.gamma = reader.number_or("gamma", options.gamma, {0.5, 1.0});
  options.beta = reader.number_or("beta", options.beta, {0.0, 1.0});
  options.alpha = reader.number_or("alpha", options.alpha, {0.0, 1.0 / 3.0});
  options.rho_infinity = reader.number_or("rho_infinity", options.rho_infinity, {0.0, 1.0});
  options.tolerance = reader.number_or("tolerance", options.tolerance, {0.0, 1e-2, false});
  options.max_iterations = static_cast<int>(reader.integer_or("max_iterations", options.max_iterations, 1, 10'000));
  options.duration = reader.number("duration", positive_number);
  options.step = read_step(reader, system, options);
  const char* step_key = reader.has("step") ? "step" : "steps_per_period";
  check_step_count(reader, step_key, options.duration, options.step);
  if (const double stable = stable_step(system, options); options.step > stable) {
    throw reader.error(step_key, fmt::format("the step must be <= {:.6g} for beta = {:g} < gamma/2 (unstable beyond), "
                                             "got {:g}",
                                             stable, options.beta, options.step));
  }
  return options;
}

std::shared_ptr<const PiecewiseModel> read_piecewise_model(const TableReader& reader, const System& system,
                                                           const std::vector<Load>& loads, int modes) {
  try {
    return std::make_shared<const PiecewiseModel>(system, loads, modes);
  } catch (const std::invalid_argument& error) {
    throw reader.error("method", error.what());
  }
}

/// method = "events".
TransientAnalysis read_events(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "load", "duration", "step", "method", "modes", "initial", "record", "psd"});
  const std::string what = fmt::format("method = \"{}\"", events_method);
  std::string obstacle = smooth_law_obstacle(parts.system, what);
  if (obstacle.empty()) obstacle = massless_obstacle(parts.system, what);
  if (!obstacle.empty()) throw reader.error("method", obstacle);
  TransientAnalysis analysis;
  TransientOptions& options = analysis.options;
  options.modes = read_moving_modes(reader, parts.system);
  options.duration = reader.number("duration", positive_number);
  options.step = reader.number("step", positive_number);
  check_step_count(reader, "step", options.duration, options.step);
  analysis.loads = read_load_names(reader, parts.loads, options.duration);
  analysis.initial = read_initial(reader, parts, options.duration);
  if (analysis.initial.static_load) {
    throw reader.error("initial",
                       "initial: with rigid friction many states are in equilibrium under a static load; give q and v");
  }
  analysis.events = read_piecewise_model(reader, parts.system, analysis.loads, options.modes);
  return analysis;
}

bool by_events(const TableReader& reader, const System& system) {
  std::vector<std::string_view> words;
  for (const auto& scheme : scheme_choices) words.push_back(scheme.word);
  const std::string fallback = word_of(TransientOptions{}.scheme, scheme_choices);
  check_event_method(reader, {events_method, fallback, words}, system);
  if (!reader.has("method")) return false;
  words.push_back(events_method);
  return reader.choice("method", words) == events_method;
}

}  // namespace

TransientAnalysis read_transient_keys(const TableReader& reader, const StudyParts& parts, const TransientKeys& names) {
  TransientAnalysis analysis;
  analysis.options = read_options(reader, parts.system, names);
  analysis.loads = read_load_names(reader, parts.loads, analysis.options.duration);
  analysis.initial = read_initial(reader, parts, analysis.options.duration);
  return analysis;
}

std::unique_ptr<Analysis> read_transient_analysis(const TableReader& reader, const StudyParts& parts) {
  auto analysis = std::make_unique<TransientAnalysis>(
      by_events(reader, parts.system) ? read_events(reader, parts)
                                      : read_transient_keys(reader, parts, {"method", {"record", "psd"}}));
  analysis->record = read_record(reader, parts.system);
  analysis->psd = read_psd(reader, analysis->record, analysis->options.duration, analysis->options.step);
  return analysis;
}

}  // namespace microslip
