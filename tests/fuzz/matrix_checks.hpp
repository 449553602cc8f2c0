#pragma once
// What must hold of every matrix that was read, whatever the format.

#include <algorithm>
#include <cmath>
#include <tuple>

#include "fuzz_target.hpp"
#include "microslip/io/matrix_file.hpp"

namespace microslip::fuzz {

/// Entries inside the matrix, sorted, none twice, finite, no more than twice the bytes; labels, where there are some,
/// one a row; after the rows that are held are taken out, the same again.
inline void check_matrix(MatrixFile matrix, std::size_t bytes) {
  must_hold(matrix.rows > 0 && matrix.columns > 0, "sizes are positive");
  must_hold(matrix.entries.size() <= 2 * bytes, "memory is bounded by the size of the file");
  must_hold(matrix.labels.empty() || static_cast<int>(matrix.labels.size()) == matrix.rows, "a label a row");
  must_hold(std::is_sorted(matrix.constrained.begin(), matrix.constrained.end()), "held rows ascend");
  const MatrixFile::Entry* last = nullptr;
  for (const MatrixFile::Entry& entry : matrix.entries) {
    must_hold(entry.row >= 0 && entry.row < matrix.rows, "rows are in range");
    must_hold(entry.column >= 0 && entry.column < matrix.columns, "columns are in range");
    must_hold(std::isfinite(entry.value), "values are finite");
    must_hold(last == nullptr || std::tie(last->row, last->column) < std::tie(entry.row, entry.column),
              "entries are sorted, none twice");
    must_hold(matrix.find(entry.row, entry.column) == &entry, "entries are found");
    last = &entry;
  }
  if (matrix.constrained.empty()) return;
  const int left = matrix.rows - static_cast<int>(matrix.constrained.size());
  remove_rows(matrix, matrix.constrained);
  must_hold(matrix.rows == left && matrix.constrained.empty(), "held rows are gone");
  for (const MatrixFile::Entry& entry : matrix.entries) {
    must_hold(entry.row >= 0 && entry.row < left && entry.column >= 0 && entry.column < left, "the rest is in range");
  }
}

}  // namespace microslip::fuzz
