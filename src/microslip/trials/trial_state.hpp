#pragma once
// What a run knows of its trials when it begins: rows of earlier runs, and the database that it goes on with.

#include <cstddef>
#include <optional>
#include <vector>

#include "microslip/trials/run_trials.hpp"
#include "microslip/trials/trial_store.hpp"

namespace microslip {

struct TrialState {
  std::vector<TrialRow> rows;
  std::vector<char> known;          ///< rows that were there before
  std::optional<TrialStore> store;  ///< to write on
  std::string file;                 ///< of it, in the directory

  [[nodiscard]] std::size_t known_of(std::size_t first, std::size_t end) const;
};

/// Of a process that works alone, of a shard, or of rank 0: opens or makes its database, and takes in what ranks of a
/// run that was killed have left.
[[nodiscard]] TrialState begin_trials(const TrialPlan& plan, const TrialSetting& setting);
/// Of a rank but 0: knows nothing, and writes a database that is new.
[[nodiscard]] TrialState begin_trials_of_rank(const TrialPlan& plan, const TrialSetting& setting, int rank);

/// Rows, and how many of them are new.
[[nodiscard]] TrialOutcome outcome_of(TrialState&& state);

}  // namespace microslip
