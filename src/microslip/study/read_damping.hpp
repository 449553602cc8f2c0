#pragma once
// The damping of [structure].

#include "microslip/structure/linear_structure.hpp"
#include "microslip/study/table_reader.hpp"

namespace microslip {

/// `size`: of the structure.
[[nodiscard]] Damping read_damping(const TableReader& structure, int size);

}  // namespace microslip
