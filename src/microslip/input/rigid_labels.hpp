#pragma once
// Rigid motions of a structure from its labels: "12.x" moves by one along x. With the places of nodes and patches,
// rotations too.

#include <string>
#include <vector>

#include "microslip/input/node_patches.hpp"
#include "microslip/io/input_deck.hpp"
#include "microslip/structure/linear_structure.hpp"

namespace microslip {

/// A row and what is known of it for every label; columns x y z, and with `nodes` rx ry rz about the middle of the
/// nodes. Names are those of nodes and patches; without `nodes` whatever stands before the direction is one.
[[nodiscard]] RigidMotions rigid_motions(const std::vector<std::string>& labels, const NodeTable* nodes,
                                         const std::vector<NodePatch>& patches);

}  // namespace microslip
