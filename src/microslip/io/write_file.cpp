#include "microslip/io/write_file.hpp"

#include <cstdio>

namespace microslip {

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  try {
    file.write(text);
    file.close();
  } catch (const OutputError&) {
    remove_part(path);
    throw;
  }
}

void remove_part(const std::string& path) {
  std::remove(part_name(path).c_str());
}

}  // namespace microslip
