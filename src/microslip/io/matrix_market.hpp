#pragma once
// Real matrices in the Matrix Market format: coordinate and array; real and integer; general and symmetric.
// Ref: Boisvert, Pozo, Remington, The Matrix Market exchange formats, NISTIR 5935.

#include <string>
#include <string_view>

#include "microslip/io/matrix_file.hpp"

namespace microslip {

/// Throws InputError with the line and column of what is wrong.
[[nodiscard]] MatrixFile read_matrix_market(const std::string& path);
[[nodiscard]] MatrixFile parse_matrix_market(std::string_view text, const std::string& file);

}  // namespace microslip
