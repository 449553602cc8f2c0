#pragma once
// The threads that do trials.

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "microslip/trials/chain_queue.hpp"
#include "microslip/trials/trial_plan.hpp"
#include "microslip/trials/trial_progress.hpp"

namespace microslip {

/// Chains of a plan, by number.
class TrialChains {
 public:
  explicit TrialChains(const TrialPlan& plan) : plan_(&plan) {}
  [[nodiscard]] std::size_t size() const { return plan_->chains.empty() ? plan_->count : plan_->chains.size() - 1; }
  [[nodiscard]] std::size_t first(std::size_t chain) const {
    return plan_->chains.empty() ? chain : plan_->chains[chain];
  }
  /// Behind its last trial.
  [[nodiscard]] std::size_t end(std::size_t chain) const { return first(chain + 1); }

 private:
  const TrialPlan* plan_;
};

/// What a crew works on; all of it outlives the crew.
struct TrialWork {
  const TrialPlan& plan;
  const MakeTrialWorker& make_worker;
  ChainQueue& queue;
  TrialProgress& progress;
  std::vector<TrialRow>& rows;
  /// That were finished before; they are computed again only where a later trial of their chain begins from them.
  const std::vector<char>& known;
  /// A row is there, and is not touched any more. Called by several threads at once.
  std::function<void(std::size_t trial, double seconds)> finished;
};

class TrialCrew {
 public:
  explicit TrialCrew(TrialWork work) : work_(std::move(work)) {}
  ~TrialCrew();
  TrialCrew(const TrialCrew&) = delete;
  TrialCrew& operator=(const TrialCrew&) = delete;

  /// Threads `first` to `end` - 1 begin.
  void start(std::size_t first, std::size_t end);
  /// Does the work of one thread, until there is none.
  void run(std::size_t thread);
  /// No thread is at work any more.
  [[nodiscard]] bool ended() const { return running_.load() == 0; }
  /// Waits for the threads that were started. Throws what a worker threw.
  void join();

 private:
  [[nodiscard]] bool run_chain(TrialWorker& worker, std::size_t chain, std::size_t thread);

  TrialWork work_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> running_{0};
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace microslip
