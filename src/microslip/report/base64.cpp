#include "microslip/report/base64.hpp"

#include <bit>

namespace microslip {

static_assert(std::endian::native == std::endian::little, "browsers read the numbers of a report as little-endian");

void append_base64(std::span<const std::uint8_t> bytes, std::string& text) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t start = text.size();
  text.resize(start + (bytes.size() + 2) / 3 * 4);
  char* out = text.data() + start;
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const unsigned three = static_cast<unsigned>(bytes[i]) << 16U | static_cast<unsigned>(bytes[i + 1]) << 8U |
                           static_cast<unsigned>(bytes[i + 2]);
    *out++ = digits[three >> 18U];
    *out++ = digits[three >> 12U & 63U];
    *out++ = digits[three >> 6U & 63U];
    *out++ = digits[three & 63U];
  }
  if (i == bytes.size()) return;
  const bool two = i + 2 == bytes.size();
  const unsigned rest = static_cast<unsigned>(bytes[i]) << 16U | (two ? static_cast<unsigned>(bytes[i + 1]) << 8U : 0U);
  *out++ = digits[rest >> 18U];
  *out++ = digits[rest >> 12U & 63U];
  *out++ = two ? digits[rest >> 6U & 63U] : '=';
  *out = '=';
}

}  // namespace microslip
