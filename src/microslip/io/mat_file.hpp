#pragma once
// MATLAB files of version 5 (save -v6, -v7) and 7.3: real matrices, full and sparse, and the vectors of measured data.
// Ref: MathWorks, MAT-File Format, version 5; version 7.3 is HDF5 with attributes MATLAB_class and MATLAB_sparse.
//
// An array is named "M", "S.M" in a struct, "S(2).M" in the second of several, "C{3}" in a cell array.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/matrix_market.hpp"

namespace microslip {

/// A numeric array or a text.
struct MatArray {
  std::string name;
  int rows = 0;
  int columns = 0;
  bool is_text = false;
  bool sparse = false;
  std::vector<double> values;     ///< by columns; of a sparse one those of row_of
  std::vector<double> imaginary;  ///< the same; empty: real
  std::vector<int> row_of;        ///< of a sparse one, increasing in each column
  std::vector<int> column_start;  ///< of a sparse one, columns + 1 places in row_of
  std::string text;               ///< of a text, its rows after another, UTF-8
};

/// The real matrix of that name; an empty name: the only numeric array of the file. Single, integer and logical ones
/// are converted; zeros are left out; where a square one gives one triangle, the other is added. Throws InputError
/// without a line; a wrong name gets a list of the right ones.
[[nodiscard]] MatrixFile read_mat_matrix(const std::string& path, const std::string& member);
[[nodiscard]] MatrixFile parse_mat_matrix(std::string_view bytes, const std::string& file, const std::string& member);

/// The names of all numeric arrays, in the order of the file.
[[nodiscard]] std::vector<std::string> mat_variables(const std::string& path);
[[nodiscard]] std::vector<std::string> parse_mat_variables(std::string_view bytes, const std::string& file);

/// The array or text of that name, and everything inside a struct or cell array of that name; empty: the whole file.
[[nodiscard]] std::vector<MatArray> read_mat_arrays(const std::string& path, const std::string& member);
[[nodiscard]] std::vector<MatArray> parse_mat_arrays(std::string_view bytes, const std::string& file,
                                                     const std::string& member);

}  // namespace microslip
