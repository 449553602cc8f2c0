#include "microslip/study/averaging_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/transient_analysis.hpp"

namespace microslip {
namespace {

std::string_view form_name(const AveragingAnalysis& analysis) {
  return analysis.options.form == AveragingForm::secant ? "secant" : "tangent";
}

void check_loads(const TableReader& reader, const std::vector<Load>& loads) {
  for (const Load& load : loads) {
    if (!load.base) continue;
    throw reader.error("load", fmt::format("averaging takes forces, but load {} moves the base: take transient",
                                           in_quotes(load.name)));
  }
}

void read_start(const TableReader& reader, const StudyParts& parts, AveragingAnalysis& analysis) {
  if (reader.has("initial") && reader.table("initial").has("static")) {
    throw reader.table("initial").error("static", "averaging keeps no joint memory to start from: give q and v");
  }
  TransientAnalysis start;
  start.options.duration = analysis.options.duration;
  read_initial(reader, parts, start);
  analysis.q = std::move(start.q);
  analysis.v = std::move(start.v);
}

}  // namespace

AveragingAnalysis read_averaging_analysis(const TableReader& reader, const StudyParts& parts) {
  reader.allow_only({"kind", "name", "load", "duration", "step", "form", "initial", "record", "psd", "tolerance"});
  if (const std::string why = AveragedMode::obstacle(parts.system); !why.empty()) throw reader.error("kind", why);
  AveragingAnalysis analysis;
  AveragingOptions& options = analysis.options;
  if (reader.has("form") && reader.choice("form", {"tangent", "secant"}) == "secant") {
    options.form = AveragingForm::secant;
  }
  options.duration = reader.number("duration", positive_number);
  options.step = reader.number("step", positive_number);
  check_step_count(reader, "step", options.duration, options.step);
  options.tolerance = reader.number_or("tolerance", options.tolerance, {0.0, 1e-2, false});
  analysis.loads = read_load_names(reader, parts.loads, options.duration);
  check_loads(reader, analysis.loads);
  read_start(reader, parts, analysis);
  analysis.record = read_record(reader, parts.system);
  analysis.psd = read_psd(reader, analysis.record, options.duration, options.step);
  return analysis;
}

std::vector<std::string> table_parts(const AveragingAnalysis& analysis) {
  return HistoryTables::parts(analysis.psd);
}

std::string describe(const AveragingAnalysis& analysis) {
  const auto names = names_of(analysis.loads);
  return fmt::format("{}, duration {:g}, rows every {:.6g}, {} form",
                     names.empty() ? std::string("no load") : fmt::format("load {}", fmt::join(names, ", ")),
                     analysis.options.duration, analysis.options.step * analysis.record.every, form_name(analysis));
}

AnalysisSummary run(const AveragingAnalysis& analysis, AnalysisRun& with) {
  nlohmann::ordered_json settings;
  settings["kind"] = std::string(AveragingAnalysis::kind);
  settings["loads"] = names_of(analysis.loads);
  settings["duration"] = analysis.options.duration;
  settings["step"] = analysis.options.step;
  settings["form"] = std::string(form_name(analysis));
  settings["tolerance"] = analysis.options.tolerance;
  settings["every"] = analysis.record.every;
  if (analysis.psd) settings["psd_segment"] = analysis.psd->segment;
  with.results.settings(analysis.name, settings);

  HistoryTables tables(analysis.name, analysis.psd, analysis.record.every * analysis.options.step, with.results);
  const AveragingResult result = simulate_by_averaging(with.system, analysis.loads, {analysis.q, analysis.v, {}},
                                                       analysis.record, tables.sink(), analysis.options, with.observer);
  AnalysisSummary summary;
  summary.ending = result.ending;
  summary.message = result.message;
  summary.facts["forced_steps"] = result.forced_steps;
  summary.facts["free_steps"] = result.free_steps;
  summary.facts["evaluations"] = result.evaluations;
  summary.facts["time"] = result.time;
  summary.facts["largest_X"] = result.largest;
  if (result.macroslip_time >= 0.0) summary.facts["macroslip_time"] = result.macroslip_time;
  tables.close(summary);
  return summary;
}

}  // namespace microslip
