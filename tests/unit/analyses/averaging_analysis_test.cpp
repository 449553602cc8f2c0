// kind = "averaging" and the densities of histories: tables, keys and mistakes.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "microslip/io/csv_table.hpp"
#include "microslip/joints/make_law.hpp"
#include "microslip/joints/steady_cycle.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace averaging_analysis_test {

using test::marked_at;
using test::replaced;

const std::string one_mass =
    R"(
[structure]
kind = "lumped"
masses = [4.0]
springs = [["ground", "1", 100.0]]
damping = { modal = 1e-3 }
)";
const std::string joint =
    R"(
[[joint]]
name = "lap"
between = ["ground", "1"]
law = "iwan4"
FS = 10.0
KT = 100.0
chi = -0.5
beta = 5
)";
const std::string hit =
    R"(
[[load]]
name = "hit"
at = "1"
signal = { kind = "half_sine", amplitude = 2.0, duration = 0.5 }
)";
const std::string analysis =
    R"(
[[analysis]]
kind = "averaging"
load = "hit"
duration = 20.0
step = 0.01
)";

class AveragingStudy : public test::StudyFolder {
 protected:
  RunOutcome run(const std::string& text) const {
    const RunOutcome outcome = run_study(parse(text), path("out"), {});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
    return outcome;
  }
  [[nodiscard]] CsvTable table(const std::string& name) const { return read_csv_table(path("out/" + name + ".csv")); }
};

TEST_F(AveragingStudy, WritesItsTableAndSummary) {
  const RunOutcome outcome = run(one_mass + joint + hit + analysis + R"(
form = "secant"
record = { every = 5 }
)");
  const CsvTable rows = table("averaging");
  EXPECT_EQ(rows.names, (std::vector<std::string>{"time", "q[1]", "v[1]", "a[1]", "u[lap]", "f[lap]", "X", "omega",
                                                  "zeta", "macroslip"}));
  EXPECT_EQ(rows.rows(), 401U);
  // Modal amplitude: sqrt(4 kg) times that of the mass, which the displacement never exceeds.
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    EXPECT_LE(2.0 * std::abs(rows.column("q[1]")[i]), rows.column("X")[i] * (1.0 + 1e-9));
  }
  const auto facts = outcome.analyses[0].facts_json();
  EXPECT_GT(facts["forced_steps"].get<long>(), 0);
  EXPECT_GT(facts["free_steps"].get<long>(), 0);
  EXPECT_FALSE(facts.contains("macroslip_time"));
  EXPECT_EQ(outcome.analyses[0].message, "");
}

TEST_F(AveragingStudy, WarnsOfMacroslip) {
  const RunOutcome outcome = run(replaced(one_mass + joint + hit + analysis, "amplitude = 2.0", "amplitude = 90.0"));
  EXPECT_EQ(outcome.analyses[0].ending, Ending::completed);
  // phi_max = 0.1125, twice that in the modal coordinate of 4 kg
  const std::string start = R"(X passes 0.225, phi_max of joint "lap", at t = 0.)";
  EXPECT_EQ(outcome.analyses[0].message.substr(0, start.size()), start);
  EXPECT_TRUE(outcome.analyses[0].facts_json().contains("macroslip_time"));
}

// A sine of 5 Hz on a stiff mass, in segments of 4 s: A^2/2 in three bins of 1/4 Hz as 1/6, 2/3, 1/6; both kinds.
TEST_F(AveragingStudy, DensitiesOfBothKinds) {
  const std::string sine =
      R"(
[[load]]
name = "hit"
at = "1"
signal = { kind = "sine", amplitude = 3.0, frequency_hz = 5.0 }
)";
  for (const std::string kind : {"averaging", "transient"}) {
    const std::string text =
        R"(
[structure]
kind = "lumped"
masses = [1e-6]
springs = [["ground", "1", 100.0]]
)" + sine +
        R"(
[[analysis]]
kind = ")" +
        kind +
        R"("
load = "hit"
duration = 10.0
step = 1e-2
psd = { segment = 4.0, to_hz = 10.0, only = true }
)";
    const RunOutcome outcome = run(text);
    std::vector<std::string> files = {kind + "-psd.csv"};
    if (kind == "transient") files.push_back(kind + "-energy.csv");
    EXPECT_EQ(outcome.analyses[0].files, files);
    EXPECT_FALSE(std::filesystem::exists(path("out/" + kind + ".csv")));
    EXPECT_EQ(outcome.analyses[0].facts_json()["psd_segments"], 4);
    const CsvTable psd = table(kind + "-psd");
    EXPECT_EQ(psd.names, (std::vector<std::string>{"frequency_hz", "psd_q[1]", "psd_v[1]", "psd_a[1]"}));
    ASSERT_EQ(psd.rows(), 41U);
    EXPECT_DOUBLE_EQ(psd.column("frequency_hz")[20], 5.0);
    const double power = 0.5 * 0.03 * 0.03 / 0.25;  // quasi-static: q = F/k
    // but for the mass, (5 Hz/1592 Hz)^2, and the free motion of the start, at 1592 Hz
    EXPECT_NEAR(psd.column("psd_q[1]")[20] / power, 2.0 / 3.0, 1e-3);
    EXPECT_NEAR(psd.column("psd_q[1]")[19] / power, 1.0 / 6.0, 1e-3);
  }
}

TEST_F(AveragingStudy, Mistakes) {
  const std::string study = one_mass + joint + hit + analysis;
  expect_complaint(study, "");
  const auto with = [&](const std::string& keys, const std::string& message) {
    expect_complaint(study + keys, "analysis \"averaging\": " + message);
  };
  with(R"(form = »"tangant")", R"(unknown form "tangant"; did you mean "tangent"?)");
  expect_complaint_begins(study + R"(»method = "newmark")", R"(analysis "averaging": unknown key "method")");
  with("tolerance = »0.1", "tolerance must be in (0, 0.01], got 0.1");
  with(R"(initial = { static = »"hit" })", "initial: averaging keeps no joint memory to start from: give q and v");
  with("psd = { segment = »30.0 }", "psd: segment must be from 0.04, four rows, to the duration of 20, got 30");
  with("psd = { »segmant = 3.0 }", R"(psd: unknown key "segmant"; did you mean "segment"?)");
  with("psd = { segment = 3.0, to_hz = »60.0 }", "psd: to_hz must be in (0, 50], got 60");
  with(R"(
record = { dofs = [], joints = [] }
psd = »{ segment = 3.0 }
)",
       "psd needs degrees of freedom or joints in record");
  const auto expect = [&](const std::string& text, const std::string& message) {
    expect_complaint(text, "analysis \"averaging\": " + message);
  };
  expect(replaced(study, "step = 0.01", "step = »100"), "the step must be <= duration = 20, got 100");
  expect(replaced(marked_at(study, R"("hit"
duration)"),
                  R"(at = "1")", "base = true"),
         R"(averaging takes forces, but load "hit" moves the base: take transient)");
  const std::string pointed = marked_at(study, R"("averaging")");
  expect(replaced(pointed, R"(
law = "iwan4"
FS = 10.0
KT = 100.0
chi = -0.5
beta = 5
)",
                  R"(
law = "gap"
k = 3.0
gap = 0.1
)"),
         R"(averaging needs the closed forms of a steady cycle, and the law of joint "lap" has none; it takes )" +
             laws_that([](const Law& law) { return SteadyCycleLaw::of(law).has_value(); }) +
             ". transient takes every law");
  const std::string two = replaced(replaced(pointed, "masses = [4.0]", "masses = [4.0, 4.0]"), "100.0]]",
                                   "100.0], [\"1\", \"2\", 50.0]]\ndampers = [[\"ground\", \"2\", 1.0]]");
  expect(two,
         "averaging of several modes needs damping that does not couple them: modal, or Rayleigh damping of the mass "
         "alone "
         "(rayleigh = [a, 0]), no dampers and no joint with damping; take transient");
  expect(replaced(pointed, "modal = 1e-3", "modal = 1.5"),
         "averaging needs damping ratios from 0 to 1, stuck mode 1 has 1.5: take transient");
  expect(replaced(test::structure_text, R"(["ground", "1", 9.0], )", "") + R"(
[[analysis]]
kind = »"averaging"
duration = 1
step = 0.1
)",
         "averaging is for modes that vibrate, and 1 of this structure are rigid: take transient, or "
         "constrain_rigid_body = true, which leaves them out");
  expect_complaint(test::structure_text + R"(
[[analysis]]
kind = "averaging"
duration = 1
step = 0.1
modes = »4
)",
                   "analysis \"averaging\": modes must be an integer from 1 to 3, got 4");
}

}  // namespace averaging_analysis_test
}  // namespace microslip
