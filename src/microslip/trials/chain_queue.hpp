#pragma once
// Chains that wait for a thread.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>

namespace microslip {

class ChainQueue {
 public:
  void push(std::size_t chain);
  /// Nothing more will come.
  void close();
  /// What waits is thrown away, and nothing more will come.
  void stop();
  /// Waits for a chain; nothing: there is none left.
  [[nodiscard]] std::optional<std::size_t> pop();

  /// Chains that wait, less threads that wait for one.
  [[nodiscard]] long surplus() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> chains_;
  long idle_ = 0;
  bool closed_ = false;
};

}  // namespace microslip
