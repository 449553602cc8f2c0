#pragma once
// Runs the trials of a plan that are not in a database yet, on threads, as a shard of several, or on MPI ranks.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "microslip/trials/trial_plan.hpp"
#include "microslip/trials/trial_setting.hpp"

namespace microslip {

struct TrialOptions {
  std::size_t threads = 1;
  /// Called with every row that comes in, those found in the database first, never by two threads at once: for the best
  /// so far. Must be short. Others than the threads of the workers call it, while the observer may be running.
  std::function<void(std::size_t trial, const TrialRow& row)> seen;
};

struct TrialOutcome {
  /// `count` of them, by number. Those that are not there are interrupted, "not started". The same, bit for bit, for
  /// any number of threads, shards, ranks and resumptions.
  std::vector<TrialRow> rows;
  std::size_t known = 0;     ///< that were there before
  std::size_t computed = 0;  ///< by this run, all ranks together
  std::string file;          ///< of the database, in the directory; empty: none
  bool part_done = true;     ///< what this process was to do is done: of one that makes no tables

  [[nodiscard]] bool whole() const { return known + computed == rows.size(); }
};

/// Blocks until all trials of this process are done or `observer`, which takes the fraction of all of them, says stop.
/// A row is in the database a twentieth of a second after its trial has ended. Throws OutputError when the database
/// cannot be written (what it holds stays), InputError when it is spoilt or holds trials of another identity that took
/// long; if they did not, they are thrown away (trial_files.hpp).
[[nodiscard]] TrialOutcome run_trials(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
                                      const MakeTrialWorker& make_worker, const Observer& observer);

/// Throws InputError where run_trials would, and where shards have left trials that are still to be put together.
/// Touches nothing: for the time before results are written. `name`, `place`, `identity`: see TrialPlan.
void check_trials(const TrialSetting& setting, const std::string& name, const std::string& place,
                  const std::string& identity);

}  // namespace microslip
