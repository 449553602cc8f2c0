#pragma once
// Patches of nodes as points: averaging spiders (RBE3) and rigid ties (RBE2).
//
// The motion of a patch is the rigid motion (t, theta) about a point that is nearest to the motion of its nodes,
//
//   min sum_i w_i |u_i - t - theta x r_i|^2   =>   q_v = (R^T W R)^-1 R^T W u = G u,
//
// r_i from the point to node i, R the rigid motions at the nodes. A force on q_v spreads over the patch by G^T without
// stiffening it.

#include <array>
#include <string>
#include <vector>

#include "microslip/structure/linear_structure.hpp"

namespace microslip {

/// A node of a patch: where it is, its degrees of freedom in x, y, z (-1: none), and how much it counts.
struct PatchNode {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  std::array<int, 3> dofs{-1, -1, -1};
  double weight = 1.0;
};

/// Six rows of G (x y z rx ry rz about `point`) in n columns, and how well the patch determines them.
struct Spider {
  SparseMatrix rows;
  double condition = 1.0;  ///< of R^T W R, lengths measured in the radius of the patch; large: nearly on a line
  double radius = 0.0;     ///< root mean square distance from the centre
};

/// The mean of the nodes, by weight.
[[nodiscard]] Eigen::Vector3d centre_of(const std::vector<PatchNode>& nodes);

/// Throws std::invalid_argument when the nodes lie on a line or lack degrees of freedom, so that a rotation is free.
[[nodiscard]] Spider averaging_spider(const std::vector<PatchNode>& nodes, const Eigen::Vector3d& point, int size);

/// Nodes of a rigid tie follow its point: T of u = T u', where u' holds the degrees of freedom that are tied to nothing
/// and then six for each tie. A node may be in one tie only.
struct RigidTies {
  SparseMatrix transformation;  ///< T
  std::vector<int> kept;        ///< degrees of freedom that remain, in their order
};
[[nodiscard]] RigidTies rigid_ties(const std::vector<std::vector<PatchNode>>& ties,
                                   const std::vector<Eigen::Vector3d>& points, int size);

}  // namespace microslip
