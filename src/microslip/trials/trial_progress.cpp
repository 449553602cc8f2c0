#include "microslip/trials/trial_progress.hpp"

#include <algorithm>

namespace microslip {

TrialProgress::TrialProgress(const Observer& observer, std::size_t trials, std::size_t done, std::size_t threads)
    : observer_(&observer),
      trials_(static_cast<double>(std::max<std::size_t>(1, trials))),
      current_(threads, 0.0),
      done_(static_cast<double>(done)) {}

bool TrialProgress::report(std::size_t thread, double fraction) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock.owns_lock()) {
    current_[thread] = fraction;
    tell();
  }
  return !stopped();
}

void TrialProgress::finished(std::size_t thread) {
  const std::lock_guard lock(mutex_);
  done_ += 1.0;
  current_[thread] = 0.0;
  tell();
}

bool TrialProgress::finished_elsewhere(std::size_t trials) {
  const std::lock_guard lock(mutex_);
  done_ += static_cast<double>(trials);
  tell();
  return !stopped();
}

void TrialProgress::tell() {
  if (!*observer_ || stopped()) return;
  double done = done_;
  for (const double part : current_) done += part;
  if (!(*observer_)(std::min(1.0, done / trials_))) stop();
}

}  // namespace microslip
