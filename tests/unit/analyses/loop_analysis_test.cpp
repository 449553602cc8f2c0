// kind = "loop": joints under prescribed turning points, against closed forms; keys and mistakes.

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace loop_analysis_test {

using test::replaced;

const std::string structure = R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 1.0]]
)";

std::string joint(const std::string& name, const std::string& law) {
  return R"(
[[joint]]
name = ")" +
         name + R"("
between = ["ground", "1"]
)" + law;
}

const std::string jenkins = joint("jenkins", "law = \"jenkins\"\nkt = 2.0\nfs = 3.0\n");  // slips at 1.5
const std::string cubic = joint("cubic", "law = \"polynomial\"\nk1 = 2.0\nk3 = 1.0\n");
const std::string iwan = joint("iwan", "law = \"iwan4\"\nR = 6.0\nS = 1.0\nphi_max = 2.0\nchi = -0.5\n");
const std::string loop = R"(
[[analysis]]
kind = "loop"
turns = [4.0, -4.0, 4.0, -4.0]
)";

class LoopStudy : public test::StudyFolder {
 protected:
  RunOutcome run(const std::string& text) const {
    const RunOutcome outcome = run_study(parse(text), path("out"), {});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
    return outcome;
  }
  [[nodiscard]] CsvTable table(const std::string& name) const { return read_csv_table(path("out/" + name + ".csv")); }
};

// k = 2, F_s = 3: to 4 it stores F_s^2/2k and loses F_s (4 - 1.5); a cycle takes 4 F_s (4 - 1.5) = 30. Simpson's rule
// errs in the steps with the corner only: by less than k h^2/12, h < 8 pi/2/500 their length.
TEST_F(LoopStudy, JenkinsElement) {
  const RunOutcome outcome = run(structure + jenkins + loop + "period = 2.0\nsliders = 3\n");
  const CsvTable history = table("loop"), branches = table("loop-branches"), cycles = table("loop-cycles");
  EXPECT_EQ(history.names, (std::vector<std::string>{"time", "u[jenkins]", "f[jenkins]", "stiffness[jenkins]",
                                                     "slipped[jenkins]", "x[jenkins.1]"}));
  ASSERT_EQ(history.rows(), 1U + 250U + 3U * 500U);
  const double rounding = 1e-15 * 1750.0 * 30.0;  // of so many steps
  const double corner = 2.0 * std::pow(8.0 * std::numbers::pi / 1000.0, 2) / 12.0;
  ASSERT_EQ(branches.rows(), 4U);
  EXPECT_NEAR(branches.column("dissipation")[0], 7.5, rounding);
  EXPECT_DOUBLE_EQ(branches.column("stored")[0], 2.25);
  EXPECT_NEAR(branches.column("work")[0], 9.75, corner);
  EXPECT_DOUBLE_EQ(branches.column("secant")[1], 0.75);
  EXPECT_DOUBLE_EQ(history.column("slipped[jenkins]")[250], 1.0);
  ASSERT_EQ(cycles.rows(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(cycles.column("dissipation")[i], 30.0, rounding);
    EXPECT_NEAR(cycles.column("work")[i], 30.0, 2.0 * corner);
    EXPECT_EQ(cycles.column("gap")[i], 0.0);
  }
  EXPECT_EQ(cycles.column("from"), (std::vector<double>{4.0, -4.0}));
  const auto facts = outcome.analyses[0].facts_json()["joints"]["jenkins"];
  EXPECT_DOUBLE_EQ(facts["largest_force"], 3.0);
  EXPECT_NEAR(facts["dissipation"].get<double>(), 7.5 + 3.0 * 15.0, rounding);
  EXPECT_LT(facts["energy_error"], corner / 9.75);
  EXPECT_DOUBLE_EQ(facts["last_secant"], 0.75);
}

// A quarter of a sine, then halves of cosines: one sine of the period, whose slider stays where the branch stopped it.
TEST_F(LoopStudy, IsASineInTime) {
  run(structure + jenkins + loop + "period = 2.0\npoints = 64\n");
  const CsvTable history = table("loop");
  for (std::size_t i = 0; i < history.rows(); ++i) {
    const double t = history.column("time")[i];
    EXPECT_NEAR(t, 2.0 * static_cast<double>(i) / 128.0, 1e-14);
    EXPECT_NEAR(history.column("u[jenkins]")[i], 4.0 * std::sin(std::numbers::pi * t), 1e-14);
  }
  EXPECT_DOUBLE_EQ(history.column("x[jenkins.1]")[32], 2.5);
  EXPECT_DOUBLE_EQ(history.column("x[jenkins.1]")[40], 2.5);  // u = 2.8: sticks
}

// Segalman's element: D = 4 R X^(chi+3)/((chi+3)(chi+2)) of any cycle whose larger ones have closed; a spring takes
// nothing, and its work between 0 and X is k1 X^2/2 + k3 X^4/4, which Simpson's rule has exactly.
TEST_F(LoopStudy, SeveralJointsOfAnyLaw) {
  run(structure + jenkins + cubic + iwan + R"(
[[analysis]]
kind = "loop"
joints = ["iwan", "cubic"]
turns = [1.0, -1.0, 0.5, -0.5, 0.5, -0.5]
repeat = 2
points = 2000
sliders = [0.25, 0.75]
)");
  const CsvTable history = table("loop"), branches = table("loop-branches"), cycles = table("loop-cycles");
  EXPECT_EQ(history.names,
            (std::vector<std::string>{"time", "u[iwan]", "u[cubic]", "f[iwan]", "f[cubic]", "stiffness[iwan]",
                                      "stiffness[cubic]", "slipped[iwan]", "x[iwan.1]", "x[iwan.2]"}));
  ASSERT_EQ(branches.rows(), 24U);
  ASSERT_EQ(cycles.rows(), 20U);
  const auto loss = [](double x) { return 4.0 * 6.0 * std::pow(x, 2.5) / (2.5 * 1.5); };
  EXPECT_NEAR(cycles.column("dissipation")[2], loss(0.5), 1e-13);  // of 0.5, -0.5, 0.5
  EXPECT_NEAR(branches.column("work")[12], 1.0 + 0.25, 1e-14);
  EXPECT_EQ(branches.column("dissipation")[12], 0.0);
  for (std::size_t i = 10; i < 20; ++i) EXPECT_EQ(cycles.column("joint")[i], 2.0);
  // The slider of strength 0.25 stands 0.25 behind each tip, that of 0.75 behind those of the large swings.
  const std::size_t tip = 1000;
  EXPECT_NEAR(history.column("x[iwan.1]")[tip], 0.75, 1e-14);
  EXPECT_NEAR(history.column("x[iwan.2]")[tip], 0.25, 1e-14);
  EXPECT_NEAR(history.column("x[iwan.1]")[tip + 4000], 0.25, 1e-14);
  EXPECT_NEAR(history.column("x[iwan.2]")[tip + 4000], -0.25, 1e-14);
}

// Turning points without any order, loops within loops: each slider by its rule alone. It sticks until it is phi away
// from the joint; then it follows, theta phi behind, until the motion turns.
TEST_F(LoopStudy, SlidersByTheirOwnRule) {
  const std::vector<double> turns = {0.6, -0.3, 0.45, 0.1,  0.3, -0.9, 1.2,  0.2,  0.9, 0.4,
                                     2.6, -2.4, 1.3,  -0.7, 0.4, -0.2, 0.35, 0.05, 0.3, -3.0};
  const std::vector<double> strengths = {0.1, 0.25, 0.5, 1.1, 1.9};
  const double theta = 0.45;
  run(structure + iwan + joint("five", "law = \"iwan5\"\nR = 1.1\nS = 0.5\nphi_max = 2.0\nchi = -0.4\ntheta = 0.45\n") +
      fmt::format("[[analysis]]\nkind = \"loop\"\npoints = 20\nturns = [{}]\nsliders = [{}]\n", fmt::join(turns, ", "),
                  fmt::join(strengths, ", ")));
  const CsvTable history = table("loop");
  for (const auto& [name, share] : {std::pair{"iwan", 1.0}, {"five", theta}}) {
    for (std::size_t k = 0; k < strengths.size(); ++k) {
      const auto told = history.column(fmt::format("x[{}.{}]", name, k + 1));
      double x = 0.0, from = 0.0;
      for (std::size_t b = 0; b < turns.size(); ++b) {
        const double side = turns[b] > from ? 1.0 : -1.0;
        if (side * (turns[b] - x) >= strengths[k]) x = turns[b] - side * share * strengths[k];
        EXPECT_NEAR(told[10 + 20 * b], x, 1e-14) << name << " " << strengths[k] << " turn " << b;
        from = turns[b];
      }
    }
  }
}

// No product of two deflections is formed that could vanish.
TEST_F(LoopStudy, SmallestDeflections) {
  run(structure + jenkins + "[[analysis]]\nkind = \"loop\"\nturns = [1e-170, -1e-170, 1e-170]\n");
  EXPECT_DOUBLE_EQ(table("loop-cycles").column("secant")[0], 2.0);
}

// A law that drops its force at single deflections: the integral of the samples is rough, and says so.
TEST_F(LoopStudy, TellsARoughIntegral) {
  const RunOutcome outcome = run(structure +
                                 joint("few",
                                       "law = \"iwan5\"\nR = 6.0\nS = 1.0\nphi_max = 2.0\nchi = -0.5\n"
                                       "theta = 0.3\nsliders = 3\n") +
                                 replaced(loop, "turns", "points = 20\nturns"));
  const std::string start = "joint few: the integral of its force and the energy of its law differ by ";
  EXPECT_EQ(outcome.analyses[0].message.substr(0, start.size()), start);
}

TEST_F(LoopStudy, Mistakes) {
  const std::string text = structure + jenkins + cubic;
  const auto with = [&](const std::string& keys) { return text + "[[analysis]]\nkind = \"loop\"\n" + keys; };
  expect_complaint(text + "»[[analysis]]\nkind = \"loop\"\n", "analysis \"loop\": turns is missing");
  expect_complaint(with("turns = »[]"), "analysis \"loop\": turns must hold a deflection or more");
  expect_complaint(with("turns = [»0.0, 1.0]"), "analysis \"loop\": turns: from 0 to 0 nothing moves");
  expect_complaint(with("turns = [1.0, »2.0]"),
                   "analysis \"loop\": turns: 2 goes on the way from 0 to 1; give the points where the motion turns "
                   "back only");
  expect_complaint(with("turns = [»1.0, -1.0, 0.5]\nrepeat = 2"),
                   "analysis \"loop\": turns: 1 goes on the way from -1 to 0.5 when the list is repeated; give the "
                   "points where the motion turns back only");
  expect_complaint(with("turns = [»1.0]\nrepeat = 2"),
                   "analysis \"loop\": turns: from 1 to 1 nothing moves when the list is repeated");
  expect_complaint(with("turns = [1.0]\njoints = [»\"jenkin\"]"),
                   "analysis \"loop\": joints: unknown joint \"jenkin\"; did you mean \"jenkins\"?");
  expect_complaint(with("turns = [1.0]\njoints = »[]"), "analysis \"loop\": joints must name one or more");
  expect_complaint(with("turns = [1.0]\nsliders = »[0.5, 0.5]"), "analysis \"loop\": sliders: strengths must increase");
  expect_complaint(with("turns = [1.0]\nsliders = »[]"),
                   "analysis \"loop\": sliders must hold a strength or more; 0 tells none");
  expect_complaint(with("turns = [1.0, »-1e120]"),
                   "analysis \"loop\": turns: from 1 to -1e+120 the force or the work of joint \"cubic\" is beyond all "
                   "numbers");
  expect_complaint(
      with("turns = [»1e308, -1e308]\njoints = [\"jenkins\"]"),
      "analysis \"loop\": turns: from 0 to 1e+308 the force or the work of joint \"jenkins\" is beyond all "
      "numbers");
  expect_complaint(with("turns = [1.0]\nperiod = »0.0"), "analysis \"loop\": period must be > 0, got 0");
  expect_complaint(with("turns = »[1.0, -1.0]\nrepeat = 1000000"),
                   "analysis \"loop\": 2000000 branches of 500 points are 1000000000 rows, more than 20000000: take "
                   "fewer points");
  expect_complaint_begins(structure + "[[analysis]]\nkind = »\"loop\"\nturns = [1.0]",
                          "analysis \"loop\": a loop is that of joints: there is none");
  const std::string floor = joint("floor", "law = \"coulomb\"\nfs = 1.0\n");
  expect_complaint(
      text + floor + "»[[analysis]]\nkind = \"loop\"\nturns = [1.0]",
      "analysis \"loop\": joint \"floor\" is rigid friction: while it sticks no deflection tells its force; "
      "name joints of other laws");
  expect_complaint(text + floor + "[[analysis]]\nkind = \"loop\"\nturns = [1.0]\njoints = [\"cubic\"]", "");
}

}  // namespace loop_analysis_test
}  // namespace microslip
