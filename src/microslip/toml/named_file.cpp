#include "microslip/toml/named_file.hpp"

#include <filesystem>

namespace microslip {

std::string named_path(const TableReader& reader, std::string_view key) {
  return named_path(reader, reader.need(key), key);
}

std::string named_path(const TableReader& reader, const TomlValue& value, std::string_view what) {
  const std::string& name = reader.as_string(value, what);
  if (name.empty() || name.find('\0') != std::string::npos) {
    throw reader.error(value, fmt::format("{} must be the name of a file, got {}", what, in_quotes(name)));
  }
  return (std::filesystem::path(reader.file()).parent_path() / name).string();
}

}  // namespace microslip
