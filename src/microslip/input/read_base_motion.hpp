#pragma once
// The shape r of a base motion: displacement of every coordinate when the ground moves by one.

#include <Eigen/Core>
#include <string>

#include "microslip/system/system.hpp"
#include "microslip/toml/table_reader.hpp"

namespace microslip {

/// `direction = "x"`, or `vector = { ... }`, which is checked against the rigid motion that the labels tell, unless
/// `rigid = false`. Dependent coordinates follow from the others. A lumped structure moves as a whole and takes
/// neither.
[[nodiscard]] Eigen::VectorXd read_base_shape(const TableReader& load, const LinearStructure& structure);

/// A sentence that names rows of K r which are not zero (to 1e-6 of the largest term that the row may have) and joints
/// between two coordinates that r strains. There the structure itself holds on to the ground, or r is no motion with
/// it. Empty where all is well, and for a lumped structure, whose springs to ground are known.
[[nodiscard]] std::string strained_by_base(const Eigen::VectorXd& shape, const System& system);

}  // namespace microslip
