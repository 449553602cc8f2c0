#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "microslip/study/degrees_of_freedom.hpp"
#include "microslip/study/joint_methods.hpp"
#include "microslip/study/mode_numbers.hpp"
#include "microslip/study/transient_analysis.hpp"

namespace microslip {
namespace {

constexpr double most_time_steps = 1e12;

Scheme read_scheme(const TableReader& reader, std::string_view key) {
  if (!reader.has(key)) return Scheme::newmark;
  // "events" is read elsewhere, where it is one of the choices.
  const std::string method = key == "method"
                                 ? reader.choice(key, {"newmark", "hht", "generalized_alpha", "modal_exact", "events"})
                                 : reader.choice(key, {"newmark", "hht", "generalized_alpha", "modal_exact"});
  if (method == "hht") return Scheme::hht;
  if (method == "generalized_alpha") return Scheme::generalized_alpha;
  if (method == "modal_exact") return Scheme::modal_exact;
  return Scheme::newmark;
}

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
  return 2.0 * std::numbers::pi / (highest * count);
}

TransientOptions read_options(const TableReader& reader, const System& system, const TransientKeys& names) {
  TransientOptions options;
  options.scheme = read_scheme(reader, names.scheme);
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

int joint_index(const TableReader& record, const TomlValue& value, const System& system) {
  const std::string& name = record.as_string(value, "joints");
  std::vector<std::string> names;
  for (const Joint& joint : system.joints()) {
    if (joint.name == name) return static_cast<int>(names.size());
    names.push_back(joint.name);
  }
  throw record.error(value, fmt::format("joints: unknown joint {}{}", in_quotes(name), suggestion(name, names)));
}

template <class Index>
std::vector<int> read_selection(const TableReader& record, std::string_view key, Index&& index) {
  std::vector<int> selection;
  for (const auto& item : record.as_list(record.need(key), key)) {
    const int found = index(item);
    if (std::find(selection.begin(), selection.end(), found) != selection.end()) {
      throw record.error(item, fmt::format("{}: {} is there twice", key, in_quotes(item.text)));
    }
    selection.push_back(found);
  }
  return selection;
}

/// method = "events".
TransientAnalysis read_events(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "load", "duration", "step", "method", "modes", "initial", "record", "psd"});
  std::string obstacle = smooth_law_obstacle(parts.system, "method = \"events\"");
  if (obstacle.empty()) obstacle = massless_obstacle(parts.system, "method = \"events\"");
  if (!obstacle.empty()) throw reader.error("method", obstacle);
  TransientAnalysis analysis;
  analysis.events = true;
  TransientOptions& options = analysis.options;
  options.modes = read_moving_modes(reader, parts.system);
  options.duration = reader.number("duration", positive_number);
  options.step = reader.number("step", positive_number);
  check_step_count(reader, "step", options.duration, options.step);
  analysis.loads = read_load_names(reader, parts.loads, options.duration);
  read_initial(reader, parts, analysis);
  if (analysis.static_load) {
    throw reader.error("initial",
                       "initial: with rigid friction many states are in equilibrium under a static load; give q and v");
  }
  try {
    static_cast<void>(PiecewiseModel(parts.system, analysis.loads, options.modes));
  } catch (const std::invalid_argument& error) {
    throw reader.error("method", error.what());
  }
  return analysis;
}

}  // namespace

void check_step_count(const TableReader& reader, const char* step_key, double duration, double step) {
  if (step > duration) {
    throw reader.error(step_key, fmt::format("the step must be <= duration = {:g}, got {:g}", duration, step));
  }
  if (!(duration / step <= most_time_steps)) {
    throw reader.error(step_key,
                       fmt::format("duration/step must be <= {:.0e}, got {:.3g}", most_time_steps, duration / step));
  }
}

void read_initial(const TableReader& reader, const StudyParts& parts, TransientAnalysis& analysis) {
  if (!reader.has("initial")) return;
  const TableReader initial = reader.table("initial");
  initial.allow_only({"q", "v", "static"});
  const auto& labels = parts.system.structure().labels();
  if (!initial.has("static")) {
    if (initial.has("q")) analysis.q = weighted_labels(initial, "q", labels, false);
    if (initial.has("v")) analysis.v = weighted_labels(initial, "v", labels, false);
    return;
  }
  for (const char* other : {"q", "v"}) {
    if (!initial.has(other)) continue;
    throw initial.error_at_key(*initial.value().find(other), fmt::format("static and {} exclude each other", other));
  }
  analysis.static_load = load_over(initial, initial.need("static"), "static", parts.loads, analysis.options.duration);
  if (analysis.static_load->base) {
    throw initial.error("static", fmt::format("static must name a force, got the base motion {}",
                                              in_quotes(analysis.static_load->name)));
  }
}

Record read_record(const TableReader& reader, const System& system) {
  Record result = record_everything(system);
  if (!reader.has("record")) return result;
  const TableReader record = reader.table("record");
  record.allow_only({"dofs", "joints", "every"});
  if (record.has("dofs")) {
    result.dofs = read_selection(record, "dofs", [&](const TomlValue& item) {
      return degree_of_freedom(record, item, "dofs", system.structure().labels(), false);
    });
  }
  if (record.has("joints")) {
    result.joints =
        read_selection(record, "joints", [&](const TomlValue& item) { return joint_index(record, item, system); });
  }
  result.every = static_cast<int>(record.integer_or("every", 1, 1, std::numeric_limits<int>::max()));
  return result;
}

TransientAnalysis read_transient_keys(const TableReader& reader, const StudyParts& parts, const TransientKeys& names) {
  TransientAnalysis analysis;
  analysis.options = read_options(reader, parts.system, names);
  analysis.loads = read_load_names(reader, parts.loads, analysis.options.duration);
  read_initial(reader, parts, analysis);
  return analysis;
}

TransientAnalysis read_transient_analysis(const TableReader& reader, const StudyParts& parts) {
  const bool events = reader.has("method") && reader.string("method") == "events";
  TransientAnalysis analysis =
      events ? read_events(reader, parts) : read_transient_keys(reader, parts, {"method", {"record", "psd"}});
  analysis.record = read_record(reader, parts.system);
  analysis.psd = read_psd(reader, analysis.record, analysis.options.duration, analysis.options.step);
  return analysis;
}

}  // namespace microslip
