#pragma once
// The summary of a process that does some of the trials and makes no table: a shard, a rank but 0.

#include <string_view>

#include "microslip/results/analysis_summary.hpp"
#include "microslip/trials/run_trials.hpp"

namespace microslip {

/// `what`: "combinations", "trials".
[[nodiscard]] AnalysisSummary part_of_trials(const TrialOutcome& outcome, const TrialSetting& setting,
                                             std::string_view what);

}  // namespace microslip
