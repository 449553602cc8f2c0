#include "microslip/study/orbit_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <numbers>

#include "microslip/periodic/orbit_history.hpp"
#include "microslip/periodic/shooting_response.hpp"
#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/highest_response.hpp"

namespace microslip {
namespace {

constexpr int map_sliders = 41;           // of a joint, in the table of states
constexpr std::size_t most_phases = 128;  // of a cycle, there

std::string slider_name(const System& system, const SliderTrace& slider, int number) {
  return fmt::format("{}.{}", system.joints()[static_cast<std::size_t>(slider.joint)].name, number);
}

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

void write_history(const System& system, const std::vector<int>& dofs, const OrbitHistory& history, Sink& sink) {
  std::vector<Column> columns = {{"time", "time", "from the maximum of the load"}};
  const auto each_dof = [&](const char* name, const char* unit, const char* what) {
    for (const int dof : dofs) {
      columns.push_back(
          {fmt::format("{}[{}]", name, system.structure().labels()[static_cast<std::size_t>(dof)]), unit, what});
    }
  };
  const auto each_component = [&](const char* name, const char* unit, const char* what) {
    for (int c = 0; c < system.components(); ++c) {
      columns.push_back({fmt::format("{}[{}]", name, system.component_name(c)), unit, what});
    }
  };
  each_dof("q", "length", "displacement");
  each_dof("v", "length/time", "velocity");
  each_component("u", "length", "joint deflection");
  each_component("f", "force", "joint force");
  each_component("stiffness", "force/length", "tangent of the joint");
  const std::vector<int> joints = slipping_joints(history);
  for (const int j : joints) {
    columns.push_back({fmt::format("slipped[{}]", system.joints()[static_cast<std::size_t>(j)].name), "-",
                       "share of the joint's stuck stiffness that slips"});
  }
  const std::vector<int> numbers = slider_numbers(history);
  for (std::size_t i = 0; i < history.sliders.size(); ++i) {
    columns.push_back({fmt::format("x[{}]", slider_name(system, history.sliders[i], numbers[i])), "length",
                       fmt::format("position of the slider of strength {:.6g}", history.sliders[i].strength)});
  }
  sink.begin(columns);
  std::vector<double> row;
  for (Eigen::Index n = 0; n < history.q.cols(); ++n) {
    row = {history.time[static_cast<std::size_t>(n)]};
    for (const Eigen::MatrixXd* values : {&history.q, &history.v, &history.u, &history.f, &history.tangent}) {
      row.insert(row.end(), values->col(n).begin(), values->col(n).end());
    }
    for (const int j : joints) row.push_back(history.slipped(j, n));
    for (const SliderTrace& slider : history.sliders) row.push_back(slider.position[static_cast<std::size_t>(n)]);
    sink.row(row);
  }
}

void write_harmonics(const System& system, const std::vector<int>& dofs, const Eigen::MatrixXd& series,
                     const PeriodicOrbit& orbit, Sink& sink) {
  std::vector<Column> columns = {{"harmonic", "-", "0: the mean"}};
  for (const int dof : dofs) {
    const std::string& label = system.structure().labels()[static_cast<std::size_t>(dof)];
    columns.push_back({fmt::format("amplitude[{}]", label), "length", "of the displacement"});
    columns.push_back({fmt::format("phase[{}]", label), "rad", "against the load"});
  }
  for (const char* name : {"u", "f"}) {
    for (int c = 0; c < system.components(); ++c) {
      columns.push_back(
          {fmt::format("{}[{}]", name, system.component_name(c)), *name == 'u' ? "length" : "force", "amplitude"});
    }
  }
  sink.begin(columns);
  const auto amplitude = [](const Eigen::MatrixXd& values, int h, Eigen::Index c) {
    return h == 0 ? values(0, c) : std::hypot(values(2 * h - 1, c), values(2 * h, c));
  };
  for (int h = 0; h <= orbit.harmonics; ++h) {
    std::vector<double> row = {static_cast<double>(h)};
    for (Eigen::Index i = 0; i < series.cols(); ++i) {
      row.push_back(amplitude(series, h, i));
      row.push_back(h == 0 ? 0.0 : std::atan2(-series(2 * h, i), series(2 * h - 1, i)));
    }
    for (const Eigen::MatrixXd* values : {&orbit.deflection, &orbit.force}) {
      for (Eigen::Index c = 0; c < values->cols(); ++c) row.push_back(amplitude(*values, h, c));
    }
    sink.row(row);
  }
}

void write_sliders(const OrbitHistory& history, Sink& sink) {
  const Column columns[] = {{"joint", "-", "number, from 1"},
                            {"slider", "-", "number, from 1, by strength"},
                            {"strength", "length", "deflection at which it slips"},
                            {"start", "length", "position at the start of the period"},
                            {"lowest", "length", "least position in the period"},
                            {"highest", "length", "largest position in the period"},
                            {"slips", "-", "1: in this motion"}};
  sink.begin(columns);
  const std::vector<int> numbers = slider_numbers(history);
  for (std::size_t i = 0; i < history.sliders.size(); ++i) {
    const SliderTrace& slider = history.sliders[i];
    const auto [low, high] = std::minmax_element(slider.position.begin(), slider.position.end());
    const double row[] = {slider.joint + 1.0,
                          static_cast<double>(numbers[i]),
                          slider.strength,
                          slider.position.front(),
                          *low,
                          *high,
                          slider.slips() ? 1.0 : 0.0};
    sink.row(row);
  }
}

/// Over the cycle and over strength, how far each slider's spring is stretched: a grid of every joint with sliders of
/// several strengths.
void write_states(const OrbitHistory& history, const System& system, Sink& sink) {
  const Column columns[] = {{"joint", "-", "number, from 1"},
                            {"phase", "rad", "of the cycle, from the maximum of the load"},
                            {"strength", "length", "deflection at which the slider slips"},
                            {"stretch", "-", "of its spring over the strength: it slips at 1 and -1, sticks between"}};
  sink.begin(columns);
  const std::size_t intervals = history.time.size() - 1;
  const std::size_t stride = (intervals + most_phases - 1) / most_phases;
  for (const SliderTrace& slider : history.sliders) {
    const int component = system.offset(slider.joint);
    for (std::size_t n = 0; n <= intervals; n = n < intervals ? std::min(n + stride, intervals) : intervals + 1) {
      const double phase = 2.0 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(intervals);
      const double stretch =
          (history.u(component, static_cast<Eigen::Index>(n)) - slider.position[n]) / slider.strength;
      const double row[] = {slider.joint + 1.0, phase, slider.strength, stretch};
      sink.row(row);
    }
  }
}

}  // namespace

std::vector<std::string> table_parts(const OrbitAnalysis&) {
  return {"", "harmonics", "sliders", "states"};
}

std::string describe(const OrbitAnalysis& analysis) {
  return describe(analysis.motion);
}

AnalysisSummary run(const OrbitAnalysis& analysis, AnalysisRun& with) {
  const FrfAnalysis& motion = analysis.motion;
  with.results.settings(analysis.name, {{"kind", std::string(OrbitAnalysis::kind)},
                                        {"load", motion.loads},
                                        {"level", motion.levels[0]},
                                        {"omega", motion.at[0]},
                                        {"method", motion.shooting ? "shooting" : "harmonic_balance"},
                                        {"tolerance", motion.options.tolerance},
                                        {"points", analysis.points}});
  AnalysisSummary summary;
  summary.message = "";
  FrequencyResponse response;
  try {
    const auto method = motion.shooting ? shooting_at : responses_at;
    response =
        method(with.system, motion.load, motion.levels[0], motion.at, motion.record, motion.options, with.observer);
  } catch (const std::exception& error) {  // a law that gave no number
    response.ending = Ending::no_convergence;
    response.message = error.what();
  }
  summary.ending = response.ending;
  summary.message = response.message;
  add_message(response.remark, summary);
  summary.only_remarks = response.message.empty();
  if (response.points.empty()) return summary;
  const ResponsePoint& point = response.points.front();
  const std::vector<int>& dofs = motion.record.dofs;
  const OrbitHistory history =
      orbit_history(with.system, motion.load, point.orbit, dofs, analysis.points, analysis.sliders);
  TableSink table = with.results.table(analysis.name);
  write_history(with.system, dofs, history, table);
  table.close();
  TableSink harmonics = with.results.table(analysis.name, "harmonics");
  write_harmonics(with.system, dofs, orbit_series(with.system, motion.load, point.orbit, dofs), point.orbit, harmonics);
  harmonics.close();
  TableSink sliders = with.results.table(analysis.name, "sliders");
  write_sliders(history, sliders);
  sliders.close();
  TableSink states = with.results.table(analysis.name, "states");
  write_states(orbit_history(with.system, motion.load, point.orbit, {}, analysis.points, map_sliders), with.system,
               states);
  states.close();

  for (std::size_t i = 0; i < dofs.size(); ++i) {
    summary.facts["amplitude"][with.system.structure().labels()[static_cast<std::size_t>(dofs[i])]] =
        point.amplitude[i];
  }
  for (std::size_t j = 0; j < with.system.joints().size(); ++j) {
    summary.facts["dissipation"][with.system.joints()[j].name] = point.dissipation[j];
  }
  if (point.multiplier) {
    summary.facts["multiplier"] = *point.multiplier;
    summary.facts["multiplier_error"] = point.multiplier_error;
    summary.facts["stable"] = stability_json(point);
  }
  summary.facts["iterations"] = point.iterations;
  if (const std::vector<int> joints = slipping_joints(history); !joints.empty()) {
    for (const int j : joints) {
      summary.facts["largest_slipped"][with.system.joints()[static_cast<std::size_t>(j)].name] =
          history.slipped.row(j).maxCoeff();
    }
  }
  summary.facts["error"] = point.errors.at_point();
  for (const auto& part : table_parts(analysis)) summary.files.push_back(table_name(analysis.name, part) + ".csv");
  return summary;
}

}  // namespace microslip
