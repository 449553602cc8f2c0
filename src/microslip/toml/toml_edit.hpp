#pragma once
// A value put into a TOML tree at a dotted path, and values as JSON.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "microslip/toml/toml_document.hpp"

namespace microslip {

/// A path like "signal.amplitude" or "springs.2.3" (third item of the second item), as a key of a study gives it.
struct TomlPath {
  std::string_view text;
  int line = 1;  ///< of the key
  int column = 1;
};

/// Puts `value` at `path` below `table`; missing tables on the way are made. A key that holds dots is found when the
/// table has it. Returns what is wrong with the path; empty: nothing.
[[nodiscard]] std::string put(TomlValue& table, const TomlPath& path, const TomlValue& value);

/// The value at a path below `at`; null where it leads nowhere.
[[nodiscard]] const TomlValue* value_at(const TomlValue& at, std::string_view path);

/// The item of an array of tables whose `name` the path begins with, the longest such name, and the rest of the path
/// after the dot; null when there is none.
struct NamedItem {
  TomlValue* item = nullptr;
  std::string_view rest;
};
[[nodiscard]] NamedItem find_named(TomlValue& tables, std::string_view path);

[[nodiscard]] nlohmann::ordered_json to_json(const TomlValue& value);

}  // namespace microslip
