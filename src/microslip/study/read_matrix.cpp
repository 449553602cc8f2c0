#include "microslip/study/read_matrix.hpp"

#include <fmt/format.h>

#include "microslip/study/named_file.hpp"
#include "microslip/study/read_structure.hpp"

namespace microslip {

MatrixFile read_symmetric_matrix(const TableReader& reader, std::string_view key, std::string_view what, int size) {
  return read_named_file(reader, key, [&](const std::string& path) {
    MatrixFile matrix = read_matrix_file(path);
    require_square_symmetric(matrix, what);
    const FilePosition sizes{matrix.file, matrix.size_line, 1};
    if (size != 0 && matrix.rows != size) {
      throw InputError(sizes, fmt::format("the {0} matrix must be {1} x {1} like the mass matrix, got {2} x {2}", what,
                                          size, matrix.rows));
    }
    if (matrix.rows > most_degrees_of_freedom) {
      throw InputError(sizes, fmt::format("the {0} matrix must have at most {1} rows, got {2}", what,
                                          most_degrees_of_freedom, matrix.rows));
    }
    return matrix;
  });
}

}  // namespace microslip
