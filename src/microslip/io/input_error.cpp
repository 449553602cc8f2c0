#include "microslip/io/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace microslip {

std::string to_string(const FilePosition& position) {
  if (position.line == 0) return position.file;
  if (position.column == 0) return fmt::format("{}:{}", position.file, position.line);
  return fmt::format("{}:{}:{}", position.file, position.line, position.column);
}

namespace {

/// Bytes of the character that the text begins with, if it is valid UTF-8 (RFC 3629) and none of the control characters
/// U+0080 to U+009F; else 0.
std::size_t printable_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first <= 0xdf   ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  const unsigned char second = byte(1);
  const bool control = first == 0xc2 && second < 0xa0;
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool beyond = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return control || overlong || beyond ? 0 : length;
}

/// Hexadecimal escapes for bytes from 0x80 on that are no printable character; calls `plain` for bytes below.
template <class Plain>
std::string escaped_bytes(std::string_view text, const Plain& plain) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = printable_character(text.substr(i));
    if (length == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    } else if (length == 1) {
      plain(text[i], result);
    } else {
      result += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return result;
}

std::string without_raw_bytes(std::string_view text) {
  return escaped_bytes(text, [](char c, std::string& result) { result += c; });
}

}  // namespace

InputError::InputError(FilePosition position, const std::string& message)
    : std::runtime_error(without_raw_bytes(position.file.empty() ? message : to_string(position) + ": " + message)),
      position_(std::move(position)),
      message_(without_raw_bytes(message)) {}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t kept = std::min(text.size(), longest);
  // A cut in the middle of a UTF-8 sequence would leave half a character.
  for (int i = 0; i < 3 && kept < text.size() && kept > 0; ++i) {
    if ((static_cast<unsigned char>(text[kept]) & 0xc0U) == 0x80U) --kept;
  }
  const auto plain = [](char c, std::string& result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  };
  return "\"" + escaped_bytes(text.substr(0, kept), plain) + (kept < text.size() ? "...\"" : "\"");
}

}  // namespace microslip
