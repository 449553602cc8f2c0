// method = "pareto".

#include <fmt/format.h>

#include <algorithm>

#include "microslip/analyses/update/methods.hpp"
#include "microslip/analyses/update/tables.hpp"
#include "microslip/analyses/write_table.hpp"
#include "microslip/inference/misfits.hpp"

namespace microslip {
namespace {

using Index = Eigen::Index;

Table<std::size_t> front_table(const UpdateProblem& problem, const std::vector<ParetoObjective>& objectives,
                               const ParetoFront& front, std::size_t chosen) {
  std::vector<std::string> names;
  for (const ParetoObjective& objective : objectives) names.push_back(objective.name);
  Table<std::size_t> table;
  table.add({"point", "-", "number, from 1"}, [](std::size_t i) { return i + 1; });
  table.add_each(
      "misfit", names, "-", "sum of squares over the standard errors",
      [&front](std::size_t i, std::size_t k) { return front.points[i].misfits(static_cast<Index>(k)); },
      Scale::logarithmic);
  table.add_each("p", parameter_names_of(problem), "", "parameter", [&problem, &front](std::size_t i, std::size_t p) {
    return problem.values_of(front.points[i].x)(static_cast<Index>(p));
  });
  table.add({"traced", "-", "1: it came to rest on the front; 0: a sample that nothing dominates"},
            [&front](std::size_t i) { return front.points[i].traced; });
  table.add({"chosen", "-", "1: the one that is written as a study"}, [chosen](std::size_t i) { return i == chosen; });
  return table;
}

std::size_t chosen_point(const UpdateAnalysis& analysis, const ParetoFront& front) {
  if (analysis.chosen_point > 0) return std::min(analysis.chosen_point, front.points.size()) - 1;
  if (!analysis.chosen_weights.empty()) {
    return point_by_weight(front,
                           Eigen::Map<const Eigen::VectorXd>(analysis.chosen_weights.data(),
                                                             static_cast<Index>(analysis.chosen_weights.size())));
  }
  return knee_of(front);
}

/// Of these parameters, those that are as good as a point of the front in all misfits and better in one.
std::size_t dominating(const UpdateProblem& problem, const std::vector<ParetoObjective>& objectives,
                       const std::vector<Eigen::VectorXd>& trials, const ParetoFront& front) {
  return static_cast<std::size_t>(std::count_if(trials.begin(), trials.end(), [&](const Eigen::VectorXd& x) {
    const Misfits trial = misfits_at(problem, objectives, x, false);
    return trial.why.empty() && std::any_of(front.points.begin(), front.points.end(), [&](const ParetoPoint& point) {
             return (trial.values.array() <= point.misfits.array()).all() && trial.values != point.misfits;
           });
  }));
}

}  // namespace

std::vector<ParetoObjective> update_objectives(const UpdateProblem& problem) {
  std::vector<ParetoObjective> objectives = {{"frequency", {}}, {"damping", {}}};
  for (std::size_t g = 0; g < problem.groups().size(); ++g) {
    const UpdateRow& row = problem.update_rows()[problem.groups()[g].first];
    if (row.quantity == UpdateRow::Quantity::force) continue;
    objectives[row.quantity == UpdateRow::Quantity::zeta ? 1 : 0].groups.push_back(g);
  }
  return objectives;
}

void update_by_front(const UpdateAnalysis& analysis, const UpdateProblem& problem, AnalysisRun& with,
                     AnalysisSummary& summary) {
  const std::vector<ParetoObjective> objectives = update_objectives(problem);
  ParetoOptions options = analysis.pareto;
  options.from = best_trials(analysis, with.results, BestTrials::front);
  const ParetoFront front = pareto_front(problem, objectives, options, with.observer);
  add_message(front.message, summary);
  if (front.interrupted) summary.ending = Ending::interrupted;
  if (front.points.empty()) {
    if (!front.interrupted) summary.ending = Ending::no_convergence;
    return;
  }
  const std::size_t chosen = chosen_point(analysis, front);
  write_table(analysis.name, "", front_table(problem, objectives, front, chosen), counted_up(front.points.size()),
              with.results, summary);
  tell_interpolation(analysis, problem, front.points[chosen].x, summary);
  write_updated_study(analysis, problem, front.points[chosen].x, with, summary);
  UpdateFacts facts = facts_of_best(analysis, problem, front.points[chosen].x);
  facts.points = front.points.size();
  facts.chosen = chosen + 1;
  facts.evaluations = front.evaluations;
  facts.from_trials = options.from.size();
  facts.dominating = dominating(problem, objectives, options.from, front);
  summary.sum_up(std::move(facts));
}

}  // namespace microslip
