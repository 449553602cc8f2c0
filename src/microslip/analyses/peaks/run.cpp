#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/peaks/analysis.hpp"
#include "microslip/analyses/response/response_columns.hpp"
#include "microslip/analyses/write_table.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/floquet.hpp"

namespace microslip {

// The points of rows, for the columns that all responses share.
static const ResponsePoint& point_of(const PeakPoint& row) {
  return row.point;
}
static const ResponsePoint& point_of(const PeakFold& row) {
  return row.at.point;
}

namespace {

const PeakPoint& peak_of(const PeakPoint& row) {
  return row;
}
const PeakPoint& peak_of(const PeakFold& row) {
  return row.at;
}

template <class Row>
Table<Row> peak_table(const PeaksAnalysis& analysis, const System& system) {
  const MotionRequest& motions = analysis.motions;
  Table<Row> table;
  if constexpr (std::is_same_v<Row, PeakFold>) {
    table.add({"type", "-",
               "1: a maximum and a minimum of the response vanish together; 2: responses meet, or a detached one is "
               "born"},
              [](const Row& row) { return row.responses_meet ? 2.0 : 1.0; });
  }
  if (analysis.model) {
    table.add({analysis.parameter(), "", "varied"}, [](const Row& row) { return peak_of(row).value; });
  }
  add_motion_columns(motions.record, system, table);
  const std::string dof = labels_of(system, {motions.record.peak_dof}).front();
  table.add({"peak_amplitude", "length", "of degree of freedom " + dof + ", half of the range", Scale::logarithmic},
            [](const Row& row) { return peak_of(row).amplitude; });
  table.add({"amplitude_over_level", "length", "the same over the magnitude of the level"},
            [](const Row& row) { return peak_of(row).amplitude / std::abs(point_of(row).orbit.level); });
  table.add({"maximum", "-", "1: the amplitude is largest along the response, 0: least"},
            [](const Row& row) { return peak_of(row).maximum ? 1.0 : 0.0; });
  table.add({"zeta", "-",
             "damping ratio: work of the load in a period over 4 pi and the kinetic energy of the first "
             "harmonic"},
            [](const Row& row) { return peak_of(row).damping_ratio; });
  table.add_each("dissipation", joint_names(system), "force length", "of the joint, per period",
                 [](const Row& row, std::size_t j) { return point_of(row).dissipation[j]; });
  if (analysis.tells_stability(system)) {
    add_stability_columns(motions, table);
  }
  table.add({"iterations", "-", "evaluations of the equations"},
            [](const Row& row) { return static_cast<double>(point_of(row).iterations); });
  table.add({"harmonics", "-", "in the series"},
            [](const Row& row) { return static_cast<double>(point_of(row).orbit.harmonics); });
  table.add({"error", "-", "estimate: harmonics left out and integration of the joint forces, relative"},
            [](const Row& row) { return point_of(row).errors.distance(); });
  return table;
}

PeakRequest request_of(const PeaksAnalysis& analysis, const System& system) {
  PeakRequest request;
  request.values = analysis.values();
  request.from = analysis.from;
  request.to = analysis.to;
  if (analysis.mode >= 0) request.near = system.stuck_modes().omega(analysis.mode);
  request.name = analysis.parameter();
  if (!analysis.model) return request;
  request.level = analysis.levels.front();
  request.model = [&](double value) { return analysis.model->at(value, system); };
  return request;
}

PeakCurve curve_or_failure(const PeaksAnalysis& analysis, const System& system, const Observer& observer) {
  const MotionRequest& motions = analysis.motions;
  try {
    std::optional<System> idle;
    if (system.components() == 0) idle.emplace(with_idle_joint(system, motions.record.peak_dof));
    return peak_curve(idle ? *idle : system, motions.load, request_of(analysis, system), motions.record,
                      motions.options, observer);
  } catch (const std::exception& error) {  // a law that gave no number
    PeakCurve failed;
    failed.ending = Ending::no_convergence;
    failed.message = error.what();
    return failed;
  }
}

PeaksFacts::End end_of(const PeakPoint& peak) {
  return {peak.value, peak.point.orbit.omega / two_pi, peak.amplitude, peak.damping_ratio};
}

PeaksFacts facts_of(const PeaksAnalysis& analysis, const System& system, const PeakCurve& curve) {
  PeaksFacts facts;
  facts.dof = labels_of(system, {analysis.motions.record.peak_dof}).front();
  facts.points = static_cast<long>(curve.points.size());
  facts.folds = static_cast<long>(curve.folds.size());
  facts.meetings = static_cast<long>(std::ranges::count(curve.folds, true, &PeakFold::responses_meet));
  facts.minima = static_cast<long>(std::ranges::count(curve.points, false, &PeakPoint::maximum));
  facts.tells_stability = analysis.tells_stability(system);
  for (const PeakPoint& peak : curve.points) {
    const ResponsePoint& point = peak.point;
    if (point.unstable()) ++facts.unstable_points;
    facts.iterations += point.iterations;
    facts.harmonics = std::max(facts.harmonics, point.orbit.harmonics);
    facts.truncation_error = std::max(facts.truncation_error, point.errors.truncation);
    facts.quadrature_error = std::max(facts.quadrature_error, point.errors.quadrature);
  }
  if (!curve.points.empty()) facts.ends = {end_of(curve.points.front()), end_of(curve.points.back())};
  return facts;
}

}  // namespace

bool PeaksAnalysis::tells_stability(const System& system) const {
  return motions.options.stability && stability_obstacle(system).empty();
}

nlohmann::ordered_json PeaksFacts::to_json() const {
  nlohmann::ordered_json json;
  json["dof"] = dof;
  json["points"] = points;
  json["folds"] = folds;
  json["meetings"] = meetings;
  json["minima"] = minima;
  if (tells_stability) json["unstable_points"] = unstable_points;
  if (ends) {
    for (const auto& [key, end] : {std::pair("first", ends->front()), std::pair("last", ends->back())}) {
      json[key] = {{"value", end.value},
                   {"frequency_hz", end.frequency_hz},
                   {"amplitude", end.amplitude},
                   {"zeta", end.damping_ratio}};
    }
  }
  json["iterations"] = iterations;
  json["harmonics"] = harmonics;
  json["truncation_error"] = truncation_error;
  json["quadrature_error"] = quadrature_error;
  return json;
}

nlohmann::ordered_json PeaksAnalysis::settings() const {
  nlohmann::ordered_json json = load_settings(motions, levels);
  if (model) {
    json["over"] = parameter();
    json["values"] = values();
  }
  json["omega"] = {from, to};
  if (mode >= 0) json["mode"] = mode + 1;
  add_method_settings(motions, json);
  return json;
}

std::string PeaksAnalysis::describe() const {
  return describe_motions(
      motions, levels,
      fmt::format("peak{} over {} from {:g} to {:g}", mode >= 0 ? fmt::format(" of mode {}", mode + 1) : std::string(),
                  parameter(), values().front(), values().back()));
}

AnalysisSummary PeaksAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary = completed_summary();
  const PeakCurve curve = curve_or_failure(*this, with.system, with.observer);
  write_table(name, "", peak_table<PeakPoint>(*this, with.system), curve.points, with.results, summary);
  write_table(name, "special", peak_table<PeakFold>(*this, with.system), curve.folds, with.results, summary);
  add_message(curve.message, summary);
  add_remark(unseen_stability(motions, with.system), summary);
  summary.ending = curve.ending;
  summary.sum_up(facts_of(*this, with.system, curve));
  return summary;
}

void PeaksAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  const MemorySink* points = tables.find();
  if (points == nullptr || points->rows() == 0) return;
  for (const char* name : {"frequency_hz", "peak_amplitude", "zeta"}) {
    const auto place = place_of(*points, name);
    const Column& column = points->columns()[*place];
    result.add({fmt::format("last_{}", column.name), column.unit, "at the last point: " + column.description},
               points->at(points->rows() - 1, *place));
  }
}

std::vector<HeadlineNumber> PeaksAnalysis::drawn_headline(const System&) const {
  return {{"last_peak_amplitude", "Amplitude of the last peak", "length"},
          {"last_frequency_hz", "Frequency of the last peak", "1/time"}};
}

}  // namespace microslip
