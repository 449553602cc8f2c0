#pragma once
// How long a chain takes, from the trials so far.

#include <cstddef>

namespace microslip {

class ChainPace {
 public:
  ChainPace(std::size_t trials, std::size_t chains)
      : trials_a_chain_(static_cast<double>(trials) / static_cast<double>(chains)) {}

  void add(double seconds) { seconds_ += seconds, trials_ += 1.0; }
  [[nodiscard]] bool known() const { return trials_ > 0.0; }
  /// Of a processor; only where it is known.
  [[nodiscard]] double seconds() const { return seconds_ / trials_ * trials_a_chain_; }

 private:
  double trials_a_chain_;
  double seconds_ = 0.0, trials_ = 0.0;
};

}  // namespace microslip
