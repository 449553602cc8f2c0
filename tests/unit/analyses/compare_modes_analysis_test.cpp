// kind = "compare_modes": shapes of a file against those of a model that are known, and the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "microslip/analyses/compare_modes/analysis.hpp"
#include "microslip/io/universal_file.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace compare_modes_analysis_test {

constexpr double pi = std::numbers::pi;

/// Four masses of 2 kg between two walls, springs 8 N/m: omega_j = 4 sin(j pi/10), phi_ij = sin(i j pi/5)/sqrt(5).
const std::string chain = R"(
[structure]
kind = "lumped"
masses = [2.0, 2.0, 2.0, 2.0]
springs = [["ground", "1", 8.0], ["1", "2", 8.0], ["2", "3", 8.0], ["3", "4", 8.0], ["4", "ground", 8.0]]
damping = { modal = 1e-2 }
points = { rows = [[0.5, 0.5, 0, 0]], labels = ["mid"] }
)";
double chain_hz(int j) {
  return 4.0 * std::sin(0.1 * j * pi) / (2.0 * pi);
}
double chain_shape(int i, int j) {
  return std::sin(0.2 * i * j * pi) / std::sqrt(5.0);
}

class CompareModes : public test::StudyFolder {
 protected:
  /// Modes 3 and 1 as measured: 1 % higher, shapes times -2 and 0.5, seen at three masses and the point between the
  /// first two, by the modal filter's scale.
  void write_shapes(const std::string& more = "") const {
    std::string text = "mode,frequency_hz,frequency_hz_error,zeta,phi[1],phi[2],phi[4],phi[mid]\n";
    for (const int j : {3, 1}) {
      const double scale = j == 3 ? -2.0 : 0.5;
      const auto phi = [&](int i) { return scale * chain_shape(i, j); };
      text += fmt::format("{},{:.17g},{:.17g},0.02,{:.17g},{:.17g},{:.17g},{:.17g}\n", 10 + j, 1.01 * chain_hz(j),
                          0.001 * chain_hz(j), phi(1), phi(2), phi(4), 0.5 * (phi(1) + phi(2)));
    }
    write("shapes.csv", text + more);
  }
  /// In memory: tables may hold numbers that are not known.
  AnalysisSummary run(const std::string& keys, const std::string& structure = chain) {
    const Study study = parse(structure + "[[analysis]]\nkind = \"compare_modes\"\nname = \"c\"\n" + keys);
    outer_.emplace(path("out"), study.units, std::vector<std::string>{});
    memory_.emplace(*outer_, Results::InMemory{});
    AnalysisRun with{study.system, *memory_, {}};
    return study.analyses.front()->run(with);
  }
  [[nodiscard]] const MemorySink& table(const std::string& part = "") const { return memory_->kept("c" + part); }

  std::optional<Results> outer_, memory_;
};

TEST_F(CompareModes, PairsDifferencesScales) {
  write_shapes();
  const AnalysisSummary summary = run("shapes = \"shapes.csv\"\nmodes = 4\n");
  ASSERT_EQ(summary.ending, Ending::completed) << summary.message;
  const MemorySink& rows = table();
  ASSERT_EQ(rows.rows(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const int j = i == 0 ? 3 : 1;
    EXPECT_EQ(rows.column("measured")[i], 10.0 + j);
    EXPECT_EQ(rows.column("model")[i], j);
    EXPECT_NEAR(rows.column("frequency_hz_model")[i], chain_hz(j), 1e-12);
    EXPECT_NEAR(rows.column("difference")[i], 1.0 / 1.01 - 1.0, 1e-12);
    EXPECT_NEAR(rows.column("difference_in_errors")[i], -10.0, 1e-9);
    EXPECT_NEAR(rows.column("mac")[i], 1.0, 1e-12);
    EXPECT_NEAR(rows.column("scale")[i], j == 3 ? -2.0 : 0.5, 1e-12);
    EXPECT_NEAR(rows.column("cross_orthogonality")[i], j == 3 ? -1.0 : 1.0, 1e-12);
    EXPECT_NEAR(rows.column("zeta_model")[i], 0.01, 1e-12);
  }
  EXPECT_EQ(summary.message,
            "1 mode of the model between the measured frequencies has no partner (2); c-model tells how much of each "
            "the points see");
  // MAC of the others by its definition at the points
  const MemorySink& mac = table("-mac");
  ASSERT_EQ(mac.rows(), 8U);
  const auto at_points = [](int j) {
    return Eigen::Vector4d(chain_shape(1, j), chain_shape(2, j), chain_shape(4, j),
                           0.5 * (chain_shape(1, j) + chain_shape(2, j)));
  };
  for (std::size_t i = 0; i < 8; ++i) {
    const auto a = at_points(static_cast<int>(mac.column("measured")[i]) - 10);
    const auto b = at_points(static_cast<int>(mac.column("model")[i]));
    EXPECT_NEAR(mac.column("mac")[i], std::pow(a.dot(b), 2) / a.squaredNorm() / b.squaredNorm(), 1e-12);
  }
  const MemorySink& points = table("-points");
  ASSERT_EQ(points.rows(), 8U);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(points.column("phi_measured")[i], points.column("phi_model")[i], 1e-12);
}

// With every mass measured the static mass is the mass itself: the measured shape of mode 1 that holds 0.2 of mode 2
// has 0.2/sqrt(1.04) of it, and 1/sqrt(1.04) of its partner; MAC 1/1.04 (equal masses).
TEST_F(CompareModes, OrthogonalityByEitherMass) {
  std::string text = "frequency_hz,phi[1],phi[2],phi[3],phi[4]\n";
  for (const int j : {1, 2}) {
    text += fmt::format("{:.17g}", chain_hz(j));
    for (int i = 1; i <= 4; ++i) {
      text += fmt::format(",{:.17g}", chain_shape(i, j) + (j == 1 ? 0.2 * chain_shape(i, 2) : 0.0));
    }
    text += "\n";
  }
  write("shapes.csv", text);
  for (const char* mass : {"serep", "static"}) {
    const AnalysisSummary summary = run(fmt::format("shapes = \"shapes.csv\"\nmass = \"{}\"\n", mass));
    ASSERT_EQ(summary.ending, Ending::completed) << summary.message;
    const MemorySink& c = table("-orthogonality");
    ASSERT_EQ(c.rows(), 4U);
    const double expected[] = {1.0 / std::sqrt(1.04), 0.2 / std::sqrt(1.04), 0.0, 1.0};
    // signs of the model's shapes are free
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(std::abs(c.column("cross_orthogonality")[i]), expected[i], 1e-12) << mass << i;
    }
    EXPECT_NEAR(table().column("mac")[0], 1.0 / 1.04, 1e-12);
  }
}

// What has no partner, channels that the model lacks, and points that do not hold the model.
TEST_F(CompareModes, TellsWhatItCannotDo) {
  write("shapes.csv", "frequency_hz,phi[1],phi[2],phi[3],phi[9.z]\n0.2,1,-1,1,5\n0.5,1,0.5,-1,0\n");
  const AnalysisSummary summary = run("shapes = \"shapes.csv\"\nmodes = 1\nmin_mac = 0.9\n");
  EXPECT_EQ(summary.ending, Ending::no_convergence);
  const std::string& message = summary.message;
  EXPECT_NE(message.find("measured mode 1 (0.2"), std::string::npos) << message;
  EXPECT_NE(message.find("has no partner: its largest MAC is 0."), std::string::npos) << message;
  EXPECT_NE(message.find("1 channel not compared, since the model has no such point: 9.z"), std::string::npos);
  EXPECT_EQ(summary.facts_json()["measured_alone"].size(), 2U);
}

TEST_F(CompareModes, ShapesOfAUniversalFile) {
  UniversalFile content;
  for (const int j : {1, 2}) {
    UniversalShape shape;
    shape.mode = j;
    shape.frequency_hz = 1.02 * chain_hz(j);
    shape.damping_ratio = 0.03;
    shape.values_a_node = 3;
    for (int i = 1; i <= 4; ++i) {
      shape.nodes.push_back(i);
      for (const double value : {chain_shape(i, j), 0.0, 0.0}) shape.values.push_back(value);
    }
    content.shapes.push_back(shape);
  }
  write("shapes.unv", universal_text(content));
  const std::string named = test::replaced(test::replaced(chain, "damping",
                                                          "labels = [\"1.x\", \"2.x\", \"3.x\", "
                                                          "\"4.x\"]\ndamping"),
                                           R"(springs = [["ground", "1", 8.0], ["1", "2", 8.0], ["2", "3", 8.0], )"
                                           R"(["3", "4", 8.0], ["4", "ground", 8.0]])",
                                           R"(springs = [["ground", "1.x", 8.0], ["1.x", "2.x", 8.0], )"
                                           R"(["2.x", "3.x", 8.0], ["3.x", "4.x", 8.0], ["4.x", "ground", 8.0]])");
  const AnalysisSummary summary = run("shapes = \"shapes.unv\"\n", named);
  ASSERT_EQ(summary.ending, Ending::completed) << summary.message;
  const MemorySink& rows = table();
  ASSERT_EQ(rows.rows(), 2U);
  // The same of a channel that points against its degree of freedom.
  std::string turned = "frequency_hz,phi[1.x],phi[2.-x],phi[3.x],phi[4.x]\n";
  for (const int j : {1, 2}) {
    turned += fmt::format("{},{},{},{},{}\n", chain_hz(j), chain_shape(1, j), -chain_shape(2, j), chain_shape(3, j),
                          chain_shape(4, j));
  }
  write("turned.csv", turned);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(rows.column("model")[i], i == 0 ? 1.0 : 2.0);
    EXPECT_NEAR(rows.column("mac")[i], 1.0, 1e-9);  // six digits in the file
    EXPECT_NEAR(rows.column("difference")[i], 1.0 / 1.02 - 1.0, 1e-5);
    EXPECT_NEAR(rows.column("zeta")[i], 0.03, 1e-6);
  }
  ASSERT_EQ(run("shapes = \"turned.csv\"\n", named).ending, Ending::completed);
  for (const double mac : table().column("mac")) EXPECT_NEAR(mac, 1.0, 1e-12);
  for (const double scale : table().column("scale")) EXPECT_NEAR(scale, 1.0, 1e-12);
}

TEST_F(CompareModes, Mistakes) {
  write_shapes();
  write("bare.csv", "mode,phi[1],phi[2]\n1,1,1\n");
  write("others.csv", "frequency_hz,left,right\n1,1,1\n");
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(chain + "[[analysis]]\nkind = \"compare_modes\"\n" + keys,
                     "analysis \"compare_modes\": " + message);
  };
  expect("shapes = »\"bare.csv\"", "shapes: every mode needs its frequency, a column frequency_hz with numbers > 0");
  expect("shapes = »\"others.csv\"",
         "shapes: no channel is a degree of freedom or a point of the model; the first is \"left\" (1, 2, 3, 4, mid)");
  expect("from = »\"fit\"", "from: no modal_fit stands before this analysis, so that there is no \"fit\"");
  expect("from = \"fit\"\n»shapes = \"shapes.csv\"", "from and shapes exclude each other");
  expect("shapes = \"shapes.csv\"\nmin_mac = »2", "min_mac must be in (0, 1], got 2");
  expect("shapes = \"shapes.csv\"\nmass = »\"guyan\"", "unknown mass \"guyan\" (serep, static)");
}

}  // namespace compare_modes_analysis_test
}  // namespace microslip
