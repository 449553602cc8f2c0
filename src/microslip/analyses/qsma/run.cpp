#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/qsma/backbones.hpp"
#include "microslip/analyses/read_ramp.hpp"
#include "microslip/analyses/words.hpp"
#include "microslip/system/table.hpp"

namespace microslip {
namespace {

constexpr const char* backbones_part = "backbones";

struct QsmaRow {
  int mode = 0;  ///< from 0
  const ModalPoint& point;
  std::span<const double> deflections;
  std::span<const double> ratios;  ///< of every mode but this one

  [[nodiscard]] double ratio(int other) const {
    return other == mode ? 1.0 : ratios[static_cast<std::size_t>(other < mode ? other : other - 1)];
  }
};

Table<QsmaRow> qsma_table(const System& system, const std::vector<int>& ratios) {
  const auto of_point = [](double ModalPoint::*member) {
    return [member](const QsmaRow& row) { return row.point.*member; };
  };
  Table<QsmaRow> table;
  table.add({"mode", "-", "number, from 1"}, [](const QsmaRow& row) { return row.mode + 1.0; });
  table.add({"alpha", "force/sqrt(mass)", "load, times M phi", Scale::logarithmic}, of_point(&ModalPoint::alpha));
  table.add({"q", "sqrt(mass) length", "modal displacement", Scale::logarithmic}, of_point(&ModalPoint::q));
  table.add({"omega", "rad/time", "secant, sqrt(alpha/q)"}, of_point(&ModalPoint::omega));
  table.add({"omega_ringdown", "rad/time", "what a ring-down follows"}, of_point(&ModalPoint::omega_ringdown));
  table.add({"zeta", "-", "damping ratio of a ring-down", Scale::logarithmic}, of_point(&ModalPoint::zeta));
  table.add({"zeta_secant", "-", "equivalent damping ratio of steady vibration", Scale::logarithmic},
            of_point(&ModalPoint::zeta_secant));
  table.add({"dissipation", "force length", "of all joints, per cycle", Scale::logarithmic},
            of_point(&ModalPoint::dissipation));
  table.add({"coupling", "-", "largest |q_s/q| of another mode"}, of_point(&ModalPoint::coupling));
  std::vector<std::string> components;
  for (int i = 0; i < system.components(); ++i) components.push_back(system.component_name(i));
  table.add_each("u", components, "length", "joint deflection",
                 [](const QsmaRow& row, std::size_t i) { return row.deflections[i]; });
  std::vector<std::string> others;
  for (const int s : ratios) others.push_back(std::to_string(s + 1));
  table.add_each("ratio", others, "-", "q_s/q, displacement of this mode over that of the row's",
                 [ratios](const QsmaRow& row, std::size_t i) { return row.ratio(ratios[i]); });
  return table;
}

void write_curve(const ModalCurve& curve, Table<QsmaRow>& table, Sink& sink) {
  if (curve.points.empty()) return;
  const std::size_t components = curve.deflections.size() / curve.points.size();
  const std::size_t others = curve.ratios.size() / curve.points.size();
  const std::span<const double> all(curve.deflections), ratios(curve.ratios);
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    table.write(
        {curve.mode, curve.points[i], all.subspan(i * components, components), ratios.subspan(i * others, others)},
        sink);
  }
}

/// Raises the largest deflection of each component to those of the curve.
void raise_largest(const ModalCurve& curve, std::vector<double>& largest) {
  for (std::size_t k = 0; k < curve.deflections.size(); ++k) {
    double& most = largest[k % largest.size()];
    most = std::max(most, std::abs(curve.deflections[k]));
  }
}

/// Ends of a curve and its largest damping.
QsmaFacts::Mode facts_of(const ModalCurve& curve) {
  const ModalPoint& first = curve.points.front();
  const ModalPoint& last = curve.points.back();
  const auto size = [](const ModalPoint& p) { return std::isfinite(p.zeta) ? p.zeta : -1.0; };  // some have none
  const auto most = std::max_element(curve.points.begin(), curve.points.end(),
                                     [&](const ModalPoint& a, const ModalPoint& b) { return size(a) < size(b); });
  return {curve.mode + 1, {first.q, last.q}, {first.omega, last.omega}, {first.zeta, last.zeta}, most->zeta, most->q};
}

ModalCurve qsma_curve(const QsmaAnalysis& analysis, const System& system, int mode, const Observer& observer) {
  try {
    return quasi_static_modal_analysis(system, mode, analysis.ramp, analysis.options, observer);
  } catch (const std::exception& error) {  // no slipped modes; modes of equal frequency; a law that gave no number
    ModalCurve curve;
    curve.ending = Ending::no_convergence;
    curve.message = fmt::format("mode {}: {}", mode + 1, error.what());
    return curve;
  }
}

}  // namespace

nlohmann::ordered_json QsmaFacts::to_json() const {
  nlohmann::ordered_json json;
  for (const Mode& mode : modes) {
    json["modes"].push_back({{"mode", mode.mode},
                             {"q", mode.q},
                             {"omega", mode.omega},
                             {"zeta", mode.zeta},
                             {"largest_zeta", mode.largest_zeta},
                             {"q_of_largest_zeta", mode.q_of_largest_zeta}});
  }
  json["points"] = points;
  json["joint_evaluations"] = joint_evaluations;
  return json;
}

nlohmann::ordered_json QsmaAnalysis::settings() const {
  return {{"mode", mode_numbers()},
          {"alpha", {ramp.from, ramp.to}},
          {"points", ramp.points},
          {"spacing", word_of(ramp.spacing, spacings)},
          {"ratios", words::numbers_from_one(ratios)},
          {"load_shape", word_of(options.load_shape, load_shapes)},
          {"other_modes", word_of(options.other_modes, other_mode_motions)}};
}

std::string QsmaAnalysis::describe() const {
  return fmt::format("{}, alpha from {:g} to {:g} in {} points, {} shape", words::mode_list(mode_numbers()), ramp.from,
                     ramp.to, ramp.points, word_of(options.load_shape, load_shapes));
}

std::vector<std::string> QsmaAnalysis::tables() const {
  return {"", backbones_part};
}

std::vector<int> QsmaAnalysis::mode_numbers() const {
  return words::numbers_from_one(modes);
}

AnalysisSummary QsmaAnalysis::run(AnalysisRun& with) const {
  AnalysisSummary summary = completed_summary();
  QsmaFacts facts;
  std::vector<double> largest(static_cast<std::size_t>(with.system.components()), 0.0);  // deflections
  Table<QsmaRow> table = qsma_table(with.system, ratios);
  TableSink sink = with.results.table(name);
  table.begin(sink);
  for (std::size_t i = 0; i < modes.size() && summary.ending != Ending::interrupted; ++i) {
    const ModalCurve curve = qsma_curve(*this, with.system, modes[i], with.part(i, modes.size()));
    write_curve(curve, table, sink);
    raise_largest(curve, largest);
    facts.points += curve.points.size();
    facts.joint_evaluations += curve.evaluations;
    if (!curve.points.empty()) facts.modes.push_back(facts_of(curve));
    add_message(curve.message, summary);
    summary.ending = worse(summary.ending, curve.ending);
  }
  sink.close();
  TableSink backbones = with.results.table(name, backbones_part);
  write_backbones(with.system, largest, backbones);
  backbones.close();
  summary.sum_up(std::move(facts));
  summary.files = table_files();
  return summary;
}

void QsmaAnalysis::add_headline(const TablesInMemory& tables, const System&, Headline& result) const {
  if (const MemorySink* table = tables.find()) add_mode_curves(*table, result);
}

std::vector<HeadlineNumber> QsmaAnalysis::drawn_headline(const System&) const {
  return drawn_mode_curves(mode_numbers());
}

}  // namespace microslip
