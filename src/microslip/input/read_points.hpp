#pragma once
// points = { rows = "outputs.mtx", labels = "outputs.txt" } of [structure]: points that are no degree of freedom.

#include <string>
#include <vector>

#include "microslip/input/read_matrix.hpp"
#include "microslip/structure/linear_structure.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// None without the key. `matrices`: the rows of mass and stiffness, of which each is a column here; columns of rows
/// that the files hold fixed are left out, since these do not move. `taken`: labels that points cannot have.
[[nodiscard]] DependentCoordinates read_points(const TableReader& structure, const MatrixRows& matrices,
                                               const std::vector<std::string>& taken);

}  // namespace microslip
