#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace microslip::cli {

std::string readable_seconds(double seconds) {
  if (seconds < 10.0) return fmt::format("{:.2g} s", seconds);
  if (seconds > 1e8) return "years";
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

ProgressBar::ProgressBar(bool wanted) : active_(wanted), terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(const std::string& label, double fraction) {
  if (!active_) return;
  const auto now = Clock::now();
  if (label != label_) {
    label_ = label;
    start_ = now;
    last_ = now;
    next_line_ = first_line;
    first_ = std::clamp(fraction, 0.0, 1.0);
    return;
  }
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  constexpr int width = 30;
  const double share = std::clamp(fraction, 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const int filled = static_cast<int>(share * width);
  const double done = share - first_;  // in this run
  const std::string left = done > 0.0 ? readable_seconds(elapsed * (1.0 - share) / done) + " left" : "";
  if (!terminal_) {
    if (elapsed < next_line_) return;
    next_line_ = std::min(2.0 * elapsed, elapsed + longest_wait);
    fmt::print(stderr, "{}: {:.0f} % after {}, {}\n", label, 100.0 * share, readable_seconds(elapsed), left);
    std::fflush(stderr);
    return;
  }
  fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f} %  {}", label, std::string(filled, '#'),
             std::string(width - filled, '.'), 100.0 * share, left);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace microslip::cli
