#pragma once
// A table of a study whose keys and types are checked as they are read. Every complaint says where, what is wrong, the
// value, and what would be right.

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/toml/number_range.hpp"
#include "microslip/toml/toml_document.hpp"

namespace microslip {

/// Refers to the document and the file name, which must outlive it.
class TableReader {
 public:
  /// `where` starts every message: `joint "lap"`; empty for the root.
  TableReader(const TomlValue& table, const std::string& file, std::string where);

  [[nodiscard]] const TomlValue& value() const { return *table_; }
  [[nodiscard]] const std::string& file() const { return *file_; }
  [[nodiscard]] const std::string& where() const { return where_; }
  void rename(std::string where) { where_ = std::move(where); }

  /// Complains about any other key and suggests the nearest of these.
  void allow_only(std::initializer_list<std::string_view> keys) const;
  void allow_only(const std::vector<std::string>& keys) const;
  /// Exactly one of the keys must be there; which one.
  [[nodiscard]] std::string exactly_one_of(std::initializer_list<std::string_view> keys) const;

  [[nodiscard]] bool has(std::string_view key) const { return table_->find(key) != nullptr; }
  [[nodiscard]] const TomlValue* find(std::string_view key) const;
  [[nodiscard]] const TomlValue& need(std::string_view key) const;

  [[nodiscard]] double number(std::string_view key, const NumberRange& range) const;
  [[nodiscard]] double number_or(std::string_view key, double fallback, const NumberRange& range) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view key, const NumberRange& range) const;
  [[nodiscard]] long long integer(std::string_view key, long long low, long long high) const;
  [[nodiscard]] long long integer_or(std::string_view key, long long fallback, long long low, long long high) const;
  [[nodiscard]] std::string string(std::string_view key) const;
  [[nodiscard]] std::string string_or(std::string_view key, std::string fallback) const;
  [[nodiscard]] bool flag_or(std::string_view key, bool fallback) const;
  /// One of the words; complains with the nearest.
  [[nodiscard]] std::string choice(std::string_view key, std::span<const std::string_view> words) const;
  [[nodiscard]] std::string choice(std::string_view key, std::initializer_list<std::string_view> words) const {
    return choice(key, std::span(words.begin(), words.size()));
  }
  /// The table under a key; messages start with "where: key".
  [[nodiscard]] TableReader table(std::string_view key) const;
  /// The tables of [[key]], none when there is no such key. Messages start with `key 1`, `key 2`, ...
  [[nodiscard]] std::vector<TableReader> tables(std::string_view key) const;

  /// The same for values inside lists; `what` names them in messages.
  [[nodiscard]] double as_number(const TomlValue& value, std::string_view what, const NumberRange& range) const;
  [[nodiscard]] const std::string& as_string(const TomlValue& value, std::string_view what) const;
  [[nodiscard]] const std::vector<TomlValue>& as_list(const TomlValue& value, std::string_view what) const;

  /// Errors to throw.
  [[nodiscard]] StudyError error(const std::string& message) const;
  [[nodiscard]] StudyError error(const TomlValue& at, const std::string& message) const;
  /// At the value of a key, or at the table when the key is missing.
  [[nodiscard]] StudyError error(std::string_view key, const std::string& message) const;
  /// Throws when `key` is there: it goes with another choice, `with`.
  void refuse(std::string_view key, std::string_view with) const;
  [[nodiscard]] StudyError error_at_key(const TomlValue::Entry& entry, const std::string& message) const;

 private:
  [[nodiscard]] StudyError error_at(int line, int column, const std::string& message) const;

  const TomlValue* table_;
  const std::string* file_;
  std::string where_;
};

/// `; did you mean "x"?`, or ` (x, y, z)` when nothing is near.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& right);

/// Why a label or name cannot stand in the name of a column; empty when it can.
[[nodiscard]] std::string name_fault(std::string_view name, std::string_view what);

}  // namespace microslip
