#pragma once
// The numbers that a key of a study may take.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

namespace microslip {

struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_allowed = true;
  bool high_allowed = true;

  /// Finite and within the bounds.
  [[nodiscard]] bool admits(double value) const {
    return std::isfinite(value) && (low_allowed ? value >= low : value > low) &&
           (high_allowed ? value <= high : value < high);
  }
  /// "> 0", ">= 0", "in [0, 1]", "finite".
  [[nodiscard]] std::string describe() const {
    if (std::isfinite(low) && std::isfinite(high)) {
      return fmt::format("in {}{}, {}{}", low_allowed ? "[" : "(", low, high, high_allowed ? "]" : ")");
    }
    if (std::isfinite(low)) return fmt::format("{} {}", low_allowed ? ">=" : ">", low);
    if (std::isfinite(high)) return fmt::format("{} {}", high_allowed ? "<=" : "<", high);
    return "finite";
  }
};

inline constexpr NumberRange any_number{};
inline constexpr NumberRange positive_number{0.0, std::numeric_limits<double>::infinity(), false, true};
inline constexpr NumberRange nonnegative_number{0.0, std::numeric_limits<double>::infinity(), true, true};

}  // namespace microslip
