#pragma once
// A whole text file in memory, and its lines.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/input_error.hpp"

namespace microslip {

inline constexpr std::size_t default_file_limit = std::size_t{1} << 30U;

/// Throws InputError (position without a line) when `path` is missing, not a regular file, unreadable or larger than
/// `limit` bytes.
[[nodiscard]] std::string read_text_file(const std::string& path, std::size_t limit = default_file_limit);

/// A piece of a line and where it stands.
struct Token {
  std::string_view text;
  int line = 0;
  int column = 0;
};

/// Walks over the lines of a text. Line ends are \n or \r\n; a byte-order mark at the start is skipped.
class LineReader {
 public:
  explicit LineReader(std::string_view text);

  /// Goes to the next line; false at the end.
  bool next();

  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool blank() const;
  /// Pieces between blanks.
  void split(std::vector<Token>& tokens) const;
  /// Pieces between separators, blanks around them removed.
  void split(char separator, std::vector<Token>& tokens) const;

 private:
  std::string_view rest_;
  std::string_view line_;
  int number_ = 0;
};

/// A finite number that fills the whole token. Throws InputError at the token, naming `what`, otherwise.
[[nodiscard]] double parse_number(const Token& token, const std::string& file, std::string_view what);

/// An integer from `low` to `high` that fills the whole token. Throws InputError like parse_number.
[[nodiscard]] long long parse_integer(const Token& token, const std::string& file, std::string_view what, long long low,
                                      long long high);

/// The path of a file in a directory.
[[nodiscard]] std::string file_in(const std::string& directory, const std::string& file);
/// ASCII letters only.
[[nodiscard]] std::string lower_case(std::string_view text);

}  // namespace microslip
