#include "microslip/report/svg_text.hpp"

#include <cstdint>
#include <vector>

namespace microslip {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the UTF-8 sequence at the front that XML 1.0 allows; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (length == 0 || first > 0xF4 || length > text.size()) return 0;
  std::uint32_t point = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    point = (point << 6U) | (byte(i) & 0x3FU);
  }
  const std::uint32_t least = length == 2 ? 0x80U : length == 3 ? 0x800U : 0x10000U;
  const bool control = point < 0xA0U;
  const bool direction = (point >= 0x202AU && point <= 0x202EU) || (point >= 0x2066U && point <= 0x2069U);
  const bool allowed = point >= least && point <= 0x10FFFFU && !(point >= 0xD800U && point <= 0xDFFFU) &&
                       (point & 0xFFFEU) != 0xFFFEU && !control && !direction;
  return allowed ? length : 0;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const bool blank = text.front() == '\t' || text.front() == '\n' || text.front() == '\r';
    result.push_back(length > 0 ? text.substr(0, length) : blank ? std::string_view(" ") : replacement);
    text.remove_prefix(length > 0 ? length : 1);
  }
  return result;
}

/// Superscripts, digits and narrow letters are told apart; the rest is as wide as an "n".
double character_width(std::string_view character) {
  if (character.size() == 1) {
    const char c = character.front();
    if (std::string_view("il.,:;'|!jI[]()/ ").find(c) != std::string_view::npos) return 0.36;
    if (std::string_view("mwMW@%").find(c) != std::string_view::npos) return 0.95;
    if (c >= 'A' && c <= 'Z') return 0.70;
    if (std::string_view("frt-").find(c) != std::string_view::npos) return 0.42;
    return 0.63;
  }
  if (character.size() == 2) return character == "×" ? 0.84 : 0.63;
  return character.front() == '\xE2' && character[1] == '\x81' ? 0.42 : character == "−" ? 0.84 : 1.0;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const std::string_view character : characters(text)) {
    switch (character.front()) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t length) {
  // Four bytes a character at most: what is behind cannot matter, however long the text.
  const std::vector<std::string_view> all = characters(text.substr(0, 4 * length + 4));
  std::string result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 == length && all.size() > length) return result + "…";
    result += all[i];
  }
  return result;
}

double text_width(std::string_view text) {
  double width = 0.0;
  for (const std::string_view character : characters(text)) width += character_width(character);
  return width;
}

std::string shortened_to_width(std::string_view text, double ems) {
  const std::string start = shortened(text, 400);
  if (text_width(start) <= ems && start.size() <= text.size()) return start;
  std::string result;
  double width = 1.0;  // the ellipsis
  for (const std::string_view character : characters(start)) {
    width += character_width(character);
    if (width > ems) break;
    result += character;
  }
  return result + "…";
}

}  // namespace microslip
