#pragma once
// A TOML file as a tree of values that know where they stand. Keys keep the order of the file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/toml/study_error.hpp"

namespace microslip {

class TomlValue {
 public:
  enum class Type { string, integer, real, boolean, date, array, table };
  struct Entry;

  Type type = Type::table;
  int line = 1;
  int column = 1;
  std::string text;              ///< of a string
  std::int64_t integer = 0;      ///< of an integer
  double real = 0.0;             ///< of a real or an integer
  bool boolean = false;          ///< of a boolean
  std::vector<TomlValue> items;  ///< of an array
  std::vector<Entry> entries;    ///< of a table

  [[nodiscard]] bool is_number() const { return type == Type::integer || type == Type::real; }
  [[nodiscard]] const Entry* find(std::string_view key) const;
  /// For messages: `the string "abc"`, `the number -3`, `a table`.
  [[nodiscard]] std::string describe() const;
  /// The same where an integer is asked for: 2.0 keeps its point.
  [[nodiscard]] std::string describe_no_integer() const;
};

struct TomlValue::Entry {
  std::string key;
  int line = 1;  ///< of the key
  int column = 1;
  TomlValue value;
};

struct TomlDocument {
  std::string file;
  std::string text;
  TomlValue root;
};

/// Throws StudyError with the place of the first mistake.
[[nodiscard]] TomlDocument parse_toml(std::string text, const std::string& file);

}  // namespace microslip
