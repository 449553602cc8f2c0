#include "microslip/toml/named_file.hpp"

#include <filesystem>

namespace microslip {

std::string named_path(const TableReader& reader, std::string_view key) {
  const std::string name = reader.string(key);
  if (name.empty() || name.find('\0') != std::string::npos) {
    throw reader.error(key, fmt::format("{} must be the name of a file, got {}", key, in_quotes(name)));
  }
  return (std::filesystem::path(reader.file()).parent_path() / name).string();
}

}  // namespace microslip
