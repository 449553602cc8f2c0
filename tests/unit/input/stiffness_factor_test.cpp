// structure.stiffness_factor: on springs, matrices and reduced models.

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <cmath>

#include "microslip/io/csv_table.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace stiffness_factor_test {

constexpr double factor = 0.81;
constexpr double rounding = 1e-11;

/// Forty masses in a row between two grounds, as springs and as matrices.
class StiffnessFactor : public test::StudyFolder {
 protected:
  static constexpr int size = 40;

  void SetUp() override {
    test::StudyFolder::SetUp();
    Eigen::MatrixXd m = Eigen::MatrixXd::Identity(size, size), k = Eigen::MatrixXd::Zero(size, size);
    for (int i = 0; i < size; ++i) {
      m(i, i) = 1.0 + 0.01 * i;
      k(i, i) = 200.0;
      if (i > 0) k(i, i - 1) = k(i - 1, i) = -100.0;
    }
    write_matrix_market(path("M.mtx"), SparseMatrix(m.sparseView()));
    write_matrix_market(path("K.mtx"), SparseMatrix(k.sparseView()));
    write_matrix_market(path("C.mtx"), SparseMatrix((0.02 * k).sparseView()));
  }

  [[nodiscard]] static std::string matrices(const std::string& more, const std::string& kind = "matrices") {
    return "[structure]\nkind = \"" + kind + "\"\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n" + more + "\n";
  }
  [[nodiscard]] static std::string lumped(double springs, const std::string& more) {
    std::string masses, links = fmt::format(R"(["ground", "1", {0}], ["{1}", "ground", {0}])", springs, size);
    for (int i = 0; i < size; ++i) {
      masses += fmt::format("{}{}", i > 0 ? ", " : "", 1.0 + 0.01 * i);
      if (i > 0) links += fmt::format(R"(, ["{}", "{}", {}])", i, i + 1, springs);
    }
    return fmt::format("[structure]\nkind = \"lumped\"\nmasses = [{}]\nsprings = [{}]\n{}\n", masses, links, more);
  }
  static std::string key(double value = factor) { return fmt::format("stiffness_factor = {}\n", value); }
  static std::string joint() {
    return R"(
[[joint]]
name = "link"
between = ["1", "20"]
law = "linear"
k = 30.0
)";
  }
};

// omega^2 M phi = f K phi. A reduced model has its boundary and its modes with the boundary held from f K.
TEST_F(StiffnessFactor, FrequenciesGoWithTheRoot) {
  const std::string reduced = "boundary = [\"1\", \"20\"]\nmodes = 5\n";
  const std::pair<std::string, std::string> pairs[] = {
      {lumped(100.0, ""), lumped(100.0, key())},
      {matrices(""), matrices(key())},
      {matrices(reduced, "reduced"), matrices(reduced + key(), "reduced")}};
  for (const auto& [plain, times] : pairs) {
    const Study a = parse(plain), b = parse(times);
    const Eigen::VectorXd &own = a.system.stuck_modes().omega, &scaled = b.system.stuck_modes().omega;
    ASSERT_EQ(own.size(), scaled.size());
    for (Eigen::Index i = 0; i < own.size(); ++i) EXPECT_NEAR(scaled(i) / own(i), std::sqrt(factor), rounding) << i;
    EXPECT_EQ(a.facts.stiffness_factor, 1.0);
    EXPECT_EQ(b.facts.stiffness_factor, factor);
    for (std::size_t i = 0; i < a.facts.held_frequencies.size(); ++i) {
      EXPECT_NEAR(b.facts.held_frequencies[i] / a.facts.held_frequencies[i], std::sqrt(factor), rounding);
    }
    EXPECT_EQ(in_lines(b.facts, b.units).front(), "stiffness times 0.81: without joints, frequencies times 0.9");
  }
}

TEST_F(StiffnessFactor, OneChangesNoBit) {
  const Study a = parse(matrices("") + joint()), b = parse(matrices(key(1.0)) + joint());
  EXPECT_EQ(a.system.stuck_modes().omega, b.system.stuck_modes().omega);
  EXPECT_EQ(a.system.stuck_modes().shapes, b.system.stuck_modes().shapes);
}

// Springs multiplied by hand, beside a joint that keeps its stiffness.
TEST_F(StiffnessFactor, JointsKeepTheirStiffness) {
  const Study a = parse(lumped(100.0 * factor, "") + joint()), b = parse(lumped(100.0, key()) + joint());
  const Study c = parse(matrices(key()) + joint());
  const Eigen::VectorXd& expected = a.system.stuck_modes().omega;
  for (Eigen::Index i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(b.system.stuck_modes().omega(i) / expected(i), 1.0, rounding);
    EXPECT_NEAR(c.system.stuck_modes().omega(i) / expected(i), 1.0, rounding);
  }
  const double plain = parse(lumped(100.0, "") + joint()).system.stuck_modes().omega(0);
  EXPECT_GT(std::abs(expected(0) / plain / std::sqrt(factor) - 1.0), 1e-3) << "the joint does not count";
}

// A reduced model against the full one, both multiplied, with a joint across. Shapes of inertia leave the fourth power
// of the frequency over that of the first mode left out, here 3/7: a hundredth of it stays in the frequency, below
// 1e-3.
TEST_F(StiffnessFactor, AReducedModelFollowsTheFullOne) {
  const std::string reduced = "boundary = [\"1\", \"20\"]\nmodes = 6\n";
  const auto error = [&](const std::string& more) {
    const Study full = parse(matrices(more) + joint()), small = parse(matrices(reduced + more, "reduced") + joint());
    return (small.system.stuck_modes().omega.head(3).array() / full.system.stuck_modes().omega.head(3).array() - 1.0)
        .abs()
        .maxCoeff();
  };
  const double plain = error(""), times = error(key());
  EXPECT_LT(plain, 1e-3);
  EXPECT_LT(times, 1e-3);
}

// 2 zeta omega = phi^T C phi with the same shapes: modal ratios stay; b K goes with f, so that b omega/2 goes with the
// root of f and a/(2 omega) against it; a matrix stays, and its ratios go against the root.
TEST_F(StiffnessFactor, DampingIsWhatIsWritten) {
  const auto ratios = [&](const std::string& damping, double value) {
    return parse(matrices("damping = { " + damping + " }\n" + key(value))).system.damping_ratios();
  };
  const double root = std::sqrt(factor);
  const auto expect = [&](const std::string& damping, double ratio) {
    const Eigen::VectorXd plain = ratios(damping, 1.0), times = ratios(damping, factor);
    for (Eigen::Index i = 0; i < plain.size(); ++i) EXPECT_NEAR(times(i) / plain(i), ratio, rounding) << damping;
  };
  expect("modal = 0.01", 1.0);
  expect("rayleigh = [0.0, 1e-3]", root);
  expect("rayleigh = [0.2, 0.0]", 1.0 / root);
  expect("matrix = \"C.mtx\"", 1.0 / root);
}

TEST_F(StiffnessFactor, IsANumberOfTheStudy) {
  const Study study = parse(matrices("") + R"(
[[analysis]]
kind = "parameter_study"
name = "e"
analysis = { kind = "modes", count = 2 }
[analysis.vary]
"structure.stiffness_factor" = [0.25, 1.0, 4.0]
)");
  RunOptions options;
  options.report = false;
  EXPECT_EQ(run_study(study, path("out"), options).exit_code, 0);
  const std::vector<double> omega = read_csv_table(path("out/e.csv")).column("omega_stuck[2]");
  ASSERT_EQ(omega.size(), 3U);
  EXPECT_NEAR(omega[0] / omega[1], 0.5, rounding);
  EXPECT_NEAR(omega[2] / omega[1], 2.0, rounding);
}

TEST_F(StiffnessFactor, MistakesAreNamed) {
  for (const std::string kind : {"matrices", "reduced"}) {
    expect_complaint(matrices("stiffness_factor = »0.0", kind), "structure: stiffness_factor must be > 0, got 0");
  }
  expect_complaint(lumped(100.0, "stiffness_factor = »-2.0"), "structure: stiffness_factor must be > 0, got -2");
  expect_complaint(lumped(100.0, "stiffness_factor = »\"E\""),
                   "structure: stiffness_factor must be a number, got the string \"E\"");
  expect_complaint(lumped(100.0, "»stiffnes_factor = 1.0"),
                   "structure: unknown key \"stiffnes_factor\"; did you mean \"stiffness_factor\"?");
}

}  // namespace stiffness_factor_test
}  // namespace microslip
