#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/modes/analysis.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

Table<int> frequency_table(const System& system, const Modes& slipped) {
  Table<int> table;
  table.add({"mode", "-", "number, from 1"}, [](int i) { return i + 1.0; });
  table.add({"omega_stuck", "rad/time", "every joint at its tangent at rest"},
            [&](int i) { return system.stuck_modes().omega(i); });
  table.add({"omega_slipped", "rad/time", "every joint at the stiffness left in macroslip"},
            [&](int i) { return slipped.omega(i); });
  table.add({"zeta", "-", "damping ratio of the stuck mode, without the joints"},
            [zeta = system.damping_ratios()](int i) { return zeta(i); });
  return table;
}

/// A row is a mode.
Table<int> shape_table(const System& system) {
  Table<int> table;
  table.add({"mode", "-", "number, from 1"}, [](int i) { return i + 1.0; });
  table.add_each("phi", system.structure().labels(), "1/sqrt(mass)", "stuck shape, mass-normalised",
                 [&](int i, std::size_t dof) { return system.stuck_modes().shapes(static_cast<int>(dof), i); });
  return table;
}

/// Of a large structure a row is a degree of freedom: tables have fewer columns than it has.
Table<int> shape_table_by_dof(const System& system, int modes) {
  Table<int> table;
  table.add({"dof", "-", "number of the degree of freedom, from 1"}, [](int dof) { return dof + 1.0; });
  for (int i = 0; i < modes; ++i) {
    table.add({fmt::format("phi[{}]", i + 1), "1/sqrt(mass)", "stuck shape of this mode, mass-normalised"},
              [&system, i](int dof) { return system.stuck_modes().shapes(dof, i); });
  }
  return table;
}

void write_numbers(Table<int> table, int count, Sink& sink) {
  table.begin(sink);
  for (int i = 0; i < count; ++i) table.write(i, sink);
}

ModesFacts facts_of(const System& system, const Modes& slipped, int count) {
  ModesFacts facts;
  facts.modes = count;
  const auto& joints = system.joints();
  facts.rigid_friction_joints =
      std::count_if(joints.begin(), joints.end(), [](const Joint& joint) { return is_rigid_friction(joint.law); });
  const Modes& stuck = system.stuck_modes();
  const auto rigid = std::min<Eigen::Index>(stuck.rigid, count);
  facts.rigid_modes = rigid;
  if (rigid == count) return facts;
  const auto ends_in_hz = [&](const Eigen::VectorXd& omega) {
    return ModesFacts::Range{omega(rigid) / two_pi, omega(count - 1) / two_pi};
  };
  const Eigen::VectorXd zeta = system.damping_ratios();
  const auto elastic = zeta.segment(rigid, count - rigid);
  facts.elastic = {ends_in_hz(stuck.omega), ends_in_hz(slipped.omega), {elastic.minCoeff(), elastic.maxCoeff()}};
  return facts;
}

}  // namespace

nlohmann::ordered_json ModesFacts::to_json() const {
  nlohmann::ordered_json json;
  json["modes"] = modes;
  if (rigid_friction_joints > 0) json["rigid_friction_joints"] = rigid_friction_joints;
  if (rigid_modes > 0) json["rigid_modes"] = rigid_modes;
  if (!elastic) return json;
  const auto pair = [](const Range& range) { return nlohmann::ordered_json{range.low, range.high}; };
  json["frequency_hz_stuck"] = pair(elastic->frequency_hz_stuck);
  json["frequency_hz_slipped"] = pair(elastic->frequency_hz_slipped);
  json["zeta"] = pair(elastic->zeta);
  return json;
}

nlohmann::ordered_json ModesAnalysis::settings() const {
  return {{"count", count}};
}

std::string ModesAnalysis::describe() const {
  return fmt::format("the lowest {} modes", count);
}

std::vector<std::string> ModesAnalysis::tables() const {
  return {"", "shapes"};
}

AnalysisSummary ModesAnalysis::run(AnalysisRun& with) const {
  const System& system = with.system;
  try {
    const Modes slipped = system.slipped_modes();
    TableSink frequencies = with.results.table(name);
    TableSink shapes = with.results.table(name, "shapes");
    write_numbers(frequency_table(system, slipped), count, frequencies);
    if (system.truncated()) {
      write_numbers(shape_table_by_dof(system, count), system.size(), shapes);
    } else {
      write_numbers(shape_table(system), count, shapes);
    }
    frequencies.close();
    shapes.close();
    AnalysisSummary summary = completed_summary();
    summary.sum_up(facts_of(system, slipped, count));
    summary.files = table_files();
    return summary;
  } catch (const std::invalid_argument& error) {
    AnalysisSummary summary;
    summary.ending = Ending::no_convergence;
    summary.message = fmt::format("slipped modes: {}", error.what());
    return summary;
  }
}

void ModesAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  if (const MemorySink* table = tables.find()) add_mode_rows(*table, result);
}

std::vector<HeadlineNumber> ModesAnalysis::drawn_headline(const System&) const {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 1);
  return drawn_mode_rows(numbers);
}

}  // namespace microslip
