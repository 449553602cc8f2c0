#include "microslip/system/unit_labels.hpp"

namespace microslip {
namespace {

/// Without marks that do not change the meaning.
std::string plain_unit(const std::string& unit) {
  std::string result;
  for (const char c : unit) {
    if (std::string_view(" *^()").find(c) == std::string_view::npos) result += c;
  }
  const std::size_t twice = result.rfind('/');
  if (twice != std::string::npos && twice > 0) {
    const std::string last = result.substr(twice);
    if (result.substr(0, twice).ends_with(last)) result = result.substr(0, twice) + "2";
  }
  return result;
}

}  // namespace

bool same_unit(const std::string& a, const std::string& b) {
  return plain_unit(a) == plain_unit(b);
}

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
