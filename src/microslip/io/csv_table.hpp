#pragma once
// Tables of numbers with one header line of column names, separated by commas. Blank lines and lines that start with #
// are skipped.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/input_error.hpp"

namespace microslip {

struct CsvTable {
  std::string file;
  int header_line = 0;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< one a name
  std::vector<int> lines;                    ///< of the rows in the file
  std::vector<std::string> units = {};       ///< one a column, where the file names them: universal files

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  [[nodiscard]] bool has(std::string_view name) const;
  /// Throws InputError at the header when there is no such column.
  [[nodiscard]] const std::vector<double>& column(std::string_view name) const;
};

/// May a cell be without a finite number: empty or "nan", read as NaN; "inf", "-inf"?
enum class CsvGaps { refused, allowed };

/// Throws InputError with the line and column of what is wrong.
[[nodiscard]] CsvTable read_csv_table(const std::string& path, CsvGaps gaps = CsvGaps::refused);
[[nodiscard]] CsvTable parse_csv_table(std::string_view text, const std::string& file, CsvGaps gaps = CsvGaps::refused);

}  // namespace microslip
