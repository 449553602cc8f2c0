#include "microslip/io/input_error.hpp"

#include <fmt/format.h>

#include <utility>

namespace microslip {

std::string to_string(const FilePosition& position) {
  if (position.line == 0) return position.file;
  if (position.column == 0) return fmt::format("{}:{}", position.file, position.line);
  return fmt::format("{}:{}:{}", position.file, position.line, position.column);
}

InputError::InputError(FilePosition position, std::string message)
    : std::runtime_error(position.file.empty() ? message : to_string(position) + ": " + message),
      position_(std::move(position)),
      message_(std::move(message)) {}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  // A cut in the middle of a UTF-8 sequence would leave half a character.
  if (text.size() > longest) {
    while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0x80U) != 0) result.pop_back();
    result += "...";
  }
  return result + "\"";
}

}  // namespace microslip
