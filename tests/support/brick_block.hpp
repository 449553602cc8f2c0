#pragma once
// Blocks of eight-node brick elements (trilinear, 2 x 2 x 2 Gauss points, consistent mass): large sparse structures
// whose size, bodies and rigid motions are known.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <cmath>
#include <vector>

namespace microslip::testing {

struct BrickBlock {
  std::array<int, 3> elements{};                 ///< along x, y, z
  std::array<double, 3> size{};                  ///< edges
  std::array<double, 3> origin{0.0, 0.0, 0.0};   ///< of the first node
  double youngs_modulus = 200e9, poisson = 0.3;  ///< [force/length^2], [-]
  double density = 7800.0;                       ///< [mass/length^3]

  [[nodiscard]] int nodes() const { return (elements[0] + 1) * (elements[1] + 1) * (elements[2] + 1); }
  [[nodiscard]] int node(int i, int j, int k) const { return i + (elements[0] + 1) * (j + (elements[1] + 1) * k); }
  [[nodiscard]] double mass() const { return density * size[0] * size[1] * size[2]; }
  [[nodiscard]] Eigen::Vector3d position(int number) const {
    const int nx = elements[0] + 1, ny = elements[1] + 1;
    const std::array<int, 3> at = {number % nx, number / nx % ny, number / (nx * ny)};
    Eigen::Vector3d p;
    for (int d = 0; d < 3; ++d) p(d) = origin[d] + size[d] * at[d] / elements[d];
    return p;
  }
};

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Adds the block's matrices; its first degree of freedom (x of node 0) has the number `first`.
inline void add_block(const BrickBlock& block, int first, Triplets& stiffness, Triplets& mass) {
  const Eigen::Vector3d h(block.size[0] / block.elements[0], block.size[1] / block.elements[1],
                          block.size[2] / block.elements[2]);
  const double e = block.youngs_modulus, nu = block.poisson;
  Eigen::Matrix<double, 6, 6> law = Eigen::Matrix<double, 6, 6>::Zero();
  law.topLeftCorner<3, 3>().setConstant(nu);
  law.topLeftCorner<3, 3>().diagonal().setConstant(1.0 - nu);
  law.bottomRightCorner<3, 3>().diagonal().setConstant(0.5 - nu);
  law *= e / ((1.0 + nu) * (1.0 - 2.0 * nu));
  constexpr int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  Eigen::Matrix<double, 24, 24> k = Eigen::Matrix<double, 24, 24>::Zero(), m = k;
  const double volume = h.prod();
  for (int gauss = 0; gauss < 8; ++gauss) {
    Eigen::Vector3d xi;
    for (int d = 0; d < 3; ++d) xi(d) = (gauss >> d & 1) != 0 ? 1.0 / std::sqrt(3.0) : -1.0 / std::sqrt(3.0);
    Eigen::Matrix<double, 6, 24> b = Eigen::Matrix<double, 6, 24>::Zero();
    Eigen::Matrix<double, 3, 24> n = Eigen::Matrix<double, 3, 24>::Zero();
    for (int a = 0; a < 8; ++a) {
      Eigen::Vector3d s, gradient;
      for (int d = 0; d < 3; ++d) s(d) = 2.0 * corner[a][d] - 1.0;
      const Eigen::Vector3d one = (1.0 + s.array() * xi.array()).matrix();
      for (int d = 0; d < 3; ++d) {
        gradient(d) = s(d) * one((d + 1) % 3) * one((d + 2) % 3) / 8.0 * 2.0 / h(d);
        n(d, 3 * a + d) = one.prod() / 8.0;
      }
      for (int d = 0; d < 3; ++d) b(d, 3 * a + d) = gradient(d);
      b(3, 3 * a) = gradient(1);
      b(3, 3 * a + 1) = gradient(0);
      b(4, 3 * a + 1) = gradient(2);
      b(4, 3 * a + 2) = gradient(1);
      b(5, 3 * a) = gradient(2);
      b(5, 3 * a + 2) = gradient(0);
    }
    k += volume / 8.0 * b.transpose() * law * b;
    m += volume / 8.0 * block.density * n.transpose() * n;
  }
  for (int z = 0; z < block.elements[2]; ++z) {
    for (int y = 0; y < block.elements[1]; ++y) {
      for (int x = 0; x < block.elements[0]; ++x) {
        std::array<int, 24> dof{};
        for (int a = 0; a < 8; ++a) {
          const int node = block.node(x + corner[a][0], y + corner[a][1], z + corner[a][2]);
          for (int d = 0; d < 3; ++d) dof[3 * a + d] = first + 3 * node + d;
        }
        for (int i = 0; i < 24; ++i) {
          for (int j = 0; j < 24; ++j) {
            stiffness.emplace_back(dof[i], dof[j], k(i, j));
            if (m(i, j) != 0.0) mass.emplace_back(dof[i], dof[j], m(i, j));
          }
        }
      }
    }
  }
}

struct BlockMatrices {
  Eigen::SparseMatrix<double> stiffness, mass;
};

inline BlockMatrices assembled(int size, const Triplets& stiffness, const Triplets& mass) {
  BlockMatrices result{Eigen::SparseMatrix<double>(size, size), Eigen::SparseMatrix<double>(size, size)};
  result.stiffness.setFromTriplets(stiffness.begin(), stiffness.end());
  result.mass.setFromTriplets(mass.begin(), mass.end());
  return result;
}

inline BlockMatrices assembled(const BrickBlock& block) {
  Triplets stiffness, mass;
  add_block(block, 0, stiffness, mass);
  return assembled(3 * block.nodes(), stiffness, mass);
}

}  // namespace microslip::testing
