#pragma once
// Progress of all threads to one observer, and its answer back to them. Trials count alike.

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "microslip/system/observer.hpp"

namespace microslip {

class TrialProgress {
 public:
  /// Of `trials`, of which `done` are done already.
  TrialProgress(const Observer& observer, std::size_t trials, std::size_t done, std::size_t threads);

  [[nodiscard]] bool stopped() const { return stopped_.load(); }
  void stop() { stopped_.store(true); }

  /// Fraction of the trial that a thread does now; false: stop. Who finds another one reporting does not wait.
  bool report(std::size_t thread, double fraction);
  /// A trial that is done, of a thread here.
  void finished(std::size_t thread);
  /// Trials that are done elsewhere; false: stop.
  bool finished_elsewhere(std::size_t trials);

 private:
  void tell();

  const Observer* observer_;
  double trials_;
  std::mutex mutex_;
  std::vector<double> current_;  ///< fraction of what each thread does now
  double done_;
  std::atomic<bool> stopped_{false};
};

}  // namespace microslip
