#pragma once
// A bar on stderr with the time that remains; silent unless stderr is a terminal.

#include <chrono>
#include <string>

namespace microslip::cli {

class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// A new label starts the clock again. Draws at most ten times a second; where nobody looks at a terminal, a line
  /// after 5, 10, 20, ... s and every 5 min.
  void show(const std::string& label, double fraction);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr double first_line = 5.0, longest_wait = 300.0;  // [s]

  bool active_, terminal_;
  double next_line_ = first_line;
  bool drawn_ = false;
  double first_ = 0.0;  ///< fraction that was done when the label came
  std::string label_;
  Clock::time_point start_;
  Clock::time_point last_;
};

/// "45 s", "3 min 20 s", "2 h 5 min".
[[nodiscard]] std::string readable_seconds(double seconds);

}  // namespace microslip::cli
