#pragma once
// Files that a study names, relative to the study.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// The path behind a key, or of a value in a list; `what` names it in messages.
[[nodiscard]] std::string named_path(const TableReader& reader, std::string_view key);
[[nodiscard]] std::string named_path(const TableReader& reader, const TomlValue& value, std::string_view what);

/// `read(path)`, where a file that cannot be read at all is the study's mistake, at the key; mistakes inside the file
/// keep their own place.
template <class Read>
auto read_named_file(const TableReader& reader, const TomlValue& value, std::string_view what, Read&& read) {
  const std::string path = named_path(reader, value, what);
  try {
    return read(path);
  } catch (const InputError& error) {
    if (error.position().line > 0) throw;
    throw reader.error(value, fmt::format("{}: {} {}", what, in_quotes(path), error.message()));
  }
}
template <class Read>
auto read_named_file(const TableReader& reader, std::string_view key, Read&& read) {
  return read_named_file(reader, reader.need(key), key, std::forward<Read>(read));
}

}  // namespace microslip
