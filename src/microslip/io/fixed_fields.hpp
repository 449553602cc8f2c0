#pragma once
// Lines of fixed columns, as Fortran programs write them.

#include <string>
#include <string_view>

#include "microslip/io/text_file.hpp"

namespace microslip {

/// Columns start .. start + width - 1 (from 0) of a line, blanks around them removed; empty past its end.
[[nodiscard]] Token fixed_field(std::string_view line, int number, std::size_t start, std::size_t width);

/// A finite number as Fortran and Nastran write it: "1.5E+03", "1.5D3", "1.5+3", ".5", "2.". Throws InputError at the
/// token, naming `what`.
[[nodiscard]] double parse_fortran_number(const Token& token, const std::string& file, std::string_view what);

}  // namespace microslip
