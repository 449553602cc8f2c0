#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/averaging/analysis.hpp"
#include "microslip/analyses/motion/read_motion.hpp"

namespace microslip {
namespace {

AveragingFacts facts_of(const AveragingResult& result) {
  AveragingFacts facts;
  facts.forced_steps = result.forced_steps;
  facts.free_steps = result.free_steps;
  facts.evaluations = result.evaluations;
  facts.time = result.time;
  facts.largest = result.largest;
  if (result.macroslip_time >= 0.0) facts.macroslip_time = result.macroslip_time;
  return facts;
}

}  // namespace

nlohmann::ordered_json AveragingFacts::to_json() const {
  nlohmann::ordered_json json;
  json["forced_steps"] = forced_steps;
  json["free_steps"] = free_steps;
  json["evaluations"] = evaluations;
  json["time"] = time;
  json["largest_X"] = largest;
  if (macroslip_time) json["macroslip_time"] = *macroslip_time;
  history.add_to(json);
  return json;
}

std::string AveragingFacts::in_a_line() const {
  return fmt::format("{} steps under load, {} in free motion", forced_steps, free_steps);
}

nlohmann::ordered_json AveragingAnalysis::settings() const {
  nlohmann::ordered_json json;
  json["loads"] = names_of(loads);
  json["duration"] = options.duration;
  json["step"] = options.step;
  json["modes"] = modes;
  json["form"] = word_of(options.form, averaging_forms);
  json["tolerance"] = options.tolerance;
  json["every"] = record.every;
  if (psd) json["psd_segment"] = psd->segment;
  return json;
}

std::string AveragingAnalysis::describe() const {
  return fmt::format("{}{}, duration {:g}, rows every {:.6g}, {} form",
                     modes > 1 ? fmt::format("{} modes, ", modes) : "", loads_in_words(loads), options.duration,
                     options.step * record.every, word_of(options.form, averaging_forms));
}

AnalysisSummary AveragingAnalysis::run(AnalysisRun& with) const {
  HistoryTables tables(name, psd, record.every * options.step, with.results);
  const AveragingResult result =
      simulate_by_averaging(with.system, loads, initial, record, tables.sink(), options, with.observer);
  AnalysisSummary summary;
  summary.ending = result.ending;
  summary.message = result.message;
  AveragingFacts facts = facts_of(result);
  facts.history = tables.close(summary.files);
  summary.sum_up(std::move(facts));
  return summary;
}

}  // namespace microslip
