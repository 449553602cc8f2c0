#pragma once
// One header line of column names, then rows of numbers with 17 significant digits.

#include <span>
#include <string>
#include <vector>

#include "microslip/io/output_file.hpp"

namespace microslip {

class CsvWriter {
 public:
  CsvWriter(const std::string& path, std::span<const std::string> names);

  /// As many values as there are names.
  void row(std::span<const double> values);
  /// Flushes and gives the file its name. Without it the file keeps the name <path>.part.
  void close();
  [[nodiscard]] long rows() const { return rows_; }

 private:
  void flush();

  OutputFile file_;
  std::size_t columns_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  long rows_ = 0;
};

}  // namespace microslip
