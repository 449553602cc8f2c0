// MATLAB files of version 5, and the tables made of them. Version 7.3 is read by the HDF5 library, which is not ours.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "microslip/io/data_table.hpp"
#include "microslip/io/mat_file.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // What begins an HDF5 file goes to that library.
  constexpr std::string_view hdf5("\x89HDF\r\n\x1a\n", 8);
  if (bytes.substr(0, 8) == hdf5 || (size > 512 && bytes.substr(512, 8) == hdf5)) return 0;
  try {
    for (const microslip::MatArray& array : microslip::parse_mat_arrays(bytes, "fuzz.mat", "")) {
      if (array.is_text) continue;
      const auto count = static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.columns);
      require(array.sparse ? array.values.size() == array.row_of.size() : array.values.size() == count);
      require(array.imaginary.empty() || array.imaginary.size() == array.values.size());
    }
  } catch (const microslip::InputError&) {
  }
  try {
    const microslip::MatrixFile matrix = microslip::parse_mat_matrix(bytes, "fuzz.mat", "");
    require(std::is_sorted(matrix.entries.begin(), matrix.entries.end(), [](const auto& a, const auto& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    }));
    for (const auto& entry : matrix.entries) {
      require(entry.row >= 0 && entry.row < matrix.rows && entry.column >= 0 && entry.column < matrix.columns);
      require(std::isfinite(entry.value));
    }
  } catch (const microslip::InputError&) {
  }
  try {
    const microslip::CsvTable table = microslip::mat_table(bytes, "fuzz.mat", "");
    for (const auto& column : table.columns) require(column.size() == table.rows());
  } catch (const microslip::InputError&) {
  }
  return 0;
}
