#pragma once
// Matrices from files with the coordinates that follow from theirs.

#include <string>
#include <string_view>
#include <vector>

#include "microslip/input/node_patches.hpp"
#include "microslip/input/structure_facts.hpp"
#include "microslip/structure/linear_structure.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// Matrices, and coordinates that follow from theirs: mean motions of patches, nodes of rigid ties, points.
struct Imported {
  SparseMatrix mass, stiffness;
  std::vector<std::string> labels;            ///< of the matrices
  SparseMatrix dependent;                     ///< rows in the coordinates of the matrices
  std::vector<std::string> dependent_labels;  ///< of these rows
  Eigen::MatrixXd rigid;                      ///< RigidMotions::columns of a reduced model; else empty
};

/// name.x name.y name.z name.rx name.ry name.rz
void append_six(const std::string& name, std::vector<std::string>& labels);

/// Rigid ties take nodes out of the matrices; averages of patches and `points` follow from what is left. Throws
/// StudyError where two ties share a node or a patch determines no motion.
void add_dependent(const TableReader& structure, const std::vector<NodePatch>& patches,
                   const DependentCoordinates& points, Imported& imported, StructureFacts& facts);

/// Rows of coordinates, by label, in those of the matrices. Throws StudyError at `key` for a label that there is not.
[[nodiscard]] SparseMatrix rows_of(const TableReader& structure, std::string_view key,
                                   const std::vector<std::string>& wanted, const Imported& imported);

}  // namespace microslip
