#include "microslip/trials/trial_keeper.hpp"

#include <chrono>
#include <utility>

namespace microslip {
namespace {

/// Trials are gathered for so long: the disk does not have to turn for each.
constexpr std::chrono::milliseconds gathering{20};

}  // namespace

TrialKeeper::TrialKeeper(const TrialPlan& plan, const std::vector<TrialRow>& rows, std::optional<TrialStore> store,
                         Seen seen)
    : plan_(&plan), rows_(&rows), store_(std::move(store)), seen_(std::move(seen)) {
  if (store_ || seen_) thread_ = std::thread([this] { work(); });
}

TrialKeeper::~TrialKeeper() {
  end();
}

void TrialKeeper::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TrialKeeper::finish() {
  end();
  store_.reset();
  if (error_) std::rethrow_exception(error_);
}

void TrialKeeper::add(std::size_t trial, double seconds) {
  if (!thread_.joinable()) return;
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = waiting_.empty();
    waiting_.push_back({trial, seconds});
  }
  if (first) changed_.notify_all();
}

void TrialKeeper::work() {
  std::vector<Finished> trials;
  for (bool last = false; !last;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
      changed_.wait_for(lock, gathering, [&] { return ended_; });
      trials.swap(waiting_);
      last = ended_;
    }
    if (!failed()) take(trials);
    trials.clear();
  }
}

void TrialKeeper::take(const std::vector<Finished>& trials) {
  try {
    if (store_) write(trials);
    if (!seen_) return;
    for (const Finished& one : trials) seen_(one.trial, (*rows_)[one.trial]);
  } catch (...) {
    error_ = std::current_exception();
    failed_.store(true);
  }
}

void TrialKeeper::write(const std::vector<Finished>& trials) {
  const std::size_t count = plan_->parameters.size();
  std::vector<double> values(trials.size() * count);
  std::vector<TrialEntry> entries;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    double* const own = values.data() + i * count;
    if (count > 0) plan_->parameters_of(trials[i].trial, own);
    entries.push_back({trials[i].trial, trials[i].seconds, {own, count}, &(*rows_)[trials[i].trial]});
  }
  store_->write(entries);
}

}  // namespace microslip
