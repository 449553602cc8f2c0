#include "microslip/toml/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace microslip {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += fmt::format("\\{}", c);
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string key_text(const std::string& key) {
  const bool bare =
      !key.empty() &&
      key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
  return bare ? key : quoted(key);
}

std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0.0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool is_list_of_tables(const TomlValue& value) {
  return value.type == TomlValue::Type::array && !value.items.empty() &&
         std::all_of(value.items.begin(), value.items.end(),
                     [](const TomlValue& item) { return item.type == TomlValue::Type::table; });
}

/// Tables below the sections of a study are written in one line.
std::string entries_text(const TomlValue& table) {
  std::string text;
  for (const auto& entry : table.entries) {
    text += fmt::format("{} = {}\n", key_text(entry.key), toml_value_text(entry.value));
  }
  return text;
}

}  // namespace

std::string toml_value_text(const TomlValue& value) {
  switch (value.type) {
    case TomlValue::Type::string:
    case TomlValue::Type::date:
      return quoted(value.text);
    case TomlValue::Type::integer:
      return fmt::format("{}", value.integer);
    case TomlValue::Type::real:
      return real_text(value.real);
    case TomlValue::Type::boolean:
      return value.boolean ? "true" : "false";
    case TomlValue::Type::array: {
      std::string text;
      for (const TomlValue& item : value.items) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", toml_value_text(item));
      }
      return fmt::format("[{}]", text);
    }
    case TomlValue::Type::table: {
      std::string text;
      for (const auto& entry : value.entries) {
        text += fmt::format("{} {} = {}", text.empty() ? "" : ",", key_text(entry.key), toml_value_text(entry.value));
      }
      return text.empty() ? "{}" : fmt::format("{{{} }}", text);
    }
  }
  return "";
}

std::string toml_text(const TomlValue& table) {
  std::string text;
  for (const auto& entry : table.entries) {
    if (entry.value.type == TomlValue::Type::table || is_list_of_tables(entry.value)) continue;
    text += fmt::format("{} = {}\n", key_text(entry.key), toml_value_text(entry.value));
  }
  for (const auto& entry : table.entries) {
    const std::string key = key_text(entry.key);
    if (entry.value.type == TomlValue::Type::table) {
      text += fmt::format("{}[{}]\n{}", text.empty() ? "" : "\n", key, entries_text(entry.value));
    } else if (is_list_of_tables(entry.value)) {
      for (const TomlValue& item : entry.value.items) {
        text += fmt::format("{}[[{}]]\n{}", text.empty() ? "" : "\n", key, entries_text(item));
      }
    }
  }
  return text;
}

}  // namespace microslip
