#pragma once
// Takes in finished trials on a thread of its own: tells who listens, and writes them into the database.

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "microslip/trials/trial_plan.hpp"
#include "microslip/trials/trial_store.hpp"

namespace microslip {

class TrialKeeper {
 public:
  using Seen = std::function<void(std::size_t trial, const TrialRow& row)>;
  /// `rows` must outlive it. No store: nothing is written. `seen` may be empty.
  TrialKeeper(const TrialPlan& plan, const std::vector<TrialRow>& rows, std::optional<TrialStore> store, Seen seen);
  /// Writes what has come in, as far as it can.
  ~TrialKeeper();
  TrialKeeper(const TrialKeeper&) = delete;
  TrialKeeper& operator=(const TrialKeeper&) = delete;

  /// The row of this trial does not change any more. Any thread may say so.
  void add(std::size_t trial, double seconds);
  /// The database cannot be written: there is no point in going on.
  [[nodiscard]] bool failed() const { return failed_.load(); }
  /// When it is back all is written, and the database closed. Throws what went wrong.
  void finish();

 private:
  struct Finished {
    std::size_t trial;
    double seconds;
  };
  void work();
  void take(const std::vector<Finished>& trials);
  void write(const std::vector<Finished>& trials);
  void end();

  const TrialPlan* plan_;
  const std::vector<TrialRow>* rows_;
  std::optional<TrialStore> store_;
  Seen seen_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Finished> waiting_;
  bool ended_ = false;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace microslip
