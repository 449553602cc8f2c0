#pragma once
// Files that a study names, relative to the study.

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// The path behind a key.
[[nodiscard]] std::string named_path(const TableReader& reader, std::string_view key);

/// `read(path)`, where a file that cannot be read at all is the study's mistake, at the key; mistakes inside the file
/// keep their own place.
template <class Read>
auto read_named_file(const TableReader& reader, std::string_view key, Read&& read) {
  const std::string path = named_path(reader, key);
  try {
    return read(path);
  } catch (const InputError& error) {
    if (error.position().line > 0) throw;
    throw reader.error(key, fmt::format("{}: {} {}", key, in_quotes(path), error.message()));
  }
}

}  // namespace microslip
