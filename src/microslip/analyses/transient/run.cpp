#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "microslip/analyses/refused.hpp"
#include "microslip/analyses/transient/analysis.hpp"
#include "microslip/analyses/transient/schemes.hpp"
#include "microslip/input/load_resolution.hpp"
#include "microslip/io/output_file.hpp"
#include "microslip/system/static_solution.hpp"
#include "microslip/transient/events.hpp"

namespace microslip {
namespace {

constexpr const char* events_part = "events";
constexpr const char* energy_part = "energy";

std::string method_name(const TransientAnalysis& analysis) {
  return analysis.events ? std::string(events_method) : word_of(analysis.options.scheme, scheme_choices);
}

TransientResult simulate_from_start(const TransientAnalysis& analysis, AnalysisRun& with, Sink& sink, Sink* ledger) {
  InitialConditions initial{analysis.initial.q, analysis.initial.v, {}};
  if (analysis.initial.static_load) {
    const Load& load = *analysis.initial.static_load;
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

/// The tables of a motion: its history, its events and the ledger over time.
class MotionTables {
 public:
  MotionTables(const TransientAnalysis& analysis, Results& results)
      : name_(analysis.name),
        history_(name_, analysis.psd, analysis.record.every * analysis.options.step, results),
        events_(analysis.events ? std::make_optional(results.table(name_, events_part)) : std::nullopt),
        ledger_(results.table(name_, energy_part)) {}

  [[nodiscard]] Sink& history() { return history_.sink(); }
  [[nodiscard]] Sink& events() { return *events_; }
  [[nodiscard]] Sink& ledger() { return ledger_; }

  /// All are whole; their names are added to `files`.
  [[nodiscard]] HistoryFacts close(std::vector<std::string>& files) {
    HistoryFacts facts = history_.close(files);
    if (events_) {
      events_->close();
      files.push_back(table_name(name_, events_part) + ".csv");
    }
    ledger_.close();
    if (ledger_.begun()) files.push_back(table_name(name_, energy_part) + ".csv");
    return facts;
  }

 private:
  std::string name_;
  HistoryTables history_;
  std::optional<TableSink> events_;
  TableSink ledger_;
};

AnalysisSummary run_by_events(const TransientAnalysis& analysis, AnalysisRun& with) {
  MotionTables tables(analysis, with.results);
  EventsOptions options;
  options.duration = analysis.options.duration;
  options.step = analysis.options.step;
  AnalysisSummary summary;
  TransientFacts facts;
  static_cast<void>(refused(summary, [&] {  // the facts then say that it did not start
    const auto& [motion, events, evaluations] =
        simulate_events(with.system, *analysis.events, analysis.initial.q, analysis.initial.v, analysis.record,
                        tables.history(), tables.events(), options, with.observer, &tables.ledger());
    summary.ending = motion.ending;
    summary.message = motion.message;
    add_message(energy_doubt(motion.energy, false), summary);
    facts.by_events = {motion.steps, events, evaluations, motion.time, energy_facts(motion.energy, with.system)};
  }));
  facts.history = tables.close(summary.files);
  summary.sum_up(std::move(facts));
  return summary;
}

/// What puts the numbers of a motion in doubt.
void tell_doubts(const TransientAnalysis& analysis, const TransientResult& result, AnalysisSummary& summary) {
  const bool completed = result.ending == Ending::completed;
  add_message(energy_doubt(result.energy, true), summary);
  add_message(unresolved_loads(analysis.loads, analysis.options.step), summary);
  if (completed && !analysis.loads.empty() && result.energy.input == 0.0) {
    add_message("the loads did no work", summary);
  }
}

AnalysisSummary run_in_steps(const TransientAnalysis& analysis, AnalysisRun& with) {
  MotionTables tables(analysis, with.results);
  const TransientResult result = simulate_into(analysis, with, tables.history(), &tables.ledger());
  AnalysisSummary summary;
  summary.ending = result.ending;
  summary.message = result.message;
  tell_doubts(analysis, result, summary);
  TransientFacts facts;
  facts.motion = motion_facts(result, with.system);
  facts.history = tables.close(summary.files);
  summary.sum_up(std::move(facts));
  return summary;
}

}  // namespace

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

double TransientFacts::time() const {
  return motion ? motion->time : by_events ? by_events->time : 0.0;
}

const EnergyFacts* TransientFacts::energy() const {
  return motion ? &motion->energy : by_events ? &by_events->energy : nullptr;
}

nlohmann::ordered_json TransientFacts::to_json() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (motion) motion->add_to(json);
  if (by_events) {
    json["rows"] = by_events->rows;
    json["events"] = by_events->events;
    json["event_evaluations"] = by_events->event_evaluations;
    json["time"] = by_events->time;
    json["energy"] = by_events->energy.to_json();
  }
  history.add_to(json);
  return json;
}

std::string TransientFacts::in_a_line() const {
  if (motion) return motion->in_a_line();
  if (!by_events) return "";
  return fmt::format("{} events, energy error {:.2e}", by_events->events, by_events->energy.ledger.error);
}

nlohmann::ordered_json TransientAnalysis::settings() const {
  nlohmann::ordered_json json;
  json["loads"] = names_of(loads);
  json["duration"] = options.duration;
  json["step"] = options.step;
  json["method"] = method_name(*this);
  json["modes"] = options.modes;
  json["every"] = record.every;
  if (psd) json["psd_segment"] = psd->segment;
  if (events) return json;
  if (options.scheme == Scheme::newmark) {
    json["gamma"] = options.gamma;
    json["beta"] = options.beta;
  }
  if (options.scheme == Scheme::hht) json["alpha"] = options.alpha;
  if (options.scheme == Scheme::generalized_alpha) json["rho_infinity"] = options.rho_infinity;
  json["tolerance"] = options.tolerance;
  json["max_iterations"] = options.max_iterations;
  if (initial.static_load) json["initial_static"] = initial.static_load->name;
  return json;
}

std::string TransientAnalysis::describe() const {
  const std::string unresolved = events ? "" : unresolved_loads(loads, options.step);
  return fmt::format("{}, duration {:g} in {} steps of {:.6g}, {}{}", loads_in_words(loads), options.duration,
                     step_count(options), options.step, method_name(*this),
                     unresolved.empty() ? "" : "; warning: " + unresolved);
}

std::vector<std::string> TransientAnalysis::tables() const {
  std::vector<std::string> parts = HistoryAnalysis::tables();
  if (events) parts.emplace_back(events_part);
  parts.emplace_back(energy_part);
  return parts;
}

AnalysisSummary TransientAnalysis::run(AnalysisRun& with) const {
  return events ? run_by_events(*this, with) : run_in_steps(*this, with);
}

}  // namespace microslip
