#include "microslip/trials/chain_queue.hpp"

namespace microslip {

void ChainQueue::push(std::size_t chain) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    chains_.push_back(chain);
  }
  changed_.notify_one();
}

void ChainQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void ChainQueue::stop() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    chains_.clear();
  }
  changed_.notify_all();
}

std::optional<std::size_t> ChainQueue::pop() {
  std::unique_lock lock(mutex_);
  ++idle_;
  changed_.wait(lock, [&] { return closed_ || !chains_.empty(); });
  --idle_;
  if (chains_.empty()) return std::nullopt;
  const std::size_t chain = chains_.front();
  chains_.pop_front();
  return chain;
}

long ChainQueue::surplus() const {
  const std::lock_guard lock(mutex_);
  return static_cast<long>(chains_.size()) - idle_;
}

}  // namespace microslip
