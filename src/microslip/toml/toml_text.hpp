#pragma once
// A tree of TOML values as text that reads the same.

#include <string>

#include "microslip/toml/toml_document.hpp"

namespace microslip {

/// Entries of a table: plain values first, tables as [key], lists of tables as [[key]].
[[nodiscard]] std::string toml_text(const TomlValue& table);
/// One value on one line.
[[nodiscard]] std::string toml_value_text(const TomlValue& value);

}  // namespace microslip
