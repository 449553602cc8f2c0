#include "microslip/analyses/response/read_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "microslip/analyses/joint_methods.hpp"
#include "microslip/input/degrees_of_freedom.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/shooting_systems.hpp"

namespace microslip {
namespace {

constexpr long long most_harmonics = 500;
constexpr long long most_samples = 1 << 20;
constexpr long long most_steps = 1 << 20;

/// Keys of one method with the other are mistakes.
void check_method_keys(const TableReader& reader, SteadyMethod method) {
  const auto check = [&](const char* key, SteadyMethod of) {
    if (!reader.has(key) || of == method) return;
    throw reader.error_at_key(*reader.value().find(key),
                              fmt::format("{} goes with method = \"{}\"", key, word_of(of, response_methods)));
  };
  for (const char* key : {"modes", "period"}) check(key, SteadyMethod::piecewise_linear);
  for (const char* key : {"solver", "harmonics", "samples", "max_iterations"}) {
    check(key, SteadyMethod::harmonic_balance);
  }
  check("steps", SteadyMethod::shooting);
}

/// A structure without joints: harmonic balance is its linear response.
void require_linear_method(const TableReader& reader, const System& system, SteadyMethod method) {
  if (method == SteadyMethod::shooting) {
    throw reader.error("method", "shooting looks for motions of joints: there is none");
  }
  if (system.truncated()) {
    throw reader.error(
        fmt::format("a structure of more than {} degrees of freedom needs a joint", Truncation::most_dense));
  }
}

void read_harmonic_loads(const TableReader& reader, const StudyParts& parts, MotionRequest& result) {
  static_cast<void>(reader.need("load"));
  const std::vector<Load> loads = read_load_names(reader, parts.loads, 0.0);
  for (const Load& load : loads) result.loads.push_back(load.name);
  try {
    result.load = harmonic_load(parts.system, loads);
    require_mean_position(parts.system, result.load);
  } catch (const std::invalid_argument& error) {
    throw reader.error("load", fmt::format("load: {}", error.what()));
  }
}

void read_solver(const TableReader& reader, bool curves, FrequencyResponseOptions& options) {
  options.solver = read_choice_or(reader, "solver", HarmonicSolver::newton, harmonic_solvers);
  if (options.solver == HarmonicSolver::fixed_point) {
    if (curves) {
      throw reader.error("solver", "fixed_point follows no curve: give single frequencies with at or at_hz");
    }
    options.fixed_point_tolerance = reader.number_or("tolerance", options.fixed_point_tolerance, {0.0, 0.1, false});
    options.fixed_point_iterations =
        static_cast<int>(reader.integer_or("max_iterations", options.fixed_point_iterations, 1, 10'000'000));
    if (options.harmonics == 0) options.harmonics = 7;
    return;
  }
  options.tolerance = reader.number_or("tolerance", options.tolerance, {1e-13, 0.1});
  if (reader.has("max_iterations")) {
    throw reader.error_at_key(*reader.value().find("max_iterations"),
                              "max_iterations goes with solver = \"fixed_point\"");
  }
}

void check_shooting(const TableReader& reader, const System& system, const HarmonicLoad& load) {
  const std::string massless = massless_obstacle(system, "method = \"shooting\"");
  if (!massless.empty()) throw reader.error("method", massless);
  try {
    require_shooting(system, load);
  } catch (const std::invalid_argument& error) {
    throw reader.error("method", fmt::format("method: {}", error.what()));
  }
}

bool read_stability(const TableReader& reader, const System& system, const MotionRequest& motions) {
  const std::string obstacle = motions.shooting() ? "" : stability_obstacle(system);
  const bool wanted = reader.flag_or("stability", obstacle.empty());
  if (wanted && !obstacle.empty()) {
    throw reader.error("stability", fmt::format("stability cannot be found: {}", obstacle));
  }
  return wanted;
}

}  // namespace

std::vector<double> read_levels(const TableReader& reader) {
  if (!reader.has("levels")) return {1.0};
  const std::vector<double> levels = reader.numbers("levels", any_number);
  if (levels.empty()) throw reader.error("levels", "levels: the list is empty");
  if (std::find(levels.begin(), levels.end(), 0.0) != levels.end()) {
    throw reader.error("levels", "levels must not be 0: there is no motion without a load");
  }
  return levels;
}

std::vector<double> read_fixed_frequencies(const TableReader& reader) {
  const std::string key = reader.exactly_one_of({"omega", "frequency_hz"});
  const bool list = reader.need(key).type == TomlValue::Type::array;
  std::vector<double> values =
      list ? reader.numbers(key, positive_number) : std::vector<double>{reader.number(key, positive_number)};
  if (values.empty()) throw reader.error(key, fmt::format("{}: the list is empty", key));
  for (double& value : values) value *= key == "omega" ? 1.0 : two_pi;
  return values;
}

ResponseRecord read_response_record(const TableReader& reader, const System& system, const HarmonicLoad& load) {
  const auto& labels = system.structure().labels();
  ResponseRecord result;
  result.dofs.resize(static_cast<std::size_t>(system.size()));
  std::iota(result.dofs.begin(), result.dofs.end(), 0);
  Eigen::VectorXd size = load.force.cwiseAbs();
  if (load.ground.size() > 0) size += load.ground.cwiseAbs();
  const double nearly = (1.0 - 1e-9) * size.maxCoeff();  // the first of equal ones, whatever their rounding
  result.peak_dof =
      static_cast<int>(std::find_if(size.begin(), size.end(), [&](double s) { return s >= nearly; }) - size.begin());
  if (reader.has("record")) {
    const TableReader record = reader.table("record");
    record.allow_only({"dofs"});
    result.dofs.clear();
    for (const TomlValue& item : record.as_list(record.need("dofs"), "dofs")) {
      const int dof = degree_of_freedom(record, item, "dofs", labels, false);
      if (std::find(result.dofs.begin(), result.dofs.end(), dof) != result.dofs.end()) {
        throw record.error(item,
                           fmt::format("dofs: {} is there twice", in_quotes(labels[static_cast<std::size_t>(dof)])));
      }
      result.dofs.push_back(dof);
    }
    if (!result.dofs.empty()) result.peak_dof = result.dofs.front();
  }
  if (reader.has("peak")) result.peak_dof = degree_of_freedom(reader, reader.need("peak"), "peak", labels, false);
  return result;
}

bool asks_for_exact_orbits(const TableReader& reader, const System& system) {
  const std::string exact = word_of(SteadyMethod::piecewise_linear, response_methods);
  const std::string fallback = word_of(SteadyMethod::harmonic_balance, response_methods);
  constexpr std::string_view without_events[] = {response_methods[0].word, response_methods[1].word};
  check_event_method(reader, {exact, fallback, without_events}, system);
  return reader.has("method") && reader.string("method") == exact;
}

MotionRequest read_exact_motions(const TableReader& reader, const StudyParts& parts) {
  MotionRequest result;
  result.options.method = SteadyMethod::piecewise_linear;
  std::string obstacle = smooth_law_obstacle(parts.system, "method = \"piecewise_linear\"");
  if (obstacle.empty()) obstacle = massless_obstacle(parts.system, "method = \"piecewise_linear\"");
  if (!obstacle.empty()) throw reader.error("method", obstacle);
  FrequencyResponseOptions& options = result.options;
  const Modes& modes = parts.system.stuck_modes();
  options.modes = static_cast<int>(reader.integer_or("modes", 0, std::max(1, modes.rigid), modes.omega.size()));
  options.periods = static_cast<int>(reader.integer_or("period", 1, 1, 1000));
  options.stability = reader.flag_or("stability", true);
  options.max_step = reader.number_or("max_step", options.max_step, {1e-4, 1.0});
  static_cast<void>(reader.need("load"));
  const std::vector<Load> loads = read_load_names(reader, parts.loads, 0.0);
  HarmonicLoad directions;  // for the default of `peak`
  directions.force = Eigen::VectorXcd::Zero(parts.system.size());
  for (const Load& load : loads) {
    result.loads.push_back(load.name);
    if (!std::holds_alternative<Constant>(load.signal.kind())) directions.force += load.direction;
  }
  try {
    result.model = std::make_shared<const PiecewiseModel>(parts.system, loads, options.modes);
    static_cast<void>(result.model->periodic());
  } catch (const std::invalid_argument& error) {
    throw reader.error("load", error.what());
  }
  result.record = read_response_record(reader, parts.system, directions);
  return result;
}

MotionRequest read_smooth_motions(const TableReader& reader, const StudyParts& parts, bool curves) {
  const SteadyMethod method = read_choice_or(reader, "method", SteadyMethod::harmonic_balance, response_methods);
  MotionRequest result;
  result.options.method = method;
  if (parts.system.components() == 0) require_linear_method(reader, parts.system, method);
  check_method_keys(reader, method);
  read_harmonic_loads(reader, parts, result);
  result.record = read_response_record(reader, parts.system, result.load);
  FrequencyResponseOptions& options = result.options;
  options.steps = static_cast<int>(reader.integer_or("steps", 0, 16, most_steps));
  options.harmonics = static_cast<int>(reader.integer_or("harmonics", 0, 1, most_harmonics));
  options.samples = static_cast<int>(reader.integer_or("samples", 0, 16, most_samples));
  read_solver(reader, curves, options);
  if (result.shooting()) check_shooting(reader, parts.system, result.load);
  options.stability = read_stability(reader, parts.system, result);
  options.max_step = reader.number_or("max_step", options.max_step, {1e-4, 1.0});
  return result;
}

}  // namespace microslip
