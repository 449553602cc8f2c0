#pragma once
// Global matrices of Abaqus (*MATRIX GENERATE, *MATRIX OUTPUT): job_STIF1.mtx, job_MASS1.mtx.
//
//   FORMAT=COORDINATE                row, column, value
//   FORMAT=MATRIX INPUT or LABELS    node, direction, node, direction, value
//
// between commas or blanks; one triangle or both; lines that start with ** are comments, one line *MATRIX ... may stand
// first. Rows of nodes are put in the order of their numbers; internal nodes (Lagrange multipliers, for one), which
// have negative numbers, follow: -1, -2, ... Rows held by boundary conditions have 1e36 on the diagonal: MatrixFile
// lists them as constrained, and mass and stiffness must lose the same rows. Ref: Abaqus Analysis User's Guide,
// Generating matrices.

#include <string>
#include <string_view>

#include "microslip/io/matrix_file.hpp"

namespace microslip {

/// Diagonal entries from here on mean a row that is held.
inline constexpr double abaqus_constrained = 1e35;

/// Throws InputError.
[[nodiscard]] MatrixFile read_abaqus_matrix(const std::string& path);
[[nodiscard]] MatrixFile parse_abaqus_matrix(std::string_view text, const std::string& file);

}  // namespace microslip
