#include "microslip/input/read_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "microslip/input/read_structure.hpp"
#include "microslip/toml/named_file.hpp"

namespace microslip {
namespace {

void require_size(const MatrixFile& matrix, std::string_view what, int size) {
  if (matrix.rows == size) return;
  throw InputError(
      {matrix.file, matrix.size_line, 1},
      fmt::format("the {0} matrix must be {1} x {1} like the mass matrix, got {2} x {2}", what, size, matrix.rows));
}

MatrixFile read_symmetric(const TableReader& reader, std::string_view key, std::string_view what) {
  return read_named_file(reader, key, [&](const std::string& path) {
    MatrixFile matrix = read_matrix_file(path);
    require_square_symmetric(matrix, what);
    if (matrix.rows > most_degrees_of_freedom) {
      throw InputError({matrix.file, matrix.size_line, 1},
                       fmt::format("the {0} matrix must have at most {1} rows, got {2}", what, most_degrees_of_freedom,
                                   matrix.rows));
    }
    return matrix;
  });
}

}  // namespace

StructureMatrices read_structure_matrices(const TableReader& reader) {
  StructureMatrices result{
      read_symmetric(reader, "mass", "mass"), read_symmetric(reader, "stiffness", "stiffness"), {}};
  auto& [mass, stiffness, rows] = result;
  // The stiffness knows every row; a mass matrix may lack those of massless degrees of freedom.
  align_rows(stiffness, mass);
  require_size(stiffness, "stiffness", mass.rows);
  rows.in_files = mass.rows;
  std::set_union(mass.constrained.begin(), mass.constrained.end(), stiffness.constrained.begin(),
                 stiffness.constrained.end(), std::back_inserter(rows.removed));
  rows.labels_in_files = stiffness.labels.empty() ? mass.labels : stiffness.labels;
  remove_rows(mass, rows.removed);
  remove_rows(stiffness, rows.removed);
  rows.labels = stiffness.labels.empty() ? mass.labels : stiffness.labels;
  if (rows.size() == 0) throw reader.error("stiffness", "stiffness: every row of the matrix is held fixed");
  return result;
}

MatrixFile read_matrix_like(const TableReader& reader, std::string_view key, std::string_view what,
                            const MatrixRows& rows) {
  MatrixFile matrix = read_symmetric(reader, key, what);
  MatrixFile frame;
  frame.rows = frame.columns = rows.in_files;
  frame.labels = rows.labels_in_files;
  align_rows(frame, matrix);
  if (frame.rows > rows.in_files) {
    throw InputError({matrix.file, matrix.size_line, 1},
                     fmt::format("the {} matrix has the row {}, which mass and stiffness lack", what,
                                 in_quotes(frame.labels[static_cast<std::size_t>(rows.in_files)])));
  }
  require_size(matrix, what, rows.in_files);
  remove_rows(matrix, rows.removed);
  return matrix;
}

SparseMatrix sparse(const MatrixFile& matrix) {
  SparseMatrix result(matrix.rows, matrix.columns);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(matrix.entries.size());
  for (const auto& entry : matrix.entries) entries.emplace_back(entry.row, entry.column, entry.value);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace microslip
