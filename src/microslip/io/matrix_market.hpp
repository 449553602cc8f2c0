#pragma once
// Real matrices in the Matrix Market format: coordinate and array; real and integer; general and symmetric.
// Ref: Boisvert, Pozo, Remington, The Matrix Market exchange formats, NISTIR 5935.

#include <Eigen/Dense>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/input_error.hpp"

namespace microslip {

/// The entries of a matrix and where the file gives them. Memory is bounded by the size of the file, whatever sizes its
/// header claims.
struct MatrixFile {
  struct Entry {
    int row = 0;  ///< from 0
    int column = 0;
    double value = 0.0;
    int line = 0;           ///< in the file
    int text_column = 0;    ///< of the value
    bool mirrored = false;  ///< the other half of a symmetric file
  };

  std::string file;
  int rows = 0;
  int columns = 0;
  int size_line = 0;           ///< line of the sizes
  std::vector<Entry> entries;  ///< by row, then column; none twice

  [[nodiscard]] FilePosition position(const Entry& entry) const { return {file, entry.line, entry.text_column}; }
  /// The entry, or nullptr where the file has none.
  [[nodiscard]] const Entry* find(int row, int column) const;
  [[nodiscard]] Eigen::MatrixXd dense() const;
};

/// Throws InputError with the line and column of what is wrong.
[[nodiscard]] MatrixFile read_matrix_market(const std::string& path);
[[nodiscard]] MatrixFile parse_matrix_market(std::string_view text, const std::string& file);

/// Throws InputError at the size line unless the matrix is square, and at an entry unless that entry equals its mirror
/// image to `tolerance` of the largest entry. Complaints name the matrix as `what`.
void require_square_symmetric(const MatrixFile& matrix, std::string_view what, double tolerance = 1e-9);

}  // namespace microslip
