// Structures of finite-element models in studies: patches, rigid ties, reduction.

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <filesystem>
#include <numbers>

#include "microslip/input/node_patches.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/brick_block.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace imported_structure_test {

using testing::BrickBlock;

constexpr double two_pi = 2.0 * std::numbers::pi;

/// Two blocks, the second on top of the end of the first; both are free.
class TwoBlocks : public test::StudyFolder {
 protected:
  void SetUp() override {
    test::StudyFolder::SetUp();
    lower_.elements = {6, 2, 2};
    lower_.size = {0.3, 0.05, 0.04};
    upper_ = lower_;
    upper_.origin = {0.2, 0.0, 0.04};
    testing::Triplets k, m;
    testing::add_block(lower_, 0, k, m);
    testing::add_block(upper_, 3 * lower_.nodes(), k, m);
    const int size = 3 * (lower_.nodes() + upper_.nodes());
    matrices_ = testing::assembled(size, k, m);
    write_matrix_market(path("K.mtx"), matrices_.stiffness);
    write_matrix_market(path("M.mtx"), matrices_.mass);
    std::string labels, nodes = "label,x,y,z\n";
    for (int i = 0; i < size / 3; ++i) {
      const BrickBlock& block = i < lower_.nodes() ? lower_ : upper_;
      const Eigen::Vector3d p = block.position(i < lower_.nodes() ? i : i - lower_.nodes());
      nodes += fmt::format("{},{},{},{}\n", i + 1, p.x(), p.y(), p.z());
      for (const char* d : {"x", "y", "z"}) labels += fmt::format("{}.{}\n", i + 1, d);
      if (std::abs(p.z() - 0.04) < 1e-9 && p.x() > 0.2 - 1e-9 && p.x() < 0.3 + 1e-9) {
        (i < lower_.nodes() ? low_ : high_).push_back(i + 1);
      }
    }
    write("labels.txt", labels);
    write("nodes.csv", nodes);
  }

  [[nodiscard]] std::string structure(const std::string& kind, const std::string& more,
                                      const std::string& spider = "") {
    return fmt::format(
        R"(
[structure]
kind = "{}"
mass = "M.mtx"
stiffness = "K.mtx"
labels = "labels.txt"
nodes = "nodes.csv"
{}
[[structure.spider]]
name = "low"
nodes = [{}]
{}
[[structure.spider]]
name = "high"
nodes = [{}]
{})",
        kind, more, fmt::join(low_, ", "), spider, fmt::join(high_, ", "), spider);
  }
  static std::string joints() {
    std::string text;
    for (const char* d : {"x", "y", "z", "rx", "ry", "rz"}) {
      text += fmt::format(R"(
[[joint]]
name = "{0}"
between = ["low.{0}", "high.{0}"]
law = "linear"
k = {1}
)",
                          d, std::string(d).size() == 1 ? "1e8" : "1e5");
    }
    return text;
  }

  BrickBlock lower_, upper_;
  testing::BlockMatrices matrices_;
  std::vector<int> low_, high_;
};

TEST_F(TwoBlocks, ImportTellsWhatItFound) {
  const Study study = parse(structure("matrices", ""));
  const StructureFacts& facts = study.facts;
  EXPECT_EQ(facts.imported, matrices_.mass.rows());
  EXPECT_EQ(facts.zero_modes, 12);
  for (const double mass : facts.mass) EXPECT_NEAR(mass / (lower_.mass() + upper_.mass()), 1.0, 1e-12);
  ASSERT_EQ(facts.rigid_residuals.size(), 6U);
  for (const auto& [name, residual] : facts.rigid_residuals) EXPECT_LT(residual, 1e-13) << name;
  ASSERT_EQ(facts.patches.size(), 2U);
  EXPECT_EQ(facts.patches[0].nodes, low_.size());
  EXPECT_GT(facts.patches[0].condition, 1.0);
  EXPECT_LT(facts.patches[0].condition, 20.0);
  EXPECT_EQ(in_lines(facts, study.units).size(), 6U);
  EXPECT_EQ(study.system.size(), matrices_.mass.rows() + 12);
  EXPECT_EQ(study.system.stuck_modes().rigid, 12);
}

// A joint between patches acts on the means: the same modes as by G^T k G in the stiffness.
TEST_F(TwoBlocks, JointsHoldOnToPatches) {
  const Study study = parse(structure("matrices", "") + joints());
  const SparseMatrix g = study.system.structure().dependent();
  Eigen::MatrixXd links = Eigen::MatrixXd::Zero(12, 12);
  for (int d = 0; d < 6; ++d) {
    const double k = d < 3 ? 1e8 : 1e5;
    links(d, d) = links(d + 6, d + 6) = k;
    links(d, d + 6) = links(d + 6, d) = -k;
  }
  const Modes expected =
      vibration_modes(Eigen::MatrixXd(matrices_.stiffness) + g.transpose() * links * g, matrices_.mass);
  const Modes& modes = study.system.stuck_modes();
  EXPECT_EQ(modes.rigid, 6);
  // Both eigensolvers are right to some eps of the highest omega^2.
  const double highest = expected.omega(expected.omega.size() - 1);
  for (int i = 6; i < 30; ++i) {
    const double rounding = 10.0 * std::numeric_limits<double>::epsilon() * std::pow(highest / expected.omega(i), 2);
    EXPECT_NEAR(modes.omega(i) / expected.omega(i), 1.0, rounding) << i;
  }
  // The rows of the patches are their mean motion.
  EXPECT_LT((modes.shapes.bottomRows(12) - g * modes.shapes.topRows(g.cols())).norm(), 1e-12 * modes.shapes.norm());
}

TEST_F(TwoBlocks, ReductionKeepsModesAndRecoversDisplacements) {
  const Study full = parse(structure("matrices", "") + joints());
  const Study study = parse(structure("reduced", R"(
modes = 20
recover = ["1.z", "40.x"]
)") + joints());
  EXPECT_EQ(study.facts.boundary, 12);
  EXPECT_EQ(study.facts.held_frequencies.size(), 20U);
  EXPECT_EQ(study.facts.inertia_shapes, 12);
  const LinearStructure& reduced = study.system.structure();
  EXPECT_EQ(reduced.independent(), 44);
  EXPECT_EQ(reduced.size(), 46);
  EXPECT_EQ(reduced.labels()[0], "low.x");
  EXPECT_EQ(reduced.labels()[12], "m1");
  EXPECT_EQ(reduced.labels()[45], "40.x");
  const Modes &small = study.system.stuck_modes(), &large = full.system.stuck_modes();
  EXPECT_EQ(small.rigid, 6);
  // Shapes of inertia leave the fourth order of omega/omega of the first mode left out, here below a tenth.
  for (int i = 6; i < 10; ++i) {
    EXPECT_NEAR(small.omega(i) / large.omega(i), 1.0, 1e-6) << i;
    const double sign = small.shapes(44, i) * large.shapes(2, i) < 0.0 ? -1.0 : 1.0;
    EXPECT_NEAR(sign * small.shapes(44, i), large.shapes(2, i), 1e-4 * large.shapes.col(i).cwiseAbs().maxCoeff());
    EXPECT_NEAR(sign * small.shapes(45, i), large.shapes(3 * 39, i), 1e-4 * large.shapes.col(i).cwiseAbs().maxCoeff());
  }
}

TEST_F(TwoBlocks, TheReducedModelIsSavedAsMatricesOfAnotherStudy) {
  const Study study = parse(structure("reduced", "modes = 8\n") + joints() + R"(
[[analysis]]
kind = "modes"
name = "m"
)");
  RunOptions options;
  options.report = false;
  const RunOutcome outcome = run_study(study, path("out"), options);
  EXPECT_EQ(outcome.exit_code, 0);
  const Study again = parse(
      R"(
[structure]
kind = "matrices"
mass = "out/reduced-M.mtx"
stiffness = "out/reduced-K.mtx"
labels = "out/reduced-labels.txt"
)" + joints());
  EXPECT_EQ(again.system.structure().size(), study.system.structure().independent());
  const auto &a = again.system.stuck_modes().omega, &b = study.system.stuck_modes().omega;
  ASSERT_EQ(a.size(), b.size());
  for (Eigen::Index i = 6; i < a.size(); ++i) EXPECT_NEAR(a(i) / b(i), 1.0, 1e-12);
}

TEST_F(TwoBlocks, RigidPatchesStiffen) {
  const Study soft = parse(structure("matrices", "") + joints());
  const Study stiff = parse(structure("matrices", "", R"(kind = "rigid")") + joints());
  EXPECT_EQ(stiff.system.structure().size(), matrices_.mass.rows() + 12) << "tied nodes follow, and can be recorded";
  EXPECT_GT(stiff.system.stuck_modes().omega(6), soft.system.stuck_modes().omega(6));
  EXPECT_EQ(stiff.system.stuck_modes().rigid, 6);
}

TEST_F(TwoBlocks, MistakesAreNamed) {
  const auto has = [&](const std::string& text, const std::string& words) {
    const std::string said = complaint(text);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  has(structure("reduced", R"(boundary = ["low", "high"])"), "modes");
  has(structure("reduced", "modes = 4\n"), "boundary must be a list of labels: there are no joints or loads");
  has(structure("reduced", R"(
modes = 4
boundary = ["low", "9.q"]
)"),
      R"(no degree of freedom is called "9.q")");
  has(structure("reduced", R"(
modes = 4
boundary = ["low", "low.x"]
)"),
      R"("low.x" is there twice)");
  has(structure("reduced", R"(
modes = 4
boundary = ["low"]
)"),
      "the boundary does not hold the structure");
  has(structure("reduced", R"(
modes = 4
boundary = ["low", "high"]
recover = ["q"]
)"),
      R"(recover: no degree of freedom is called "q")");
  has(structure("reduced", R"(
modes = 5000
boundary = ["low", "high"]
)"),
      "modes");
  has(structure("matrices", "", R"(weights = "area")"), "no face of an element");
  has(structure("matrices", "", R"(weights = "mass")"), R"(unknown weights "mass" (uniform, area))");
  has(structure("matrices", "", "point = [1, 2]\n"), "point must be [x, y, z], got 2");
  has(structure("matrices", "", R"(
kind = "rigid"
weights = "area"
)"),
      "a rigid spider has none");
  low_ = {1, 2, 900};
  has(structure("matrices", ""), "has no node 900");
  low_ = {1, 2, 2};
  has(structure("matrices", ""), "node 2 is there twice");
  low_ = {1, 2};
  has(structure("matrices", ""), "a patch needs at least 3 nodes, got 2");
  low_ = {1, 2, 3};
  has(structure("matrices", ""), R"(spider "low": the nodes of the patch lie on a line)");
}

TEST(AreaWeights, ShareFacesAmongTheirNodes) {
  NodeTable nodes;
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 3; ++i) {
        nodes.numbers.push_back(static_cast<long long>(nodes.numbers.size()) + 1);
        nodes.positions.push_back({i * 2.0, j * 3.0, k * 1.0});
      }
    }
  }
  nodes.elements.push_back({1, "C3D8", {1, 2, 5, 4, 7, 8, 11, 10}});
  nodes.elements.push_back({2, "C3D8I", {2, 3, 6, 5, 8, 9, 12, 11}});
  const auto weights = area_weights(nodes, {1, 2, 3, 4, 5, 6});
  double sum = 0.0;
  for (const auto& [node, weight] : weights) sum += weight;
  EXPECT_NEAR(sum, 12.0, 1e-12);
  EXPECT_NEAR(weights.at(1), 1.5, 1e-12);
  EXPECT_NEAR(weights.at(2), 3.0, 1e-12);
  EXPECT_TRUE(area_weights(nodes, {1, 2, 3}).empty());
  // The face between both elements counts once.
  EXPECT_NEAR(area_weights(nodes, {2, 5, 8, 11}).at(2), 0.75, 1e-12);
}

// A block from CalculiX with incompatible modes: inner rows, a singular mass matrix. Frequencies by another program
// from the same files. Both are accurate to some eps (omega_max/omega)^2, here 1e-12.
TEST(CalculixBlock, FrequenciesOfASingularMassMatrix) {
  const std::string folder = std::string(MICROSLIP_SOURCE_DIR) + "/tests/data/calculix_block/";
  const Study study = parse_study(
      R"(
[units]
length = "m"
force = "N"
time = "s"
[structure]
kind = "matrices"
mass = "block.mas"
stiffness = "block.sti"
nodes = "block.inp"
)",
      folder + "study.toml");
  EXPECT_EQ(study.facts.imported, 162);
  EXPECT_EQ(study.facts.zero_modes, 6);
  for (const double mass : study.facts.mass) EXPECT_NEAR(mass, 0.12781909919999998, 1e-12);
  const Modes& modes = study.system.stuck_modes();
  EXPECT_EQ(study.system.computed_modes(), 111) << "the rank of M; the rest gives way statically";
  EXPECT_EQ(modes.rigid, 6);
  const double expected[] = {7894.136709640021,  11862.66324179432,  16142.03745983562,
                             20268.650605401246, 22828.700014374765, 33219.07819020464};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(modes.omega(6 + i) / two_pi / expected[i], 1.0, 1e-10) << i;
}

// Three points in a row on springs of 1000, the middle one without mass, the first held by 1000: 3 N on the middle one
// move them by 3, 6, 6 mm. In motion the middle point follows: the answer at omega by elimination.
TEST_F(TwoBlocks, PointsWithoutMassGiveWay) {
  write("k.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 1000\n2 1 -1000\n2 2 2000\n3 2 -1000\n3 3 1000\n");
  write("m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 1\n3 3 2\n");
  const Study study = parse(
      R"(
[structure]
kind = "matrices"
mass = "m.mtx"
stiffness = "k.mtx"
[[joint]]
name = "a"
between = ["ground", "1"]
law = "linear"
k = 1000
)");
  const std::string rest =
      R"(
[[load]]
name = "p"
at = "2"
signal = { kind = "sine", amplitude = 1, omega = 1 }
[[analysis]]
name = "x"
load = "p"
)";
  for (const std::string method : {"events", "shooting", "piecewise_linear"}) {
    const bool events = method == "events";
    const std::string said = complaint(study.text + rest +
                                       (events ? R"(
kind = "transient"
duration = 1
step = 0.1
)"
                                               : R"(
kind = "frf"
omega = [1, 2]
)") + R"(method = ")" + method + "\"\n");
    EXPECT_NE(said.find("needs mass in every motion"), std::string::npos) << said;
  }
  const Modes& modes = study.system.stuck_modes();
  EXPECT_EQ(study.system.computed_modes(), 2);
  ASSERT_EQ(modes.omega.size(), 3);
  const Eigen::Vector3d force(0.0, 3.0, 0.0);
  const auto answer = [&](double omega) {
    const Eigen::VectorXd amplitude =
        (modes.shapes.transpose() * force).cwiseQuotient((modes.omega.cwiseAbs2().array() - omega * omega).matrix());
    return Eigen::Vector3d(modes.shapes * amplitude);
  };
  EXPECT_LT((answer(0.0) - Eigen::Vector3d(0.003, 0.006, 0.006)).norm(), 1e-14);
  const double omega = 10.0;
  Eigen::Matrix3d dynamic;
  dynamic << 2000.0, -1000.0, 0.0, -1000.0, 2000.0, -1000.0, 0.0, -1000.0, 1000.0;
  dynamic.diagonal() -= omega * omega * Eigen::Vector3d(1.0, 0.0, 2.0);
  const Eigen::Vector3d exact = solve_symmetric(dynamic, Eigen::VectorXd(force));
  // The point without mass stands 1e4 times above the highest mode: (omega/omega_far)^2 of its share.
  EXPECT_LT((answer(omega) - exact).norm(), 1e-8 * exact.norm());
}

}  // namespace imported_structure_test
}  // namespace microslip
