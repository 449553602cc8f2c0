#pragma once
// Matrices of a structure from files.

#include <string_view>

#include "microslip/io/matrix_file.hpp"
#include "microslip/study/table_reader.hpp"

namespace microslip {

/// A square, symmetric matrix of the given size (0: any up to most_degrees_of_freedom). `what` names it in messages.
/// Sizes are checked before anybody asks for a dense matrix.
[[nodiscard]] MatrixFile read_symmetric_matrix(const TableReader& reader, std::string_view key, std::string_view what,
                                               int size);

}  // namespace microslip
