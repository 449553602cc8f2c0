#pragma once
// A structure of n degrees of freedom (random orthogonal shapes) with five Iwan joints.

#include <Eigen/Dense>
#include <random>

#include "support/paper_systems.hpp"

namespace microslip {

inline constexpr double damping_ratio = 1e-3;

inline System random_structure(int n, int joint_count = 5, double damping = damping_ratio) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd random = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(generator); });
  const Eigen::MatrixXd shapes = Eigen::HouseholderQR<Eigen::MatrixXd>(random).householderQ();
  LinearStructure::Parts parts;
  const Eigen::VectorXd omega = 300.0 * (1.0 + 0.5 * Eigen::ArrayXd::LinSpaced(n, 0.0, n - 1.0));
  parts.mass = Eigen::MatrixXd::Identity(n, n).sparseView();
  const Eigen::MatrixXd stiffness = shapes * omega.cwiseAbs2().asDiagonal() * shapes.transpose();
  parts.stiffness = stiffness.sparseView();
  parts.damping = ModalDamping{{damping}};
  std::vector<Joint> joints;
  for (int j = 0; j < joint_count; ++j) {
    joints.push_back(testing::iwan_joint(std::to_string(j), n, 2 * j, 2 * j + 1, 20.0, 1e5, -0.5, 2.0));
  }
  return System(LinearStructure(std::move(parts)), std::move(joints));
}

}  // namespace microslip
