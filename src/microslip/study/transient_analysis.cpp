#include "microslip/study/transient_analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/load_resolution.hpp"
#include "microslip/system/static_solution.hpp"

namespace microslip {
namespace {

constexpr const char* energy_part = "energy";

std::string_view to_string(Scheme scheme) {
  switch (scheme) {
    case Scheme::newmark:
      return "newmark";
    case Scheme::hht:
      return "hht";
    case Scheme::generalized_alpha:
      return "generalized_alpha";
    case Scheme::modal_exact:
      return "modal_exact";
  }
  return "";
}

nlohmann::ordered_json settings(const TransientAnalysis& analysis) {
  const TransientOptions& options = analysis.options;
  nlohmann::ordered_json json;
  json["kind"] = std::string(TransientAnalysis::kind);
  json["loads"] = names_of(analysis.loads);
  json["duration"] = options.duration;
  json["step"] = options.step;
  json["method"] = analysis.events ? "events" : std::string(to_string(options.scheme));
  json["modes"] = options.modes;
  json["every"] = analysis.record.every;
  if (analysis.psd) json["psd_segment"] = analysis.psd->segment;
  if (analysis.events) return json;
  if (options.scheme == Scheme::newmark) {
    json["gamma"] = options.gamma;
    json["beta"] = options.beta;
  }
  if (options.scheme == Scheme::hht) json["alpha"] = options.alpha;
  if (options.scheme == Scheme::generalized_alpha) json["rho_infinity"] = options.rho_infinity;
  json["tolerance"] = options.tolerance;
  json["max_iterations"] = options.max_iterations;
  if (analysis.static_load) json["initial_static"] = analysis.static_load->name;
  return json;
}

nlohmann::ordered_json energy(const EnergyLedger& ledger, const System& system) {
  nlohmann::ordered_json joints = nlohmann::ordered_json::object();
  for (std::size_t j = 0; j < ledger.joints.size(); ++j) joints[system.joints()[j].name] = ledger.joints[j];
  nlohmann::ordered_json json;
  json["initial"] = ledger.initial;
  json["input"] = ledger.input;
  json["stored"] = ledger.stored;
  json["damping"] = ledger.damping;
  json["joints"] = std::move(joints);
  json["error"] = ledger.error;
  return json;
}

TransientResult simulate_from_start(const TransientAnalysis& analysis, AnalysisRun& with, Sink& sink, Sink* ledger) {
  InitialConditions initial{analysis.q, analysis.v, {}};
  if (analysis.static_load) {
    const Load& load = *analysis.static_load;
    StaticSolution start = static_solution(with.system, load.signal.static_value() * load.direction);
    if (start.ending != Ending::completed) {
      TransientResult result;
      result.ending = start.ending;
      result.message = fmt::format("initial state under load \"{}\": {}", load.name, start.message);
      return result;
    }
    initial.q = std::move(start.q);
    initial.memory = std::move(start.memory);
  }
  return simulate(with.system, analysis.loads, initial, analysis.record, sink, analysis.options, with.observer, ledger);
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Load>& loads) {
  std::vector<std::string> names;
  for (const Load& load : loads) names.push_back(load.name);
  return names;
}

TransientResult simulate_into(const TransientAnalysis& analysis, AnalysisRun& with, Sink& sink, Sink* ledger) {
  try {
    return simulate_from_start(analysis, with, sink, ledger);
  } catch (const OutputError&) {
    throw;
  } catch (const std::exception& error) {  // a law that gave no number
    TransientResult result;
    result.ending = Ending::no_convergence;
    result.message = error.what();
    return result;
  }
}

void add_facts(const TransientResult& result, const System& system, AnalysisSummary& summary) {
  summary.facts["steps"] = result.steps;
  summary.facts["newton_iterations"] = result.newton_iterations;
  summary.facts["halved_steps"] = result.halved_steps;
  summary.facts["time"] = result.time;
  summary.facts["energy"] = energy(result.energy, system);
}

std::vector<std::string> table_parts(const TransientAnalysis& analysis) {
  std::vector<std::string> parts = HistoryTables::parts(analysis.psd);
  if (analysis.events) parts.emplace_back("events");
  parts.emplace_back(energy_part);
  return parts;
}

std::string describe(const TransientAnalysis& analysis) {
  const TransientOptions& options = analysis.options;
  const auto names = names_of(analysis.loads);
  const std::string unresolved = analysis.events ? "" : unresolved_loads(analysis.loads, options.step);
  return fmt::format("{}, duration {:g} in {} steps of {:.6g}, {}{}",
                     names.empty() ? std::string("no load") : fmt::format("load {}", fmt::join(names, ", ")),
                     options.duration, step_count(options), options.step,
                     analysis.events ? "events" : to_string(options.scheme),
                     unresolved.empty() ? "" : "; warning: " + unresolved);
}

namespace {

void close_ledger(const TransientAnalysis& analysis, TableSink& ledger, AnalysisSummary& summary) {
  ledger.close();
  if (ledger.begun()) summary.files.push_back(table_name(analysis.name, energy_part) + ".csv");
}

AnalysisSummary run_events(const TransientAnalysis& analysis, AnalysisRun& with) {
  HistoryTables tables(analysis.name, analysis.psd, analysis.record.every * analysis.options.step, with.results);
  TableSink events = with.results.table(analysis.name, "events");
  TableSink ledger = with.results.table(analysis.name, energy_part);
  EventsOptions options;
  options.duration = analysis.options.duration;
  options.step = analysis.options.step;
  options.modes = analysis.options.modes;
  AnalysisSummary summary;
  try {
    const EventsResult result = simulate_events(with.system, analysis.loads, analysis.q, analysis.v, analysis.record,
                                                tables.sink(), events, options, with.observer, &ledger);
    summary.ending = result.motion.ending;
    summary.message = result.motion.message;
    summary.facts["rows"] = result.motion.steps;
    summary.facts["events"] = result.events;
    summary.facts["event_evaluations"] = result.evaluations;
    summary.facts["time"] = result.motion.time;
    summary.facts["energy"] = energy(result.motion.energy, with.system);
  } catch (const std::invalid_argument& error) {
    summary.ending = Ending::no_convergence;
    summary.message = error.what();
  }
  tables.close(summary);
  events.close();
  summary.files.push_back(table_name(analysis.name, "events") + ".csv");
  close_ledger(analysis, ledger, summary);
  return summary;
}

}  // namespace

AnalysisSummary run(const TransientAnalysis& analysis, AnalysisRun& with) {
  with.results.settings(analysis.name, settings(analysis));
  if (analysis.events) return run_events(analysis, with);
  HistoryTables tables(analysis.name, analysis.psd, analysis.record.every * analysis.options.step, with.results);
  TableSink ledger = with.results.table(analysis.name, energy_part);
  const TransientResult result = simulate_into(analysis, with, tables.sink(), &ledger);

  AnalysisSummary summary;
  summary.ending = result.ending;
  summary.message = result.message;
  constexpr double large_energy_error = 0.01;
  if (result.ending == Ending::completed && result.energy.error > large_energy_error) {
    summary.message =
        fmt::format("the energy balance is {:.0f} % off: take a smaller step", 100.0 * result.energy.error);
  }
  add_message(unresolved_loads(analysis.loads, analysis.options.step), summary);
  if (result.ending == Ending::completed && !analysis.loads.empty() && result.energy.input == 0.0) {
    add_message("the loads did no work", summary);
  }
  add_facts(result, with.system, summary);
  tables.close(summary);
  close_ledger(analysis, ledger, summary);
  return summary;
}

}  // namespace microslip
