#include "microslip/io/mat_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace microslip {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

constexpr std::uint32_t mi_int8 = 1, mi_uint16 = 4, mi_int32 = 5, mi_uint32 = 6, mi_double = 9, mi_matrix = 14;
constexpr std::uint32_t mx_cell = 1, mx_struct = 2, mx_char = 4, mx_double = 6;
constexpr std::uint64_t largest_variable = (std::uint64_t{1} << 31U) - 1;
constexpr std::size_t longest_name = 60;  // of 63, with room for _12

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void pad(std::string& out) {
  out.resize((out.size() + 7) / 8 * 8, '\0');
}

void put_element(std::string& out, std::uint32_t type, std::string_view data) {
  put(out, type);
  put(out, static_cast<std::uint32_t>(data.size()));
  out += data;
  pad(out);
}

/// Flags, sizes and name of an array.
std::string array_header(std::uint32_t array_class, std::size_t rows, std::size_t columns, std::string_view name) {
  std::string out, flags, sizes;
  put(flags, array_class);
  put(flags, std::uint32_t{0});
  put(sizes, static_cast<std::int32_t>(rows));
  put(sizes, static_cast<std::int32_t>(columns));
  put_element(out, mi_uint32, flags);
  put_element(out, mi_int32, sizes);
  put_element(out, mi_int8, name);
  return out;
}

/// UTF-16 of a text; bytes that are not UTF-8 become U+FFFD.
std::u16string wide_of(std::string_view text) {
  std::u16string wide;
  std::size_t i = 0;
  while (i < text.size()) {
    const auto first = static_cast<unsigned char>(text[i]);
    const int more = first < 0x80 ? 0 : (first & 0xE0U) == 0xC0 ? 1 : (first & 0xF0U) == 0xE0 ? 2 : 3;
    char32_t code = more == 0 ? first : first & (0x3FU >> static_cast<unsigned>(more));
    bool good = first < 0x80 || (first >= 0xC2 && first <= 0xF4);
    for (int k = 1; k <= more && good; ++k) {
      good = i + static_cast<std::size_t>(k) < text.size() &&
             (static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0xC0U) == 0x80;
      if (good) code = (code << 6U) | (static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0x3FU);
    }
    good = good && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    i += good ? static_cast<std::size_t>(more) + 1 : 1;
    if (!good) code = 0xFFFD;
    if (code < 0x10000) {
      wide += static_cast<char16_t>(code);
    } else {
      wide += static_cast<char16_t>(0xD800U + ((code - 0x10000U) >> 10U));
      wide += static_cast<char16_t>(0xDC00U + ((code - 0x10000U) & 0x3FFU));
    }
  }
  return wide;
}

/// A text as a whole element.
std::string text_array(std::string_view text, std::string_view name = "") {
  const std::u16string wide = wide_of(text);
  std::string inside = array_header(mx_char, wide.empty() ? 0 : 1, wide.size(), name);
  put_element(inside, mi_uint16, {reinterpret_cast<const char*>(wide.data()), 2 * wide.size()});
  std::string out;
  put_element(out, mi_matrix, inside);
  return out;
}

std::string text_cells(const std::vector<std::string>& texts) {
  std::string inside = array_header(mx_cell, texts.empty() ? 0 : 1, texts.size(), "");
  for (const std::string& text : texts) inside += text_array(text);
  std::string out;
  put_element(out, mi_matrix, inside);
  return out;
}

/// Header of a 1 x 1 struct and the names of its members, which follow it.
std::string struct_header(const std::string& name, const std::vector<std::string>& members) {
  std::string out = array_header(mx_struct, 1, 1, name);
  std::size_t longest = 0;
  for (const std::string& member : members) longest = std::max(longest, member.size());
  const std::size_t each = longest < 32 ? 32 : 64;
  std::string length, list;
  put(length, static_cast<std::int32_t>(each));
  for (const std::string& member : members) {
    list += member;
    list.resize(list.size() + each - member.size(), '\0');
  }
  put(out, mi_int32 | (4U << 16U));  // a small element, as readers expect it here
  out += length;
  put_element(out, mi_int8, list);
  return out;
}

/// What stands before the values of a column: its tag, header and the tag of the values.
std::string column_start(std::size_t rows) {
  std::string inside = array_header(mx_double, rows, 1, "");
  std::string out;
  put(out, mi_matrix);
  put(out, static_cast<std::uint32_t>(inside.size() + 8 + 8 * rows));
  out += inside;
  put(out, mi_double);
  put(out, static_cast<std::uint32_t>(8 * rows));
  return out;
}

std::string variable_tag(std::size_t size) {
  std::string out;
  put(out, mi_matrix);
  put(out, static_cast<std::uint32_t>(size));
  return out;
}

}  // namespace

std::string mat_identifier(const std::string& name, std::vector<std::string>& used) {
  std::string result;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    if (letter || digit) {
      result += c;
    } else if (c == '-' && !result.empty() && result.back() == '_') {
      result += "minus_";  // 12.-z
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty() || !((result[0] >= 'a' && result[0] <= 'z') || (result[0] >= 'A' && result[0] <= 'Z'))) {
    result = fmt::format("x{}", result);
  }
  if (result.size() > longest_name) result.resize(longest_name);
  std::string unique = result;
  for (int number = 2; std::find(used.begin(), used.end(), unique) != used.end(); ++number) {
    const std::string end = fmt::format("_{}", number);
    unique = result.substr(0, longest_name + 3 - end.size()) + end;
  }
  used.push_back(unique);
  return unique;
}

MatWriter::MatWriter(std::string path) : file_(std::move(path)) {
  std::string header = "MATLAB 5.0 MAT-file, written by microslip";  // no date: the same run, the same bytes
  header.resize(116, ' ');
  header.resize(124, '\0');
  put(header, std::uint16_t{0x0100});
  header += "IM";
  file_.write(header);
}

void MatWriter::texts(const std::string& name, const std::vector<std::pair<std::string, std::string>>& members) {
  std::vector<std::string> names;
  for (const auto& [member, text] : members) static_cast<void>(mat_identifier(member, names));
  std::string out = struct_header(mat_identifier(name, used_), names);
  for (const auto& [member, text] : members) out += text_array(text);
  file_.write(variable_tag(out.size()));
  file_.write(out);
}

void MatWriter::table(const Table& table, const std::function<std::vector<double>(std::size_t k)>& column) {
  assert(table.units.size() == table.columns.size() && table.descriptions.size() == table.columns.size());
  std::vector<std::string> names{"names", "units", "descriptions"};
  for (const std::string& each : table.columns) static_cast<void>(mat_identifier(each, names));
  std::rotate(names.begin(), names.begin() + 3, names.end());  // columns first
  const std::string start = struct_header(mat_identifier(table.name, used_), names);
  const std::string end = text_cells(table.columns) + text_cells(table.units) + text_cells(table.descriptions);
  const std::string before = column_start(std::min<std::size_t>(table.rows, largest_variable / 8));
  const std::uint64_t size =
      start.size() + table.columns.size() * (before.size() + std::uint64_t{8} * table.rows) + end.size();
  if (size > largest_variable || table.rows > largest_variable / 8) {
    throw OutputError(
        fmt::format("{}: table {} has {} bytes; a variable of a MATLAB file of version 5 ends at 2 GB. "
                    "Record fewer rows or columns, or read results.h5 (h5read)",
                    file_.path(), table.name, size));
  }
  file_.write(variable_tag(size));
  file_.write(start);
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const std::vector<double> values = column(k);
    assert(values.size() == table.rows);
    file_.write(before);
    file_.write({reinterpret_cast<const char*>(values.data()), 8 * values.size()});
  }
  file_.write(end);
}

}  // namespace microslip
