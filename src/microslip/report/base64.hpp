#pragma once
// Bytes as text, RFC 4648.

#include <cstdint>
#include <span>
#include <string>

namespace microslip {

void append_base64(std::span<const std::uint8_t> bytes, std::string& text);

/// The bytes of numbers as they lie in memory (little-endian on every machine we run on).
template <class Number>
[[nodiscard]] std::string base64_of(std::span<const Number> numbers) {
  std::string text;
  append_base64({reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()}, text);
  return text;
}

}  // namespace microslip
