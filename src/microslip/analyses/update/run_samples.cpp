// method = "sample".

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "microslip/analyses/figure_parts.hpp"
#include "microslip/analyses/part_of_trials.hpp"
#include "microslip/analyses/update/methods.hpp"
#include "microslip/analyses/update/tables.hpp"
#include "microslip/analyses/update/update_trials.hpp"
#include "microslip/analyses/write_table.hpp"
#include "microslip/trials/trial_setting.hpp"

namespace microslip {
namespace {

using Index = Eigen::Index;

/// Finished trials: which there are, which have an answer, and what stands out among these.
struct FinishedTrials {
  std::vector<std::size_t> all;     ///< by number
  std::vector<std::size_t> ranked;  ///< with an answer, the least square first
  std::vector<char> front;          ///< of each trial of the plan: nothing dominates it
  ParetoFront points;               ///< those, by their first misfit; empty where there is one misfit only
  std::vector<std::size_t> trials_of_points;
};

FinishedTrials finished_trials(const UpdateTrials& trials, const std::vector<TrialRow>& rows) {
  FinishedTrials finished;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].finished()) continue;
    finished.all.push_back(i);
    if (rows[i].ending == Ending::completed) finished.ranked.push_back(i);
  }
  finished.front.assign(rows.size(), 0);
  if (trials.misfits() > 1) {
    std::vector<Eigen::VectorXd> misfits;
    for (const std::size_t i : finished.ranked) {
      misfits.emplace_back(
          Eigen::Map<const Eigen::VectorXd>(rows[i].values.data(), static_cast<Index>(trials.misfits())));
    }
    for (const std::size_t k : not_dominated(misfits)) {
      const std::size_t trial = finished.ranked[k];
      finished.front[trial] = 1;
      finished.points.points.push_back({trials.point(trial), misfits[k], false});
      finished.trials_of_points.push_back(trial);
    }
  }
  std::sort(finished.ranked.begin(), finished.ranked.end(), [&](std::size_t a, std::size_t b) {
    const double x = trials.square(rows[a]), y = trials.square(rows[b]);
    return x < y || (x == y && a < b);
  });
  return finished;
}

/// Nothing: it is not among those with an answer.
std::optional<std::size_t> chosen_trial(const UpdateAnalysis& analysis, const FinishedTrials& finished) {
  if (finished.ranked.empty()) return std::nullopt;
  if (analysis.chosen_point > 0) {
    const auto found = std::find(finished.ranked.begin(), finished.ranked.end(), analysis.chosen_point - 1);
    return found != finished.ranked.end() ? std::optional(*found) : std::nullopt;
  }
  if (analysis.choose_knee) return finished.trials_of_points[knee_of(finished.points)];
  if (!analysis.chosen_weights.empty()) {
    const Eigen::Map<const Eigen::VectorXd> weights(analysis.chosen_weights.data(),
                                                    static_cast<Index>(analysis.chosen_weights.size()));
    return finished.trials_of_points[point_by_weight(finished.points, weights)];
  }
  return finished.ranked.front();
}

/// A row a finished trial.
void write_trials(const UpdateAnalysis& analysis, const UpdateTrials& trials, const std::vector<TrialRow>& rows,
                  const FinishedTrials& finished, std::optional<std::size_t> chosen, Results& results,
                  AnalysisSummary& summary) {
  Table<std::size_t> table;
  table.add({"trial", "-", "number, from 1"}, [](std::size_t i) { return i + 1; });
  std::vector<Column> parameters;
  for (const std::string& name : parameter_names_of(trials.problem())) {
    parameters.push_back({column_of("p", name), "", "parameter"});
  }
  table.add_group(std::move(parameters), [&trials](std::size_t i, double* at) {
    const Eigen::VectorXd values = trials.values(i);
    std::copy(values.begin(), values.end(), at);
  });
  table.add_group(trials.columns(), [&rows, count = trials.columns().size()](std::size_t i, double* at) {
    if (rows[i].values.empty()) {
      std::fill_n(at, count, std::numeric_limits<double>::quiet_NaN());
    } else {
      std::copy(rows[i].values.begin(), rows[i].values.end(), at);
    }
  });
  table.add({"ending", "-", "0: completed; 1: no_convergence, the model has no answer there"},
            [&rows](std::size_t i) { return rows[i].ending; });
  if (trials.misfits() > 1) {
    table.add({"front", "-", "1: no other trial is better in one misfit and not worse in the other"},
              [&finished](std::size_t i) { return static_cast<int>(finished.front[i]); });
  }
  table.add({"chosen", "-", "1: the one that is written as a study"}, [chosen](std::size_t i) { return chosen == i; });
  write_table(analysis.name, "", std::move(table), finished.all, results, summary);
}

/// A number of one of the best trials, for parallel coordinates.
struct BestNumber {
  std::size_t rank = 0, trial = 0, parameter = 0;  ///< from 0
  double place = 0.0, value = 0.0;
};

/// There and back by turns: one line through all trials goes from each to the next along an outer axis.
void write_best(const UpdateAnalysis& analysis, const UpdateTrials& trials, const FinishedTrials& finished,
                Results& results, AnalysisSummary& summary) {
  constexpr std::size_t most = 100, few = 10;
  std::vector<BestNumber> numbers;
  const auto& parameters = trials.problem().parameters();
  for (std::size_t rank = 0; rank < std::min(most, finished.ranked.size()); ++rank) {
    const std::size_t trial = finished.ranked[rank];
    const Eigen::VectorXd x = trials.point(trial), values = trials.values(trial);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const std::size_t p = rank % 2 == 0 ? k : parameters.size() - 1 - k;
      const auto i = static_cast<Index>(p);
      const double place = (x(i) - parameters[p].low) / (parameters[p].high - parameters[p].low);
      numbers.push_back({rank, trial, p, place, values(i)});
    }
  }
  Table<BestNumber> table;
  table.add({"rank", "-", "by square, from 1"}, [](const BestNumber& each) { return each.rank + 1; });
  table.add({"trial", "-", "number, from 1"}, [](const BestNumber& each) { return each.trial + 1; });
  table.add({"band", "-", "1: one of the ten with the least square; 2: of a hundred"},
            [](const BestNumber& each) { return each.rank < few ? 1 : 2; });
  table.add({"parameter", "-", "number, from 1: " + numbered_parameters(trials.problem())},
            [](const BestNumber& each) { return each.parameter + 1; });
  table.add({"place", "-", "in its range, 0 to 1, of the logarithm where the scale is one"}, &BestNumber::place);
  table.add({"value", "", "of the parameter"}, &BestNumber::value);
  write_table(analysis.name, update_best_part, std::move(table), numbers, results, summary);
}

/// How it ended as a whole.
void tell_trials(const FinishedTrials& finished, const std::vector<TrialRow>& rows, AnalysisSummary& summary) {
  const std::size_t failed = finished.all.size() - finished.ranked.size();
  if (finished.all.size() < rows.size()) {
    summary.ending = Ending::interrupted;
    add_message(fmt::format("interrupted: {} of {} trials were finished", finished.all.size(), rows.size()), summary);
  } else if (finished.ranked.empty()) {
    summary.ending = Ending::no_convergence;
  }
  if (failed == 0) return;
  const auto first = std::find_if(finished.all.begin(), finished.all.end(),
                                  [&](std::size_t i) { return rows[i].ending != Ending::completed; });
  add_message(fmt::format("{} of {} trials have no answer; the first is {}: {}", failed, finished.all.size(),
                          *first + 1, rows[*first].message),
              summary);
}

}  // namespace

std::vector<Eigen::VectorXd> best_trials(const UpdateAnalysis& analysis, const Results& results, BestTrials wanted) {
  constexpr std::size_t most_least = 4;
  if (analysis.from.empty()) return {};
  const MemorySink& trials = results.kept(table_name(analysis.from, ""));
  if (trials.rows() == 0) return {};
  std::vector<std::vector<double>> columns;
  for (const UpdateParameter& parameter : analysis.model.parameters) {
    columns.push_back(trials.column(column_of("p", parameter.name)));
  }
  std::vector<std::size_t> order(trials.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<double> squares = trials.column("square");
  std::erase_if(order, [&](std::size_t i) { return std::isnan(squares[i]); });
  if (wanted == BestTrials::front) {
    const std::vector<double> front = trials.column("front");
    std::erase_if(order, [&](std::size_t i) { return front[i] != 1.0; });
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return squares[a] < squares[b]; });
  std::vector<Eigen::VectorXd> points;
  for (const std::size_t i : order) {
    if (wanted == BestTrials::least && points.size() == most_least) break;
    Eigen::VectorXd x(static_cast<Index>(columns.size()));
    bool within = true;
    for (std::size_t p = 0; p < columns.size(); ++p) {
      const UpdateParameter& parameter = analysis.model.parameters[p];
      within = within && columns[p][i] >= parameter.low && columns[p][i] <= parameter.high;
      x(static_cast<Index>(p)) = parameter.logarithmic ? std::log(columns[p][i]) : columns[p][i];
    }
    if (within) points.push_back(std::move(x));
  }
  return points;
}

void update_by_samples(const UpdateAnalysis& analysis, const UpdateProblem& problem, AnalysisRun& with,
                       AnalysisSummary& summary) {
  const UpdateTrials trials(analysis, problem);
  const TrialOutcome outcome = trials.run(with);
  if (with.trials != nullptr && !with.trials->makes_tables()) {
    const AnalysisSummary part = part_of_trials(outcome, *with.trials, "trials");
    summary.ending = part.ending;
    summary.message = part.message;
    summary.files = part.files;
    return;
  }
  const FinishedTrials finished = finished_trials(trials, outcome.rows);
  const std::optional<std::size_t> chosen = chosen_trial(analysis, finished);
  tell_trials(finished, outcome.rows, summary);
  write_trials(analysis, trials, outcome.rows, finished, chosen, with.results, summary);
  write_best(analysis, trials, finished, with.results, summary);
  if (!outcome.file.empty()) summary.files.push_back(outcome.file);
  if (!chosen) {
    if (!finished.ranked.empty()) {
      summary.ending = summary.ending == Ending::interrupted ? summary.ending : Ending::no_convergence;
      add_message(fmt::format("trial {} has no answer: no study is written", analysis.chosen_point), summary);
    }
    return;
  }
  const Eigen::VectorXd x = trials.point(*chosen);
  tell_interpolation(analysis, problem, x, summary);
  write_updated_study(analysis, problem, x, with, summary);
  UpdateFacts facts = facts_of_best(analysis, problem, x);
  facts.samples = finished.all.size();
  facts.failed = finished.all.size() - finished.ranked.size();
  facts.known = outcome.known;
  facts.points = finished.trials_of_points.size();
  facts.chosen = *chosen + 1;
  facts.evaluations = outcome.computed;
  summary.sum_up(std::move(facts));
}

}  // namespace microslip
