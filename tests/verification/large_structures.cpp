// Structures that are too large for dense matrices: modes, static answers of the rest, reduction.

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <Eigen/SparseLU>
#include <cmath>
#include <complex>
#include <numbers>

#include "microslip/structure/craig_bampton.hpp"
#include "microslip/structure/large_modes.hpp"
#include "microslip/structure/spider.hpp"
#include "microslip/study/study.hpp"
#include "support/brick_block.hpp"

namespace microslip {
namespace {

using testing::BrickBlock;

/// Two blocks of 10 527 degrees of freedom each, lapped over 80 mm; a patch on either side of the lap.
struct Assembly {
  Assembly() {
    lower.elements = {28, 10, 10};
    lower.size = {0.28, 0.05, 0.05};
    upper = lower;
    upper.origin = {0.2, 0.0, 0.05};
    testing::Triplets k, m;
    testing::add_block(lower, 0, k, m);
    testing::add_block(upper, 3 * lower.nodes(), k, m);
    matrices = testing::assembled(3 * (lower.nodes() + upper.nodes()), k, m);
    const auto n = static_cast<int>(matrices.mass.rows());
    std::vector<Eigen::Triplet<double>> entries;
    int row = 0;
    for (const auto& [block, first] : {std::pair(&lower, 0), std::pair(&upper, 3 * lower.nodes())}) {
      std::vector<PatchNode> nodes;
      for (int i = 0; i < block->nodes(); ++i) {
        const Eigen::Vector3d p = block->position(i);
        if (std::abs(p.z() - 0.05) > 1e-9 || p.x() < 0.2 - 1e-9 || p.x() > 0.28 + 1e-9) continue;
        nodes.push_back({p, {first + 3 * i, first + 3 * i + 1, first + 3 * i + 2}, 1.0});
      }
      const Spider spider = averaging_spider(nodes, {0.24, 0.025, 0.05}, n);
      for (int j = 0; j < n; ++j) {
        for (SparseMatrix::InnerIterator entry(spider.rows, j); entry; ++entry) {
          entries.emplace_back(row + entry.row(), j, entry.value());
        }
      }
      row += 6;
    }
    boundary.resize(12, n);
    boundary.setFromTriplets(entries.begin(), entries.end());
    joint = Eigen::MatrixXd::Zero(12, 12);
    for (int d = 0; d < 6; ++d) {
      const double k_joint = d < 3 ? 1e8 : 1e5;  // [N/m], [N m]
      joint(d, d) = joint(d + 6, d + 6) = k_joint;
      joint(d, d + 6) = joint(d + 6, d) = -k_joint;
    }
  }

  BrickBlock lower, upper;
  testing::BlockMatrices matrices;
  SparseMatrix boundary;
  Eigen::MatrixXd joint;  ///< stiffness between the patches
};

double compliance(const Modes& modes, const Eigen::VectorXd& force) {
  double sum = 0.0;
  for (Eigen::Index i = modes.rigid; i < modes.omega.size(); ++i) {
    sum += std::pow(modes.shapes.col(i).dot(force) / modes.omega(i), 2);
  }
  return sum;
}

TEST(LargeStructuresSlow, AReducedAssemblyKeepsItsModesAndItsStaticCompliance) {
  const Assembly assembly;
  const SparseMatrix& g = assembly.boundary;
  const SparseMatrix links = assembly.joint.sparseView();
  const SparseMatrix across = g.transpose();
  const SparseMatrix stiffness = assembly.matrices.stiffness + SparseMatrix(across * links * g);
  EXPECT_GT(stiffness.rows(), 20'000);
  const Modes full = lowest_modes(stiffness, assembly.matrices.mass, 16, Eigen::MatrixXd(across));
  EXPECT_EQ(full.rigid, 6);
  Eigen::VectorXd force = Eigen::VectorXd::Zero(12);  // opposite forces and couples on the patches: the joint's own
  force << 1.0, 0.5, -0.3, 0.02, 0.01, 0.03, -1.0, -0.5, 0.3, -0.02, -0.01, -0.03;
  const double expected = compliance(full, across * force);
  for (const bool inertia : {false, true}) {
    const ReducedModel reduced = craig_bampton(assembly.matrices.stiffness, assembly.matrices.mass, g, 40, inertia);
    EXPECT_EQ(reduced.free_motions, 12);
    Eigen::MatrixXd joined = reduced.stiffness;
    joined.topLeftCorner(12, 12) += assembly.joint;
    const Modes small = vibration_modes(joined, reduced.mass);
    EXPECT_EQ(small.rigid, 6);
    Eigen::VectorXd on_reduced = Eigen::VectorXd::Zero(joined.rows());
    on_reduced.head(12) = force;
    EXPECT_NEAR(compliance(small, on_reduced) / expected, 1.0, 1e-9) << "exact, whatever the modes";
    if (!inertia) continue;
    for (int i = 6; i < 16; ++i) EXPECT_NEAR(small.omega(i) / full.omega(i), 1.0, 1e-6) << i;
  }
}

// omega_k = 2 sqrt(k/m) sin((2k - 1) pi/(2 (2n + 1))), a chain held at one end.
TEST(LargeStructures, AChainOfMoreThanThreeThousandMasses) {
  constexpr int n = 3001;
  std::string masses, springs = "[\"ground\", \"1\", 4.0]";
  for (int i = 1; i <= n; ++i) {
    masses += i > 1 ? ", 1.0" : "1.0";
    if (i > 1) springs += fmt::format(", [\"{}\", \"{}\", 4.0]", i - 1, i);
  }
  const std::string structure =
      fmt::format("[structure]\nkind = \"lumped\"\nmasses = [{}]\nsprings = [{}]\nmodes = 12\n", masses, springs);
  const std::string load =
      "[[load]]\nname = \"end\"\nat = \"3001\"\nsignal = { kind = \"constant\", amplitude = 1.0 }\n";
  const std::string transient =
      "[[analysis]]\nkind = \"transient\"\nname = \"t\"\nload = \"end\"\nduration = 10.0\nstep = 1.0\n";
  const Study study = parse_study(structure + load + transient + "modes = 6\n", "chain.toml");
  const System& system = study.system;
  EXPECT_TRUE(system.truncated());
  EXPECT_EQ(system.computed_modes(), 12);
  const Modes& modes = system.stuck_modes();
  // eps (omega_max/omega_1)^2 is 3e-9.
  for (int k = 1; k <= 12; ++k) {
    const double expected = 4.0 * std::sin((2 * k - 1) * std::numbers::pi / (2.0 * (2 * n + 1)));
    EXPECT_NEAR(modes.omega(k - 1) / expected, 1.0, 1e-8) << k;
  }
  // The end gives way by n/k under a force on it, most of it beyond twelve modes.
  EXPECT_NEAR(compliance(modes, Eigen::VectorXd::Unit(n, n - 1)) / (n / 4.0), 1.0, 1e-8);
  try {
    static_cast<void>(parse_study(structure + load + transient, "chain.toml"));
    FAIL();
  } catch (const StudyError& error) {
    EXPECT_NE(std::string(error.what()).find("a structure of 3001 degrees of freedom, more than 3000, needs modes = n"),
              std::string::npos)
        << error.what();
  }
}

// A truncated system against a direct sparse solution of (K + i omega C - omega^2 M) q = p. The modes left out answer
// statically, so that the error is that of 1/(omega_r^2 - omega^2) ~ 1/omega_r^2: it falls as omega_r^2 grows.
TEST(LargeStructuresSlow, ResponseOfATruncatedSystemConvergesToThatOfTheWhole) {
  BrickBlock block;
  block.elements = {20, 8, 6};
  block.size = {0.5, 0.1, 0.05};
  const auto [stiffness, mass] = testing::assembled(block);
  const auto n = static_cast<int>(mass.rows());
  ASSERT_GT(n, Truncation::most_dense);
  const double b = 1e-7;  // C = b K [s]
  LinearStructure::Parts parts;
  parts.mass = mass;
  parts.stiffness = stiffness;
  parts.damping = RayleighDamping{0.0, b};
  const LinearStructure structure(std::move(parts));
  Eigen::MatrixXd load = Eigen::MatrixXd::Zero(n, 1);
  load(2, 0) = 1.0;
  double before = 0.0;
  for (const int count : {12, 24}) {
    Truncation truncation;
    truncation.count = count;
    truncation.static_loads = load;
    const System system(structure, {}, truncation);
    const double omega = 0.4 * system.stuck_modes().omega(11);
    const Modes& modes = system.stuck_modes();
    std::complex<double> sum = 0.0;
    for (Eigen::Index r = 0; r < modes.omega.size(); ++r) {
      const double w2 = modes.omega(r) * modes.omega(r);
      const double share = modes.shapes.col(r).dot(load.col(0));
      sum += share * share / std::complex<double>(w2 - omega * omega, omega * system.modal_damping()(r, r));
    }
    Eigen::SparseMatrix<std::complex<double>> dynamic =
        (stiffness * std::complex<double>(1.0, omega * b) - (omega * omega) * mass.cast<std::complex<double>>());
    Eigen::SparseLU<Eigen::SparseMatrix<std::complex<double>>> solver(dynamic);
    const Eigen::VectorXcd exact = solver.solve(load.col(0).cast<std::complex<double>>());
    const double error = std::abs(sum - exact(2)) / std::abs(exact(2));
    EXPECT_LT(error, 1e-2);
    if (before > 0.0) {
      EXPECT_LT(error, 0.5 * before);
    }
    before = error;
  }
}

}  // namespace
}  // namespace microslip
