#include "microslip/study/modes_analysis.hpp"

#include <fmt/format.h>

#include <stdexcept>

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

void write_shapes(const System& system, int count, Sink& sink) {
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
  const auto all = static_cast<int>(parts.system.stuck_modes().omega.size());
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
    for (const auto& part : table_parts(analysis)) summary.files.push_back(table_name(analysis.name, part) + ".csv");
  } catch (const std::invalid_argument& error) {
    summary.ending = Ending::no_convergence;
    summary.message = fmt::format("slipped modes: {}", error.what());
  }
  return summary;
}

}  // namespace microslip
