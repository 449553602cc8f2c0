// kind = "fit_iwan_distribution" and the curves that fits read: files, joints, earlier analyses, and the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/analyses/read_curve.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "study_folder.hpp"

namespace microslip {
namespace {

/// Shetty, Paper I, Table 1: an oscillator with an Iwan joint, phi_max = 1.8225 mm.
const std::string oscillator_text =
    "[structure]\nkind = \"lumped\"\nmasses = [1.0]\nsprings = [[\"ground\", \"1\", 3.55e4]]\ndamping = { modal = 1e-4 "
    "}\n"
    "[[joint]]\nname = \"lap\"\nbetween = [\"ground\", \"1\"]\nlaw = \"iwan4\"\nFS = 100.0\nKT = 6.32e4\nchi = "
    "-0.75\nbeta = 5\n";  // 13 lines
const std::string fit_text = "[[analysis]]\nkind = \"fit_iwan_distribution\"\nname = \"fit\"\n";
const auto law = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, -0.75, 5.0);

class DistributionStudy : public test::StudyFolder {
 protected:
  [[nodiscard]] RunOutcome run(const std::string& text) const { return run_study(parse(text), path("out"), {}); }
  [[nodiscard]] CsvTable table(const std::string& name) const { return read_csv_table(path("out/" + name + ".csv")); }
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
                                 "force = \"nonlinear\"\ndata = { joint = \"lap\", to = 3e-3, points = 120 "
                                 "}\n");
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
  ASSERT_EQ(run(oscillator_text + fit_text + "bands = false\ndata = { joint = \"lap\", to = 3e-3 }\n").exit_code, 0);
  std::string joint = table("fit-backbone").names[0] == "u" ? "" : "no u";
  std::ifstream text(path("out/fit-joint.toml"));
  joint.append(std::istreambuf_iterator<char>(text), {});
  write("out/law.toml",
        "[structure]\nkind = \"lumped\"\nmasses = [1.0]\nsprings = [[\"ground\", \"1\", 3.55e4]]\n" + joint);
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
      "bands = false\ndata = { file = \"curve.csv\", u = \"x_mm\", f = \"load\", scale_u = 1e-3, "
      "weight = \"w\" }\n";
  const auto slip_force = [&](const std::string& keys) {
    const RunOutcome outcome = run(oscillator_text + fit_text + data + keys);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
    return outcome.analyses[0].facts_json()["FS"].get<double>();
  };
  write_curve("curve.csv", 0.0);
  const double nonlinear = slip_force("force = \"nonlinear\"\n");
  EXPECT_NEAR(nonlinear, 100.0, 100.0 * clean);
  write_curve("curve.csv", 3.55e4);
  EXPECT_NEAR(slip_force("Kinf = 3.55e4\n"), nonlinear, 1e-6);
  EXPECT_NEAR(slip_force("Kinf = 3.55e4\nweights = \"log_u\"\n"), 100.0, 100.0 * clean);
  // K_inf found: a tail of 33 points over phi_max/2, off by the cells' 1e-4 F_S: the slope by 4e-4 F_S/phi_max at most.
  EXPECT_NEAR(slip_force("force = \"total\"\n"), 100.0, 100.0 * 5.0 * clean);
  write_curve("curve.csv", -6.32e4);  // the stuck stiffness taken off, K_inf = 0
  EXPECT_NEAR(slip_force("force = \"residual\"\nK0 = 6.32e4\nKinf = 0\n"), nonlinear, 1e-6);
  const CsvTable curve = table("fit-curve");  // as the data were
  EXPECT_LT(curve.column("f")[99], 0.0);
  EXPECT_NEAR(curve.column("f_fit")[99], curve.column("f")[99], 100.0 * clean);
}

// Two ranges join, whatever their order; a plain file name means columns u and f.
TEST_F(DistributionStudy, CurvesJoinAndPlainNames) {
  write_curve("low.csv", 0.0, 0.2, 40);
  write_curve("high.csv", 0.0, 1.5, 60);
  const std::string columns = "u = \"x_mm\", f = \"load\", scale_u = 1e-3 }";
  const RunOutcome outcome = run(oscillator_text + fit_text +
                                 "force = \"nonlinear\"\nbands = false\ndata = [{ file = "
                                 "\"high.csv\", " +
                                 columns + ", { file = \"low.csv\", " + columns + "]\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  EXPECT_NEAR(outcome.analyses[0].facts_json()["FS"].get<double>(), 100.0, 100.0 * clean);
  EXPECT_EQ(outcome.analyses[0].facts_json()["noise_of_curves"].size(), 2U);
  EXPECT_EQ(table("fit-curve").rows(), 100U);
  EXPECT_EQ(table("fit-curve").column("curve")[0], 2.0);

  std::string text = "u,f\n";
  for (int i = 1; i <= 20; ++i) text += fmt::format("{},{}\n", i, std::min(2.0 * i, 20.0));
  write("plain.csv", text);
  const RunOutcome plain =
      run(oscillator_text + fit_text + "bands = false\nsliders = \"points\"\ndata = \"plain.csv\"\n");
  ASSERT_EQ(plain.exit_code, 0) << plain.analyses[0].message;
  EXPECT_NEAR(plain.analyses[0].facts_json()["FS"].get<double>(), 20.0, 20.0 * clean);  // one slider of stiffness 2
}

// The modal curve of a quasi-static analysis: alpha over q, in a single mass the joint's own with K_inf.
TEST_F(DistributionStudy, FromAnEarlierAnalysis) {
  const RunOutcome outcome =
      run(oscillator_text +
          "[[analysis]]\nkind = \"qsma\"\nmode = 1\nalpha = [1.0, 240.0]\npoints = 150\nspacing = "
          "\"linear\"\n" +
          fit_text + "bands = false\ndata = { from = \"qsma\" }\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[1].message;
  EXPECT_NEAR(outcome.analyses[1].facts_json()["FS"].get<double>(), 100.0, 100.0 * 5.0 * clean);
  EXPECT_NEAR(outcome.analyses[1].facts_json()["Kinf"].get<double>(), 3.55e4, 3.55e4 * 5.0 * clean);

  const RunOutcome wrong = run(oscillator_text + "[[analysis]]\nkind = \"qsma\"\nmode = 1\nalpha = [1.0, 240.0]\n" +
                               fit_text + "data = { from = \"qsma\", u = \"u[lab]\" }\n");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(wrong.analyses[1].message, "analysis \"qsma\" has no column \"u[lab]\"; did you mean \"u[lap]\"?");
}

TEST_F(DistributionStudy, SplineAndMessages) {
  write_curve("curve.csv", 0.0);
  const std::string data = "data = { file = \"curve.csv\", u = \"x_mm\", f = \"load\", scale_u = 1e-3 }\n";
  const RunOutcome spline =
      run(oscillator_text + fit_text + data +
          "force = \"nonlinear\"\nmethod = \"spline\"\nspline = { points = 12, order = 3, count = "
          "30, spacing = 1.1 }\n");
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
                            "data = { joint = \"lap\", to = 3e-3, noise = 1e-3, seed = 3 }\nforce = \"nonlinear\"\n");
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  options.progress = [&](std::size_t, double fraction) {
    if (fraction >= 0.05) stop = true;
  };
  const RunOutcome outcome = run_study(study, path("out"), options);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.analyses[0].ending, Ending::interrupted);
  EXPECT_GT(table("fit").rows(), 10U);
}

// A loop: the joint goes from one turning point to the next. Closed form of the Masing branch.
TEST_F(DistributionStudy, ALoopOfAJoint) {
  class Reader : public TableReader {
   public:
    using TableReader::TableReader;
  };
  const Study study = parse(oscillator_text);
  const std::string file = "study.toml";
  const TomlDocument document = parse_toml("data = { joint = \"lap\", to = [1e-3, -1e-3, 1e-3], points = 50 }\n", file);
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
  write("short.csv", "u,f\n1,1\n2,2\n");
  write("empty.csv", "u,f\n");
  write("nan.csv", "u,f\n1,1\n2,nan\n");
  std::string unsorted = "u,f\n";
  for (const int u : {1, 2, 3, 5, 4, 6, 7, 8, 9}) unsorted += fmt::format("{},{}\n", u, u);
  write("unsorted.csv", unsorted);
  const auto mistake = [&](const std::string& keys) {
    return complaint(oscillator_text +
                     "[[analysis]]\nkind = \"qsma\"\nmode = 1\nalpha = [1.0, 200.0]\n[[analysis]]\nkind "
                     "= \"modes\"\n" +
                     fit_text + keys);
  };
  const auto begins = [&](const std::string& keys, const std::string& start) {
    const std::string got = mistake(keys);
    EXPECT_EQ(got.substr(0, start.size()), start) << got;
  };
  const std::string fit = ": analysis \"fit\": ", at = "study.toml:23:";
  EXPECT_EQ(mistake(""), "study.toml:20:1" + fit + "data is missing");
  EXPECT_EQ(mistake("data = 3\n"), at + "8" + fit + "data must be the name of a file or a table, got 3");
  EXPECT_EQ(mistake("data = []\n"), at + "8" + fit + "data: the list is empty");
  EXPECT_EQ(mistake("data = [3]\n"), at + "9" + fit + "data[1] must be a table, got 3");
  EXPECT_EQ(mistake("data = {}\n"), at + "8" + fit + "data: one of file, joint, from is missing");
  EXPECT_EQ(mistake("data = { file = \"curve.csv\", joint = \"lap\" }\n"),
            at + "30" + fit + "data: file and joint exclude each other");
  begins("data = \"none.csv\"\n", at + "8" + fit + "data: ");
  EXPECT_EQ(mistake("data = \"curve.csv\"\n"),
            "curve.csv:1:1: there is no column \"u\"; the header has \"x_mm,load,w\"");
  EXPECT_EQ(mistake("data = \"empty.csv\"\n"), "empty.csv:1:1: the curve has no points");
  EXPECT_EQ(mistake("data = \"short.csv\"\n"), "short.csv:2:1: a curve needs at least 8 points, got 2");
  EXPECT_EQ(mistake("data = \"nan.csv\"\n"), "nan.csv:3:3: column \"f\" must be finite, got \"nan\"");
  EXPECT_EQ(
      mistake("data = \"unsorted.csv\"\n"),
      "unsorted.csv:6:1: u must increase: 4 comes after 5; sort the rows, and of a loop take the first loading only");
  begins("data = { file = \"curve.csv\", u = \"x_mm\", f = \"load\", scale_u = -1 }\n",
         "curve.csv:2:1: u must be >= 0");
  EXPECT_EQ(mistake("data = { file = \"curve.csv\", scale = 2 }\n"),
            at + "30" + fit + "data: unknown key \"scale\"; did you mean \"scale_u\"?");
  EXPECT_EQ(mistake("data = { file = \"curve.csv\", scale_u = 0 }\n"), at + "40" + fit + "data: scale_u must not be 0");
  EXPECT_EQ(mistake("data = { joint = \"lab\", to = 1 }\n"),
            at + "18" + fit + "data: there is no joint \"lab\"; did you mean \"lap\"?");
  EXPECT_EQ(mistake("data = { joint = \"lap\" }\n"), at + "8" + fit + "data: to is missing");
  EXPECT_EQ(mistake("data = { joint = \"lap\", to = -1 }\n"), at + "30" + fit + "data: to must be > 0, got -1");
  EXPECT_EQ(mistake("data = { joint = \"lap\", to = [] }\n"), at + "30" + fit + "data: to: the list is empty");
  EXPECT_EQ(mistake("data = { joint = \"lap\", to = 1, lowest = 0.1 }\n"),
            at + "42" + fit + "data: lowest goes with spacing = \"log\"");
  EXPECT_EQ(mistake("data = { joint = \"lap\", to = 1, spacing = \"log\", lowest = 1 }\n"),
            at + "59" + fit + "data: lowest must be in (0, 1), got 1");
  EXPECT_EQ(mistake("data = { joint = \"lap\", to = [1, -1], spacing = \"log\" }\n"),
            at + "49" + fit + "data: spacing = \"log\" goes with one stretch: to = a number");
  EXPECT_EQ(
      mistake("data = { joint = \"lap\", to = [1, -1] }\n"),
      at + "8" + fit +
          "joint \"lap\": u must increase: 0.99 comes after 1; sort the rows, and of a loop take the first loading "
          "only");
  EXPECT_EQ(mistake("data = { joint = \"lap\", to = 1, points = 5 }\n"),
            at + "8" + fit + "joint \"lap\": a curve needs at least 8 points, got 5");
  EXPECT_EQ(mistake("data = { from = \"qmsa\" }\n"),
            at + "17" + fit + "data: no analysis \"qmsa\" stands before this one; did you mean \"qsma\"?");
  EXPECT_EQ(mistake("data = { from = \"modes\" }\n"), at + "8" + fit + "data: u and f must name columns of the table");
  EXPECT_EQ(mistake("data = { from = \"qsma\", mode = 2 }\n"), at + "32" + fit + "data: mode must be one of 1, got 2");

  const std::string data = "data = { joint = \"lap\", to = 1 }\n";
  const auto key = [&](const std::string& keys, const std::string& expected) {
    EXPECT_EQ(mistake(data + keys), "study.toml:24:" + expected) << keys;
  };
  key("force = \"totl\"\n", "9" + fit + "unknown force \"totl\"; did you mean \"total\"?");
  key("K0 = 1\n", "1" + fit + "K0 goes with force = \"residual\"");
  EXPECT_EQ(mistake(data + "force = \"residual\"\n"), "study.toml:20:1" + fit + "K0 is missing");
  key("Kinf = -1\n", "8" + fit + "Kinf must be >= 0, got -1");
  EXPECT_EQ(mistake(data + "force = \"nonlinear\"\nKinf = 1\n"),
            "study.toml:25:1" + fit + "the nonlinear force has no Kinf in it; write force = \"total\"");
  key("confidence = 1\n", "14" + fit + "confidence must be in (0, 1), got 1");
  key("noise = 0\n", "9" + fit + "noise must be > 0, got 0");
  key("smoothing = -1\n", "13" + fit + "smoothing must be >= 0, got -1");
  key("spline = { order = 3 }\n", "1" + fit + "spline goes with method = \"spline\"");
  EXPECT_EQ(mistake(data + "method = \"spline\"\nnoise = 1\n"),
            "study.toml:25:1" + fit + "noise goes with method = \"sliders\"");
  EXPECT_EQ(mistake(data + "method = \"spline\"\nspline = { order = 9 }\n"),
            "study.toml:25:20" + fit + "spline: order must be an integer from 2 to 6, got 9");
  EXPECT_EQ(mistake(data + "method = \"spline\"\nspline = { alpha = 1 }\n").substr(0, 60),
            ("study.toml:25:12" + fit + "spline: unknown key \"alpha\"").substr(0, 60));
  key("band = true\n", "1" + fit + "unknown key \"band\"; did you mean \"bands\"?");
  EXPECT_EQ(mistake(data), "");
}

}  // namespace
}  // namespace microslip
