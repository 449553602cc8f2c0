#include "microslip/study/modes_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/figure_parts.hpp"

namespace microslip {
namespace {

void write_frequencies(const System& system, int count, const Modes& slipped, Sink& sink) {
  const Eigen::VectorXd zeta = system.damping_ratios();
  const Column columns[] = {{"mode", "-", "number, from 1"},
                            {"omega_stuck", "rad/time", "every joint at its tangent at rest"},
                            {"omega_slipped", "rad/time", "every joint at the stiffness left in macroslip"},
                            {"zeta", "-", "damping ratio of the stuck mode, without the joints"}};
  sink.begin(columns);
  for (int i = 0; i < count; ++i) {
    const double values[] = {i + 1.0, system.stuck_modes().omega(i), slipped.omega(i), zeta(i)};
    sink.row(values);
  }
}

/// Of a large structure a row is a degree of freedom: tables have fewer columns than it has.
void write_shapes_by_dof(const System& system, int count, Sink& sink) {
  std::vector<Column> columns = {{"dof", "-", "number of the degree of freedom, from 1"}};
  for (int i = 1; i <= count; ++i) {
    columns.push_back({fmt::format("phi[{}]", i), "1/sqrt(mass)", "stuck shape of this mode, mass-normalised"});
  }
  sink.begin(columns);
  std::vector<double> values(columns.size());
  for (int dof = 0; dof < system.size(); ++dof) {
    values[0] = dof + 1.0;
    for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i) + 1] = system.stuck_modes().shapes(dof, i);
    sink.row(values);
  }
}

void write_shapes(const System& system, int count, Sink& sink) {
  if (system.truncated()) return write_shapes_by_dof(system, count, sink);
  std::vector<Column> columns = {{"mode", "-", "number, from 1"}};
  for (const std::string& label : system.structure().labels()) {
    columns.push_back({fmt::format("phi[{}]", label), "1/sqrt(mass)", "stuck shape, mass-normalised"});
  }
  sink.begin(columns);
  std::vector<double> values(columns.size());
  for (int i = 0; i < count; ++i) {
    values[0] = i + 1.0;
    const auto shape = system.stuck_modes().shapes.col(i);
    for (Eigen::Index k = 0; k < shape.size(); ++k) values[static_cast<std::size_t>(k) + 1] = shape(k);
    sink.row(values);
  }
}

}  // namespace

ModesAnalysis read_modes_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "count"});
  const int all = parts.system.computed_modes();
  ModesAnalysis analysis;
  analysis.count = static_cast<int>(reader.integer_or("count", all, 1, all));
  return analysis;
}

std::vector<std::string> table_parts(const ModesAnalysis&) {
  return {"", "shapes"};
}

std::string describe(const ModesAnalysis& analysis) {
  return fmt::format("the lowest {} modes", analysis.count);
}

AnalysisSummary run(const ModesAnalysis& analysis, AnalysisRun& with) {
  AnalysisSummary summary;
  with.results.settings(analysis.name, {{"kind", std::string(ModesAnalysis::kind)}, {"count", analysis.count}});
  try {
    const Modes slipped = with.system.slipped_modes();
    TableSink frequencies = with.results.table(analysis.name);
    TableSink shapes = with.results.table(analysis.name, "shapes");
    write_frequencies(with.system, analysis.count, slipped, frequencies);
    write_shapes(with.system, analysis.count, shapes);
    frequencies.close();
    shapes.close();
    summary.ending = Ending::completed;
    summary.message = "";
    summary.facts["modes"] = analysis.count;
    const auto& joints = with.system.joints();
    const auto rigid_friction =
        std::count_if(joints.begin(), joints.end(), [](const Joint& joint) { return is_rigid_friction(joint.law); });
    if (rigid_friction > 0) summary.facts["rigid_friction_joints"] = rigid_friction;
    const Modes& stuck = with.system.stuck_modes();
    const auto rigid = std::min<Eigen::Index>(stuck.rigid, analysis.count);
    if (rigid > 0) summary.facts["rigid_modes"] = rigid;
    if (rigid < analysis.count) {
      const auto hz = [](double omega) { return omega / (2.0 * std::numbers::pi); };
      const Eigen::Index last = analysis.count - 1;
      summary.facts["frequency_hz_stuck"] = {hz(stuck.omega(rigid)), hz(stuck.omega(last))};
      summary.facts["frequency_hz_slipped"] = {hz(slipped.omega(rigid)), hz(slipped.omega(last))};
      const Eigen::VectorXd zeta = with.system.damping_ratios();
      const auto elastic = zeta.segment(rigid, analysis.count - rigid);
      summary.facts["zeta"] = {elastic.minCoeff(), elastic.maxCoeff()};
    }
    for (const auto& part : table_parts(analysis)) summary.files.push_back(table_name(analysis.name, part) + ".csv");
  } catch (const std::invalid_argument& error) {
    summary.ending = Ending::no_convergence;
    summary.message = fmt::format("slipped modes: {}", error.what());
  }
  return summary;
}

std::vector<Figure> figures(const ModesAnalysis&, const System& system) {
  Figure frequencies =
      figure_of("frequencies", "Frequencies with the joints stuck and slipping", {"mode", "-", false},
                {"frequency", "rad/time", false},
                {curve_of("", "mode", "omega_stuck", "stuck"), curve_of("", "mode", "omega_slipped", "slipping")},
                "Every joint at its tangent at rest, and at the stiffness that is left in macroslip. "
                "Both in ascending order.");
  for (Curve& curve : frequencies.curves) curve.style = CurveStyle::dots;
  Figure damping = figure_of("damping", "Damping of the stuck modes, without the joints", {"mode", "-", false},
                             damping_ratio_axis(false), {curve_of("", "mode", "zeta")});
  damping.curves.front().style = CurveStyle::dots;
  std::vector<Figure> result = {frequencies, damping};
  if (system.truncated()) return result;
  for (Figure& shapes : shape_figures(system, "Shapes of the stuck modes", "phi", "", {"mode"},
                                      "Mass-normalised, drawn to a size that can be seen.")) {
    result.push_back(std::move(shapes));
  }
  return result;
}

std::string in_words(const ModesAnalysis& analysis, const AnalysisSummary& summary, const UnitLabels& units) {
  const auto& facts = summary.facts;
  if (!facts.contains("modes")) return no_result(summary);
  const auto rigid = facts.value("rigid_modes", 0L);
  if (!facts.contains("frequency_hz_stuck")) return fmt::format("All {} are rigid.", count_of(rigid, "mode"));
  const auto value = [&](const char* key, std::size_t i) { return facts[key][i].get<double>(); };
  std::string words = fmt::format("{}: ", count_of(analysis.count - rigid, "mode"));
  if (rigid > 0)
    words = fmt::format("{} and {}: ", count_of(rigid, "rigid mode"), count_of(analysis.count - rigid, "mode"));
  if (analysis.count - rigid == 1) {
    words += fmt::format("the frequency is {} with the joints stuck and {} with all of them slipping",
                         frequency_text(value("frequency_hz_stuck", 0), units),
                         frequency_text(value("frequency_hz_slipped", 0), units));
  } else {
    words +=
        fmt::format("frequencies from {} to {} with the joints stuck, from {} to {} with all of them slipping",
                    number(value("frequency_hz_stuck", 0)), frequency_text(value("frequency_hz_stuck", 1), units),
                    number(value("frequency_hz_slipped", 0)), frequency_text(value("frequency_hz_slipped", 1), units));
  }
  if (const auto left_out = facts.value("rigid_friction_joints", 0L); left_out > 0) {
    words += fmt::format(" ({} with rigid friction left out of both)", count_of(left_out, "joint"));
  }
  const std::string low = number(value("zeta", 0)), high = number(value("zeta", 1));
  return words + (low == high ? fmt::format(". Without the joints the damping ratio is {}.", low)
                              : fmt::format(". Without the joints damping ratios are {} to {}.", low, high));
}

std::string how(const ModesAnalysis&, const AnalysisSummary&) {
  return "Eigenvalues of stiffness and mass in full, with every joint at its tangent at rest, and again at the "
         "stiffness "
         "left in macroslip. Damping ratios are the diagonal of the modal damping.";
}

}  // namespace microslip
