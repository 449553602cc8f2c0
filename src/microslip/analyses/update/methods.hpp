#pragma once
// The methods of an update: each writes its tables and the updated study, and sums up.

#include <vector>

#include "microslip/analyses/update/analysis.hpp"

namespace microslip {

void update_by_least_squares(const UpdateAnalysis& analysis, const UpdateProblem& problem, AnalysisRun& with,
                             AnalysisSummary& summary);
void update_by_posterior(const UpdateAnalysis& analysis, const UpdateProblem& problem, AnalysisRun& with,
                         AnalysisSummary& summary);
void update_by_front(const UpdateAnalysis& analysis, const UpdateProblem& problem, AnalysisRun& with,
                     AnalysisSummary& summary);

void update_by_samples(const UpdateAnalysis& analysis, const UpdateProblem& problem, AnalysisRun& with,
                       AnalysisSummary& summary);

/// Of the sample that the analysis begins from (none: nothing): the trials that nothing dominates, or that have the
/// least squares, in the box of these parameters.
enum class BestTrials { front, least };
[[nodiscard]] std::vector<Eigen::VectorXd> best_trials(const UpdateAnalysis& analysis, const Results& results,
                                                       BestTrials wanted);

/// Frequencies and shapes against damping.
[[nodiscard]] std::vector<ParetoObjective> update_objectives(const UpdateProblem& problem);

/// NAME-model.toml with these parameters.
void write_updated_study(const UpdateAnalysis& analysis, const UpdateProblem& problem, const Eigen::VectorXd& x,
                         AnalysisRun& with, AnalysisSummary& summary);
/// Of tests with more rows than amplitudes that are computed: how far off what lies between is, against amplitudes
/// twice as close.
void tell_interpolation(const UpdateAnalysis& analysis, const UpdateProblem& problem, const Eigen::VectorXd& x,
                        AnalysisSummary& summary);
/// Values of the parameters, and of each group how well it is met and what is not reached.
[[nodiscard]] UpdateFacts facts_of_best(const UpdateAnalysis& analysis, const UpdateProblem& problem,
                                        const Eigen::VectorXd& x);

}  // namespace microslip
