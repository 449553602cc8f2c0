#pragma once
// Samples of the parameters of an update as trials: each is the model at one sample, against the test.

#include <vector>

#include "microslip/analyses/update/analysis.hpp"
#include "microslip/inference/samples.hpp"
#include "microslip/inference/white_rows.hpp"
#include "microslip/trials/run_trials.hpp"

namespace microslip {

/// What a trial tells, in the order of its columns:
///
///   misfit[frequency], misfit[damping]   sums of squares over the standard errors; without discrepancies
///   square                               of all rows
///   rmsd_omega, rmsd_zeta                sqrt(sum over curves of W/N sum of (model + offset - measured)^2), W the
///                                        weight of the target, N its rows: Lacayo (3.34)
///   unreached                            rows that the model does not reach; an rmsd then is not known (NaN)
///
/// as far as the targets have them.
class UpdateTrials {
 public:
  UpdateTrials(const UpdateAnalysis& analysis, const UpdateProblem& problem);

  /// The same rows, bit for bit, for any number of threads, shards and ranks.
  [[nodiscard]] TrialOutcome run(AnalysisRun& with) const;

  [[nodiscard]] const UpdateProblem& problem() const { return *problem_; }
  /// Of the results; those that every trial with an answer has.
  [[nodiscard]] const std::vector<Column>& columns() const { return *columns_; }
  /// Columns of the misfits: none, one or two, the first ones.
  [[nodiscard]] std::size_t misfits() const { return objectives_.size(); }
  [[nodiscard]] double square(const TrialRow& row) const { return row.values[objectives_.size()]; }
  /// What the methods see of a sample, and what the user does.
  [[nodiscard]] Eigen::VectorXd point(std::size_t trial) const { return samples_.point(trial, problem_->parameters()); }
  [[nodiscard]] Eigen::VectorXd values(std::size_t trial) const { return problem_->values_of(point(trial)); }

 private:
  class Worker;
  /// Groups of curves whose rows make one rmsd, with W/N.
  struct Deviation {
    std::vector<std::size_t> groups;
    std::vector<double> weights;
  };

  [[nodiscard]] Deviation deviation_of(UpdateRow::Quantity quantity) const;
  [[nodiscard]] double deviation(const Deviation& deviation, const ResidualProblem::Answer& answer,
                                 const WhiteRows& rows) const;
  [[nodiscard]] TrialRow compute(std::size_t trial) const;

  const UpdateAnalysis* analysis_;
  const UpdateProblem* problem_;
  Samples samples_;
  std::vector<ParetoObjective> objectives_;  ///< that have rows
  std::vector<Deviation> deviations_;
  std::vector<double> no_discrepancy_;
  TrialColumns columns_;
};

}  // namespace microslip
