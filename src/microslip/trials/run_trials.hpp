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
  /// so far. Must be short.
  std::function<void(std::size_t trial, const TrialRow& row)> seen;
};

struct TrialOutcome {
  /// `count` of them, by number. Those that are not there are interrupted, "not started". The same, bit for bit, for
  /// any number of threads, shards, ranks and resumptions.
  std::vector<TrialRow> rows;
  std::size_t known = 0;     ///< that were there before
  std::size_t computed = 0;  ///< by this run, all ranks together
  std::string file;          ///< of the database, in the directory; empty: none

  [[nodiscard]] bool whole() const { return known + computed == rows.size(); }
};

/// Blocks until all trials of this process are done or `observer`, which takes the fraction of all of them, says stop.
/// A row is in the database a twentieth of a second after its trial has ended. Throws OutputError when the database
/// cannot be written (what it holds stays), InputError when it holds trials of another plan.
[[nodiscard]] TrialOutcome run_trials(const TrialPlan& plan, const TrialSetting& setting, const TrialOptions& options,
                                      const MakeTrialWorker& make_worker, const Observer& observer);

/// Throws InputError where the directory holds trials with another identity than the plan of `name` is to have, or a
/// file in the place of the database that is none. Touches nothing: for the time before results are written.
void check_trials(const std::string& directory, const std::string& name, const std::string& place,
                  const std::string& identity);

}  // namespace microslip
