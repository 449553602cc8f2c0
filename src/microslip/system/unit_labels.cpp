#include "microslip/system/unit_labels.hpp"

namespace microslip {

std::string UnitLabels::of(std::string_view unit) const {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool all = !length.empty() && !force.empty() && !time.empty();
  const auto replaced = [&](std::string_view word) -> std::string {
    if (word == "mass" && all) return force + " " + time + "^2/" + length;
    if (word == "length" && !length.empty()) return length;
    if (word == "force" && !force.empty()) return force;
    if (word == "time" && !time.empty()) return time;
    return std::string(word);
  };
  std::string result;
  for (std::size_t at = 0; at < unit.size();) {
    std::size_t end = at;
    while (end < unit.size() && is_letter(unit[end])) ++end;
    if (end > at) {
      result += replaced(unit.substr(at, end - at));
      at = end;
    } else {
      result += unit[at++];
    }
  }
  return result;
}

}  // namespace microslip
