#pragma once
// Nastran OUTPUT4 files (.op4): any number of named matrices, column by column.
//
// Text:    header  NCOL NROW FORM TYPE NAME FORMAT      4I8, A8, as in "1P,3E23.16" (2I16 when it ends with "|I16")
//          column  ICOL IROW NW                          3I8
//            dense   (IROW > 0) NW values from row IROW on
//            sparse  (IROW = 0) strings of NW words in all: a line IS = IROW + 65536 (L + 1), or for BIGMAT (NROW < 0
//            or
//                    more than 65535 rows) two numbers, L + 1 and IROW; then L words of values
//          end     a column NCOL + 1 with one value
// Binary:  the same as Fortran records, each between two 4-byte lengths, of either byte order; integers and words of 4
//          bytes (header of 24 bytes) or 8 (header of 48).
// TYPE 1 and 2 are real, single and double: a double takes two words of 4 bytes. FORM 6, symmetric, is stored whole.
// Ref: MSC Nastran DMAP Programmer's Guide, OUTPUT4.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/matrix_file.hpp"

namespace microslip {

/// The matrix `name` (letters of either case), or the only one when that is empty. Throws InputError.
[[nodiscard]] MatrixFile read_op4(const std::string& path, const std::string& name = "");
[[nodiscard]] MatrixFile parse_op4(std::string_view bytes, const std::string& file, const std::string& name = "");

enum class Op4Storage { dense, sparse, bigmat };
enum class Op4Encoding { text, little_endian, big_endian };

struct Op4Options {
  Op4Encoding encoding = Op4Encoding::text;
  Op4Storage storage = Op4Storage::bigmat;
  bool single = false;  ///< 32-bit values
};

/// One matrix as the bytes of an OP4 file; those of several may follow each other. Form 6 when the matrix is square.
[[nodiscard]] std::string format_op4(const MatrixFile& matrix, std::string_view name, const Op4Options& options = {});

}  // namespace microslip
