#pragma once
// A file that is written under the name <path>.part and gets its own name when it is whole, so that a killed run never
// leaves a file that looks finished.

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace microslip {

/// A file or directory could not be written.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string part_name(const std::string& path);
/// <path>.part becomes <path>. Throws OutputError.
void finish_part(const std::string& path);

/// Buffered by the C library. Throws OutputError when the disk says no.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  void write(std::string_view text);
  /// Gives the file its name; nothing may be written after it.
  void close();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* file_;
};

}  // namespace microslip
