#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/orbit/analysis.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/orbit_history.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

constexpr int map_sliders = 41;           // of a joint, in the table of states
constexpr std::size_t most_phases = 128;  // of a cycle, there

/// Number of each slider within its joint, from 1.
std::vector<int> slider_numbers(const OrbitHistory& history) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < history.sliders.size(); ++i) {
    const bool first = i == 0 || history.sliders[i].joint != history.sliders[i - 1].joint;
    numbers.push_back(first ? 1 : numbers.back() + 1);
  }
  return numbers;
}

/// Joints whose law tells what slips.
std::vector<int> slipping_joints(const OrbitHistory& history) {
  std::vector<int> joints;
  for (Eigen::Index j = 0; j < history.slipped.rows(); ++j) {
    if (!std::isnan(history.slipped(j, 0))) joints.push_back(static_cast<int>(j));
  }
  return joints;
}

std::vector<std::string> component_names(const System& system) {
  std::vector<std::string> names;
  for (int c = 0; c < system.components(); ++c) names.push_back(system.component_name(c));
  return names;
}

/// A row is a time, by number.
Table<int> history_table(const System& system, const std::vector<int>& dofs, const OrbitHistory& history) {
  Table<int> table;
  table.add({"time", "time", "from the maximum of the load"},
            [&](int n) { return history.time[static_cast<std::size_t>(n)]; });
  const auto rows_of = [](const Eigen::MatrixXd& values) {
    return [&values](int n, std::size_t i) { return values(static_cast<Eigen::Index>(i), n); };
  };
  const std::vector<std::string> labels = labels_of(system, dofs), components = component_names(system);
  table.add_each("q", labels, "length", "displacement", rows_of(history.q));
  table.add_each("v", labels, "length/time", "velocity", rows_of(history.v));
  table.add_each("u", components, "length", "joint deflection", rows_of(history.u));
  table.add_each("f", components, "force", "joint force", rows_of(history.f));
  table.add_each("stiffness", components, "force/length", "tangent of the joint", rows_of(history.tangent));
  for (const int j : slipping_joints(history)) {
    table.add({fmt::format("slipped[{}]", system.joints()[static_cast<std::size_t>(j)].name), "-",
               "share of the joint's stuck stiffness that slips"},
              [&history, j](int n) { return history.slipped(j, n); });
  }
  const std::vector<int> numbers = slider_numbers(history);
  for (std::size_t i = 0; i < history.sliders.size(); ++i) {
    const SliderTrace& slider = history.sliders[i];
    table.add({fmt::format("x[{}.{}]", system.joints()[static_cast<std::size_t>(slider.joint)].name, numbers[i]),
               "length", fmt::format("position of the slider of strength {:.6g}", slider.strength)},
              [&slider](int n) { return slider.position[static_cast<std::size_t>(n)]; });
  }
  return table;
}

/// Of a Fourier series in column c.
double harmonic_amplitude(const Eigen::MatrixXd& series, int h, Eigen::Index c) {
  return h == 0 ? series(0, c) : std::hypot(series(2 * h - 1, c), series(2 * h, c));
}
double harmonic_phase(const Eigen::MatrixXd& series, int h, Eigen::Index c) {
  return h == 0 ? 0.0 : std::atan2(-series(2 * h, c), series(2 * h - 1, c));
}

/// A row is a harmonic. `series`: of the displacements.
Table<int> harmonics_table(const System& system, const std::vector<int>& dofs, const Eigen::MatrixXd& series,
                           const PeriodicOrbit& orbit) {
  Table<int> table;
  table.add({"harmonic", "-", "0: the mean"}, [](int h) { return static_cast<double>(h); });
  const std::vector<std::string> labels = labels_of(system, dofs), components = component_names(system);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto c = static_cast<Eigen::Index>(i);
    table.add({fmt::format("amplitude[{}]", labels[i]), "length", "of the displacement"},
              [&series, c](int h) { return harmonic_amplitude(series, h, c); });
    table.add({fmt::format("phase[{}]", labels[i]), "rad", "against the load"},
              [&series, c](int h) { return harmonic_phase(series, h, c); });
  }
  table.add_each("u", components, "length", "amplitude", [&](int h, std::size_t c) {
    return harmonic_amplitude(orbit.deflection, h, static_cast<Eigen::Index>(c));
  });
  table.add_each("f", components, "force", "amplitude", [&](int h, std::size_t c) {
    return harmonic_amplitude(orbit.force, h, static_cast<Eigen::Index>(c));
  });
  return table;
}

struct SliderRow {
  const SliderTrace* slider;
  int number;  ///< within its joint, from 1
};

Table<SliderRow> slider_table() {
  const auto positions = [](const SliderRow& row) -> const std::vector<double>& { return row.slider->position; };
  Table<SliderRow> table;
  table.add({"joint", "-", "number, from 1"}, [](const SliderRow& row) { return row.slider->joint + 1.0; });
  table.add({"slider", "-", "number, from 1, by strength"},
            [](const SliderRow& row) { return static_cast<double>(row.number); });
  table.add({"strength", "length", "deflection at which it slips"},
            [](const SliderRow& row) { return row.slider->strength; });
  table.add({"start", "length", "position at the start of the period"},
            [=](const SliderRow& row) { return positions(row).front(); });
  table.add({"lowest", "length", "least position in the period"}, [=](const SliderRow& row) {
    return *std::minmax_element(positions(row).begin(), positions(row).end()).first;
  });
  table.add({"highest", "length", "largest position in the period"}, [=](const SliderRow& row) {
    return *std::minmax_element(positions(row).begin(), positions(row).end()).second;
  });
  table.add({"slips", "-", "1: in this motion"}, [](const SliderRow& row) { return row.slider->slips() ? 1.0 : 0.0; });
  return table;
}

std::vector<SliderRow> slider_rows(const OrbitHistory& history) {
  const std::vector<int> numbers = slider_numbers(history);
  std::vector<SliderRow> rows;
  for (std::size_t i = 0; i < numbers.size(); ++i) rows.push_back({&history.sliders[i], numbers[i]});
  return rows;
}

struct SliderState {
  int joint;
  double phase, strength, stretch;
};

/// Over the cycle and over strength, how far each slider's spring is stretched: a grid of every joint with sliders of
/// several strengths.
std::vector<SliderState> slider_states(const OrbitHistory& history, const System& system) {
  std::vector<SliderState> states;
  const std::size_t intervals = history.time.size() - 1;
  const std::size_t stride = (intervals + most_phases - 1) / most_phases;
  for (const SliderTrace& slider : history.sliders) {
    const int component = system.offset(slider.joint);
    for (std::size_t n = 0; n <= intervals; n = n < intervals ? std::min(n + stride, intervals) : intervals + 1) {
      const double phase = two_pi * static_cast<double>(n) / static_cast<double>(intervals);
      const double stretch =
          (history.u(component, static_cast<Eigen::Index>(n)) - slider.position[n]) / slider.strength;
      states.push_back({slider.joint, phase, slider.strength, stretch});
    }
  }
  return states;
}

Table<SliderState> state_table() {
  Table<SliderState> table;
  table.add({"joint", "-", "number, from 1"}, [](const SliderState& state) { return state.joint + 1.0; });
  table.add({"phase", "rad", "of the cycle, from the maximum of the load"},
            [](const SliderState& state) { return state.phase; });
  table.add({"strength", "length", "deflection at which the slider slips"},
            [](const SliderState& state) { return state.strength; });
  table.add({"stretch", "-", "of its spring over the strength: it slips at 1 and -1, sticks between"},
            [](const SliderState& state) { return state.stretch; });
  return table;
}

void write_rows_by_number(Table<int> table, int count, TableSink sink) {
  table.begin(sink);
  for (int i = 0; i < count; ++i) table.write(i, sink);
  sink.close();
}

template <class Row>
void write_whole_table(Table<Row> table, const std::vector<Row>& rows, TableSink sink) {
  table.write_all(rows, sink);
  sink.close();
}

OrbitFacts orbit_facts(const ResponsePoint& point, const std::vector<int>& dofs, const OrbitHistory& history,
                       const System& system) {
  OrbitFacts facts = common_facts(point, dofs, system);
  const std::vector<std::string> joints = joint_names(system);
  for (const int j : slipping_joints(history)) {
    facts.largest_slipped.emplace_back(joints[static_cast<std::size_t>(j)], history.slipped.row(j).maxCoeff());
  }
  facts.error = point.errors.at_point();
  return facts;
}

}  // namespace

OrbitFacts common_facts(const ResponsePoint& point, const std::vector<int>& dofs, const System& system) {
  OrbitFacts facts;
  const std::vector<std::string> labels = labels_of(system, dofs), joints = joint_names(system);
  for (std::size_t i = 0; i < labels.size(); ++i) facts.amplitude.emplace_back(labels[i], point.amplitude[i]);
  for (std::size_t j = 0; j < joints.size(); ++j) facts.dissipation.emplace_back(joints[j], point.dissipation[j]);
  facts.stability = stability_of(point);
  facts.iterations = point.iterations;
  return facts;
}

nlohmann::ordered_json OrbitFacts::to_json() const {
  nlohmann::ordered_json json;
  const auto each = [&](const char* key, const std::vector<NamedNumber>& numbers) {
    for (const auto& [name, value] : numbers) json[key][name] = value;
  };
  each("amplitude", amplitude);
  each("dissipation", dissipation);
  if (stability) {
    json["multiplier"] = stability->multiplier;
    json["multiplier_error"] = stability->multiplier_error;
    json["stable"] = stability->stable_json();
  }
  json["iterations"] = iterations;
  each("largest_slipped", largest_slipped);
  if (events) json["events"] = *events;
  each("stick_fraction", stick_fraction);
  json["error"] = error;
  return json;
}

nlohmann::ordered_json OrbitAnalysis::settings() const {
  nlohmann::ordered_json json = {{"load", motion.loads},
                                 {"level", level},
                                 {"omega", omega},
                                 {"method", word_of(motion.method(), response_methods)}};
  if (motion.piecewise()) {
    json["modes"] = motion.options.modes;
    json["period"] = motion.options.periods;
  } else {
    json["tolerance"] = motion.options.tolerance;
  }
  json["points"] = points;
  return json;
}

std::string OrbitAnalysis::describe() const {
  return describe_motions(motion, {&level, 1}, count_of_frequencies(1));
}

std::vector<std::string> OrbitAnalysis::tables() const {
  if (motion.piecewise()) return {"", "events", "sticks"};
  return {"", "harmonics", "sliders", "states"};
}

void OrbitAnalysis::write_tables(const PeriodicOrbit& orbit, const OrbitHistory& history, AnalysisRun& with) const {
  const System& system = with.system;
  const std::vector<int>& dofs = motion.record.dofs;
  write_rows_by_number(history_table(system, dofs, history), static_cast<int>(history.q.cols()),
                       with.results.table(name));
  const Eigen::MatrixXd series = orbit_series(system, motion.load, orbit, dofs);
  write_rows_by_number(harmonics_table(system, dofs, series, orbit), orbit.harmonics + 1,
                       with.results.table(name, "harmonics"));
  write_whole_table(slider_table(), slider_rows(history), with.results.table(name, "sliders"));
  const OrbitHistory map = orbit_history(system, motion.load, orbit, {}, points, map_sliders);
  write_whole_table(state_table(), slider_states(map, system), with.results.table(name, "states"));
}

AnalysisSummary OrbitAnalysis::run(AnalysisRun& with) const {
  if (motion.piecewise()) return run_exact(with);
  const FrequencyResponse response =
      motion.respond(with.system, AtFrequencies{.level = level, .omegas = {omega}}, with.observer);
  AnalysisSummary summary;
  summary.ending = response.ending;
  summary.message = response.message;
  add_remark(response.remark, summary);
  add_remark(unseen_stability(motion, with.system), summary);
  if (response.points.empty()) return summary;
  const ResponsePoint& point = response.points.front();
  const OrbitHistory history =
      orbit_history(with.system, motion.load, point.orbit, motion.record.dofs, points, sliders);
  write_tables(point.orbit, history, with);
  summary.sum_up(orbit_facts(point, motion.record.dofs, history, with.system));
  summary.files = table_files();
  return summary;
}

}  // namespace microslip
