#pragma once
// Matrices as lines "row column value" without a header: the size is the largest number that occurs.

#include <string>
#include <string_view>

#include "microslip/io/matrix_file.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {

/// Square, rows from 1; `comment` starts lines that are passed over. Either triangle, or both; zeros may be given.
[[nodiscard]] MatrixFile parse_coordinate_text(std::string_view text, const std::string& file,
                                               std::string_view comment = "");

/// Puts the entries of a file without sizes in order, adds the other half where one is missing, and checks that both
/// agree where they are given.
void complete_symmetric(MatrixFile& matrix, Half half = Half::triangle);

}  // namespace microslip
