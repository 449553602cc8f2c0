// Points that are no degree of freedom: rows times q, in every analysis as a degree of freedom is.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <regex>

#include "microslip/input/read_points.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace points_test {

using test::joint_text;
using test::replaced;

const std::string head = "%%MatrixMarket matrix coordinate real general\n";

/// Three masses and an Iwan joint as in structure_text, as masses and springs, as matrices and as a reduced model that
/// leaves nothing out. "tip" is the third mass, "mid" the mean of the first two, "double" twice the first.
const std::string lumped = R"(
[structure]
kind = "lumped"
masses = [10.0, 10.0, 10.0]
springs = [["ground", "1", 9.0], ["1", "2", 9.0], ["2", "3", 9.0]]
damping = { modal = 1e-3 }
points = { rows = [[0, 0, 1], [0.5, 0.5, 0], [2, 0, 0]], labels = ["tip", "mid", "double"] }
)";
const std::string matrices = R"(
[structure]
kind = "matrices"
mass = "M.mtx"
stiffness = "K.mtx"
damping = { modal = 1e-3 }
points = { rows = "outputs.mtx", labels = "outputs.txt" }
)";
const std::string reduced = replaced(matrices, R"("matrices")",
                                     "\"reduced\"\nmodes = 1\nboundary = [\"2\", \"3\"]\n"
                                     "inertia_shapes = false");

class PointsOfAStructure : public test::StudyFolder {
 protected:
  void SetUp() override {
    test::StudyFolder::SetUp();
    write("M.mtx", head + "3 3 3\n1 1 10\n2 2 10\n3 3 10\n");
    write("K.mtx", head + "3 3 7\n1 1 18\n2 1 -9\n1 2 -9\n2 2 18\n3 2 -9\n2 3 -9\n3 3 9\n");
    write("outputs.mtx", head + "3 3 4\n1 3 1\n2 1 0.5\n2 2 0.5\n3 1 2\n");
    write("outputs.txt", "tip\nmid\ndouble\n");
  }

  /// The main table of every analysis of a study.
  [[nodiscard]] std::map<std::string, CsvTable> tables(const std::string& text) const {
    RunOptions options;
    options.report = false;
    const Study study = parse(text);
    const RunOutcome outcome = run_study(study, path("out"), options);
    std::map<std::string, CsvTable> result;
    for (const AnalysisSummary& summary : outcome.analyses) {
      EXPECT_EQ(summary.ending, Ending::completed) << summary.name << ": " << summary.message;
      if (summary.ending != Ending::completed) continue;
      result.emplace(summary.name, read_csv_table(path("out/" + summary.name + ".csv")));
    }
    return result;
  }

  /// Every column of both is the same to `share` of its largest value.
  static void expect_same(const CsvTable& a, const CsvTable& b, double share) {
    ASSERT_EQ(a.names, b.names);
    ASSERT_EQ(a.rows(), b.rows());
    for (const std::string& name : a.names) {
      const std::vector<double>&x = a.column(name), &y = b.column(name);
      double largest = 0.0;
      for (const double value : x) largest = std::max(largest, std::abs(value));
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(x[i]) && std::isnan(y[i])) continue;
        EXPECT_NEAR(x[i], y[i], share * largest) << name << " row " << i;
      }
    }
  }
};

std::string load_at(const std::string& at) {
  return R"(
[[load]]
name = "hit"
)" + at +
         R"(
signal = { kind = "half_sine", amplitude = 10.0, duration = 1.8 }
[[load]]
name = "shaker"
)" + at +
         R"(
signal = { kind = "sine", amplitude = 2.0, omega = 1.0 }
)";
}

const std::string every_analysis = R"(
[[analysis]]
kind = "transient"
load = "hit"
duration = 20.0
step = 0.05
[[analysis]]
kind = "ringdown"
load = "hit"
duration = 200.0
step = 0.05
mode = 1
[[analysis]]
kind = "frf"
load = "shaker"
levels = [0.1]
at = [0.4, 0.42]
tolerance = 1e-3
[[analysis]]
kind = "level_sweep"
load = "shaker"
levels = [0.01, 0.2]
omega = [0.4]
tolerance = 1e-3
[[analysis]]
kind = "peaks"
load = "shaker"
levels = [0.02, 0.2]
mode = 1
tolerance = 1e-3
[[analysis]]
kind = "orbit"
load = "shaker"
omega = 0.4
level = 0.05
tolerance = 1e-3
)";

// A load at a point whose row is that of a degree of freedom is a load there: all tables are the same, and the point
// moves as the degree of freedom does. 1e-9: of numbers that are printed with more digits, from the same equations.
TEST_F(PointsOfAStructure, AreLoadedAndRecordedLikeDegreesOfFreedomInEveryAnalysis) {
  for (const std::string& structure : {lumped, matrices, reduced}) {
    const auto at_mass = tables(structure + joint_text + load_at(R"(at = "3")") + every_analysis);
    const auto at_point = tables(structure + joint_text + load_at(R"(at = "tip")") + every_analysis);
    ASSERT_EQ(at_mass.size(), 6U);
    for (const auto& [name, table] : at_mass) {
      SCOPED_TRACE(structure + name);
      ASSERT_TRUE(at_point.contains(name));
      expect_same(table, at_point.at(name), 1e-9);
      for (const char* quantity : {"q", "v", "a", "amplitude", "harmonic1"}) {
        const std::string own = fmt::format("{}[3]", quantity), followed = fmt::format("{}[tip]", quantity);
        if (!table.has(own)) continue;
        EXPECT_EQ(table.column(own), table.column(followed)) << own;
      }
    }
    EXPECT_TRUE(at_mass.at("transient").has("q[tip]"));
    EXPECT_TRUE(at_mass.at("frf").has("amplitude[tip]"));
  }
}

// A force at the mean of two masses is half of it at each; at twice the first mass, twice of it there.
TEST_F(PointsOfAStructure, ForcesActByTheirRows) {
  const std::string transient = every_analysis.substr(0, every_analysis.find("[[analysis]]", 5));
  for (const std::string& structure : {lumped, matrices, reduced}) {
    const auto run = [&](const std::string& load) {
      return tables(structure + joint_text + load_at(load) + transient).at("transient");
    };
    const CsvTable at_point = run(R"(at = "mid")");
    expect_same(at_point, run(R"(vector = { "double" = 0.25, "2" = 0.5 })"), 1e-9);
    const bool inside = structure == reduced;  // the first mass
    if (!inside) expect_same(at_point, run(R"(vector = { "1" = 0.5, "2" = 0.5 })"), 1e-9);
    for (std::size_t i = 0; i < at_point.rows(); ++i) {
      const auto q = [&](const char* label) { return at_point.column(fmt::format("q[{}]", label))[i]; };
      EXPECT_NEAR(q("mid"), 0.25 * q("double") + 0.5 * q("2"), 1e-12);
    }
  }
}

TEST_F(PointsOfAStructure, ShapesAndJoints) {
  const Study plain = parse(lumped + joint_text);
  for (const std::string& structure : {lumped, matrices, reduced}) {
    const Study study = parse(structure + replaced(joint_text, R"("3")", R"("tip")"));
    const System& system = study.system;
    const Eigen::VectorXd omega = system.stuck_modes().omega;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(omega(i) / plain.system.stuck_modes().omega(i), 1.0, 1e-12) << structure;
    const auto row = [&](const char* label) -> Eigen::RowVectorXd {
      return system.stuck_modes().shapes.row(system.structure().index_of(label));
    };
    EXPECT_EQ(row("tip"), row("3"));
    if (structure == reduced) continue;  // "1" is inside
    EXPECT_TRUE(row("mid").isApprox(0.5 * (row("1") + row("2")), 1e-14));
    EXPECT_TRUE(row("double").isApprox(2.0 * row("1"), 1e-14));
  }
}

// A point of a reduced model that is on its boundary is a coordinate of it; with all modes the model is the whole one.
TEST_F(PointsOfAStructure, OnTheBoundaryOfAReducedModel) {
  const Study plain = parse(lumped + joint_text);
  const std::string by_load = replaced(reduced, "boundary = [\"2\", \"3\"]\n", "");
  const Study study = parse(replaced(by_load, "modes = 1", "modes = 0") + joint_text + load_at(R"(at = "mid")"));
  const LinearStructure& structure = study.system.structure();
  EXPECT_LT(structure.index_of("mid"), structure.independent());
  EXPECT_GE(structure.index_of("double"), structure.independent());
  const Eigen::VectorXd omega = study.system.stuck_modes().omega;
  ASSERT_EQ(omega.size(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(omega(i) / plain.system.stuck_modes().omega(i), 1.0, 1e-10);
  // double = 2 q1 = 2 (2 mid - q2)
  const Eigen::MatrixXd& shapes = study.system.stuck_modes().shapes;
  const auto row = [&](const char* label) -> Eigen::RowVectorXd { return shapes.row(structure.index_of(label)); };
  EXPECT_TRUE(row("double").isApprox(4.0 * row("mid") - 2.0 * row("2"), 1e-10));
}

// Far below the first mode all moves with the ground; a point by its row times that: 2 for twice a mass.
TEST_F(PointsOfAStructure, MoveWithTheGroundByTheirRows) {
  const std::string shaken = R"(
[[load]]
name = "shaker"
base = true
KEYS
signal = { kind = "sine", amplitude = 1.0, omega = 1.0 }
[[analysis]]
kind = "frf"
load = "shaker"
levels = [1.0]
at = [1e-4]
)";
  const auto expect_moved = [&](const std::string& text) {
    const CsvTable frf = tables(text).at("frf");
    const std::map<std::string, double> moves = {{"tip", 1.0}, {"mid", 1.0}, {"double", 2.0}};
    for (const auto& [label, by] : moves) {
      // omega^2/omega_1^2 = 1e-8/0.18 and less; the joint gives way by FS's share, far less
      EXPECT_NEAR(frf.column(fmt::format("harmonic1[{}]", label))[0] / frf.column("level")[0], by, 1e-5) << label;
    }
  };
  expect_moved(lumped + joint_text + replaced(shaken, "KEYS", ""));
  const std::string held = R"(
[[joint]]
name = "foot"
between = ["ground", "1.x"]
law = "linear"
k = 9.0
)";
  write("K.mtx", head + "3 3 7\n1 1 9\n2 1 -9\n1 2 -9\n2 2 18\n3 2 -9\n2 3 -9\n3 3 9\n");
  const std::string free = matrices + "labels = [\"1.x\", \"2.x\", \"3.x\"]\n" + held;
  expect_moved(free + replaced(shaken, "KEYS", R"(direction = "x")"));
}

// Columns of rows that the files hold fixed do not count.
TEST_F(PointsOfAStructure, HeldRowsDoNotMove) {
  const TomlDocument document = parse_toml(R"(points = { rows = [[1, 2, 3]], labels = ["p"] })", "t.toml");
  const TableReader reader(document.root, document.file, "");
  MatrixRows rows;
  rows.in_files = 3;
  rows.removed = {1};
  const DependentCoordinates points = read_points(reader, rows, {});
  ASSERT_EQ(points.rows.cols(), 2);
  EXPECT_EQ(points.rows.coeff(0, 0), 1.0);
  EXPECT_EQ(points.rows.coeff(0, 1), 3.0);
}

TEST_F(PointsOfAStructure, GeometryShowsThem) {
  write("nodes.csv", "label,x,y,z,dx,dy,dz\ntip,0,0,0,0,1,0\nmid,1,0,0,0,1,0\n");
  const Study study = parse(matrices + "geometry = \"nodes.csv\"\n");
  const LinearStructure& structure = study.system.structure();
  ASSERT_EQ(structure.geometry().motions.size(), 2U);
  EXPECT_EQ(structure.geometry().motions[1].dof, structure.index_of("mid"));
}

TEST_F(PointsOfAStructure, Mistakes) {
  const std::string rows = R"([[0, 0, 1], [0.5, 0.5, 0], [2, 0, 0]])", labels = R"(["tip", "mid", "double"])";
  const auto expect = [&](const std::string& what, const std::string& with, const std::string& message) {
    expect_complaint(replaced(lumped, what, with), "structure: points: " + message);
  };
  expect(rows, "[[0, 0, 1], »[0.5, 0.5]]", "a row of points must have 3 numbers, one a degree of freedom, got 2");
  expect(rows, "[[0, 0, »inf]]", "a row of points must be finite, got inf");
  expect(rows, "»[]", "rows must be of 1 to 100000 points, got 0");
  expect(rows, "»3", "rows must be a string, got 3; write \"3\"");
  expect(labels, R"(»["tip"])", "labels must be 3 like the rows, got 1");
  expect(labels, R"(["tip", »"tip", "mid"])", R"(label "tip" is there twice)");
  expect(labels, R"(»["tip", "2", "mid"])", R"(label "2" is a degree of freedom already)");
  expect(", labels = " + labels, ", »name = \"p\"", "unknown key \"name\" (rows, labels)");
  const std::string wide = write_marked("wide.mtx", head + "»3 4 1\n1 1 1\n");
  const std::string bad = write_marked("bad.mtx", head + "3 3 1\n1 1 »nan\n");
  const auto of_file = [&](const std::string& file, const std::string& message) {
    expect_complaint(replaced(matrices, "outputs.mtx", file), message);
  };
  of_file("wide.mtx", wide + "the rows of points must have 3 columns, one a row of the matrices, got 4");
  of_file("bad.mtx", bad + R"(an entry must be finite, got "nan")");
  const std::string few = write_marked("few.txt", "tip\n»mid\n");
  expect_complaint(replaced(matrices, "outputs.txt", "few.txt"), few + "there must be 3 labels, one a line, got 2");
}

}  // namespace points_test
}  // namespace microslip
