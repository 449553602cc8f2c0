#pragma once
// Trials: many computations of one kind, each known by its number alone, so that any thread, process or machine may do
// any of them and the rows are the same.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "microslip/system/ending.hpp"
#include "microslip/system/observer.hpp"
#include "microslip/system/sink.hpp"

namespace microslip {

/// Names of the results of a trial, shared by all rows that have the same.
using TrialColumns = std::shared_ptr<const std::vector<Column>>;

/// What a trial gave. Rows of one plan may have different columns; a number that is not known is NaN.
struct TrialRow {
  Ending ending = Ending::interrupted;
  std::string message = "not started";
  TrialColumns columns;  ///< null: none, as of a trial that failed
  std::vector<double> values;

  /// Interrupted trials are computed again by the next run, all others are never.
  [[nodiscard]] bool finished() const { return ending != Ending::interrupted; }
};

/// The same on every machine.
struct TrialPlan {
  std::string name;       ///< of the analysis: the database is NAME-trials.db
  std::string place;      ///< `study.toml: parameter_study "grid"`, for messages
  std::size_t count = 0;  ///< trials 0 to count - 1; the database counts from 1
  std::string identity;   ///< see TrialIdentity: trials of another one are never mixed with these
  std::string least;      ///< the result of which less is better; empty: none
  std::vector<Column> parameters;
  /// Fills in as many values as there are parameters. Called by several threads at once.
  std::function<void(std::size_t trial, double* values)> parameters_of;
  /// Trials first[i] to first[i + 1] - 1 are done by one worker, one after the other: each may begin from what the one
  /// before left. Begins with 0 and ends with `count`. Empty: each trial stands by itself. Neither the number of
  /// threads nor of machines may change it.
  std::vector<std::size_t> chains;
};

/// Computes trials, one at a time. Each thread has a worker of its own: what it keeps from trial to trial needs no
/// lock.
class TrialWorker {
 public:
  virtual ~TrialWorker() = default;
  /// A chain begins: what the trial before left is not for the next one.
  virtual void begin_chain() {}
  /// `observer` takes the fraction of this trial; when it says stop, the row is interrupted and is dropped. The row
  /// does not depend on what the worker did before, but for the trials of its chain. Throws nothing but what ends the
  /// whole run.
  [[nodiscard]] virtual TrialRow compute(std::size_t trial, const Observer& observer) = 0;
};

/// Called once for each thread, on it.
using MakeTrialWorker = std::function<std::unique_ptr<TrialWorker>()>;

}  // namespace microslip
