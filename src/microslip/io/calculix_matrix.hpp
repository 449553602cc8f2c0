#pragma once
// Matrices of CalculiX (*FREQUENCY, SOLVER=MATRIXSTORAGE): job.sti and job.mas with lines "row column value", one
// triangle; job.dof beside them with a line "node.direction" for each row. Elements with incompatible modes add hidden
// nodes behind the last node, with stiffness and mass: the mass matrix may be singular.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/io/matrix_file.hpp"

namespace microslip {

/// Labels from the .dof file where there is one. Throws InputError.
[[nodiscard]] MatrixFile read_calculix_matrix(const std::string& path);

/// `labels` may be empty; otherwise there must be one for each row.
[[nodiscard]] MatrixFile parse_calculix_matrix(std::string_view text, const std::string& file,
                                               const std::vector<std::string>& labels = {});
/// "12.x" for each line "12.1".
[[nodiscard]] std::vector<std::string> parse_calculix_dofs(std::string_view text, const std::string& file);

}  // namespace microslip
