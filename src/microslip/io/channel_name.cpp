#include "microslip/io/channel_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace microslip {

std::optional<std::string> opposite_channel(const std::string& name) {
  const bool bracketed = name.size() > 3 && name[1] == '[' && name.back() == ']';
  const std::string inner = bracketed ? name.substr(2, name.size() - 3) : name;
  const std::size_t dot = inner.rfind('.');
  if (dot == std::string::npos || dot == 0 || inner.find_first_not_of("0123456789") != dot) return std::nullopt;
  std::string direction = inner.substr(dot + 1);
  const bool negative = direction.starts_with('-');
  if (negative) direction.erase(0, 1);
  constexpr std::string_view known[] = {"x", "y", "z", "rx", "ry", "rz"};
  if (std::find(std::begin(known), std::end(known), direction) == std::end(known)) return std::nullopt;
  const std::string turned = inner.substr(0, dot + 1) + (negative ? "" : "-") + direction;
  return bracketed ? fmt::format("{}[{}]", name[0], turned) : turned;
}

SignedChannel channel_or_opposite(const std::string& name, const std::function<int(const std::string&)>& place_of) {
  if (const int own = place_of(name); own >= 0) return {own, 1.0};
  const std::optional<std::string> opposite = opposite_channel(name);
  const int turned = opposite ? place_of(*opposite) : -1;
  return {turned, turned < 0 ? 1.0 : -1.0};
}

SignedChannel channel_or_opposite(const std::string& name, const std::vector<std::string>& names) {
  return channel_or_opposite(name, [&names](const std::string& wanted) {
    const auto at = std::find(names.begin(), names.end(), wanted);
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
  });
}

}  // namespace microslip
