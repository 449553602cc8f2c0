#include "microslip/toml/toml_edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace microslip {
namespace {

/// The path is `key`, or goes on below it.
bool leads_through(std::string_view path, std::string_view key) {
  return path.starts_with(key) && (path.size() == key.size() || path[key.size()] == '.');
}

std::string_view after(std::string_view path, std::string_view key) {
  return path.size() > key.size() ? path.substr(key.size() + 1) : std::string_view();
}

/// The longest key of the table that the path leads through, else its first part.
std::string_view first_key(const TomlValue& table, std::string_view path) {
  std::string_view key = path.substr(0, path.find('.'));
  bool found = false;
  for (const auto& entry : table.entries) {
    if (!leads_through(path, entry.key) || (found && entry.key.size() < key.size())) continue;
    key = entry.key;
    found = true;
  }
  return key;
}

/// Number of an item, from 1; 0 when the text is none.
std::size_t item_number(std::string_view text, std::size_t count) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number <= count ? number : 0;
}

}  // namespace

std::string put(TomlValue& at, const TomlPath& path, const TomlValue& value) {
  if (at.type == TomlValue::Type::array) {
    const std::string_view part = path.text.substr(0, path.text.find('.'));
    const std::size_t number = item_number(part, at.items.size());
    if (number == 0) {
      return fmt::format("{} must be the number of an item, 1 to {}", in_quotes(part), at.items.size());
    }
    TomlValue& item = at.items[number - 1];
    const std::string_view rest = after(path.text, part);
    if (!rest.empty()) return put(item, {rest, path.line, path.column}, value);
    item = value;
    return "";
  }
  if (at.type != TomlValue::Type::table) {
    return fmt::format("{} leads into {}, which is neither a table nor a list", in_quotes(path.text), at.describe());
  }
  const std::string key(first_key(at, path.text));
  auto entry = std::find_if(at.entries.begin(), at.entries.end(), [&](const auto& e) { return e.key == key; });
  if (entry == at.entries.end()) {
    TomlValue table;  // what lies on the way
    table.line = path.line;
    table.column = path.column;
    at.entries.push_back({key, path.line, path.column, std::move(table)});
    entry = at.entries.end() - 1;
  }
  const std::string_view rest = after(path.text, key);
  if (!rest.empty()) return put(entry->value, {rest, path.line, path.column}, value);
  *entry = {key, path.line, path.column, value};
  return "";
}

const TomlValue* value_at(const TomlValue& at, std::string_view path) {
  if (path.empty()) return &at;
  if (at.type == TomlValue::Type::array) {
    const std::string_view part = path.substr(0, path.find('.'));
    const std::size_t number = item_number(part, at.items.size());
    return number == 0 ? nullptr : value_at(at.items[number - 1], after(path, part));
  }
  if (at.type != TomlValue::Type::table) return nullptr;
  const std::string_view key = first_key(at, path);
  const auto* entry = at.find(key);
  return entry == nullptr ? nullptr : value_at(entry->value, after(path, key));
}

NamedItem find_named(TomlValue& tables, std::string_view path) {
  NamedItem found;
  std::size_t longest = 0;
  for (TomlValue& item : tables.items) {
    const auto* name = item.find("name");
    if (name == nullptr || name->value.type != TomlValue::Type::string) continue;
    const std::string& text = name->value.text;
    if (!leads_through(path, text) || (found.item != nullptr && text.size() < longest)) continue;
    found = {&item, after(path, text)};
    longest = text.size();
  }
  return found;
}

nlohmann::ordered_json to_json(const TomlValue& value) {
  switch (value.type) {
    case TomlValue::Type::string:
      return value.text;
    case TomlValue::Type::integer:
      return value.integer;
    case TomlValue::Type::real:
      return value.real;
    case TomlValue::Type::boolean:
      return value.boolean;
    case TomlValue::Type::date:
      return nullptr;
    case TomlValue::Type::array: {
      auto json = nlohmann::ordered_json::array();
      for (const TomlValue& item : value.items) json.push_back(to_json(item));
      return json;
    }
    case TomlValue::Type::table: {
      auto json = nlohmann::ordered_json::object();
      for (const auto& entry : value.entries) json[entry.key] = to_json(entry.value);
      return json;
    }
  }
  return nullptr;
}

}  // namespace microslip
