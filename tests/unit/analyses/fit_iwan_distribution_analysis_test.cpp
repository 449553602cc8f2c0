// kind = "fit_iwan_distribution" and the curves that fits read: files, joints, earlier analyses, and the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "microslip/analyses/read_curve.hpp"
#include "support/study_run.hpp"

namespace microslip {
namespace fit_iwan_distribution_analysis_test {

using test::marked_at;
using test::oscillator_text;

const std::string fit_text = R"(
[[analysis]]
kind = "fit_iwan_distribution"
name = "fit"
)";
const auto law = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0);

class DistributionStudy : public test::StudyRun {
 protected:
  /// Force of the joint over deflection in millimetres, with a stiffness beside it.
  void write_curve(const std::string& file, double residual, double to = 1.5, int points = 100) const {
    std::string text = "x_mm,load,w\n";
    for (int i = 1; i <= points; ++i) {
      const double u = law.phi_max() * to * i / points;
      text += fmt::format("{:.17g},{:.17g},1\n", 1e3 * u, law.at(u).force + residual * u);
    }
    write(file, text);
  }
};

/// Clean data leave the width of the cells: 2 % of the largest deflection at the end, where the force of an even cell
/// is off by rho w^2/8, and rho w is at most the stiffness that the last cell has: 2e-3 K_T. So 1.5 phi_max 0.02^2/8
/// K_T = 1e-4 F_S or less.
constexpr double clean = 1e-4;

TEST_F(DistributionStudy, FromAJoint) {
  const RunOutcome outcome = run(oscillator_text + fit_text +
                                 R"(
force = "nonlinear"
data = { joint = "lap", to = 3e-3, points = 120 }
)");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  const nlohmann::ordered_json facts = outcome.analyses[0].facts_json();
  EXPECT_NEAR(facts["FS"].get<double>(), 100.0, 100.0 * clean);
  EXPECT_EQ(facts["Kinf"].get<double>(), 0.0);
  EXPECT_TRUE(facts["macroslip"].get<bool>());
  // Four parameters are what the data were made of; the search is to 1e-7 of chi.
  EXPECT_NEAR(facts["iwan4"]["chi"].get<double>(), -0.75, 1e-5);
  EXPECT_NEAR(facts["iwan4"]["beta"].get<double>(), 5.0, 5e-4);
  EXPECT_TRUE(facts["iwan4"]["enough"].get<bool>());
  EXPECT_EQ(outcome.analyses[0].files,
            (std::vector<std::string>{"fit.csv", "fit-curve.csv", "fit-backbone.csv", "fit-joint.toml"}));
  // The cells add up to K_T and F_S.
  const CsvTable cells = table("fit");
  double stiffness = 0.0, force = 0.0;
  for (std::size_t i = 0; i < cells.rows(); ++i) {
    stiffness += cells.column("k")[i];
    force += cells.column("k")[i] * cells.column("phi")[i];
    EXPECT_GE(cells.column("k")[i], 0.0);
  }
  EXPECT_NEAR(stiffness / facts["KT"].get<double>(), 1.0, 1e-12);
  EXPECT_NEAR(force / facts["FS"].get<double>(), 1.0, 1e-12);
  const CsvTable curve = table("fit-curve");
  ASSERT_EQ(curve.rows(), 120U);
  for (std::size_t i = 0; i < curve.rows(); ++i) {
    const double u = curve.column("u")[i];
    EXPECT_NEAR(curve.column("f")[i], law.at(u).force, 1e-11);
    EXPECT_NEAR(curve.column("f_fit")[i], law.at(u).force, 100.0 * clean);
    EXPECT_NEAR(curve.column("residual")[i], curve.column("f_fit")[i] - curve.column("f")[i], 1e-12);
    EXPECT_NEAR(curve.column("dissipation_iwan4")[i], law.dissipation(u), 1e-4 * law.dissipation(3e-3));
  }
}

// The file that is left is a law: the joint with it has the force of the fit.
TEST_F(DistributionStudy, TheLawIsReadBack) {
  ASSERT_EQ(run(oscillator_text + fit_text + R"(
bands = false
data = { joint = "lap", to = 3e-3 }
)")
                .exit_code,
            0);
  std::string joint = table("fit-backbone").names[0] == "u" ? "" : "no u";
  std::ifstream text(path("out/fit-joint.toml"));
  joint.append(std::istreambuf_iterator<char>(text), {});
  write("out/law.toml",
        R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 3.55e4]]
)" + joint);
  const Study study = load_study(path("out/law.toml"));
  const auto& found = std::get<MasingTable<double>>(study.system.joints()[0].law);
  EXPECT_NEAR(found.shape().yield_force(), 100.0, 100.0 * clean);
  for (const double x : {0.1, 0.3, 0.9, 1.3}) {
    const double u = x * law.phi_max();
    EXPECT_NEAR(found.backbone(u).force, law.at(u).force, 2.0 * 100.0 * clean) << x;
  }
}

// Total, nonlinear and residual force are the same data; units by scale.
TEST_F(DistributionStudy, FromFilesWithEveryForce) {
  const std::string data =
      R"(
bands = false
data = { file = "curve.csv", u = "x_mm", f = "load", scale_u = 1e-3, weight = "w" }
)";
  const auto slip_force = [&](const std::string& keys) {
    const RunOutcome outcome = run(oscillator_text + fit_text + data + keys);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
    return outcome.analyses[0].facts_json()["FS"].get<double>();
  };
  write_curve("curve.csv", 0.0);
  const double nonlinear = slip_force(R"(force = "nonlinear")");
  EXPECT_NEAR(nonlinear, 100.0, 100.0 * clean);
  write_curve("curve.csv", 3.55e4);
  EXPECT_NEAR(slip_force("Kinf = 3.55e4\n"), nonlinear, 1e-6);
  EXPECT_NEAR(slip_force(R"(
Kinf = 3.55e4
weights = "log_u"
)"),
              100.0, 100.0 * clean);
  // K_inf found: a tail of 33 points over phi_max/2, off by the cells' 1e-4 F_S: the slope by 4e-4 F_S/phi_max at most.
  EXPECT_NEAR(slip_force(R"(force = "total")"), 100.0, 100.0 * 5.0 * clean);
  write_curve("curve.csv", -6.32e4);  // the stuck stiffness taken off, K_inf = 0
  EXPECT_NEAR(slip_force(R"(
force = "residual"
K0 = 6.32e4
Kinf = 0
)"),
              nonlinear, 1e-6);
  const CsvTable curve = table("fit-curve");  // as the data were
  EXPECT_LT(curve.column("f")[99], 0.0);
  EXPECT_NEAR(curve.column("f_fit")[99], curve.column("f")[99], 100.0 * clean);
}

// Two ranges join, whatever their order; a plain file name means columns u and f.
TEST_F(DistributionStudy, CurvesJoinAndPlainNames) {
  write_curve("low.csv", 0.0, 0.2, 40);
  write_curve("high.csv", 0.0, 1.5, 60);
  const std::string columns = R"(u = "x_mm", f = "load", scale_u = 1e-3 })";
  const RunOutcome outcome = run(oscillator_text + fit_text +
                                 R"(
force = "nonlinear"
bands = false
data = [{ file = "high.csv", )" + columns +
                                 R"(, { file = "low.csv", )" + columns + "]\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  EXPECT_NEAR(outcome.analyses[0].facts_json()["FS"].get<double>(), 100.0, 100.0 * clean);
  EXPECT_EQ(outcome.analyses[0].facts_json()["noise_of_curves"].size(), 2U);
  EXPECT_EQ(table("fit-curve").rows(), 100U);
  EXPECT_EQ(table("fit-curve").column("curve")[0], 2.0);

  std::string text = "u,f\n";
  for (int i = 1; i <= 20; ++i) text += fmt::format("{},{}\n", i, std::min(2.0 * i, 20.0));
  write("plain.csv", text);
  const RunOutcome plain = run(oscillator_text + fit_text + R"(
bands = false
sliders = "points"
data = "plain.csv"
)");
  ASSERT_EQ(plain.exit_code, 0) << plain.analyses[0].message;
  EXPECT_NEAR(plain.analyses[0].facts_json()["FS"].get<double>(), 20.0, 20.0 * clean);  // one slider of stiffness 2
}

// The modal curve of a quasi-static analysis: alpha over q, in a single mass the joint's own with K_inf.
TEST_F(DistributionStudy, FromAnEarlierAnalysis) {
  const RunOutcome outcome = run(oscillator_text +
                                 R"(
[[analysis]]
kind = "qsma"
mode = 1
alpha = [1.0, 240.0]
points = 150
spacing = "linear"
)" + fit_text + R"(
bands = false
data = { from = "qsma" }
)");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[1].message;
  EXPECT_NEAR(outcome.analyses[1].facts_json()["FS"].get<double>(), 100.0, 100.0 * 5.0 * clean);
  EXPECT_NEAR(outcome.analyses[1].facts_json()["Kinf"].get<double>(), 3.55e4, 3.55e4 * 5.0 * clean);

  const RunOutcome wrong = run(oscillator_text + R"(
[[analysis]]
kind = "qsma"
mode = 1
alpha = [1.0, 240.0]
)" + fit_text + R"(data = { from = "qsma", u = "u[lab]" })");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(wrong.analyses[1].message, R"(analysis "qsma" has no column "u[lab]"; did you mean "u[lap]"?)");
}

TEST_F(DistributionStudy, SplineAndMessages) {
  write_curve("curve.csv", 0.0);
  const std::string data = R"(data = { file = "curve.csv", u = "x_mm", f = "load", scale_u = 1e-3 }
)";
  const RunOutcome spline = run(oscillator_text + fit_text + data +
                                R"(
force = "nonlinear"
method = "spline"
spline = { points = 12, order = 3, count = 30, spacing = 1.1 }
)");
  ASSERT_EQ(spline.exit_code, 0) << spline.analyses[0].message;
  EXPECT_TRUE(spline.analyses[0].facts_json().contains("negative_sliders"));
  EXPECT_EQ(table("fit").rows(), 30U);

  write_curve("curve.csv", 0.0, 0.5);
  const RunOutcome micro = run(oscillator_text + fit_text + data + "bands = false\n");
  EXPECT_EQ(micro.exit_code, 0);
  EXPECT_EQ(
      micro.analyses[0].message,
      "the data do not reach macroslip: FS and phi_max are the least they can be, and Kinf holds the sliders that "
      "have not slipped");
  std::string text = "x_mm,load\n";
  for (int i = 1; i <= 20; ++i) text += fmt::format("{},{}\n", i, i * i);
  write("curve.csv", text);
  const RunOutcome convex = run(oscillator_text + fit_text + data + "bands = false\n");
  EXPECT_EQ(convex.exit_code, 1);
  EXPECT_NE(convex.analyses[0].message.find("not concave beyond noise"), std::string::npos);
  text = "x_mm,load\n";
  for (int i = 1; i <= 20; ++i) text += fmt::format("{},{}\n", i, 3 * i);
  write("curve.csv", text);
  const RunOutcome straight = run(oscillator_text + fit_text + data + "bands = false\n");
  EXPECT_NEAR(straight.analyses[0].facts_json()["Kinf"].get<double>(), 3e3, 3e3 * clean);
}

TEST_F(DistributionStudy, StoppedRunKeepsTheFit) {
  const Study study = parse(oscillator_text + fit_text +
                            R"(
data = { joint = "lap", to = 3e-3, noise = 1e-3, seed = 3 }
force = "nonlinear"
)");
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  options.progress = [&](std::size_t, double fraction) {
    if (fraction >= 0.05) stop = true;
  };
  const RunOutcome outcome = run_study(study, path("out"), options);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.analyses[0].ending, Ending::interrupted);
  EXPECT_NE(outcome.analyses[0].message.find("interrupted before all bands were known"), std::string::npos);
  std::ifstream file(path("out/fit.csv"));
  const std::string rows(std::istreambuf_iterator<char>(file), {});
  EXPECT_GT(std::count(rows.begin(), rows.end(), '\n'), 10);
  EXPECT_NE(rows.find("nan"), std::string::npos);
  const std::string words = study.analyses[0]->in_words(outcome.analyses[0], study.units);
  EXPECT_EQ(words.find("nan"), std::string::npos) << words;
}

// A loop: the joint goes from one turning point to the next. Closed form of the Masing branch.
TEST_F(DistributionStudy, ALoopOfAJoint) {
  class Reader : public TableReader {
   public:
    using TableReader::TableReader;
  };
  const Study study = parse(oscillator_text);
  const std::string file = "study.toml";
  const TomlDocument document = parse_toml(R"(data = { joint = "lap", to = [1e-3, -1e-3, 1e-3], points = 50 })", file);
  const Reader reader(document.root, file, "");
  const StudyParts parts{study.system, study.loads, {}};
  const std::vector<CurveSource> sources = read_curves(reader, "data", parts);
  ASSERT_EQ(sources.size(), 1U);
  const ForceCurve& curve = sources[0].curve;
  ASSERT_EQ(curve.size(), 150U);
  EXPECT_EQ(curve.u[49], 1e-3);
  EXPECT_EQ(curve.u[99], -1e-3);
  const double tip = law.at(1e-3).force;
  EXPECT_NEAR(curve.f[49], tip, 1e-11);
  EXPECT_NEAR(curve.f[74], tip - 2.0 * law.at(0.5 * (1e-3 - curve.u[74])).force, 1e-11);
  EXPECT_NEAR(curve.f[149], tip, 1e-11);
}

TEST_F(DistributionStudy, Mistakes) {
  write_curve("curve.csv", 0.0);
  const std::string few = write_marked("short.csv", "u,f\n»1,1\n2,2\n");
  const std::string empty = write_marked("empty.csv", "»u,f\n");
  const std::string nan = write_marked("nan.csv", "u,f\n1,1\n2,»nan\n");
  std::string rows = "u,f\n";
  for (const int u : {1, 2, 3, 5, 4, 6, 7, 8, 9}) rows += fmt::format("{}{},{}\n", u == 4 ? "»" : "", u, u);
  const std::string unsorted = write_marked("unsorted.csv", rows);
  const std::string before = oscillator_text + R"(
[[analysis]]
kind = "qsma"
mode = 1
alpha = [1.0, 200.0]
[[analysis]]
kind = "modes"
)";
  const std::string pointed = before + marked_at(fit_text, "[[analysis]]"), of = "analysis \"fit\": ";
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(before + fit_text + keys, of + message);
  };
  const auto in_file = [&](const std::string& keys, const std::string& message) {
    expect_complaint(before + fit_text + keys, message);
  };
  expect_complaint(pointed, of + "data is missing");
  expect("data = »3", "data must be the name of a file or a table, got 3");
  expect("data = »[]", "data: the list is empty");
  expect("data = [»3]", "data[1] must be a table, got 3");
  expect("data = »{}", "data: one of file, joint, from is missing");
  expect(R"(data = { file = "curve.csv", »joint = "lap" })", "data: file and joint exclude each other");
  expect_complaint_begins(before + fit_text + R"(data = »"none.csv")", of + "data: ");
  in_file(R"(data = "curve.csv")", R"(curve.csv:1:1: there is no column "u"; the header has "x_mm,load,w")");
  in_file(R"(data = "empty.csv")", empty + "the curve has no points");
  in_file(R"(data = "short.csv")", few + "a curve needs at least 8 points, got 2");
  in_file(R"(data = "nan.csv")", nan + R"(column "f" must be finite, got "nan")");
  const std::string increase = "sort the rows, and of a loop take the first loading only";
  in_file(R"(data = "unsorted.csv")", unsorted + "u must increase: 4 comes after 5; " + increase);
  expect_complaint_begins(before + fit_text + R"(data = { file = "curve.csv", u = "x_mm", f = "load", scale_u = -1 })",
                          "curve.csv:2:1: u must be >= 0");
  expect(R"(data = { file = "curve.csv", »scale = 2 })", R"(data: unknown key "scale"; did you mean "scale_u"?)");
  expect(R"(data = { file = "curve.csv", scale_u = »0 })", "data: scale_u must not be 0");
  expect(R"(data = { joint = »"lab", to = 1 })", R"(data: there is no joint "lab"; did you mean "lap"?)");
  expect(R"(data = »{ joint = "lap" })", "data: to is missing");
  expect(R"(data = { joint = "lap", to = »-1 })", "data: to must be > 0, got -1");
  expect(R"(data = { joint = "lap", to = »[] })", "data: to: the list is empty");
  expect(R"(data = { joint = "lap", to = 1, lowest = »0.1 })", R"(data: lowest goes with spacing = "log")");
  expect(R"(data = { joint = "lap", to = 1, spacing = "log", lowest = »1 })", "data: lowest must be in (0, 1), got 1");
  expect(R"(data = { joint = "lap", to = [1, -1], spacing = »"log" })",
         R"(data: spacing = "log" goes with one stretch: to = a number)");
  expect(R"(data = »{ joint = "lap", to = [1, -1] })",
         "joint \"lap\": u must increase: 0.99 comes after 1; " + increase);
  expect(R"(data = »{ joint = "lap", to = 1, points = 5 })", R"(joint "lap": a curve needs at least 8 points, got 5)");
  expect(R"(data = { from = »"qmsa" })", R"(data: no analysis "qmsa" stands before this one; did you mean "qsma"?)");
  expect(R"(data = »{ from = "modes" })", "data: u and f must name columns of the table");
  expect(R"(data = { from = "qsma", mode = »2 })", "data: mode must be one of 1, got 2");

  const std::string data = R"(
data = { joint = "lap", to = 1 }
)";
  expect_complaint(before + fit_text + data, "");
  expect(data + R"(force = »"totl")", R"(unknown force "totl"; did you mean "total"?)");
  expect(data + "»K0 = 1", R"(K0 goes with force = "residual")");
  expect_complaint(pointed + data + R"(force = "residual")", of + "K0 is missing");
  expect(data + "Kinf = »-1", "Kinf must be >= 0, got -1");
  expect(data + R"(
force = "nonlinear"
»Kinf = 1
)",
         R"(the nonlinear force has no Kinf in it; write force = "total")");
  expect(data + "confidence = »1", "confidence must be in (0, 1), got 1");
  expect(data + "noise = »0", "noise must be > 0, got 0");
  expect(data + "smoothing = »-1", "smoothing must be >= 0, got -1");
  expect(data + "»spline = { order = 3 }", R"(spline goes with method = "spline")");
  expect(data + "»band = true", R"(unknown key "band"; did you mean "bands"?)");
  const std::string spline = data + R"(
method = "spline"
)";
  expect(spline + "»noise = 1", R"(noise goes with method = "sliders")");
  expect(spline + "spline = { order = »9 }", "spline: order must be an integer from 2 to 6, got 9");
  expect_complaint_begins(before + fit_text + spline + "spline = { »alpha = 1 }",
                          of + R"(spline: unknown key "alpha")");
}

}  // namespace fit_iwan_distribution_analysis_test
}  // namespace microslip
