#include "microslip/analyses/parameter_study/trials.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "microslip/analyses/headline.hpp"
#include "microslip/analyses/parameter_study/grid.hpp"
#include "microslip/toml/toml_edit.hpp"
#include "microslip/trials/trial_setting.hpp"

namespace microslip {
namespace {

/// Neighbours that run one after the other, each from what the one before left. The length is the same for any number
/// of threads, and short: chains are what runs side by side.
constexpr std::size_t longest_chain = 4;

/// Along the last key, in parts of nearly equal length.
std::vector<std::size_t> make_chains(const ParameterGrid& grid) {
  std::vector<std::size_t> chains;
  const std::size_t line = grid.is_list() ? grid.size() : grid.keys().back().values.size();
  const std::size_t parts = (line + longest_chain - 1) / longest_chain;
  for (std::size_t start = 0; start < grid.size(); start += line) {
    for (std::size_t k = 0; k < parts; ++k) chains.push_back(start + k * line / parts);
  }
  chains.push_back(grid.size());
  return chains;
}

/// Whether a combination of this kind is to begin from its neighbour.
bool wants(const ParameterStudyAnalysis& analysis, WarmStart kind) {
  return kind == WarmStart::always ? analysis.wants_warm_start.value_or(true)
                                   : kind == WarmStart::if_asked && analysis.wants_warm_start.value_or(false);
}

class CombinationWorker final : public TrialWorker {
 public:
  CombinationWorker(const ParameterStudyAnalysis& analysis, const AnalysisRun& with)
      : analysis_(&analysis), grid_(analysis.grid.get()), with_(&with) {}

  void begin_chain() override { neighbour_.reset(); }

  TrialRow compute(std::size_t number, const Observer& observer) override {
    TrialRow row;
    try {
      row = run_one(number, observer);
    } catch (const std::exception& error) {  // the others go on
      row = {Ending::no_convergence, error.what(), nullptr, {}};
    }
    if (row.ending != Ending::completed) neighbour_.reset();
    return row;
  }

 private:
  TrialRow run_one(std::size_t number, const Observer& observer) {
    Combination combination = grid_->read(number, with_->system, before_.system ? &before_ : nullptr);
    combination.analysis->name = analysis_->name;
    Results tables(with_->results, Results::InMemory{});
    AnalysisRun inner{*combination.system, tables, observer,
                      wants(*analysis_, combination.analysis->warm_start()) ? &neighbour_ : nullptr};
    const AnalysisSummary summary = combination.analysis->run(inner);
    TrialRow row{summary.ending, summary.message, nullptr, {}};
    // A limit load is an end of the curve, and no failure of the method.
    if (row.ending == Ending::completed || row.ending == Ending::limit_load) {
      Headline headline;
      const TablesInMemory own(tables, analysis_->name);
      combination.analysis->add_headline(own, *combination.system, headline);
      add_facts(summary.facts_json(), headline);
      row.columns = std::make_shared<const std::vector<Column>>(std::move(headline.columns));
      row.values = std::move(headline.values);
    }
    before_ = std::move(combination);
    return row;
  }

  const ParameterStudyAnalysis* analysis_;
  const ParameterGrid* grid_;
  const AnalysisRun* with_;
  Combination before_;  ///< whose system may serve again
  std::any neighbour_;
};

TrialPlan plan_of(const ParameterStudyAnalysis& analysis) {
  const ParameterGrid& grid = *analysis.grid;
  TrialPlan plan;
  plan.name = analysis.name;
  plan.place = analysis.place;
  plan.count = grid.size();
  plan.identity = analysis.identity;
  for (const VariedKey& key : grid.keys()) plan.parameters.push_back(column_for(key));
  plan.parameters_of = [&grid](std::size_t trial, double* values) {
    const std::vector<std::size_t> places = grid.places(trial);
    for (std::size_t k = 0; k < places.size(); ++k) values[k] = varied_value(grid.keys()[k], places[k]);
  };
  if (wants(analysis, grid.warm_start())) plan.chains = make_chains(grid);
  return plan;
}

}  // namespace

Column column_for(const VariedKey& key) {
  if (key.numeric()) return {key.path, "", "varied"};
  auto values = nlohmann::ordered_json::array();
  for (const TomlValue& value : key.values) values.push_back(to_json(value));
  return {key.path, "-",
          "number of the value, from 1, in " +
              values.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

double varied_value(const VariedKey& key, std::size_t place) {
  return key.numeric() ? key.values[place].real : static_cast<double>(place + 1);
}

TrialOutcome run_combinations(const ParameterStudyAnalysis& analysis, AnalysisRun& with) {
  const TrialSetting in_memory;
  const TrialSetting& setting = with.trials != nullptr ? *with.trials : in_memory;
  TrialOptions options;
  // Ranks stand side by side on the cores of a machine already.
  const bool one = setting.ranks != nullptr && !analysis.threads_given;
  options.threads = one ? 1U : static_cast<std::size_t>(analysis.threads);
  return run_trials(
      plan_of(analysis), setting, options, [&] { return std::make_unique<CombinationWorker>(analysis, with); },
      with.observer);
}

}  // namespace microslip
