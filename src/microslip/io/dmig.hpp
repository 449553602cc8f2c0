#pragma once
// Nastran DMIG entries, as in a punch file (.pch) or a bulk data deck: named matrices whose rows are grid points and
// components.
//
//   DMIG    NAME    0       IFO     TIN     TOUT    POLAR           NCOL       one header a matrix
//   DMIG    NAME    GJ      CJ              G1      C1      A1      B1         a column: its point and component, then
//           G2      C2      A2      B2      G3 ...                             point, component, value of its rows
//
// in fields of 8 columns, of 16 (DMIG*, four fields a line), or between commas. IFO 1 is square, 6 symmetric with
// either of two mirror images given (both where they agree); TIN 1 and 2 are real. Other entries of the file are passed
// over. Rows are the points and components that occur, in the order of their numbers. Ref: MSC Nastran Quick Reference
// Guide, DMIG.

#include <string>
#include <string_view>

#include "microslip/io/matrix_file.hpp"

namespace microslip {

/// The matrix `name` (letters of either case), or the only one when that is empty. Throws InputError.
[[nodiscard]] MatrixFile read_dmig(const std::string& path, const std::string& name = "");
[[nodiscard]] MatrixFile parse_dmig(std::string_view text, const std::string& file, const std::string& name = "");

enum class DmigFields { narrow, wide, commas };  ///< 8 columns, 16 columns, free

/// A symmetric matrix as DMIG entries, its lower triangle; rows without labels of points are points 1, 2 ... of
/// component 0. As many digits as a field holds: 10 to 13 in wide fields; 17 between commas, more than Nastran itself
/// takes.
[[nodiscard]] std::string format_dmig(const MatrixFile& matrix, std::string_view name, DmigFields fields);

}  // namespace microslip
