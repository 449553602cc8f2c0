// Tables of commas, and channels of either sign.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "microslip/io/data_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace microslip;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const CsvGaps gaps : {CsvGaps::refused, CsvGaps::allowed}) {
    try {
      const CsvTable table = parse_csv_table(text, "fuzz.csv", gaps);
      for (const auto& column : table.columns) {
        if (column.size() != table.rows()) std::abort();
      }
      for (const std::string& name : table.names) {
        if (data_column(table, name).size() != table.rows()) std::abort();
      }
      for (const char letter : {'\0', 'a'}) {
        try {
          static_cast<void>(data_column(table, "12.-z", letter));
        } catch (const InputError&) {
        }
      }
    } catch (const InputError&) {
    }
  }
  return 0;
}
