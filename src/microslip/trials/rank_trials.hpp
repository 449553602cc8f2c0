#pragma once
// Trials on MPI ranks. Rank 0 hands out blocks of chains, does its own, and gathers rows as they are finished; each
// other rank keeps its rows in a database of its own until rank 0 has all of them in its.

#include "microslip/trials/run_trials.hpp"

namespace microslip {

/// As run_trials, of a setting with several ranks. All ranks call it, with the same plan.
[[nodiscard]] TrialOutcome run_on_ranks(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
                                        const MakeTrialWorker& make_worker, const Observer& observer);

}  // namespace microslip
