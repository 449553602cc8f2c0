#include "microslip/trials/trial_crew.hpp"

#include <ctime>

#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace microslip {
namespace {

/// Of a processor, that this thread has had.
double thread_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A database knows one NaN only.
void make_nan_alike(TrialRow& row) {
  assert(row.values.size() == (row.columns ? row.columns->size() : 0));
  for (double& value : row.values) {
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

TrialCrew::~TrialCrew() {
  if (threads_.empty()) return;
  work_.progress.stop();
  work_.queue.stop();
  for (std::thread& thread : threads_) thread.join();
}

void TrialCrew::start(std::size_t first, std::size_t end) {
  running_ += end - first;
  for (std::size_t k = first; k < end; ++k) {
    threads_.emplace_back([this, k] {
      run(k);
      --running_;
    });
  }
}

void TrialCrew::run(std::size_t thread) {
  try {
    const std::unique_ptr<TrialWorker> worker = work_.make_worker();
    while (const std::optional<std::size_t> chain = work_.queue.pop()) {
      if (!run_chain(*worker, *chain, thread)) break;
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    work_.progress.stop();
    work_.queue.stop();
  }
}

bool TrialCrew::run_chain(TrialWorker& worker, std::size_t chain, std::size_t thread) {
  const TrialChains chains(work_.plan);
  std::size_t end = chains.end(chain);
  while (end > chains.first(chain) && work_.known[end - 1] != 0) --end;
  worker.begin_chain();
  for (std::size_t trial = chains.first(chain); trial < end; ++trial) {
    if (!work_.progress.report(thread, 0.0)) return false;
    const double start = thread_seconds();
    TrialRow row = worker.compute(trial, [&](double fraction) { return work_.progress.report(thread, fraction); });
    if (!row.finished()) return false;
    if (work_.known[trial] != 0) continue;
    make_nan_alike(row);
    work_.rows[trial] = std::move(row);
    work_.finished(trial, thread_seconds() - start);
    work_.progress.finished(thread);
  }
  return true;
}

void TrialCrew::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (error_) std::rethrow_exception(error_);
}

}  // namespace microslip
