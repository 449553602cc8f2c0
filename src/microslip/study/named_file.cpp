#include "microslip/study/named_file.hpp"

#include <filesystem>

namespace microslip {

std::string named_path(const TableReader& reader, std::string_view key) {
  const std::string name = reader.string(key);
  if (name.empty() || name.find('\0') != std::string::npos) {
    throw reader.error(key, fmt::format("{} must be the name of a file, got {}", key, in_quotes(name)));
  }
  if (name.find(".mat:") != std::string::npos || name.ends_with(".mat")) {
    throw reader.error(key,
                       fmt::format("{} must be a text file, got {}: MATLAB files are not read; write Matrix Market "
                                   "or CSV",
                                   key, in_quotes(name)));
  }
  return (std::filesystem::path(reader.file()).parent_path() / name).string();
}

}  // namespace microslip
