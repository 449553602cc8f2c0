#pragma once
// The damping of [structure].

#include "microslip/input/read_matrix.hpp"
#include "microslip/structure/linear_structure.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// `rows`: of the structure; a matrix of dampers must have the same.
[[nodiscard]] Damping read_damping(const TableReader& structure, const MatrixRows& rows);

}  // namespace microslip
