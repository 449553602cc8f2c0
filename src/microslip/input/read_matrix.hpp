#pragma once
// Matrices of a structure from files.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/matrix_file.hpp"
#include "microslip/structure/linear_structure.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// The rows of a structure's matrices: as many as its files have, those that the files hold fixed (they are taken out),
/// and the labels that the files give to the rows that are left.
struct MatrixRows {
  int in_files = 0;
  std::vector<int> removed;
  std::vector<std::string> labels_in_files;  ///< of all rows; empty where no file has any
  std::vector<std::string> labels;           ///< of those that are left

  [[nodiscard]] int size() const { return in_files - static_cast<int>(removed.size()); }
};

/// Mass and stiffness with the same rows in the same order.
struct StructureMatrices {
  MatrixFile mass;
  MatrixFile stiffness;
  MatrixRows rows;
};

/// The files behind `mass` and `stiffness`, square and symmetric. Where both label their rows, these are brought
/// together; otherwise both must have the same size, at most most_degrees_of_freedom. Sizes are checked before anybody
/// asks for a dense matrix.
[[nodiscard]] StructureMatrices read_structure_matrices(const TableReader& reader);

/// Another matrix of that structure. `what` names it in messages.
[[nodiscard]] MatrixFile read_matrix_like(const TableReader& reader, std::string_view key, std::string_view what,
                                          const MatrixRows& rows);

/// All entries, both halves.
[[nodiscard]] SparseMatrix sparse(const MatrixFile& matrix);

}  // namespace microslip
