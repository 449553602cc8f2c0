#pragma once
// Work shared by threads: items by their numbers, and one observer for all of them.

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace microslip {

/// An observer takes the fraction done and answers false to stop. Here several threads report to one: it is never
/// called by two at once, and what stops one stops all.
class SharedProgress {
 public:
  SharedProgress(std::function<bool(double fraction)> observer, double whole)
      : observer_(std::move(observer)), whole_(whole) {}

  /// So much more is done. False: stop.
  bool add(double part) {
    if (stopped()) return false;
    if (!observer_) return true;
    const std::lock_guard lock(mutex_);
    done_ += part;
    const double fraction = done_ < whole_ ? done_ / whole_ : 1.0;
    if (!stopped() && !observer_(fraction)) stop_.store(true);
    return !stopped();
  }
  [[nodiscard]] bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  void stop() { stop_.store(true); }

 private:
  std::function<bool(double)> observer_;
  double whole_, done_ = 0.0;
  std::mutex mutex_;
  std::atomic<bool> stop_{false};
};

/// work(i) for i = 0 to count - 1, each once, on so many threads. What one of them throws stops the others before their
/// next item and is thrown here; of several, that of the lowest number.
template <typename Work>
void share_work(std::size_t count, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t failed = count;
  std::exception_ptr failure;
  const auto go = [&] {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed) failed = i, failure = std::current_exception();
        next.store(count);
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < threads && k < count; ++k) others.emplace_back(go);
    go();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace microslip
