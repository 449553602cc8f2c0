#pragma once
// Where the trials of a run are kept, and which part of them this process does.

#include <cstddef>
#include <string>

namespace microslip {

class Ranks;

/// Part `number` of `of`, from 1.
struct TrialShare {
  std::size_t number = 1;
  std::size_t of = 1;

  [[nodiscard]] bool all() const { return of == 1; }
};

struct TrialSetting {
  std::string directory;   ///< of the databases; empty: trials are kept in memory only
  bool fresh = false;      ///< old trials are thrown away
  TrialShare share;        ///< of a run of which this process is one of several that know nothing of each other
  Ranks* ranks = nullptr;  ///< of a run of several processes that talk to each other; null: it is alone

  /// Only this process makes tables; the others (shards, ranks but 0) do their trials and no more.
  [[nodiscard]] bool makes_tables() const;
};

}  // namespace microslip
