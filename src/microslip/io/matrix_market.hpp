#pragma once
// Real matrices in the Matrix Market format: coordinate and array; real and integer; general and symmetric.
// Ref: Boisvert, Pozo, Remington, The Matrix Market exchange formats, NISTIR 5935.

#include <Eigen/SparseCore>
#include <string>
#include <string_view>

#include "microslip/io/matrix_file.hpp"

namespace microslip {

/// Throws InputError with the line and column of what is wrong.
[[nodiscard]] MatrixFile read_matrix_market(const std::string& path);
[[nodiscard]] MatrixFile parse_matrix_market(std::string_view text, const std::string& file);

/// A symmetric matrix as its lower triangle, with 17 digits: what is read again is the same to the last bit. The
/// comment may have several lines. Throws OutputError.
void write_matrix_market(const std::string& path, const MatrixFile& matrix, std::string_view comment = "");
void write_matrix_market(const std::string& path, const Eigen::SparseMatrix<double>& matrix,
                         std::string_view comment = "");
[[nodiscard]] std::string format_matrix_market(const MatrixFile& matrix, std::string_view comment = "");

}  // namespace microslip
