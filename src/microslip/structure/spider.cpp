#include "microslip/structure/spider.hpp"

#include <cmath>
#include <stdexcept>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using Rigid = Eigen::Matrix<double, 3, 6>;

/// u = t + theta x r.
Rigid rigid_motion(const Eigen::Vector3d& r) {
  Rigid motion = Rigid::Zero();
  motion.leftCols<3>().setIdentity();
  motion.rightCols<3>() << 0.0, r.z(), -r.y(), -r.z(), 0.0, r.x(), r.y(), -r.x(), 0.0;
  return motion;
}

double total_weight(const std::vector<PatchNode>& nodes) {
  double total = 0.0;
  for (const PatchNode& node : nodes) total += node.weight;
  if (!(total > 0.0)) throw std::invalid_argument("the weights of a patch must have a positive sum");
  return total;
}

}  // namespace

Eigen::Vector3d centre_of(const std::vector<PatchNode>& nodes) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const PatchNode& node : nodes) sum += node.weight * node.position;
  return sum / total_weight(nodes);
}

Spider averaging_spider(const std::vector<PatchNode>& nodes, const Eigen::Vector3d& point, int size) {
  const double total = total_weight(nodes);
  const Eigen::Vector3d centre = centre_of(nodes);
  Spider spider;
  for (const PatchNode& node : nodes) spider.radius += node.weight * (node.position - centre).squaredNorm() / total;
  spider.radius = std::sqrt(spider.radius);
  if (!(spider.radius > 0.0)) throw std::invalid_argument("the nodes of the patch lie on one point");

  // About the centre and in units of the radius, so that the condition tells the shape of the patch alone.
  Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
  for (const PatchNode& node : nodes) {
    const Rigid motion = rigid_motion((node.position - centre) / spider.radius);
    for (int d = 0; d < 3; ++d) {
      if (node.dofs[d] >= 0) gram += node.weight / total * motion.row(d).transpose() * motion.row(d);
    }
  }
  const SymmetricEigen pairs = symmetric_eigen(gram);
  spider.condition = pairs.values(5) / pairs.values(0);
  constexpr double worst = 1e10;
  if (!(pairs.values(0) > 0.0) || spider.condition > worst) {
    throw std::invalid_argument("the nodes of the patch lie on a line, or lack directions: a rotation is free");
  }
  const Eigen::Matrix<double, 6, 6> inverse =
      pairs.vectors * pairs.values.cwiseInverse().asDiagonal() * pairs.vectors.transpose();
  // From the centre in units of the radius to the point: theta = theta', t = t' + theta x (point - centre).
  Eigen::Matrix<double, 6, 6> moved = Eigen::Matrix<double, 6, 6>::Identity();
  moved.topRightCorner<3, 3>() = rigid_motion(point - centre).rightCols<3>() / spider.radius;
  moved.bottomRightCorner<3, 3>() /= spider.radius;

  std::vector<Eigen::Triplet<double>> entries;
  for (const PatchNode& node : nodes) {
    const Rigid motion = rigid_motion((node.position - centre) / spider.radius);
    for (int d = 0; d < 3; ++d) {
      if (node.dofs[d] < 0) continue;
      const Eigen::Matrix<double, 6, 1> column = node.weight / total * moved * inverse * motion.row(d).transpose();
      for (int i = 0; i < 6; ++i) {
        if (column(i) != 0.0) entries.emplace_back(i, node.dofs[d], column(i));
      }
    }
  }
  spider.rows.resize(6, size);
  spider.rows.setFromTriplets(entries.begin(), entries.end());
  return spider;
}

RigidTies rigid_ties(const std::vector<std::vector<PatchNode>>& ties, const std::vector<Eigen::Vector3d>& points,
                     int size) {
  std::vector<int> tie_of(static_cast<std::size_t>(size), -1);
  for (std::size_t t = 0; t < ties.size(); ++t) {
    for (const PatchNode& node : ties[t]) {
      for (const int dof : node.dofs) {
        if (dof < 0) continue;
        if (tie_of[static_cast<std::size_t>(dof)] >= 0) throw std::invalid_argument("a node is in two rigid ties");
        tie_of[static_cast<std::size_t>(dof)] = static_cast<int>(t);
      }
    }
  }
  RigidTies result;
  std::vector<Eigen::Triplet<double>> entries;
  for (int dof = 0; dof < size; ++dof) {
    if (tie_of[static_cast<std::size_t>(dof)] >= 0) continue;
    entries.emplace_back(dof, static_cast<int>(result.kept.size()), 1.0);
    result.kept.push_back(dof);
  }
  const auto kept = static_cast<int>(result.kept.size());
  for (std::size_t t = 0; t < ties.size(); ++t) {
    for (const PatchNode& node : ties[t]) {
      const Rigid motion = rigid_motion(node.position - points[t]);
      for (int d = 0; d < 3; ++d) {
        if (node.dofs[d] < 0) continue;
        for (int i = 0; i < 6; ++i) {
          if (motion(d, i) != 0.0) entries.emplace_back(node.dofs[d], kept + 6 * static_cast<int>(t) + i, motion(d, i));
        }
      }
    }
  }
  result.transformation.resize(size, kept + 6 * static_cast<Eigen::Index>(ties.size()));
  result.transformation.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace microslip
