#pragma once
// The trials of shards and ranks, put together.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace microslip {

struct MergedTrials {
  std::string file;         ///< in the directory: NAME-trials.db
  std::size_t trials = 0;   ///< that it holds now
  std::size_t of = 0;       ///< of the plan
  std::size_t sources = 0;  ///< databases that went into it, besides itself
};

/// Gathers the databases of shards and ranks in `directory`, and all databases in `others`, in NAME-trials.db there,
/// one for each analysis. What was in `directory` is then removed, what is in `others` stays. Throws InputError, before
/// anything is written, where there are none, where one is spoilt, or where two of an analysis are of different
/// studies; OutputError.
[[nodiscard]] std::vector<MergedTrials> merge_trials(const std::string& directory, std::span<const std::string> others);

}  // namespace microslip
