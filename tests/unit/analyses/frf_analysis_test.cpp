// kind = "frf": reading, mistakes, tables.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>

#include "microslip/io/csv_table.hpp"
#include "microslip/periodic/frequency_response.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace frf_analysis_test {

using test::joint_text;
using test::load_text;
using test::marked_at;
using test::shaker_text;
using test::structure_text;

class FrfStudy : public test::StudyFolder {
 protected:
  static std::string with(const std::string& keys) {
    return structure_text + joint_text + shaker_text + load_text + R"(
[[analysis]]
kind = "frf"
)" + keys;
  }
};

TEST_F(FrfStudy, Mistakes) {
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(with(keys), "analysis \"frf\": " + message);
  };
  const auto missing = [&](const std::string& keys, const std::string& message) {
    expect_complaint(marked_at(with(keys), "[[analysis]]"), "analysis \"frf\": " + message);
  };
  const std::string load = "load = \"shaker\"\n", omega = "omega = [0.3, 0.5]\n", at = load + "at = [0.4]\n";
  expect_complaint(with(load + omega), "");
  missing(omega, "load is missing");
  missing(load, "one of omega, frequency_hz, at, at_hz is missing");
  expect(omega + R"(load = »"shakr")", R"(load: unknown load "shakr"; did you mean "shaker"?)");
  expect(omega + R"(load = »"hit")", R"(load: load "hit": a periodic response needs signals of kind sine or constant)");
  expect(load + "omega = »[0.3]", "omega must be [from, to], two different numbers");
  expect(load + "omega = [0.3, »-0.5]", "omega[2] must be > 0, got -0.5");
  expect(load + "at_hz = »[]", "at_hz: the list is empty");
  expect(at + "levels = »[1, 0]", "levels must not be 0: there is no motion without a load");
  expect(at + R"(method = »"shoting")", R"(unknown method "shoting"; did you mean "shooting"?)");
  expect(at + "»harmonic = 3", R"(unknown key "harmonic"; did you mean "harmonics"?)");
  expect(at + "harmonics = »0", "harmonics must be an integer from 1 to 500, got 0");
  expect(at + "samples = »4", "samples must be an integer from 16 to 1048576, got 4");
  expect(at + "tolerance = »0", "tolerance must be in [1e-13, 0.1], got 0");
  expect(load + omega + R"(solver = »"fixed_point")",
         "fixed_point follows no curve: give single frequencies with at or at_hz");
  expect(at + "»max_iterations = 5", R"(max_iterations goes with solver = "fixed_point")");
  expect(at + R"(record = { dofs = ["3", »"3"] })", R"(record: dofs: "3" is there twice)");
  expect(at + R"(record = { »joints = ["lap"] })", R"(record: unknown key "joints" (dofs))");
  expect(at + R"(peak = »"4")", R"(peak: unknown label "4" (1, 2, 3))");
  expect(load + omega + "isolas = »1.0", "isolas must be in (1, 1000000], got 1");
  expect(at + "isolas = »10.0", "isolas are looked for beside a curve: give omega or frequency_hz");
  expect(load + omega + "isolas = »10.0\nstart = { file = \"frf.csv\", row = 1 }",
         "isolas are looked for beside a whole curve, not with start");
}

const std::string oscillator =
    R"(
[structure]
kind = "lumped"
masses = [2.0]
springs = [["ground", "1", 8.0]]
damping = { modal = 0.01 }
[[load]]
name = "shaker"
at = "1"
signal = { kind = "sine", amplitude = 3.0, omega = 1.0 }
)";

// X = F/(k - m omega^2 + i c omega), c = 2 zeta sqrt(k m); its peak is F/(2 k zeta sqrt(1 - zeta^2)) at
// omega_0 sqrt(1 - 2 zeta^2).
TEST_F(FrfStudy, LinearResponseWithoutJoints) {
  const Study study = parse(oscillator + R"(
[[analysis]]
kind = "frf"
load = "shaker"
omega = [1.0, 3.0]
)" +
                            R"(
[[analysis]]
kind = "frf"
name = "at"
load = "shaker"
at = [1.5, 2.0]
)");
  const RunOutcome outcome = run_study(study, path("out"), {});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
  const double k = 8.0, m = 2.0, zeta = 0.01, c = 2.0 * zeta * std::sqrt(k * m);
  for (const char* file : {"out/frf.csv", "out/at.csv"}) {
    const CsvTable curve = read_csv_table(path(file));
    ASSERT_GE(curve.rows(), 2U);
    for (const std::string& name : curve.names) EXPECT_FALSE(name.starts_with("dissipation")) << name;
    for (std::size_t i = 0; i < curve.rows(); ++i) {
      const double w = curve.column("omega")[i];
      const std::complex<double> x = 3.0 / std::complex<double>(k - m * w * w, c * w);
      EXPECT_NEAR(curve.column("harmonic1[1]")[i] / std::abs(x), 1.0, 1e-9) << w;
      EXPECT_NEAR(curve.column("amplitude[1]")[i] / std::abs(x), 1.0, 1e-6) << w;
    }
  }
  const CsvTable special = read_csv_table(path("out/frf-special.csv"));
  ASSERT_EQ(special.rows(), 1U);
  EXPECT_NEAR(special.column("omega")[0], 2.0 * std::sqrt(1.0 - 2.0 * zeta * zeta), 1e-6);
  EXPECT_NEAR(special.column("harmonic1[1]")[0], 3.0 / (2.0 * k * zeta * std::sqrt(1.0 - zeta * zeta)), 1e-6);
  expect_complaint(oscillator + R"(
[[analysis]]
kind = "frf"
load = "shaker"
at = [1.0]
method = »"shooting"
)",
                   R"(analysis "frf": shooting looks for motions of joints: there is none)");
}

// A hardening spring that is bent over: curves tell that there are several motions where they begin, and that puts no
// number in doubt. Rows beside folds state an error of a tenth at most, folds their distance from the right curve,
// which the tolerance bounds.
TEST_F(FrfStudy, CurvesTellOfSeveralMotions) {
  const std::string text = R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 1.0]]
damping = { modal = 0.01 }
[[joint]]
name = "j"
between = ["ground", "1"]
law = "polynomial"
k3 = 1.0
[[load]]
name = "l"
at = "1"
signal = { kind = "sine", amplitude = 0.8, omega = 1.0 }
[[analysis]]
kind = "frf"
load = "l"
omega = [1.5, 1.2]
tolerance = 1e-4
[[analysis]]
kind = "orbit"
load = "l"
omega = 1.5
tolerance = 1e-4
)";
  const Study study = parse(text);
  const RunOutcome outcome = run_study(study, path("out"), {});
  for (const AnalysisSummary& summary : outcome.analyses) {
    EXPECT_NE(summary.message.find("several motions at omega = 1.5: "), std::string::npos) << summary.message;
    EXPECT_EQ(summary.only_remarks, summary.ending == Ending::completed) << summary.message;
  }
  // Down the other branch to its fold, where the curve turns back and leaves the range at its start.
  Study down = parse(test::replaced(text, "omega = [1.5, 1.2]", "omega = [3.0, 1.2]"));
  down.analyses.resize(1);
  static_cast<void>(run_study(down, path("down"), {}));
  const CsvTable special = read_csv_table(path("down/frf-special.csv"), CsvGaps::allowed);  // at a fold stable is nan
  const CsvTable rows = read_csv_table(path("down/frf.csv"), CsvGaps::allowed);
  const std::vector<double>& types = special.column("type");
  EXPECT_EQ(std::count(types.begin(), types.end(), static_cast<double>(SpecialKind::fold)), 1);
  for (const double error : special.column("error")) EXPECT_LE(error, 2e-4);
  const std::vector<double>& errors = rows.column("error");
  ASSERT_FALSE(errors.empty());
  EXPECT_LE(*std::max_element(errors.begin(), errors.end()), 0.1);
}

// A nonlinear absorber (periodic/isolas_test.cpp has its closed form): at one of two levels a closed curve beside the
// response. Each piece has its number in the tables; what the summary tells of it is what they hold.
TEST_F(FrfStudy, IsolasArePieces) {
  const Study study = parse(R"(
[structure]
kind = "lumped"
masses = [1.0, 0.05]
springs = [["ground", "1", 1.0], ["1", "2", 0.005]]
dampers = [["ground", "1", 0.02], ["1", "2", 0.005]]
[[joint]]
name = "cubic"
between = ["1", "2"]
law = "polynomial"
k3 = 0.05
[[load]]
name = "force"
at = "1"
signal = { kind = "sine", amplitude = 1.0, omega = 1.0 }
[[analysis]]
kind = "frf"
load = "force"
levels = [0.02, 0.03]
omega = [0.7, 1.2]
harmonics = 1
isolas = 10.0
)");
  const RunOutcome outcome = run_study(study, path("out"), {});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  EXPECT_TRUE(outcome.analyses[0].only_remarks);
  const CsvTable curve = read_csv_table(path("out/frf.csv"), CsvGaps::allowed);
  ASSERT_EQ(curve.names.front(), "piece");
  double low = 10.0, high = 0.0, largest = 0.0;
  long points = 0;
  for (std::size_t i = 0; i < curve.rows(); ++i) {
    if (curve.column("piece")[i] == 0.0) continue;
    EXPECT_EQ(curve.column("level")[i], 0.03);
    low = std::min(low, curve.column("frequency_hz")[i]);
    high = std::max(high, curve.column("frequency_hz")[i]);
    largest = std::max(largest, curve.column("amplitude[1]")[i]);
    ++points;
  }
  const CsvTable special = read_csv_table(path("out/frf-special.csv"), CsvGaps::allowed);
  EXPECT_EQ(special.names[2], "piece");
  const nlohmann::json detached =
      nlohmann::json::parse(std::ifstream(path("out/summary.json")))["analyses"][0]["detached"];
  ASSERT_EQ(detached.size(), 1U);
  EXPECT_TRUE(detached[0]["closed"]);
  EXPECT_EQ(detached[0]["level"], 0.03);
  EXPECT_EQ(detached[0]["points"], points);
  // Folds lie beyond the points beside them, by no more than a tenth of the curve.
  const double width = detached[0]["to_hz"].get<double>() - detached[0]["from_hz"].get<double>();
  EXPECT_NEAR(detached[0]["from_hz"], low, 0.1 * width);
  EXPECT_NEAR(detached[0]["to_hz"], high, 0.1 * width);
  EXPECT_LE(detached[0]["from_hz"], low);
  EXPECT_GE(detached[0]["to_hz"], high);
  EXPECT_GE(detached[0]["highest"]["amplitude"], largest);
  EXPECT_EQ(study.analyses[0]->settings()["isolas"], 10.0);
}

TEST_F(FrfStudy, LinearModeWithoutJoints) {
  const Study study = parse(oscillator + R"(
[[analysis]]
kind = "nonlinear_mode"
mode = 1
amplitude = [0.1, 10]
points = 3
)");
  const RunOutcome outcome = run_study(study, path("out"), {});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
  const CsvTable curve = read_csv_table(path("out/nonlinear_mode.csv"));
  ASSERT_EQ(curve.rows(), 3U);
  for (std::size_t i = 0; i < curve.rows(); ++i) {
    EXPECT_NEAR(curve.column("omega")[i], 2.0, 1e-12);
    EXPECT_NEAR(curve.column("zeta")[i], 0.01, 1e-15);
    EXPECT_NEAR(curve.column("q")[i], curve.column("amplitude")[i], 1e-15);
  }
}

TEST_F(FrfStudy, StabilityThatCannotBeFound) {
  const std::string five =
      R"(
[[joint]]
name = "five"
between = ["1", "2"]
law = "iwan5"
R = 1.0
S = 1.0
phi_max = 1.0
chi = 0.0
theta = 0.5
)";
  const std::string text = five + with(R"(
load = "shaker"
at = [0.4]
)");
  expect_complaint(text, "");
  expect_complaint(text + "stability = »true",
                   R"(analysis "frf": stability cannot be found: the law of joint "five" does not tell how its )"
                   "memory is disturbed");
}

// One step of the fixed point is never enough; that the first level ended so does not hide that the second was stopped.
TEST_F(FrfStudy, StopsBehindALevelThatWasNotFound) {
  const Study study = parse(with(R"(
load = "shaker"
at = [1.0]
levels = [1.0, 2.0, 3.0]
solver = "fixed_point"
max_iterations = 1
)"));
  std::atomic<bool> stop = false;
  RunOptions options;
  options.stop = &stop;
  options.progress = [&](std::size_t, double fraction) { stop = fraction > 0.3; };
  const RunOutcome outcome = run_study(study, path("out"), options);
  EXPECT_EQ(outcome.exit_code, 130);
  const AnalysisSummary& summary = outcome.analyses.at(0);
  EXPECT_EQ(summary.ending, Ending::interrupted);
  EXPECT_NE(summary.message.find("level 1: omega = 1: the fixed-point iteration"), std::string::npos)
      << summary.message;
  EXPECT_NE(summary.message.find("level 2: interrupted"), std::string::npos) << summary.message;
  EXPECT_EQ(summary.message.find("level 3"), std::string::npos) << summary.message;
}

TEST_F(FrfStudy, WritesItsTables) {
  const Study study = parse(with(R"(
load = "shaker"
omega = [0.38, 0.44]
levels = [0.001, 0.01]
record = { dofs = ["3", "1"] }
[[analysis]]
kind = "frf"
name = "two"
load = "shaker"
at = [0.43, 0.40]
)"));
  const RunOutcome outcome = run_study(study, path("out"), {});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  const CsvTable curve = read_csv_table(path("out/frf.csv"));
  const std::vector<std::string> names = {"level",
                                          "omega",
                                          "frequency_hz",
                                          "amplitude[3]",
                                          "amplitude[1]",
                                          "harmonic1[3]",
                                          "harmonic1[1]",
                                          "phase1[3]",
                                          "phase1[1]",
                                          "dissipation[lap]",
                                          "dissipation_error[lap]",
                                          "stable",
                                          "multiplier",
                                          "multiplier_error",
                                          "iterations",
                                          "harmonics",
                                          "error"};
  EXPECT_EQ(curve.names, names);
  const CsvTable special = read_csv_table(path("out/frf-special.csv"));
  EXPECT_EQ(special.names.front(), "type");
  EXPECT_EQ(special.names[1], "dof");
  ASSERT_EQ(special.rows(), 2U);  // a peak a level
  EXPECT_EQ(special.columns[0][0], 2.0);
  EXPECT_EQ(special.columns[1][0], 3.0);
  const CsvTable two = read_csv_table(path("out/two.csv"));
  ASSERT_EQ(two.rows(), 2U);  // in the order given
  EXPECT_EQ(two.columns[1][0], 0.43);
  EXPECT_EQ(two.columns[1][1], 0.40);
}

}  // namespace frf_analysis_test
}  // namespace microslip
