#include "microslip/io/fixed_fields.hpp"

#include <algorithm>

namespace microslip {
namespace {

bool is_gap(char c) {
  return c == ' ' || c == '\t';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

Token fixed_field(std::string_view line, int number, std::size_t start, std::size_t width) {
  std::size_t first = std::min(start, line.size());
  std::size_t last = first + std::min(width, line.size() - first);
  while (first < last && is_gap(line[first])) ++first;
  while (last > first && is_gap(line[last - 1])) --last;
  return {line.substr(first, last - first), number, static_cast<int>(first) + 1};
}

double parse_fortran_number(const Token& token, const std::string& file, std::string_view what) {
  // An exponent that starts with D, or with its sign only, becomes one that starts with e.
  std::string text;
  for (const char c : token.text) {
    const bool after_mantissa = !text.empty() && (is_digit(text.back()) || text.back() == '.');
    if (c == 'D' || c == 'd') {
      text += 'e';
    } else if ((c == '+' || c == '-') && after_mantissa) {
      text += 'e';
      text += c;
    } else {
      text += c;
    }
  }
  // from_chars takes no "+" in front, neither of the number nor of the exponent on every library.
  const std::size_t plus = text.find("e+");
  if (plus != std::string::npos) text.erase(plus + 1, 1);
  try {
    return parse_number({text, token.line, token.column}, file, what);
  } catch (const InputError& error) {
    // The complaint ends with the text; the user knows it as it stands in the file.
    const std::string rule = error.message().substr(0, error.message().size() - in_quotes(text).size());
    throw InputError(error.position(), rule + in_quotes(token.text));
  }
}

}  // namespace microslip
