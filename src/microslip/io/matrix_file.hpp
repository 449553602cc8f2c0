#pragma once
// Real matrices from files of any origin: Matrix Market, MATLAB, Nastran, Abaqus, CalculiX.

#include <Eigen/Core>
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
    int line = 0;           ///< in the file; 0 in a binary file
    int text_column = 0;    ///< of the value
    bool mirrored = false;  ///< the other half of a symmetric file
  };

  std::string file;
  int rows = 0;
  int columns = 0;
  int size_line = 0;           ///< line of the sizes
  std::vector<Entry> entries;  ///< by row, then column; none twice
  std::vector<std::string>
      labels;                    ///< of the rows, "node.direction" as in "12.x", where the file names them; else empty
  std::vector<int> constrained;  ///< rows, from 0 and ascending, that the file holds fixed; both matrices lose them

  [[nodiscard]] FilePosition position(const Entry& entry) const { return {file, entry.line, entry.text_column}; }
  /// The entry, or nullptr where the file has none.
  [[nodiscard]] const Entry* find(int row, int column) const;
  [[nodiscard]] Eigen::MatrixXd dense() const;
};

inline constexpr long long largest_matrix_size = 2'147'483'646;  ///< rows or columns

/// Throws InputError at the size line unless the matrix is square, and at an entry unless that entry equals its mirror
/// image to `tolerance` of the largest entry. Complaints name the matrix as `what`.
void require_square_symmetric(const MatrixFile& matrix, std::string_view what, double tolerance = 1e-9);

/// Puts entries into their order. Throws InputError at the second of two that stand in the same place.
void sort_entries(MatrixFile& matrix);

/// What a file of a symmetric matrix may give of it, unless all.
enum class Half {
  triangle,       ///< the upper or the lower one
  some_triangle,  ///< one in an order of the rows that the file does not tell
  pairs           ///< one or both of every pair (i,j) and (j,i)
};

/// For files that may give all of a symmetric matrix or half of it: where no entry beside the diagonal has its mirror
/// image in the file, or for pairs, each without one gets it. Zeros beside the diagonal are dropped. Entries must be
/// sorted. Throws InputError where none has its image, and they are not the half that they should be.
void mirror_entries(MatrixFile& matrix, Half half);

/// The same complaint. Entries that were mirrored already do not count; none of the others may have its image.
void require_half(const MatrixFile& matrix, Half half);

/// Takes rows and columns (from 0, ascending) out of a square matrix; labels and constrained rows go with them.
void remove_rows(MatrixFile& matrix, const std::vector<int>& rows);

/// Brings labelled square matrices to the same rows in the same order: those of the first, then those that only the
/// second has (a mass matrix often lacks the rows of a massless degree of freedom). Does nothing unless both have
/// labels.
void align_rows(MatrixFile& first, MatrixFile& second);

/// "12.x": directions 1 to 6 are x y z rx ry rz, others keep their number; 0 is a scalar point, "12".
[[nodiscard]] std::string row_label(long long node, int direction);

/// "model.op4:KAA" in two: the file and the name of a matrix in it (empty when there is none). Only files that can hold
/// several matrices (mat, op4, pch, dmig, bdf, dat) are cut, at the last colon.
struct FileMember {
  std::string path;
  std::string member;
};
[[nodiscard]] FileMember split_file_member(const std::string& path_and_member);

/// The ending of a file's name in lower case, without the dot.
[[nodiscard]] std::string file_ending(std::string_view path);

/// "M.mtx", "model.mat:S.M", "model.op4:KAA", "run.pch:KAAX", "job_STIF1.mtx", "block.sti": by its ending and its first
/// bytes. The name of the matrix may be left out when the file holds one matrix only; otherwise the error lists the
/// names. Throws InputError.
[[nodiscard]] MatrixFile read_matrix_file(const std::string& path_and_member);

}  // namespace microslip
