#pragma once
// The user's names of the units. They label tables and plots; no number is ever converted.

#include <string>
#include <string_view>

namespace microslip {

/// An empty label leaves the word as it is.
struct UnitLabels {
  std::string length;
  std::string force;
  std::string time;

  /// "length/time^2" -> "m/s^2".
  [[nodiscard]] std::string of(std::string_view unit) const;
};

/// "m/s**2", "m/s/s" and "m / s^2" are one.
[[nodiscard]] bool same_unit(const std::string& a, const std::string& b);

}  // namespace microslip
