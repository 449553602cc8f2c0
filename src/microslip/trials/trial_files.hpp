#pragma once
// Where the trials of an analysis are: NAME-trials.db, of shard 3 of 16 NAME-trials-3-of-16.db, of MPI rank 2
// NAME-trials-rank-2.db. And what is to be done with what an earlier run has left there.

#include <optional>
#include <string>
#include <vector>

#include "microslip/trials/trial_setting.hpp"
#include "microslip/trials/trial_store.hpp"

namespace microslip {

[[nodiscard]] std::string trial_file(const std::string& name);
/// trial_file where the share is all.
[[nodiscard]] std::string share_file(const std::string& name, const TrialShare& share);
[[nodiscard]] std::string rank_file(const std::string& name, int rank);

/// Paths of those that are there, sorted.
[[nodiscard]] std::vector<std::string> rank_files_in(const std::string& directory, const std::string& name);
[[nodiscard]] std::vector<std::string> share_files_in(const std::string& directory, const std::string& name);
/// `grid` of `grid-trials-3-of-16.db` and its like; nothing: not the name of a database of trials.
[[nodiscard]] std::optional<std::string> analysis_of_trials(const std::string& file);

/// Opens what an earlier run has left. Nothing: there is no file, or one of another identity whose trials took less
/// than `cheap_seconds` of a processor; those are not worth asking for. Throws InputError, naming `place`, where they
/// took more, and where the file is spoilt.
inline constexpr double cheap_seconds = 600.0;
[[nodiscard]] std::optional<TrialStore> open_kept(const std::string& path, const std::string& place,
                                                  const std::string& identity);

}  // namespace microslip
