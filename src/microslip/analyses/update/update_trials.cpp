#include "microslip/analyses/update/update_trials.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "microslip/analyses/update/methods.hpp"
#include "microslip/trials/trial_setting.hpp"

namespace microslip {
namespace {

constexpr const char* least_column = "square";

}  // namespace

class UpdateTrials::Worker final : public TrialWorker {
 public:
  explicit Worker(const UpdateTrials& trials) : trials_(&trials) {}
  void begin_chain() override {}  // each trial stands by itself
  TrialRow compute(std::size_t trial, const Observer& /*observer*/) override { return trials_->compute(trial); }

 private:
  const UpdateTrials* trials_;
};

UpdateTrials::UpdateTrials(const UpdateAnalysis& analysis, const UpdateProblem& problem)
    : analysis_(&analysis),
      problem_(&problem),
      samples_(analysis.sampling, problem.parameters().size(), analysis.samples, analysis.options.seed),
      objectives_(update_objectives(problem)),
      no_discrepancy_(problem.groups().size(), 0.0) {
  std::erase_if(objectives_, [](const ParetoObjective& objective) { return objective.groups.empty(); });
  std::vector<Column> columns;
  for (const ParetoObjective& objective : objectives_) {
    columns.push_back({"misfit[" + objective.name + "]", "-",
                       "sum of squares over the standard errors, without discrepancies", Scale::logarithmic});
  }
  columns.push_back({least_column, "-", "sum of squares of all rows over their standard errors", Scale::logarithmic});
  const auto add = [&](UpdateRow::Quantity quantity, const char* name, const char* unit, const char* what) {
    Deviation deviation = deviation_of(quantity);
    if (deviation.groups.empty()) return;
    deviations_.push_back(std::move(deviation));
    columns.push_back({name, unit, what, Scale::logarithmic});
  };
  add(UpdateRow::Quantity::omega, "rmsd_omega", "rad/time",
      "root mean square deviation of the frequency, or of its shift; of several curves by their weights");
  add(UpdateRow::Quantity::zeta, "rmsd_zeta", "-", "root mean square deviation of the damping ratio; the same");
  columns.push_back({"unreached", "-", "rows that the model does not reach"});
  columns_ = std::make_shared<const std::vector<Column>>(std::move(columns));
}

auto UpdateTrials::deviation_of(UpdateRow::Quantity quantity) const -> Deviation {
  Deviation result;
  for (std::size_t g = 0; g < problem_->groups().size(); ++g) {
    const auto& group = problem_->groups()[g];
    const UpdateRow& row = problem_->update_rows()[group.first];
    if (row.quantity != quantity) continue;
    result.groups.push_back(g);
    const double weight = analysis_->curves[static_cast<std::size_t>(row.target)].weight;
    result.weights.push_back(weight / static_cast<double>(group.count));
  }
  return result;
}

double UpdateTrials::deviation(const Deviation& deviation, const ResidualProblem::Answer& answer,
                               const WhiteRows& rows) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < deviation.groups.size(); ++i) {
    const std::size_t g = deviation.groups[i];
    const auto& group = problem_->groups()[g];
    for (std::size_t k = group.first; k < group.first + group.count; ++k) {
      const double off = answer.values(static_cast<Eigen::Index>(k)) + rows.offsets[g] - problem_->rows()[k].measured;
      sum += deviation.weights[i] * off * off;
    }
  }
  return std::sqrt(sum);
}

TrialRow UpdateTrials::compute(std::size_t trial) const {
  const ResidualProblem::Answer answer = problem_->evaluate(point(trial), false);
  const WhiteRows rows = white_rows(*problem_, answer, no_discrepancy_);
  if (!rows.why.empty()) return {Ending::no_convergence, rows.why, nullptr, {}};
  TrialRow row{Ending::completed, "", columns_, {}};
  row.values.reserve(columns_->size());
  for (const ParetoObjective& objective : objectives_) {
    double misfit = 0.0;
    for (const std::size_t g : objective.groups) misfit += rows.squares[g];
    row.values.push_back(misfit);
  }
  row.values.push_back(rows.square());
  for (const Deviation& each : deviations_) row.values.push_back(deviation(each, answer, rows));
  row.values.push_back(static_cast<double>(std::accumulate(rows.missing.begin(), rows.missing.end(), std::size_t{0})));
  return row;
}

TrialOutcome UpdateTrials::run(AnalysisRun& with) const {
  TrialPlan plan;
  plan.name = analysis_->name;
  plan.place = analysis_->place;
  plan.count = analysis_->samples;
  plan.identity = analysis_->identity;
  plan.least = least_column;
  for (const auto& parameter : problem_->parameters()) plan.parameters.push_back({parameter.name, "", "parameter"});
  plan.parameters_of = [this](std::size_t trial, double* at) {
    const Eigen::VectorXd own = values(trial);
    std::copy(own.begin(), own.end(), at);
  };
  const TrialSetting in_memory;
  const TrialSetting& setting = with.trials != nullptr ? *with.trials : in_memory;
  TrialOptions options;
  // Ranks stand side by side on the cores of a machine already.
  const bool one = setting.ranks != nullptr && !analysis_->threads_given;
  options.threads = one ? 1 : analysis_->options.threads;
  return run_trials(
      plan, setting, options, [this] { return std::make_unique<Worker>(*this); }, with.observer);
}

}  // namespace microslip
