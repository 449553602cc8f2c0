#include "microslip/io/coordinate_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "microslip/io/fixed_fields.hpp"

namespace microslip {

MatrixFile parse_coordinate_text(std::string_view text, const std::string& file, std::string_view comment) {
  LineReader lines(text);
  std::vector<Token> tokens;
  MatrixFile matrix;
  matrix.file = file;
  matrix.size_line = 1;
  while (lines.next()) {
    if (lines.blank() || (!comment.empty() && lines.line().starts_with(comment))) continue;
    lines.split(tokens);
    if (tokens.size() != 3) {
      throw InputError({file, lines.number(), tokens[0].column},
                       fmt::format("a line must be \"row column value\", got {}", in_quotes(lines.line())));
    }
    const auto row = static_cast<int>(parse_integer(tokens[0], file, "the row", 1, largest_matrix_size));
    const auto column = static_cast<int>(parse_integer(tokens[1], file, "the column", 1, largest_matrix_size));
    matrix.rows = std::max({matrix.rows, row, column});
    matrix.entries.push_back({row - 1, column - 1, parse_fortran_number(tokens[2], file, "the value"), tokens[2].line,
                              tokens[2].column, false});
  }
  if (matrix.entries.empty()) throw InputError({file, 1, 1}, "the file holds no entry");
  matrix.columns = matrix.rows;
  return matrix;
}

void complete_symmetric(MatrixFile& matrix, Half half) {
  sort_entries(matrix);
  mirror_entries(matrix, half);
  require_square_symmetric(matrix, "file's");
}

}  // namespace microslip
