#include "microslip/io/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "microslip/io/files_read.hpp"

namespace microslip {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/// std::from_chars calls 1e-999 as well as 1e999 out of range; only the latter is wrong.
double rounded_to_double(std::string_view text) {
  return std::strtod(std::string(text).c_str(), nullptr);
}

}  // namespace

std::string read_text_file(const std::string& path, std::size_t limit) {
  const auto fail = [&](const std::string& why) { return InputError({path, 0, 0}, why); };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw fail("cannot be read: there is no such file");
  if (!std::filesystem::is_regular_file(status)) throw fail("cannot be read: it is not a regular file");

  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  FilesRead::note(path);
  std::string text;
  // The size only helps to ask for memory once; the file may change while it is read.
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > limit) throw fail(fmt::format("is too large: {} bytes, the limit is {}", size, limit));
  if (!error) text.reserve(size);
  char buffer[1U << 16U];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    if (text.size() + count > limit) throw fail(fmt::format("is too large: the limit is {} bytes", limit));
    text.append(buffer, count);
  }
  if (std::ferror(file.get()) != 0) throw fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

LineReader::LineReader(std::string_view text) : rest_(text) {
  if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
}

bool LineReader::next() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  ++number_;
  return true;
}

bool LineReader::blank() const {
  for (const char c : line_) {
    if (!is_blank(c)) return false;
  }
  return true;
}

void LineReader::split(std::vector<Token>& tokens) const {
  tokens.clear();
  std::size_t at = 0;
  while (true) {
    while (at < line_.size() && is_blank(line_[at])) ++at;
    if (at == line_.size()) return;
    const std::size_t start = at;
    while (at < line_.size() && !is_blank(line_[at])) ++at;
    tokens.push_back({line_.substr(start, at - start), number_, static_cast<int>(start) + 1});
  }
}

void LineReader::split(char separator, std::vector<Token>& tokens) const {
  tokens.clear();
  std::size_t start = 0;
  while (true) {
    const std::size_t end = std::min(line_.find(separator, start), line_.size());
    std::size_t first = start;
    std::size_t last = end;
    while (first < last && is_blank(line_[first])) ++first;
    while (last > first && is_blank(line_[last - 1])) --last;
    tokens.push_back({line_.substr(first, last - first), number_, static_cast<int>(first) + 1});
    if (end == line_.size()) return;
    start = end + 1;
  }
}

double parse_number(const Token& token, const std::string& file, std::string_view what) {
  const auto fail = [&](std::string_view rule) {
    return InputError({file, token.line, token.column},
                      fmt::format("{} {}, got {}", what, rule, in_quotes(token.text)));
  };
  std::string_view text = token.text;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) throw fail("must be a number");
  if (error == std::errc::result_out_of_range) value = rounded_to_double(text);
  if (!std::isfinite(value)) throw fail("must be finite");
  return value;
}

long long parse_integer(const Token& token, const std::string& file, std::string_view what, long long low,
                        long long high) {
  long long value = 0;
  const char* const last = token.text.data() + token.text.size();
  const auto [end, error] = std::from_chars(token.text.data(), last, value);
  if (end != last || error != std::errc() || value < low || value > high) {
    throw InputError({file, token.line, token.column}, fmt::format("{} must be an integer from {} to {}, got {}", what,
                                                                   low, high, in_quotes(token.text)));
  }
  return value;
}

std::string file_in(const std::string& directory, const std::string& file) {
  return (std::filesystem::path(directory) / file).string();
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace microslip
