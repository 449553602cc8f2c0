#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <stdexcept>

#include "microslip/io/data_table.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/period_map.hpp"
#include "microslip/study/degrees_of_freedom.hpp"
#include "microslip/study/frf_analysis.hpp"
#include "microslip/study/joint_methods.hpp"
#include "microslip/study/named_file.hpp"
#include "microslip/study/orbit_analysis.hpp"

namespace microslip {
namespace {

constexpr long long most_harmonics = 500;
constexpr long long most_samples = 1 << 20;
constexpr long long most_steps = 1 << 20;

/// Keys of one method with the other are mistakes.
void check_method_keys(const TableReader& reader, bool shooting) {
  for (const char* key : {"modes", "period"}) {
    if (!reader.has(key)) continue;
    throw reader.error_at_key(*reader.value().find(key),
                              fmt::format("{} goes with method = \"piecewise_linear\"", key));
  }
  for (const char* key : {"solver", "harmonics", "samples", "max_iterations", "steps"}) {
    const bool of_shooting = key == std::string_view("steps");
    if (!reader.has(key) || of_shooting == shooting) continue;
    throw reader.error_at_key(*reader.value().find(key), fmt::format("{} goes with method = \"{}\"", key,
                                                                     of_shooting ? "shooting" : "harmonic_balance"));
  }
}

void read_loads_of(const TableReader& reader, const StudyParts& parts, FrfAnalysis& analysis) {
  static_cast<void>(reader.need("load"));
  const std::vector<Load> loads = read_load_names(reader, parts.loads, 0.0);
  for (const Load& load : loads) analysis.loads.push_back(load.name);
  try {
    analysis.load = harmonic_load(parts.system, loads);
    if (parts.system.components() > 0) {
      static_cast<void>(JointReceptance(parts.system, analysis.load, 1));
    } else {
      static_cast<void>(JointReceptance(with_idle_joint(parts.system, 0), analysis.load, 1));
    }
  } catch (const std::invalid_argument& error) {
    throw reader.error("load", fmt::format("load: {}", error.what()));
  }
}

/// A level may be negative: the load then acts the other way.
std::vector<double> read_levels(const TableReader& reader) {
  if (!reader.has("levels")) return {1.0};
  const std::vector<double> levels = reader.numbers("levels", any_number);
  if (levels.empty()) throw reader.error("levels", "levels: the list is empty");
  if (std::find(levels.begin(), levels.end(), 0.0) != levels.end()) {
    throw reader.error("levels", "levels must not be 0: there is no motion without a load");
  }
  return levels;
}

void read_frequencies(const TableReader& reader, FrfAnalysis& analysis) {
  const std::string key = reader.exactly_one_of({"omega", "frequency_hz", "at", "at_hz"});
  const double unit = key == "omega" || key == "at" ? 1.0 : two_pi;
  std::vector<double> values = reader.numbers(key, positive_number);
  for (double& value : values) value *= unit;
  if (key == "at" || key == "at_hz") {
    if (values.empty()) throw reader.error(key, fmt::format("{}: the list is empty", key));
    analysis.at = std::move(values);
    return;
  }
  if (values.size() != 2 || values[0] == values[1]) {
    throw reader.error(key, fmt::format("{} must be [from, to], two different numbers", key));
  }
  analysis.from = values[0];
  analysis.to = values[1];
}

void read_record(const TableReader& reader, const System& system, const HarmonicLoad& load, ResponseRecord& result) {
  const auto& labels = system.structure().labels();
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
}

/// A structure without joints: harmonic balance is its linear response.
void require_linear_method(const TableReader& reader, const System& system, bool shooting) {
  if (shooting) throw reader.error("method", "shooting looks for motions of joints: there is none");
  if (system.truncated()) {
    throw reader.error(
        fmt::format("a structure of more than {} degrees of freedom needs a joint", Truncation::most_dense));
  }
}

/// What every analysis of periodic motions has: load, method and its accuracy, record. Levels and frequencies are
/// known.
void read_method(const TableReader& reader, const StudyParts& parts, FrfAnalysis& analysis,
                 std::initializer_list<std::string_view> methods = {"harmonic_balance", "shooting"}) {
  analysis.shooting = reader.has("method") && reader.choice("method", methods) == "shooting";
  if (parts.system.components() == 0) require_linear_method(reader, parts.system, analysis.shooting);
  check_method_keys(reader, analysis.shooting);
  read_loads_of(reader, parts, analysis);
  read_record(reader, parts.system, analysis.load, analysis.record);
  FrequencyResponseOptions& options = analysis.options;
  options.steps = static_cast<int>(reader.integer_or("steps", 0, 16, most_steps));
  options.harmonics = static_cast<int>(reader.integer_or("harmonics", 0, 1, most_harmonics));
  options.samples = static_cast<int>(reader.integer_or("samples", 0, 16, most_samples));
  if (reader.has("solver") && reader.choice("solver", {"newton", "fixed_point"}) == "fixed_point") {
    options.solver = HarmonicSolver::fixed_point;
    if (analysis.at.empty()) {
      throw reader.error("solver", "fixed_point follows no curve: give single frequencies with at or at_hz");
    }
    options.fixed_point_tolerance = reader.number_or("tolerance", options.fixed_point_tolerance, {0.0, 0.1, false});
    options.fixed_point_iterations =
        static_cast<int>(reader.integer_or("max_iterations", options.fixed_point_iterations, 1, 10'000'000));
    if (options.harmonics == 0) options.harmonics = 7;
  } else {
    options.tolerance = reader.number_or("tolerance", options.tolerance, {1e-13, 0.1});
    if (reader.has("max_iterations")) {
      throw reader.error_at_key(*reader.value().find("max_iterations"),
                                "max_iterations goes with solver = \"fixed_point\"");
    }
  }
  if (analysis.shooting) {
    const std::string massless = massless_obstacle(parts.system, "method = \"shooting\"");
    if (!massless.empty()) throw reader.error("method", massless);
    try {
      static_cast<void>(PeriodMap(parts.system, analysis.load, 16));
    } catch (const std::invalid_argument& error) {
      throw reader.error("method", fmt::format("method: {}", error.what()));
    }
  }
  const std::string obstacle = analysis.shooting ? "" : stability_obstacle(parts.system);
  options.stability = reader.flag_or("stability", obstacle.empty());
  if (options.stability && !obstacle.empty()) {
    throw reader.error("stability", fmt::format("stability cannot be found: {}", obstacle));
  }
  options.max_step = reader.number_or("max_step", options.max_step, {1e-4, 1.0});
}

/// method = "piecewise_linear".
void read_piecewise(const TableReader& reader, const StudyParts& parts, FrfAnalysis& analysis) {
  reader.allow_only({"kind", "name", "load", "levels", "omega", "frequency_hz", "at", "at_hz", "method", "modes",
                     "period", "max_step", "record", "peak", "stability"});
  analysis.piecewise = true;
  std::string obstacle = smooth_law_obstacle(parts.system, "method = \"piecewise_linear\"");
  if (obstacle.empty()) obstacle = massless_obstacle(parts.system, "method = \"piecewise_linear\"");
  if (!obstacle.empty()) throw reader.error("method", obstacle);
  PiecewiseOptions& options = analysis.piecewise_options;
  const Modes& modes = parts.system.stuck_modes();
  options.modes = static_cast<int>(reader.integer_or("modes", 0, std::max(1, modes.rigid), modes.omega.size()));
  options.periods = static_cast<int>(reader.integer_or("period", 1, 1, 1000));
  options.stability = reader.flag_or("stability", true);
  options.max_step = reader.number_or("max_step", options.max_step, {1e-4, 1.0});
  static_cast<void>(reader.need("load"));
  analysis.piecewise_loads = read_load_names(reader, parts.loads, 0.0);
  HarmonicLoad directions;  // for the default of `peak`
  directions.force = Eigen::VectorXcd::Zero(parts.system.size());
  for (const Load& load : analysis.piecewise_loads) {
    analysis.loads.push_back(load.name);
    if (!std::holds_alternative<Constant>(load.signal.kind())) directions.force += load.direction;
  }
  try {
    const PiecewiseModel model(parts.system, analysis.piecewise_loads, options.modes);
    static_cast<void>(model.periodic());
    analysis.one_motion = options.periods == 1 && model.settles_to_one_motion();
  } catch (const std::invalid_argument& error) {
    throw reader.error("load", error.what());
  }
  read_record(reader, parts.system, directions, analysis.record);
}

/// `start = { file = "frf.csv", row = 12 }`: a row of the table of an earlier frf, with every degree of freedom.
void read_start(const TableReader& reader, const System& system, FrfAnalysis& analysis) {
  if (!reader.has("start")) return;
  if (!analysis.at.empty()) throw reader.error("start", "start begins a curve: give omega or frequency_hz");
  if (reader.has("levels")) {
    throw reader.error_at_key(*reader.value().find("levels"), "with start the level is that of the row");
  }
  const TableReader start = reader.table("start");
  start.allow_only({"file", "row"});
  const CsvTable table = read_named_file(start, "file", [](const std::string& path) { return read_data_table(path); });
  const auto rows = static_cast<long long>(table.rows());
  if (rows == 0) throw start.error("file", "file: the table has no rows");
  const auto row = static_cast<std::size_t>(start.integer("row", 1, rows)) - 1;
  analysis.levels = {table.column("level")[row]};
  analysis.start_omega = table.column("omega")[row];
  const auto& labels = system.structure().labels();
  analysis.options.start.resize(system.size());
  for (int i = 0; i < system.size(); ++i) {
    const std::string& label = labels[static_cast<std::size_t>(i)];
    const double amplitude = table.column(fmt::format("harmonic1[{}]", label))[row];
    const double phase = table.column(fmt::format("phase1[{}]", label))[row];
    analysis.options.start(i) = amplitude * std::complex<double>(std::cos(phase), std::sin(phase));
  }
  if (!analysis.options.start.allFinite() || !std::isfinite(analysis.levels[0]) || analysis.levels[0] == 0.0) {
    throw start.error("row", "row: its numbers must be finite, and its level not 0");
  }
  const auto [low, high] = std::minmax(analysis.from, analysis.to);
  if (!(analysis.start_omega > low && analysis.start_omega < high)) {
    throw start.error("row", fmt::format("row: its omega, {:g}, must lie between the ends of the curve, {:g} and {:g}",
                                         analysis.start_omega, low, high));
  }
}

/// `omega` or `frequency_hz`, a number or a list of them.
std::vector<double> read_fixed_frequencies(const TableReader& reader) {
  const std::string key = reader.exactly_one_of({"omega", "frequency_hz"});
  const bool list = reader.need(key).type == TomlValue::Type::array;
  std::vector<double> values =
      list ? reader.numbers(key, positive_number) : std::vector<double>{reader.number(key, positive_number)};
  if (values.empty()) throw reader.error(key, fmt::format("{}: the list is empty", key));
  for (double& value : values) value *= key == "omega" ? 1.0 : two_pi;
  return values;
}

}  // namespace

FrfAnalysis read_frf_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind",      "name",     "load",           "levels", "omega",     "frequency_hz",
                     "at",        "at_hz",    "method",         "solver", "harmonics", "samples",
                     "tolerance", "max_step", "max_iterations", "record", "peak",      "stability",
                     "steps",     "start",    "modes",          "period"});
  FrfAnalysis analysis;
  analysis.levels = read_levels(reader);
  read_frequencies(reader, analysis);
  if (reader.has("method") && reader.string("method") == "piecewise_linear") {
    read_piecewise(reader, parts, analysis);
    return analysis;
  }
  read_start(reader, parts.system, analysis);
  read_method(reader, parts, analysis, {"harmonic_balance", "shooting", "piecewise_linear"});
  return analysis;
}

LevelSweepAnalysis read_level_sweep_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "load", "levels", "omega", "frequency_hz", "method", "harmonics", "samples",
                     "tolerance", "max_step", "record", "peak", "stability", "steps"});
  LevelSweepAnalysis analysis;
  FrfAnalysis& curves = analysis.curves;
  curves.over_level = true;
  static_cast<void>(reader.need("levels"));
  curves.levels = read_levels(reader);
  if (curves.levels.size() != 2 || curves.levels[0] == curves.levels[1] || curves.levels[0] * curves.levels[1] < 0.0) {
    throw reader.error("levels", "levels must be [from, to], two different numbers of the same sign");
  }
  curves.at = read_fixed_frequencies(reader);
  read_method(reader, parts, curves);
  return analysis;
}

OrbitAnalysis read_orbit_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "load", "level", "omega", "frequency_hz", "method", "harmonics", "samples",
                     "tolerance", "record", "steps", "points", "sliders"});
  OrbitAnalysis analysis;
  FrfAnalysis& motion = analysis.motion;
  motion.levels = {reader.number_or("level", 1.0, any_number)};
  if (motion.levels[0] == 0.0) throw reader.error("level", "level must not be 0: there is no motion without a load");
  motion.at = read_fixed_frequencies(reader);
  if (motion.at.size() != 1) {
    throw reader.error(reader.has("omega") ? "omega" : "frequency_hz", "an orbit has one frequency");
  }
  if (parts.system.components() == 0) throw reader.error("an orbit is that of joints: there is none");
  read_method(reader, parts, motion);
  analysis.points = static_cast<int>(reader.integer_or("points", analysis.points, 16, 1 << 20));
  analysis.sliders = static_cast<int>(reader.integer_or("sliders", analysis.sliders, 0, 1000));
  return analysis;
}

}  // namespace microslip
