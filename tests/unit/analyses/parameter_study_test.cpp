// kind = "parameter_study": reading, mistakes, rows against single runs, threads, failures, interruption.

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>
#include <sstream>
#include <stdexcept>

#include "microslip/io/text_file.hpp"
#include "microslip/numerics/dense.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace parameter_study_test {

using test::joint_text;
using test::light_hit_text;
using test::marked_at;
using test::replaced;
using test::shaker_text;
using test::structure_text;

const std::string parts_text = structure_text + joint_text + shaker_text;
const std::string head = R"(
[[analysis]]
kind = "parameter_study"
name = "study"
)";

/// A table that may hold nan, which files of input may not.
struct Rows {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  explicit Rows(const std::string& text) {
    std::istringstream lines(text);
    std::string line, field;
    std::getline(lines, line);
    for (std::istringstream fields(line); std::getline(fields, field, ',');) names.push_back(field);
    columns.resize(names.size());
    while (std::getline(lines, line)) {
      std::size_t c = 0;
      for (std::istringstream fields(line); std::getline(fields, field, ',');) {
        columns.at(c++).push_back(std::strtod(field.c_str(), nullptr));
      }
    }
  }
  [[nodiscard]] std::size_t rows() const { return columns.at(0).size(); }
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) throw std::out_of_range("no column " + name);
    return columns[static_cast<std::size_t>(at - names.begin())];
  }
};

class ParameterStudy : public test::StudyFolder {
 protected:
  static std::string with(const std::string& keys) { return parts_text + head + keys; }

  /// The main table of the only analysis.
  [[nodiscard]] Rows table(const std::string& text, const std::string& out, int exit_code = 0) const {
    const Study study = parse(text);
    const RunOutcome outcome = run_study(study, path(out), {});
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.analyses[0].message;
    return Rows(text_of(out + "/" + study.analyses[0]->name + ".csv"));
  }
  /// The same of a study with one analysis of its own.
  [[nodiscard]] Rows single(const std::string& parts, const std::string& analysis, const std::string& part = "") {
    const std::string out = "single" + std::to_string(singles_++);
    const Study study = parse(parts + R"(
[[analysis]]
name = "one"
)" + analysis);
    const RunOutcome outcome = run_study(study, path(out), {});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
    return Rows(text_of(out + "/" + table_name("one", part) + ".csv"));
  }
  [[nodiscard]] std::string text_of(const std::string& file) const { return read_text_file(path(file)); }
  void expect_same_table(const std::string& keys) const {
    for (const char* threads : {"1", "2", "3", "16"}) {
      const Study study = parse(with(keys + "threads = " + threads + "\n"));
      ASSERT_EQ(run_study(study, path(threads), {}).exit_code, 0);
      EXPECT_EQ(text_of(std::string(threads) + "/study.csv"), text_of("1/study.csv")) << threads;
    }
  }

 private:
  int singles_ = 0;
};

TEST_F(ParameterStudy, Mistakes) {
  const std::string where = "analysis \"study\": ";
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(with(keys), where + message);
  };
  const std::string inner = "analysis = { kind = \"modes\" }\n", vary = "vary = { \"joint.lap.FS\" = [1.0, 2.0] }\n";
  expect_complaint(with(inner + vary), "");
  expect_complaint(marked_at(with(vary), "[[analysis]]"), where + "analysis is missing");
  expect_complaint(marked_at(with(inner), "[[analysis]]"), where + "vary is missing");
  expect(inner + "vary = »{}", "vary: there is no key in it");
  expect("analysis = »3\nvary = {}", "analysis must be a table or the name of another analysis, got 3");
  expect(R"(
analysis = »"mode"
vary = {}
[[analysis]]
kind = "modes"
)",
         R"(analysis: unknown analysis "mode"; did you mean "modes"?)");
  expect(R"(
analysis = »{ kind = "parameter_study" }
vary = {}
)",
         "analysis: a parameter study cannot hold another one; give it more keys in vary");
  expect(inner + R"(vary = { "analysis.kind" = ["modes", »"parameter_study"] })",
         R"(combination 2 (analysis.kind = "parameter_study"): a parameter study cannot hold another one)");
  expect(vary + R"(analysis = { kind = "modes", »name = "m" })",
         "the analysis of a parameter study has no name of its own");
  expect(inner + vary + "»thread = 2", R"(unknown key "thread"; did you mean "threads"?)");
  expect(inner + vary + "threads = »0", "threads must be an integer from 1 to 1024, got 0");
  expect(inner + vary + R"(combine = »"gird")", R"(unknown combine "gird"; did you mean "grid"?)");
}

TEST_F(ParameterStudy, MistakesInPathsAndValues) {
  const std::string where = "analysis \"study\": ", inner = "analysis = { kind = \"modes\" }\n";
  const auto expect = [&](const std::string& vary, const std::string& message) {
    expect_complaint(with(inner + vary), where + message);
  };
  expect(R"(vary = { »"joints.lap.FS" = [1.0] })",
         R"(vary: "joints.lap.FS": a path begins with structure, joint, load or analysis; did you mean "joint"?)");
  expect(R"(vary = { »"joint.lab.FS" = [1.0] })", R"(vary: "joint.lab.FS": unknown joint "lab"; did you mean "lap"?)");
  expect(R"(vary = { »"structure)" + std::string(40, '.') + R"(" = [1.0] })", "vary: a path may have at most 32 dots");
  expect(R"(vary = { »"joint.lap" = [1.0] })", R"(vary: "joint.lap": which key of the joint?)");
  expect(R"(vary = { »"structure" = [1.0] })", R"(vary: "structure": which key of structure?)");
  expect(R"(vary = { »"structure.springs.4.3" = [1.0] })",
         R"(vary: "structure.springs.4.3": "4" must be the number of an item, 1 to 3)");
  expect(R"(vary = { »"joint.lap.FS.x" = [1.0] })",
         R"(vary: "joint.lap.FS.x": "x" leads into 10, which is neither a table nor a list)");
  expect(R"(vary = { »"joint.lap.Fs" = [1.0] })",
         R"(combination 1 (joint.lap.Fs = 1.0): joint "lap": unknown key "Fs"; did you mean "FS"?)");
  expect(R"(vary = { "joint.lap.FS" = »1.0 })",
         R"(vary: "joint.lap.FS" must be a list of values or { from, to, points }, got 1)");
  expect(R"(vary = { "joint.lap.FS" = »[] })", R"(vary: "joint.lap.FS": the list is empty)");
  expect(R"(vary = { "joint.lap.FS" = [1.0, »-3.0] })",
         R"(combination 2 (joint.lap.FS = -3.0): joint "lap": FS must be > 0, got -3)");
  expect(R"(vary = { "joint.lap.KT" = [1.0, 2.0], "joint.lap.between" = [["1", "2"], ["2", »"4"]] })",
         R"(combination 2 (joint.lap.KT = 1.0, joint.lap.between = ["2","4"]): joint "lap": between: unknown label )"
         R"("4" (1, 2, 3, ground))");
  // The complaint is about the matrix, the reason is the value.
  expect_complaint_begins(with(inner + R"(vary = { "structure.springs.3.3" = [9.0, »-90.0] })"),
                          where +
                              "combination 2 (structure.springs.3.3 = -90.0): structure: the stiffness matrix is "
                              "indef");
  expect(R"(vary = { "structure.damping" = [{ modal = 0.1 }], »"structure.damping.modal" = [0.1] })",
         R"(vary: "structure.damping.modal" is part of "structure.damping": vary one of them)");
  expect(R"(vary = { "joint.lap.FS" = { from = 1.0, to = -1.0, points = 3, spacing = »"log" } })",
         R"(vary: "joint.lap.FS": spacing = "log" needs from and to of the same sign and not 0)");
  expect(R"(vary = { "joint.lap.FS" = { from = 1.0, to = 2.0, points = »1 } })",
         R"(vary: "joint.lap.FS": points must be an integer from 2 to 100000, got 1)");
  const std::string thousand = "{ from = 1.0, to = 2.0, points = 1000 }";
  expect(R"(vary = »{ "joint.lap.FS" = )" + thousand + R"(, "joint.lap.KT" = )" + thousand + " }",
         "vary: there are more than 100000 combinations");
  expect(R"(
combine = "list"
vary = { "joint.lap.FS" = [1.0], »"joint.lap.KT" = [1.0, 2.0] }
)",
         R"(vary: combine = "list" needs as many values of each key, but "joint.lap.KT" has 2 and "joint.lap.FS" )"
         "has 1");
  // Wrong without the values: its own place, no combination.
  expect_complaint(with(R"(
analysis = »{ kind = "qsma", mode = 1 }
vary = { "joint.lap.FS" = [1.0] }
)"),
                   where + "alpha is missing");
}

TEST_F(ParameterStudy, ModesLikeSingleRuns) {
  const Rows rows = table(with(R"(
analysis = { kind = "modes", count = 2 }
vary = { "structure.springs.2.3" = [9.0, 4.0], "joint.lap.KT" = [1.0, 2.0, 3.0] }
threads = 2
)"),
                          "out");
  const std::vector<std::string> names = {
      "combination", "structure.springs.2.3", "joint.lap.KT",     "ending",  "omega_stuck[1]", "omega_slipped[1]",
      "zeta[1]",     "omega_stuck[2]",        "omega_slipped[2]", "zeta[2]", "modes"};
  EXPECT_EQ(rows.names, names);
  ASSERT_EQ(rows.rows(), 6U);
  std::size_t row = 0;
  for (const char* spring : {"9.0", "4.0"}) {
    for (const char* stiffness : {"1.0", "2.0", "3.0"}) {  // the last key varies fastest
      EXPECT_EQ(rows.column("combination")[row], static_cast<double>(row + 1));
      EXPECT_EQ(rows.column("structure.springs.2.3")[row], std::stod(spring));
      EXPECT_EQ(rows.column("joint.lap.KT")[row], std::stod(stiffness));
      EXPECT_EQ(rows.column("ending")[row], 0.0);
      std::string parts = replaced(parts_text, R"(["1", "2", 9.0])", std::string(R"(["1", "2", )") + spring + "]");
      parts = replaced(parts, "KT = 1.0", std::string("KT = ") + stiffness);
      const Rows one = single(parts, R"(
kind = "modes"
count = 2
)");
      for (int mode : {1, 2}) {  // the same functions of the same numbers: no difference at all
        const std::string of = mode == 1 ? "[1]" : "[2]";
        EXPECT_EQ(rows.column("omega_stuck" + of)[row], one.column("omega_stuck")[mode - 1]);
        EXPECT_EQ(rows.column("omega_slipped" + of)[row], one.column("omega_slipped")[mode - 1]);
      }
      ++row;
    }
  }
}

TEST_F(ParameterStudy, QsmaLikeSingleRuns) {
  // FS leaves the modes as they are, KT does not.
  for (const std::string key : {"FS", "KT"}) {
    const std::string old = key == "FS" ? "FS = 10.0" : "KT = 1.0";
    const Rows rows = table(with(R"(
analysis = { kind = "qsma", mode = [1, 3], alpha = [0.01, 1.0], points = 10 }
vary = { "joint.lap.)" + key + R"(" = [3.0, 7.0] })"),
                            "out" + key);
    ASSERT_EQ(rows.rows(), 2U);
    for (std::size_t row : {0U, 1U}) {
      const Rows one = single(replaced(parts_text, old, key + (row == 0 ? " = 3.0" : " = 7.0")),
                              R"(
kind = "qsma"
mode = [1, 3]
alpha = [0.01, 1.0]
points = 10
)");
      const std::size_t last = one.rows() - 1;
      EXPECT_EQ(rows.column("omega_first[1]")[row], one.column("omega")[0]);
      EXPECT_EQ(rows.column("zeta_first[1]")[row], one.column("zeta")[0]);
      EXPECT_EQ(rows.column("omega_last[3]")[row], one.column("omega")[last]);
      EXPECT_EQ(rows.column("zeta_last[3]")[row], one.column("zeta")[last]);
      EXPECT_EQ(rows.column("points")[row], static_cast<double>(one.rows()));
      double largest = 0.0;
      for (std::size_t i = 0; i < one.rows(); ++i) {
        if (one.column("mode")[i] == 3.0) largest = std::max(largest, one.column("zeta")[i]);
      }
      EXPECT_EQ(rows.column("largest_zeta[3]")[row], largest);
    }
  }
}

using ParameterStudySlow = ParameterStudy;

const std::string frf_keys = R"(kind = "frf", load = "shaker", omega = [0.38, 0.45], record = { dofs = ["3", "1"] })";

TEST_F(ParameterStudySlow, PeaksLikeSingleRuns) {
  const std::string keys = "analysis = { " + frf_keys + " }\n" +
                           R"(vary = { "load.shaker.signal.amplitude" = [0.01, 0.02], "joint.lap.FS" = [0.5, 1.0, 2.0] }
)";
  const Rows cold = table(with(keys), "cold");
  const Rows warm = table(with(keys + "warm_start = true\n"), "warm");
  ASSERT_EQ(cold.rows(), 6U);
  EXPECT_EQ(cold.names, warm.names);
  std::size_t row = 0;
  for (const char* amplitude : {"0.01", "0.02"}) {
    for (const char* strength : {"0.5", "1.0", "2.0"}) {
      std::string parts = replaced(parts_text, "amplitude = 2.0", std::string("amplitude = ") + amplitude);
      parts = replaced(parts, "FS = 10.0", std::string("FS = ") + strength);
      const Rows one = single(parts, R"(
kind = "frf"
load = "shaker"
omega = [0.38, 0.45]
record = { dofs = ["3", "1"] }
)",
                              "special");
      ASSERT_EQ(one.rows(), 1U);
      EXPECT_EQ(cold.column("peak_omega")[row], one.column("omega")[0]);
      EXPECT_EQ(cold.column("peak_amplitude[3]")[row], one.column("amplitude[3]")[0]);
      EXPECT_EQ(cold.column("peak_amplitude[1]")[row], one.column("amplitude[1]")[0]);
      EXPECT_EQ(cold.column("peaks")[row], 1.0);
      // From a neighbour the same motion, to the tolerance of the harmonics (1e-6): other points of the curve choose
      // other numbers of them.
      EXPECT_NEAR(warm.column("peak_amplitude[3]")[row], one.column("amplitude[3]")[0],
                  2e-6 * one.column("amplitude[3]")[0]);
      ++row;
    }
  }
}

// One motion at each frequency: neighbours help without being asked, and the peaks are those of cold starts to the
// accuracy of orbits (phases to 2e-12) and of the search for a peak (2e-9 in frequency, its square in amplitude).
TEST_F(ParameterStudySlow, WarmWhereItCannotMatter) {
  const std::string parts =
      R"(
[structure]
kind = "lumped"
masses = [5000.0, 5000.0]
springs = [["ground", "1", 3000.0], ["1", "2", 3000.0]]
damping = { rayleigh = [0.0, 0.01] }
[[joint]]
name = "damper"
between = ["ground", "1"]
law = "coulomb"
fs = 1.0
[[load]]
name = "base"
base = true
signal = { kind = "sine", amplitude = 0.005, omega = 0.5 }
)";
  const auto study = [&](const std::string& more) {
    return parts + R"(
[[analysis]]
kind = "parameter_study"
name = "grid"
)" + more +
           R"(
analysis = { kind = "frf", method = "piecewise_linear", load = "base", omega = [0.4, 0.56], peak = "2" }
vary = { "joint.damper.fs" = [1.0, 2.0, 3.0, 4.0, 5.0] }
)";
  };
  const Rows warm = table(study(""), "warm");
  const Rows cold = table(study("warm_start = false\n"), "cold");
  ASSERT_EQ(warm.rows(), 5U);
  bool differs = false;
  for (std::size_t row = 0; row < 5; ++row) {
    const double amplitude = cold.column("peak_amplitude[2]")[row];
    EXPECT_NEAR(warm.column("peak_amplitude[2]")[row], amplitude, 1e-10 * amplitude);
    differs = differs || warm.column("peak_amplitude[2]")[row] != amplitude;
  }
  EXPECT_TRUE(differs) << "the neighbour was not used";
}

TEST_F(ParameterStudySlow, SameTableForAnyNumberOfThreads) {
  const std::string keys = "warm_start = true\nanalysis = { " + frf_keys + ", tolerance = 1e-2 }\n" +
                           R"(vary = { "joint.lap.KT" = [0.5, 1.0], )"
                           R"("load.shaker.signal.amplitude" = { from = 0.01, to = 0.04, points = 5, spacing = "log" } }
)";
  expect_same_table(keys);
}

TEST_F(ParameterStudy, SameTableForAnyNumberOfThreads) {
  const std::string keys =
      R"(
analysis = { kind = "qsma", mode = [1, 2], alpha = [0.01, 10.0], points = 20 }
vary = { "joint.lap.KT" = [0.5, 1.0, 2.0], "joint.lap.between" = [["1", "2"], ["2", "3"]], "joint.lap.FS" = [1.0, 2.0] }
)";
  expect_same_table(keys);
}

TEST_F(ParameterStudy, ListIsTheDiagonalOfTheGrid) {
  const std::string keys =
      R"(
analysis = { kind = "qsma", mode = 1, alpha = [0.01, 1.0], points = 5 }
vary = { "joint.lap.FS" = [1.0, 2.0, 3.0], "joint.lap.KT" = [4, 5, 6] }
)";
  const Rows grid = table(with(keys), "grid");
  const Rows list = table(with(keys + R"(combine = "list")"), "list");
  ASSERT_EQ(grid.rows(), 9U);
  ASSERT_EQ(list.rows(), 3U);
  for (std::size_t c = 1; c < grid.names.size(); ++c) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(list.columns[c][i], grid.columns[c][4 * i]) << grid.names[c];
  }
}

TEST_F(ParameterStudy, RangesAndPathsWithoutQuotes) {
  const Rows rows = table(with(R"(
analysis = "few"
[analysis.vary]
joint.lap.KT = { from = 1.0, to = 4.0, points = 3, spacing = "log" }
analysis.count = { from = 1, to = 3, points = 3 }
[[analysis]]
kind = "modes"
name = "few"
)"),
                          "out");
  ASSERT_EQ(rows.rows(), 9U);
  EXPECT_EQ(rows.column("joint.lap.KT")[0], 1.0);
  EXPECT_DOUBLE_EQ(rows.column("joint.lap.KT")[3], 2.0);
  EXPECT_EQ(rows.column("joint.lap.KT")[8], 4.0);
  EXPECT_EQ(rows.column("analysis.count")[1], 2.0);
  EXPECT_TRUE(std::isnan(rows.column("omega_stuck[3]")[1]));  // the first combinations ask for fewer modes
  EXPECT_FALSE(std::isnan(rows.column("omega_stuck[3]")[2]));
}

TEST_F(ParameterStudy, ValuesThatAreNoNumbersAreCounted) {
  const Study study = parse(with(R"(
analysis = { kind = "modes", count = 1 }
vary = { "joint.lap.between" = [["ground", "1"], ["1", "2"]] }
)"));
  const RunOutcome outcome = run_study(study, path("out"), {});
  const Rows rows(text_of("out/study.csv"));
  EXPECT_EQ(rows.column("joint.lap.between"), (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(outcome.analyses[0].facts_json()["vary"]["joint.lap.between"][1][0], "1");
  EXPECT_EQ(outcome.analyses[0].facts_json()["combinations"], 2);
  EXPECT_EQ(study.analyses[0]->describe(), "2 combinations of joint.lap.between (2), each modes: the lowest 1 modes");
}

TEST_F(ParameterStudy, AFailureIsARow) {
  // One step of the fixed point is never enough.
  const Study study = parse(with(R"(
analysis = { kind = "frf", load = "shaker", at = [1.0], solver = "fixed_point" }
vary = { "analysis.max_iterations" = [1000, 1, 999] }
threads = 2
)"));
  const RunOutcome outcome = run_study(study, path("out"), {});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.analyses[0].ending, Ending::no_convergence);
  EXPECT_EQ(outcome.analyses[0].message.find(
                "1 of 3 combinations did not complete: combination 2 (analysis.max_iterations = 1): no_convergence: "),
            0U)
      << outcome.analyses[0].message;
  EXPECT_EQ(outcome.analyses[0].facts_json()["failed"], 1);
  const Rows rows(text_of("out/study.csv"));
  EXPECT_EQ(rows.column("ending"), (std::vector<double>{0.0, 1.0, 0.0}));
  const std::vector<double>& largest = rows.column("largest_amplitude[3]");
  EXPECT_TRUE(std::isnan(largest[1]));
  EXPECT_GT(largest[0], 0.0);
  EXPECT_EQ(largest[2], largest[0]);
}

TEST_F(ParameterStudy, RemarksAreCounted) {
  // Sixteen nodes a period cannot integrate the joint force to 1e-12.
  const Study study = parse(with(R"(
analysis = { kind = "frf", load = "shaker", at = [1.0], harmonics = 3, tolerance = 1e-12 }
vary = { "analysis.samples" = [16, 18] }
)"));
  const RunOutcome outcome = run_study(study, path("out"), {});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(
      outcome.analyses[0].message.find("2 of 2 combinations have a remark; combination 1 (analysis.samples = 16): "
                                       "level 1: tolerance 1e-12 was not reached"),
      0U)
      << outcome.analyses[0].message;
}

TEST_F(ParameterStudy, InterruptionKeepsFinishedRows) {
  const Study study = parse(with(R"(
analysis = { kind = "modes" }
threads = 1
vary = { "joint.lap.FS" = { from = 1.0, to = 2.0, points = 10 } }
)"));
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  options.progress = [&](std::size_t, double fraction) {
    if (fraction >= 0.3) stop = true;
  };
  const RunOutcome outcome = run_study(study, path("out"), options);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.analyses[0].message, "interrupted: 3 of 10 combinations were finished");
  const Rows rows(text_of("out/study.csv"));
  ASSERT_EQ(rows.rows(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(rows.column("ending")[i], i < 3 ? 0.0 : 4.0);
    EXPECT_EQ(std::isnan(rows.column("omega_stuck[1]")[i]), i >= 3);
  }
}

TEST_F(ParameterStudy, OfAFit) {
  const std::string curve =
      R"(
[[analysis]]
kind = "qsma"
name = "curve"
mode = 1
alpha = [0.01, 100.0]
points = 20
)";
  const std::string fit = R"(analysis = { kind = "fit_modal_iwan", from = "curve", fixed = { zeta0 = 1e-4 } }
)";
  const Study study = parse(parts_text + curve + head + fit +
                            R"(
vary = { "analysis.weights" = ["log_q", "points"] }
[[analysis]]
kind = "fit_modal_iwan"
name = "alone"
from = "curve"
fixed = { zeta0 = 1e-4 }
weights = "points"
)");
  ASSERT_EQ(run_study(study, path("out"), {}).exit_code, 0);
  const Rows rows(text_of("out/study.csv"));
  const Rows alone(text_of("out/alone.csv"));
  EXPECT_EQ(rows.column("KT[1]")[1], alone.column("KT")[0]);
  EXPECT_EQ(rows.column("chi[1]")[1], alone.column("chi")[0]);
  expect_complaint(parts_text + curve + head + fit + R"(vary = { »"joint.lap.FS" = [1.0] })",
                   R"(analysis "study": vary: "joint.lap.FS" would not change analysis "curve", which runs once, )"
                   "before; vary keys of the analysis only");
}

TEST_F(ParameterStudy, Histories) {
  const Rows rows = table(parts_text + light_hit_text + head +
                              R"(
analysis = { kind = "transient", load = "hit", duration = 20.0, step = 0.05, record = { dofs = ["3"] } }
vary = { "load.hit.signal.duration" = [1.0, 2.0] }
)",
                          "out");
  const Rows one = single(parts_text + replaced(light_hit_text, "1.8", "2.0"),
                          R"(
kind = "transient"
load = "hit"
duration = 20.0
step = 0.05
record = { dofs = ["3"] }
)");
  double largest = 0.0;
  for (const double q : one.column("q[3]")) largest = std::max(largest, std::abs(q));
  EXPECT_EQ(rows.column("largest_q[3]")[1], largest);
  EXPECT_GT(rows.column("energy[error]")[1], 0.0);
  EXPECT_GT(rows.column("energy_joints[lap]")[1], 0.0);
}

TEST_F(ParameterStudy, InterruptionOfSeveralThreads) {
  const Study study = parse(with(R"(
analysis = { kind = "modes" }
threads = 3
vary = { "joint.lap.FS" = { from = 1.0, to = 2.0, points = 50 } }
)"));
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  options.progress = [&](std::size_t, double fraction) {
    if (fraction >= 0.2) stop = true;
  };
  const RunOutcome outcome = run_study(study, path("out"), options);
  EXPECT_EQ(outcome.exit_code, 130);
  const Rows rows(text_of("out/study.csv"));
  ASSERT_EQ(rows.rows(), 50U);
  std::size_t finished = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    const double ending = rows.column("ending")[i];
    EXPECT_TRUE(ending == 0.0 || ending == 4.0);
    EXPECT_EQ(std::isnan(rows.column("omega_stuck[1]")[i]), ending == 4.0);
    finished += ending == 0.0 ? 1 : 0;
  }
  EXPECT_GE(finished, 10U);
  EXPECT_LE(finished, 13U);  // each of three workers may finish what it has begun
}

/// Five masses of 1 with springs of 1 to the ground, C = 0.07 K, a force at the fifth.
struct LinearChain {
  int place = 0;  ///< of a spring `stiffness`, between this mass and the one before
  double stiffness = 0.0;

  [[nodiscard]] Eigen::VectorXd across() const {
    Eigen::VectorXd b = Eigen::VectorXd::Unit(5, place);
    if (place > 0) b(place - 1) = -1.0;
    return b;
  }
  /// Displacement of the fifth mass under a force, amplitude.
  [[nodiscard]] double response(double omega, const Eigen::VectorXd& force) const {
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(5, 5);
    for (int i = 0; i < 5; ++i) {
      const Eigen::VectorXd b = LinearChain{i}.across();
      k += b * b.transpose();
    }
    Eigen::MatrixXcd d = k * std::complex<double>(1.0, 0.07 * omega);
    d += stiffness * across() * across().transpose() - omega * omega * Eigen::MatrixXd::Identity(5, 5);
    return std::abs(LuFactors<std::complex<double>>(d).solve(Eigen::VectorXcd(force.cast<std::complex<double>>()))(4));
  }
  [[nodiscard]] double response(double omega) const { return response(omega, 0.1 * Eigen::VectorXd::Unit(5, 4)); }
  /// Of the first mode, by golden sections.
  [[nodiscard]] double peak_omega() const {
    double low = 0.25, high = 0.35;
    while (high - low > 1e-9) {
      const double a = low + 0.381966 * (high - low), b = high - 0.381966 * (high - low);
      (response(a) < response(b) ? low : high) = response(a) < response(b) ? a : b;
    }
    return 0.5 * (low + high);
  }
};

// A damper that never slips is a spring. One that is always slipping pushes with fs: its harmonics h have amplitudes of
// at most 4 fs/(pi h), and those above the first meet a structure far above its resonance, so that the amplitude
// changes by less than twice what the first harmonic does.
TEST_F(ParameterStudySlow, LimitsOfAFrictionDamper) {
  const std::string chain =
      R"(
[structure]
kind = "lumped"
masses = [1, 1, 1, 1, 1]
springs = [["ground", "1", 1], ["1", "2", 1], ["2", "3", 1], ["3", "4", 1], ["4", "5", 1]]
damping = { rayleigh = [0.0, 0.07] }
[[joint]]
name = "damper"
between = ["ground", "1"]
law = "jenkins"
kt = 0.5
fs = 0.1
[[load]]
name = "shake"
at = "5"
signal = { kind = "sine", amplitude = 0.1, omega = 1.0 }
)";
  const Rows rows = table(chain + head +
                              R"(
[analysis.analysis]
kind = "frf"
load = "shake"
omega = [0.2, 0.4]
record = { dofs = ["5"] }
tolerance = 1e-3
stability = false
[analysis.vary]
"joint.damper.between" = [["ground", "1"], ["1", "2"], ["2", "3"], ["3", "4"], ["4", "5"]]
"joint.damper.fs" = [1e-5, 100.0]
)",
                          "out");
  ASSERT_EQ(rows.rows(), 10U);
  for (int place = 0; place < 5; ++place) {
    const std::size_t slips = 2U * static_cast<std::size_t>(place), sticks = slips + 1;
    const LinearChain stuck{place, 0.5};
    const double stuck_peak = stuck.response(stuck.peak_omega());
    // One harmonic is all there is; equations are solved to 1e-7.
    EXPECT_NEAR(rows.column("peak_amplitude[5]")[sticks], stuck_peak, 1e-6 * stuck_peak);
    EXPECT_NEAR(stuck.response(rows.column("peak_omega")[sticks]), stuck_peak, 1e-6 * stuck_peak);
    const LinearChain free{place};
    const double free_omega = free.peak_omega(), free_peak = free.response(free_omega);
    const double first = free.response(free_omega, 4e-5 / std::numbers::pi * free.across());
    EXPECT_NEAR(rows.column("peak_amplitude[5]")[slips], free_peak, 2.0 * first);
    EXPECT_LT(rows.column("peak_amplitude[5]")[slips], free_peak);  // friction takes energy
  }
}

}  // namespace parameter_study_test
}  // namespace microslip
