#include "microslip/report/unit_labels.hpp"

namespace microslip {

std::string UnitLabels::of(std::string_view unit) const {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto replaced = [&](std::string_view word) -> std::string_view {
    if (word == "length" && !length.empty()) return length;
    if (word == "force" && !force.empty()) return force;
    if (word == "time" && !time.empty()) return time;
    return word;
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
