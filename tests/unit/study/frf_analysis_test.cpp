// kind = "frf": reading, mistakes, tables.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "microslip/io/csv_table.hpp"
#include "microslip/periodic/frequency_response.hpp"
#include "microslip/report/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "study_folder.hpp"

namespace microslip {
namespace {

using test::joint_text;
using test::structure_text;

class FrfStudy : public test::StudyFolder {
 protected:
  static std::string with(const std::string& keys) {
    return structure_text + joint_text +
           "[[load]]\nname = \"shaker\"\nat = \"3\"\nsignal = { kind = \"sine\", amplitude = 2.0, omega = 1.0 }\n"
           "[[load]]\nname = \"hit\"\nat = \"3\"\nsignal = { kind = \"half_sine\", amplitude = 1.0, duration = 1.0 }\n"
           "[[analysis]]\nkind = \"frf\"\n" +
           keys;  // from line 24
  }
};

TEST_F(FrfStudy, Mistakes) {
  const auto expect = [&](const std::string& keys, const std::string& message) {
    EXPECT_EQ(complaint(with(keys)), message) << keys;
  };
  const std::string load = "load = \"shaker\"\n";
  expect(load + "omega = [0.3, 0.5]\n", "");
  expect("omega = [0.3, 0.5]\n", "study.toml:22:1: analysis \"frf\": load is missing");
  expect("load = \"shakr\"\nomega = [0.3, 0.5]\n",
         "study.toml:24:8: analysis \"frf\": load: unknown load \"shakr\"; did you mean \"shaker\"?");
  expect("load = \"hit\"\nomega = [0.3, 0.5]\n",
         "study.toml:24:8: analysis \"frf\": load: load \"hit\": a periodic response needs signals of kind sine or "
         "constant");
  expect(load, "study.toml:22:1: analysis \"frf\": one of omega, frequency_hz, at, at_hz is missing");
  expect(load + "omega = [0.3]\n",
         "study.toml:25:9: analysis \"frf\": omega must be [from, to], two different numbers");
  expect(load + "omega = [0.3, -0.5]\n", "study.toml:25:15: analysis \"frf\": omega[2] must be > 0, got -0.5");
  expect(load + "at_hz = []\n", "study.toml:25:9: analysis \"frf\": at_hz: the list is empty");
  expect(load + "at = [0.4]\nlevels = [1, 0]\n",
         "study.toml:26:10: analysis \"frf\": levels must not be 0: there is no motion without a load");
  expect(load + "at = [0.4]\nmethod = \"shoting\"\n",
         "study.toml:26:10: analysis \"frf\": unknown method \"shoting\"; did you mean \"shooting\"?");
  expect(load + "at = [0.4]\nharmonic = 3\n",
         "study.toml:26:1: analysis \"frf\": unknown key \"harmonic\"; did you mean \"harmonics\"?");
  expect(load + "at = [0.4]\nharmonics = 0\n",
         "study.toml:26:13: analysis \"frf\": harmonics must be an integer from 1 to 500, got 0");
  expect(load + "at = [0.4]\nsamples = 4\n",
         "study.toml:26:11: analysis \"frf\": samples must be an integer from 16 to 1048576, got 4");
  expect(load + "at = [0.4]\ntolerance = 0\n",
         "study.toml:26:13: analysis \"frf\": tolerance must be in [1e-13, 0.1], got 0");
  expect(load + "omega = [0.3, 0.5]\nsolver = \"fixed_point\"\n",
         "study.toml:26:10: analysis \"frf\": fixed_point follows no curve: give single frequencies with at or at_hz");
  expect(load + "at = [0.4]\nmax_iterations = 5\n",
         "study.toml:26:1: analysis \"frf\": max_iterations goes with solver = \"fixed_point\"");
  expect(load + "at = [0.4]\nrecord = { dofs = [\"3\", \"3\"] }\n",
         "study.toml:26:25: analysis \"frf\": record: dofs: \"3\" is there twice");
  expect(load + "at = [0.4]\nrecord = { joints = [\"lap\"] }\n",
         "study.toml:26:12: analysis \"frf\": record: unknown key \"joints\" (dofs)");
  expect(load + "at = [0.4]\npeak = \"4\"\n", "study.toml:26:8: analysis \"frf\": peak: unknown label \"4\" (1, 2, 3)");
}

const std::string oscillator =
    "[structure]\nkind = \"lumped\"\nmasses = [2.0]\nsprings = [[\"ground\", \"1\", 8.0]]\ndamping = { modal = 0.01 }\n"
    "[[load]]\nname = \"shaker\"\nat = \"1\"\nsignal = { kind = \"sine\", amplitude = 3.0, omega = 1.0 }\n";

// X = F/(k - m omega^2 + i c omega), c = 2 zeta sqrt(k m); its peak is F/(2 k zeta sqrt(1 - zeta^2)) at
// omega_0 sqrt(1 - 2 zeta^2).
TEST_F(FrfStudy, LinearResponseWithoutJoints) {
  const Study study = parse(oscillator + "[[analysis]]\nkind = \"frf\"\nload = \"shaker\"\nomega = [1.0, 3.0]\n" +
                            "[[analysis]]\nkind = \"frf\"\nname = \"at\"\nload = \"shaker\"\nat = [1.5, 2.0]\n");
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
  EXPECT_EQ(complaint(oscillator + "[[analysis]]\nkind = \"frf\"\nload = \"shaker\"\nat = [1.0]\nmethod = "
                                   "\"shooting\"\n"),
            "study.toml:14:10: analysis \"frf\": shooting looks for motions of joints: there is none");
}

// A hardening spring that is bent over: curves tell that there are several motions where they begin, and that puts no
// number in doubt. Rows beside folds state an error of a tenth at most, folds their distance from the right curve,
// which the tolerance bounds.
TEST_F(FrfStudy, CurvesTellOfSeveralMotions) {
  const Study study = parse(
      "[structure]\nkind = \"lumped\"\nmasses = [1.0]\nsprings = [[\"ground\", \"1\", 1.0]]\ndamping = { modal = 0.01 "
      "}\n"
      "[[joint]]\nname = \"j\"\nbetween = [\"ground\", \"1\"]\nlaw = \"polynomial\"\nk3 = 1.0\n"
      "[[load]]\nname = \"l\"\nat = \"1\"\nsignal = { kind = \"sine\", amplitude = 0.8, omega = 1.0 }\n"
      "[[analysis]]\nkind = \"frf\"\nload = \"l\"\nomega = [1.5, 1.2]\ntolerance = 1e-4\n"
      "[[analysis]]\nkind = \"orbit\"\nload = \"l\"\nomega = 1.5\ntolerance = 1e-4\n");
  const RunOutcome outcome = run_study(study, path("out"), {});
  for (const AnalysisSummary& summary : outcome.analyses) {
    EXPECT_NE(summary.message.find("several motions at omega = 1.5: "), std::string::npos) << summary.message;
    EXPECT_EQ(summary.only_remarks, summary.ending == Ending::completed) << summary.message;
  }
  const CsvTable special = read_csv_table(path("out/frf-special.csv")), rows = read_csv_table(path("out/frf.csv"));
  const std::vector<double>& types = special.column("type");
  EXPECT_GT(std::count(types.begin(), types.end(), static_cast<double>(SpecialKind::fold)), 0);
  for (const double error : special.column("error")) EXPECT_LE(error, 2e-4);
  const std::vector<double>& errors = rows.column("error");
  ASSERT_FALSE(errors.empty());
  EXPECT_LE(*std::max_element(errors.begin(), errors.end()), 0.1);
  EXPECT_GT(*std::max_element(errors.begin(), errors.end()), 2e-4);  // the curve is steep beside them
}

TEST_F(FrfStudy, LinearModeWithoutJoints) {
  const Study study =
      parse(oscillator + "[[analysis]]\nkind = \"nonlinear_mode\"\nmode = 1\namplitude = [0.1, 10]\npoints = 3\n");
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
      "[[joint]]\nname = \"five\"\nbetween = [\"1\", \"2\"]\nlaw = \"iwan5\"\nR = 1.0\nS = 1.0\nphi_max = 1.0\nchi = "
      "0.0\ntheta "
      "= 0.5\n";
  const std::string text = with("load = \"shaker\"\nat = [0.4]\nstability = true\n");
  EXPECT_EQ(
      complaint(five + text),
      "study.toml:35:13: analysis \"frf\": stability cannot be found: the law of joint \"five\" does not tell how "
      "its memory is disturbed");
  EXPECT_EQ(complaint(five + with("load = \"shaker\"\nat = [0.4]\n")), "");
}

TEST_F(FrfStudy, WritesItsTables) {
  const Study study =
      parse(with("load = \"shaker\"\nomega = [0.38, 0.44]\nlevels = [0.001, 0.01]\nrecord = { dofs = [\"3\", "
                 "\"1\"] }\n"
                 "[[analysis]]\nkind = \"frf\"\nname = \"two\"\nload = \"shaker\"\nat = [0.43, 0.40]\n"));
  const RunOutcome outcome = run_study(study, path("out"), {});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  const CsvTable curve = read_csv_table(path("out/frf.csv"));
  const std::vector<std::string> names = {
      "level",     "omega",     "frequency_hz",     "amplitude[3]", "amplitude[1]", "harmonic1[3]",     "harmonic1[1]",
      "phase1[3]", "phase1[1]", "dissipation[lap]", "stable",       "multiplier",   "multiplier_error", "iterations",
      "harmonics", "error"};
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

}  // namespace
}  // namespace microslip
