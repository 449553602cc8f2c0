// Matrix Market files: entries inside the matrix, sorted, none twice, finite; no more of them than the bytes can hold.

#include <cmath>
#include <tuple>

#include "fuzz_target.hpp"
#include "microslip/io/matrix_market.hpp"

using namespace microslip;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const MatrixFile matrix = parse_matrix_market(fuzz::text_of(data, size), "K.mtx");
    fuzz::must_hold(matrix.rows > 0 && matrix.columns > 0, "sizes are positive");
    fuzz::must_hold(matrix.entries.size() <= size, "an entry takes two bytes and makes two at most");
    const MatrixFile::Entry* last = nullptr;
    for (const MatrixFile::Entry& entry : matrix.entries) {
      fuzz::must_hold(entry.row >= 0 && entry.row < matrix.rows, "rows are in range");
      fuzz::must_hold(entry.column >= 0 && entry.column < matrix.columns, "columns are in range");
      fuzz::must_hold(std::isfinite(entry.value), "values are finite");
      fuzz::must_hold(last == nullptr || std::tie(last->row, last->column) < std::tie(entry.row, entry.column),
                      "entries are sorted, none twice");
      fuzz::must_hold(matrix.find(entry.row, entry.column) == &entry, "entries are found");
      last = &entry;
    }
    require_square_symmetric(matrix, "stiffness");
  } catch (const InputError& error) {
    fuzz::must_hold(error.position().line > 0, "a mistake has a line");
  }
  return 0;
}
