#include "microslip/toml/table_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "microslip/numerics/nearest_name.hpp"

namespace microslip {

std::string suggestion(std::string_view word, const std::vector<std::string>& right) {
  constexpr std::size_t longest_word = 100;
  constexpr std::size_t longest_list = 12;
  std::string nearest = word.size() <= longest_word ? nearest_name(word, right) : std::string();
  // Labels of one letter are all one edit apart.
  if (word.size() == 1 && nearest.size() == 1 && edit_distance(word, nearest) > 0) nearest.clear();
  if (!nearest.empty()) return fmt::format("; did you mean {}?", in_quotes(nearest));
  if (right.empty()) return "";
  const auto shown = std::min(right.size(), longest_list);
  return fmt::format(" ({}{})", fmt::join(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < right.size() ? ", ..." : "");
}

std::string name_fault(std::string_view name, std::string_view what) {
  const auto bad = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f || c == ',' || c == '"' || c == '[' || c == ']';
  };
  if (name.empty()) return fmt::format("{} must not be empty", what);
  if (std::any_of(name.begin(), name.end(), bad) || name.front() == ' ' || name.back() == ' ') {
    return fmt::format("{} must not hold commas, quotes, brackets, control characters or blanks at its ends, got {}",
                       what, in_quotes(name));
  }
  return "";
}

TableReader::TableReader(const TomlValue& table, const std::string& file, std::string where)
    : table_(&table), file_(&file), where_(std::move(where)) {}

StudyError TableReader::error_at(int line, int column, const std::string& message) const {
  return {{*file_, line, column}, where_.empty() ? message : where_ + ": " + message};
}
StudyError TableReader::error(const std::string& message) const {
  return error_at(table_->line, table_->column, message);
}
StudyError TableReader::error(const TomlValue& at, const std::string& message) const {
  return error_at(at.line, at.column, message);
}
StudyError TableReader::error(std::string_view key, const std::string& message) const {
  const auto* value = find(key);
  return value != nullptr ? error(*value, message) : error(message);
}
void TableReader::refuse(std::string_view key, std::string_view with) const {
  if (has(key)) throw error_at_key(*value().find(key), fmt::format("{} goes with {}", key, with));
}

StudyError TableReader::error_at_key(const TomlValue::Entry& entry, const std::string& message) const {
  return error_at(entry.line, entry.column, message);
}

void TableReader::allow_only(std::initializer_list<std::string_view> keys) const {
  allow_only(std::vector<std::string>(keys.begin(), keys.end()));
}

void TableReader::allow_only(const std::vector<std::string>& keys) const {
  for (const auto& entry : table_->entries) {
    if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
    throw error_at_key(entry, fmt::format("unknown key {}{}", in_quotes(entry.key), suggestion(entry.key, keys)));
  }
}

std::string TableReader::exactly_one_of(std::initializer_list<std::string_view> keys) const {
  std::string found;
  for (const auto key : keys) {
    if (!has(key)) continue;
    if (!found.empty()) throw error_at_key(*table_->find(key), fmt::format("{} and {} exclude each other", found, key));
    found = key;
  }
  if (found.empty()) throw error(fmt::format("one of {} is missing", fmt::join(keys, ", ")));
  return found;
}

const TomlValue* TableReader::find(std::string_view key) const {
  const auto* entry = table_->find(key);
  return entry != nullptr ? &entry->value : nullptr;
}

const TomlValue& TableReader::need(std::string_view key) const {
  const auto* value = find(key);
  if (value == nullptr) throw error(fmt::format("{} is missing", key));
  return *value;
}

double TableReader::as_number(const TomlValue& value, std::string_view what, const NumberRange& range) const {
  if (!value.is_number()) throw error(value, fmt::format("{} must be a number, got {}", what, value.describe()));
  if (!range.admits(value.real)) {
    throw error(value, fmt::format("{} must be {}, got {}", what, range.describe(), value.describe()));
  }
  return value.real;
}

const std::string& TableReader::as_string(const TomlValue& value, std::string_view what) const {
  if (value.type != TomlValue::Type::string) {
    const std::string hint =
        value.type == TomlValue::Type::integer ? fmt::format("; write \"{}\"", value.integer) : std::string();
    throw error(value, fmt::format("{} must be a string, got {}{}", what, value.describe(), hint));
  }
  return value.text;
}

const std::vector<TomlValue>& TableReader::as_list(const TomlValue& value, std::string_view what) const {
  if (value.type != TomlValue::Type::array) {
    throw error(value, fmt::format("{} must be a list, got {}", what, value.describe()));
  }
  return value.items;
}

double TableReader::number(std::string_view key, const NumberRange& range) const {
  return as_number(need(key), key, range);
}

double TableReader::number_or(std::string_view key, double fallback, const NumberRange& range) const {
  return has(key) ? number(key, range) : fallback;
}

std::vector<double> TableReader::numbers(std::string_view key, const NumberRange& range) const {
  std::vector<double> result;
  for (const auto& item : as_list(need(key), key)) {
    result.push_back(as_number(item, fmt::format("{}[{}]", key, result.size() + 1), range));
  }
  return result;
}

long long TableReader::integer(std::string_view key, long long low, long long high) const {
  const auto& value = need(key);
  if (value.type != TomlValue::Type::integer || value.integer < low || value.integer > high) {
    throw error(
        value, fmt::format("{} must be an integer from {} to {}, got {}", key, low, high, value.describe_no_integer()));
  }
  return value.integer;
}

long long TableReader::integer_or(std::string_view key, long long fallback, long long low, long long high) const {
  return has(key) ? integer(key, low, high) : fallback;
}

std::string TableReader::string(std::string_view key) const {
  return as_string(need(key), key);
}

std::string TableReader::string_or(std::string_view key, std::string fallback) const {
  return has(key) ? string(key) : std::move(fallback);
}

bool TableReader::flag_or(std::string_view key, bool fallback) const {
  const auto* value = find(key);
  if (value == nullptr) return fallback;
  if (value->type != TomlValue::Type::boolean) {
    throw error(*value, fmt::format("{} must be true or false, got {}", key, value->describe()));
  }
  return value->boolean;
}

std::string TableReader::choice(std::string_view key, std::span<const std::string_view> words) const {
  const std::string word = string(key);
  if (std::find(words.begin(), words.end(), word) != words.end()) return word;
  throw error(key, fmt::format("unknown {} {}{}", key, in_quotes(word),
                               suggestion(word, std::vector<std::string>(words.begin(), words.end()))));
}

TableReader TableReader::table(std::string_view key) const {
  const auto& value = need(key);
  if (value.type != TomlValue::Type::table) {
    throw error(value, fmt::format("{} must be a table, got {}", key, value.describe()));
  }
  return {value, *file_, where_.empty() ? std::string(key) : fmt::format("{}: {}", where_, key)};
}

std::vector<TableReader> TableReader::tables(std::string_view key) const {
  std::vector<TableReader> result;
  const auto* value = find(key);
  if (value == nullptr) return result;
  if (value->type != TomlValue::Type::array) {
    throw error(*value, fmt::format("{} must be written [[{}]], got {}", key, key, value->describe()));
  }
  for (const auto& item : value->items) {
    std::string where = fmt::format("{} {}", key, result.size() + 1);
    if (item.type != TomlValue::Type::table) {
      throw error(item, fmt::format("{} must be a table, got {}", where, item.describe()));
    }
    result.emplace_back(item, *file_, std::move(where));
  }
  return result;
}

}  // namespace microslip
