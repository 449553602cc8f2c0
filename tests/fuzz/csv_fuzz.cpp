// Tables of numbers: a table that is read has as many values in every column as it has rows, all finite unless gaps are
// allowed, and is found by its names.

#include <cmath>

#include "fuzz_target.hpp"
#include "microslip/io/csv_table.hpp"

using namespace microslip;

namespace {

void read(std::string_view text, CsvGaps gaps) {
  try {
    const CsvTable table = parse_csv_table(text, "table.csv", gaps);
    fuzz::must_hold(table.columns.size() == table.names.size(), "a column for each name");
    for (std::size_t k = 0; k < table.names.size(); ++k) {
      const std::vector<double>& column = table.column(table.names[k]);
      fuzz::must_hold(&column == &table.columns[k], "names are unique");
      fuzz::must_hold(column.size() == table.rows(), "a value for each row");
      for (const double value : column) {
        fuzz::must_hold(gaps == CsvGaps::allowed || std::isfinite(value), "values are finite");
      }
    }
  } catch (const InputError& error) {
    fuzz::must_hold(error.position().line > 0, "a mistake has a line");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(fuzz::text_of(data, size), CsvGaps::refused);
  read(fuzz::text_of(data, size), CsvGaps::allowed);
  return 0;
}
