// kind = "fit_ignl": curves of joints and from files, both sides, the study it leaves, and the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/joints/iwan4.hpp"
#include "support/study_run.hpp"

namespace microslip {
namespace fit_ignl_analysis_test {

using test::marked_at;

/// Shetty, Paper IV, Table 10; `square` makes it asymmetric.
std::string oscillator_text(const std::string& cubic, const std::string& square = "0") {
  return R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 1.316e5]]
damping = { modal = 1e-4 }
[[joint]]
name = "cubic"
between = ["ground", "1"]
law = "polynomial"
k2 = )" + square +
         "\nk3 = " + cubic +
         R"(
[[joint]]
name = "lap"
between = ["1", "ground"]
law = "iwan4"
FS = 10000.0
KT = 2.632e5
chi = -0.8
beta = 2
)";
}
const std::string kind_text = R"(
[[analysis]]
kind = "fit_ignl"
name = "fit"
)";

class IgnlStudy : public test::StudyRun {
 protected:
  /// Curves of k u + 0.8 u^2 + 0.5 u^3 with an Iwan element [10, 4, -0.5, 1]; `share` of its slip on the negative side.
  void write_curves(double share) const {
    const Iwan4<double> law(Iwan4Backbone<double>::from_physical(10.0, 4.0, -0.5, 1.0));
    std::string text[4];
    for (std::string& t : text) t = "u,f\n";
    for (int i = 0; i < 200; ++i) {
      const double u = 2.0 * std::pow(1e-4, 1.0 - i / 199.0), slip = law.backbone(u).force - 4.0 * u;
      const double odd = 10.0 * u + 0.5 * u * u * u, even = 0.8 * u * u;
      text[0] += fmt::format("{:.17g},{:.17g}\n", u, odd + even);
      text[1] += fmt::format("{:.17g},{:.17g}\n", u, odd + even + slip);
      text[2] += fmt::format("{:.17g},{:.17g}\n", -u, -odd + even);
      text[3] += fmt::format("{:.17g},{:.17g}\n", -u, -odd + even - share * slip);
    }
    write("stuck.csv", text[0]);
    write("slipping.csv", text[1]);
    write("stuck-.csv", text[2]);
    write("slipping-.csv", text[3]);
  }
};

const std::string four_files =
    R"(
stuck = "stuck.csv"
slipping = "slipping.csv"
stuck_negative = "stuck-.csv"
slipping_negative = "slipping-.csv"
)";

// Interrupted halfway, when the first of 21 fits is done: its result is left, without errors.
TEST_F(IgnlStudy, CanBeInterruptedOnTheWayToTheErrors) {
  write_curves(1.0);
  const Study study = parse(oscillator_text("0") + kind_text + four_files);
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  options.progress = [&](std::size_t, double fraction) { stop = fraction >= 0.5; };
  const RunOutcome outcome = run_study(study, path("out"), options);
  EXPECT_EQ(outcome.analyses[0].ending, Ending::interrupted);
  EXPECT_NE(outcome.analyses[0].message.find("interrupted before the standard errors were known"), std::string::npos);
  EXPECT_TRUE(outcome.analyses[0].facts_json().contains("omega"));
  EXPECT_FALSE(outcome.analyses[0].facts_json().contains("omega_error"));
  const auto& files = outcome.analyses[0].files;
  EXPECT_NE(std::find(files.begin(), files.end(), "fit.csv"), files.end());
}

// Mass, stiffness and damping come from the structure; the static deflection under 5000 N is the root of
// K x + k3 x^3 + F(x) = 5000.
TEST_F(IgnlStudy, JointsOfTheStudy) {
  const RunOutcome outcome =
      run(oscillator_text("5.396e10") + kind_text + "joints = { force = 5000.0 }\npoints = 50\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  const auto facts = outcome.analyses[0].facts_json();
  EXPECT_EQ(facts["order"], 3);
  EXPECT_NEAR(facts["k"][0].get<double>(), 1.316e5 + 2.632e5, 1e-6);
  EXPECT_NEAR(facts["k"][2].get<double>() / 5.396e10, 1.0, 1e-12);
  EXPECT_EQ(facts["friction"], "points");
  EXPECT_FALSE(facts.contains("limit_loads"));
  const Iwan4<double> law(Iwan4Backbone<double>::from_physical(10000.0, 2.632e5, -0.8, 2.0));
  const double end = facts["range"][1].get<double>();
  EXPECT_NEAR(1.316e5 * end + 5.396e10 * end * end * end + law.backbone(end).force, 5000.0, 1e-8);
  const CsvTable curve = table("fit");
  EXPECT_EQ(curve.rows(), 50U);
  EXPECT_NEAR(curve.column("q").back(), end, 1e-12);
  EXPECT_NEAR(curve.column("zeta_secant")[0] -
                  law.dissipation(curve.column("q")[0]) /
                      (2.0 * 3.14159265358979 * std::pow(curve.column("q")[0] * curve.column("omega_paper")[0], 2)),
              1e-4, 5e-6);  // zeta0; D of the spline to 0.1 %, see IgnlFit
  EXPECT_EQ(curve.column("omega_low"), curve.column("omega"));
  EXPECT_EQ(curve.column("beyond").back(), 0.0);
  EXPECT_EQ(outcome.analyses[0].files,
            (std::vector<std::string>{"fit.csv", "fit-stuck.csv", "fit-friction.csv", "fit-orders.csv",
                                      "fit-backbone.csv", "fit-study.toml"}));
}

// A spring goes on as it is while friction sticks, one of straight lines too: K u + K_T u + 2 u, and 8 u - 3 from 0.5.
TEST_F(IgnlStudy, SpringsOfStraightLinesDoNotStick) {
  const RunOutcome outcome = run(
      "[structure]\nkind = \"lumped\"\nmasses = [1.0]\nsprings = [[\"ground\", \"1\", 10.0]]\n"
      "damping = { modal = 1e-4 }\n"
      "[[joint]]\nname = \"stop\"\nbetween = [\"ground\", \"1\"]\nlaw = \"piecewise_linear\"\n"
      "u = [-1.0, 0.5, 1.0]\nf = [-2.0, 1.0, 5.0]\n"
      "[[joint]]\nname = \"lap\"\nbetween = [\"ground\", \"1\"]\nlaw = \"iwan4\"\nFS = 10.0\nKT = 4.0\n"
      "chi = -0.5\nbeta = 1.0\n" +
      kind_text + "joints = { to = 1.0, spacing = \"linear\", points = 100 }\namplitude = [0.01, 0.4]\npoints = 5\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  const CsvTable stuck = table("fit-stuck");
  ASSERT_EQ(stuck.rows(), 100U);
  for (std::size_t i = 0; i < stuck.rows(); ++i) {
    const double u = stuck.column("u")[i];
    EXPECT_NEAR(stuck.column("f")[i], 14.0 * u + (u <= 0.5 ? 2.0 * u : 8.0 * u - 3.0), 1e-12) << u;
  }
}

// What it leaves is a study with the same stuck frequency, and its joints give the slipping curve back: the same fit
// from them finds the same polynomial and the same friction.
TEST_F(IgnlStudy, TheJointsItLeaves) {
  const std::string fit = kind_text + R"(
joints = { to = 4e-3, both = true }
amplitude = [1e-4, 3e-3]
points = 20
)";
  ASSERT_EQ(run(oscillator_text("5.396e10", "4e7") + fit).exit_code, 0);
  const CsvTable first = table("fit");
  const Study left = load_study(path("out/fit-study.toml"));
  EXPECT_NEAR(left.system.stuck_modes().omega(0), std::sqrt(1.316e5 + 2.632e5), 5.0);  // slope of the first chord
  ASSERT_EQ(left.system.joints().size(), 2U);
  const RunOutcome again = run_study(parse_study(left.text + fit, path("out/again.toml")), path("again"), {});
  ASSERT_EQ(again.exit_code, 0);
  const CsvTable second = read_csv_table(path("again/fit.csv"));
  ASSERT_EQ(first.rows(), second.rows());
  for (std::size_t i = 0; i < first.rows(); ++i) {
    EXPECT_NEAR(second.column("omega")[i] / first.column("omega")[i], 1.0, 1e-6) << i;
    EXPECT_NEAR(second.column("zeta")[i] / first.column("zeta")[i], 1.0, 1e-3) << i;
  }
}

TEST_F(IgnlStudy, FromFilesWithBothSides) {
  write_curves(1.0);
  const RunOutcome outcome = run(test::structure_text + kind_text + four_files + "mass = 2.0\nzeta0 = 0.01\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  const auto facts = outcome.analyses[0].facts_json();
  EXPECT_EQ(facts["order"], 3);
  EXPECT_NEAR(facts["k"][1].get<double>(), 0.8, 1e-10);
  EXPECT_TRUE(facts["masing"].get<bool>());
  EXPECT_NEAR(facts["omega_stuck"].get<double>(), std::sqrt(5.0), 1e-10);
  const CsvTable curve = table("fit");
  EXPECT_EQ(curve.rows(), 200U);
  EXPECT_LE(curve.column("upper").back(), 2.0);
  EXPECT_GE(curve.column("lower").back(), -2.0);
  EXPECT_LT(curve.column("lower").back(), -curve.column("upper").back());  // softer to the negative side
  EXPECT_EQ(table("fit-stuck").rows(), 400U);
}

// Amplitudes from one to twice the end of the data: all but the first lie beyond; of a softening spring there is none
// beyond its summit, sqrt(k/b) without friction.
TEST_F(IgnlStudy, AmplitudesBeyondTheData) {
  const RunOutcome outcome = run(oscillator_text("5.396e10") + kind_text + R"(
joints = { to = 1e-3 }
amplitude = [1e-3, 2e-3]
points = 5
)");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.analyses[0].message, "4 amplitudes lie beyond the data");
  const RunOutcome soft = run(oscillator_text("-5.395e8") + kind_text + R"(
joints = { to = 1e-2 }
amplitude = [1e-3, 3e-2]
points = 5
)");
  EXPECT_EQ(soft.exit_code, 1);
  EXPECT_EQ(soft.analyses[0].ending, Ending::limit_load);
  EXPECT_LT(table("fit").column("q").back(), std::sqrt(394800.0 / 5.395e8));
}

TEST_F(IgnlStudy, BoundsWhereTheMasingRulesFail) {
  write_curves(0.3);
  const RunOutcome outcome = run(test::structure_text + kind_text + four_files);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  EXPECT_NEAR(outcome.analyses[0].facts_json()["masing_difference"].get<double>(), 0.7, 1e-9);
  EXPECT_NE(outcome.analyses[0].message.find("the Masing rules fail"), std::string::npos);
  const CsvTable curve = table("fit");
  for (std::size_t i = 0; i < curve.rows(); ++i) {
    EXPECT_LT(curve.column("omega_low")[i], curve.column("omega")[i]);
    EXPECT_GT(curve.column("omega_high")[i], curve.column("omega")[i]);
    EXPECT_LT(curve.column("zeta_low")[i], curve.column("zeta")[i]);
    EXPECT_GT(curve.column("zeta_high")[i], curve.column("zeta")[i]);
  }
}

// By the errata, 3262.5 N at 0.01422 m; the stuck curve by its closed form.
TEST_F(IgnlStudy, LimitLoads) {
  const RunOutcome outcome = run(oscillator_text("-5.395e8") + kind_text + "joints = { to = 0.02 }\npoints = 20\n");
  const auto limits = outcome.analyses[0].facts_json()["limit_loads"];
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[1]["curve"], "slipping");
  EXPECT_NEAR(limits[1]["f"].get<double>(), 3262.5, 0.05);
  EXPECT_NEAR(limits[1]["u"].get<double>(), 0.01422, 5e-6);
  EXPECT_NEAR(limits[0]["u"].get<double>(), std::sqrt(394800.0 / (3.0 * 5.395e8)), 1e-10);
  expect_complaint(oscillator_text("-5.395e8") + kind_text + "joints = { force = »5000 }",
                   "analysis \"fit\": joints: force 5000 has no static solution: the limit load is 3262.47, at the "
                   "deflection 0.0142198; give a smaller force, or to = a deflection");
  expect_complaint(oscillator_text("-5.395e8") + kind_text + "joints = { force = 3262 }", "");
}

TEST_F(IgnlStudy, Mistakes) {
  write_curves(1.0);
  const std::string few = write_marked("short.csv", "u,f\n»1,1\n2,2\n");
  const std::string back = write_marked("back.csv", "u,f\n1,1\n2,2\n3,3\n»2.5,4\n5,5\n6,6\n7,7\n8,8\n");
  const std::string head = oscillator_text("5.396e10") + kind_text;
  const auto expect = [&](const std::string& text, const std::string& message) {
    expect_complaint(text, "analysis \"fit\": " + message);
  };
  const auto with = [&](const std::string& keys, const std::string& message) { expect(head + keys, message); };
  const std::string joints = "joints = { to = 1e-3 }\n";
  expect_complaint(head + joints, "");
  expect(marked_at(head, R"("fit_ignl")"), "the curves are missing: joints = { ... }, or stuck and slipping");
  expect(marked_at(head, "[[analysis]]") + R"(stuck = "stuck.csv")", "slipping is missing");
  with(joints + R"(»stuck = "stuck.csv")", "stuck and joints exclude each other");
  with(R"(
stuck = "stuck.csv"
slipping = "slipping.csv"
»slipping_negative = "slipping-.csv"
)",
       "slipping_negative goes with stuck_negative");
  const std::string slipping = head + R"(
slipping = "slipping.csv"
)";
  expect(slipping + R"(stuck = »[{ file = "stuck.csv" }, { file = "stuck.csv" }])", "stuck must be one curve, got 2");
  expect_complaint(slipping + R"(stuck = "short.csv")", few + "a curve needs at least 8 points, got 2");
  expect_complaint(slipping + R"(stuck = "back.csv")",
                   back +
                       "u must increase: 2.5 comes after 3; sort the rows, and of a loop take the first loading "
                       "only");
  with("joints = { to = 1e-3, »force = 1 }", "joints: to and force exclude each other");
  with("joints = »{ }", "joints: one of to, force is missing");
  with("joints = { to = »-1 }", "joints: to must be > 0, got -1");
  with(R"(joints = { to = 1, »name = ["lap"] })", R"(joints: unknown key "name"; did you mean "names"?)");
  with(R"(joints = { to = 1, names = »["lab"] })", R"(joints: there is no joint "lab"; did you mean "lap"?)");
  with(R"(joints = { to = 1, names = »["lap", "lap"] })", R"(joints: names: joint "lap" is there twice)");
  with("joints = { to = 1, names = »[] }", "joints: names: there are no joints");
  with(R"(joints = »{ to = 1, names = ["cubic"], stiffness = 0 })",
       "joints: the stuck stiffness of the joints and the spring beside them is 0; it must be > 0");
  with(R"(joints = { to = 1, spacing = "linear", lowest = »0.1 })", R"(joints: lowest goes with spacing = "log")");
  with(joints + "order = »16", "order must be an integer from 1 to 15, got 16");
  with(joints + "order = 3\n»highest_order = 5", "highest_order goes with no order of its own");
  with(joints + R"(friction = »"slider")", R"(unknown friction "slider"; did you mean "sliders"?)");
  with(joints + R"(
friction = "sliders"
»KT = 1
)",
       R"(KT goes with friction = "points")");
  with(joints + "zeta0 = »1.0", "zeta0 must be in [0, 1), got 1");
  with(joints + "mass = »0", "mass must be > 0, got 0");
  with(joints + "amplitude = »[2, 1]", "amplitude must be [from, to], half-ranges q with 0 < from < to");
  with(joints + "»masing_tolerence = 0.1", R"(unknown key "masing_tolerence"; did you mean "masing_tolerance"?)");
}

}  // namespace fit_ignl_analysis_test
}  // namespace microslip
