// kind = "update", method = "sample": numbers of a trial, the front, the same bytes whoever does the trials, what may
// begin from them, and the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/io/text_file.hpp"
#include "microslip/trials/merge_trials.hpp"
#include "microslip/trials/trial_query.hpp"
#include "microslip/trials/trial_setting.hpp"
#include "support/study_run.hpp"

namespace microslip {
namespace update_trials_test {

using test::joint_text;
using test::replaced;
using test::structure_text;

constexpr double zeta_error = 2e-5;

/// Two numbers of the joint from a file with one error for all damping ratios.
std::string study_text(const std::string& keys, const std::string& more = "") {
  const std::string rest = R"(
parameters = [
  { name = "KT", paths = "joint.lap.KT", range = [0.5, 2.0], scale = "log" },
  { name = "chi", paths = "joint.lap.chi", range = [-0.8, -0.2] },
]
targets = [
  { data = "test.csv", mode = 2, discrepancy = false },
  { data = "test.csv", mode = 3, weight = 0.25, discrepancy = false },
]
)";
  std::string text = structure_text + joint_text + "[[analysis]]\nkind = \"update\"\nname = \"trials\"\n" +
                     "method = \"sample\"\n" + keys + rest;
  if (!more.empty()) text += "[[analysis]]\nkind = \"update\"\nname = \"next\"\n" + more + rest;
  return text;
}

class SampledUpdate : public test::StudyRun {
 protected:
  /// Curves of the study itself with half as much damping again: frequencies and damping cannot both be met.
  void SetUp() override {
    test::StudyRun::SetUp();
    ASSERT_EQ(run(structure_text + joint_text +
                  "[[analysis]]\nkind = \"qsma\"\nmode = [2, 3]\nalpha = [0.01, 10.0]\npoints = 12\n")
                  .exit_code,
              0);
    const CsvTable own = table("qsma");
    std::string file = "mode,q,omega,omega_error,zeta,zeta_error\n";
    for (std::size_t i = 0; i < own.rows(); ++i) {
      const double omega = own.column("omega_ringdown")[i];
      file += fmt::format("{},{:.17g},{:.17g},{},{:.17g},{}\n", own.column("mode")[i], own.column("q")[i], omega,
                          1e-4 * omega, 1.5 * own.column("zeta")[i], zeta_error);
    }
    write("test.csv", file);
  }
  [[nodiscard]] std::string text_of(const std::string& file) const { return read_text_file(path(file)); }
  [[nodiscard]] RunOutcome run_in(const std::string& folder, const std::string& text, TrialShare share = {}) const {
    RunOptions options;
    options.trials.share = share;
    options.report = false;
    return run_study(parse(text), path(folder), options);
  }
};

// Rows of one error and targets of as many rows each: sum of W/N off^2 is error^2/N times the misfit, whose rows count
// by W too.
TEST_F(SampledUpdate, DeviationsAndMisfitsAreOneSum) {
  ASSERT_EQ(run(study_text("samples = 20\n")).exit_code, 0);
  const CsvTable trials = table("trials");
  ASSERT_EQ(trials.rows(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    const double misfit = trials.column("misfit[damping]")[i];
    EXPECT_NEAR(trials.column("rmsd_zeta")[i], zeta_error * std::sqrt(misfit / 12.0),
                1e-12 * zeta_error * std::sqrt(misfit));
    EXPECT_NEAR(trials.column("square")[i], misfit + trials.column("misfit[frequency]")[i], 1e-12 * misfit);
    EXPECT_EQ(trials.column("unreached")[i], 0.0);
    EXPECT_GE(trials.column("p[KT]")[i], 0.5);
    EXPECT_LE(trials.column("p[chi]")[i], -0.2);
  }
  // 16 Sobol' points of two directions: one in each of 4 x 4 squares of the prior, whatever the scrambling.
  std::vector<int> squares(16, 0);
  for (std::size_t i = 0; i < 16; ++i) {
    const double u = std::log(trials.column("p[KT]")[i] / 0.5) / std::log(4.0);
    const double v = (trials.column("p[chi]")[i] + 0.8) / 0.6;
    ++squares[static_cast<std::size_t>(4 * std::floor(4 * u) + std::floor(4 * v))];
  }
  EXPECT_EQ(squares, std::vector<int>(16, 1));
}

// By looking at every pair.
TEST_F(SampledUpdate, TheFrontIsOne) {
  const RunOutcome outcome = run(study_text("samples = 200\nsampling = \"random\"\nchoose = \"knee\"\n"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure;
  const CsvTable trials = table("trials");
  const auto &first = trials.column("misfit[frequency]"), &second = trials.column("misfit[damping]");
  double on_front = 0.0, chosen = 0.0;
  for (std::size_t i = 0; i < trials.rows(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < trials.rows(); ++j) {
      dominated = dominated || (j != i && first[j] <= first[i] && second[j] <= second[i]);
    }
    EXPECT_EQ(trials.column("front")[i], dominated ? 0.0 : 1.0) << i;
    on_front += trials.column("front")[i];
    chosen += trials.column("chosen")[i] * trials.column("front")[i];
  }
  EXPECT_GT(on_front, 2.0);
  EXPECT_EQ(chosen, 1.0);
  EXPECT_EQ(outcome.analyses[0].facts_json()["on_front"], on_front);
  EXPECT_NO_THROW(static_cast<void>(load_study(path("out/trials-model.toml"))));
  const std::string best = text_of("out/trials-best.csv");
  const CsvTable side_by_side = table("trials-best");
  ASSERT_EQ(side_by_side.rows(), 200U);  // a hundred trials of two parameters, there and back
  const std::vector<double> there_and_back = {1.0, 2.0, 2.0, 1.0, 1.0};
  const auto& order = side_by_side.column("parameter");
  EXPECT_EQ(std::vector<double>(order.begin(), order.begin() + 5), there_and_back);
  const auto& squares = trials.column("square");
  const auto least = std::min_element(squares.begin(), squares.end()) - squares.begin();
  EXPECT_EQ(best.substr(best.find('\n') + 1).find(fmt::format("1,{},1,1,", least + 1)), 0U);
}

TEST_F(SampledUpdate, SameBytesForThreadsAndShards) {
  for (const char* kind : {"sobol", "latin_hypercube", "random"}) {
    const std::string keys = fmt::format("samples = 40\nsampling = \"{}\"\n", kind);
    const std::string one = std::string(kind) + "-1", three = std::string(kind) + "-3",
                      parts = std::string(kind) + "-s";
    ASSERT_EQ(run_in(one, study_text(keys + "threads = 1\n")).exit_code, 0);
    ASSERT_EQ(run_in(three, study_text(keys + "threads = 3\n")).exit_code, 0);
    for (const std::size_t part : {1U, 2U}) ASSERT_EQ(run_in(parts, study_text(keys), {part, 2}).exit_code, 0);
    static_cast<void>(merge_trials(path(parts), {}));
    const RunOutcome merged = run_in(parts, study_text(keys));
    EXPECT_EQ(merged.analyses[0].facts_json()["known_before"], 40);
    for (const char* name : {"/trials.csv", "/trials-best.csv", "/trials-model.toml"}) {
      EXPECT_EQ(text_of(three + name), text_of(one + name)) << kind;
      EXPECT_EQ(text_of(parts + name), text_of(one + name)) << kind;
    }
  }
}

// More samples go on from those that are there, but for a Latin hypercube, all of whose samples are others; another
// range begins anew.
TEST_F(SampledUpdate, MoreSamplesGoOn) {
  const auto known = [&](const std::string& text) -> int {
    const RunOutcome outcome = run_in("go-on", text);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.failure;
    return outcome.analyses[0].facts_json().value("known_before", 0);
  };
  EXPECT_EQ(known(study_text("samples = 10\n")), 0);
  EXPECT_EQ(known(study_text("samples = 30\nchoose = { trial = 4 }\n")), 10);
  EXPECT_EQ(known(study_text("samples = 20\n")), 20);
  EXPECT_EQ(known(replaced(study_text("samples = 20\n"), "[0.5, 2.0]", "[0.6, 2.0]")), 0);
  EXPECT_EQ(known(study_text("samples = 20\nsampling = \"latin_hypercube\"\n")), 0);
  EXPECT_EQ(known(study_text("samples = 30\nsampling = \"latin_hypercube\"\n")), 0);
}

TEST_F(SampledUpdate, TheDatabaseCanBeAsked) {
  ASSERT_EQ(run(study_text("samples = 30\n")).exit_code, 0);
  TrialQuery query;
  query.where = "rmsd_zeta < 1e-2 and chi < -0.3";
  query.best = 3;
  const TrialTable found = query_trials(path("out/trials-trials.db"), query);
  ASSERT_EQ(found.rows.size(), 3U);
  EXPECT_EQ(found.of, 30U);
  const CsvTable trials = table("trials");
  double least = 1e300;
  for (std::size_t i = 0; i < 30; ++i) {
    if (trials.column("p[chi]")[i] < -0.3) least = std::min(least, trials.column("square")[i]);
  }
  const auto place = std::find(found.columns.begin(), found.columns.end(), "square") - found.columns.begin();
  EXPECT_EQ(found.rows[0][static_cast<std::size_t>(place)].number, least);
}

// By gradients from the trials: no trial dominates a point of the front nor has a smaller square than the fit, and
// every trial that nothing dominated is met by a point that is as good in both.
TEST_F(SampledUpdate, GradientsBeginFromTheBest) {
  const std::string keys = "samples = 50\n";
  const RunOutcome traced = run(study_text(keys, "method = \"pareto\"\nfrom = \"trials\"\npoints = 7\nsamples = 1\n"));
  ASSERT_EQ(traced.exit_code, 0) << traced.failure;
  const CsvTable trials = table("trials"), front = table("next");
  const auto& flags = trials.column("front");
  EXPECT_EQ(traced.analyses[1].facts_json()["from_trials"], std::count(flags.begin(), flags.end(), 1.0));
  EXPECT_EQ(traced.analyses[1].facts_json()["dominating"], 0);
  for (std::size_t i = 0; i < trials.rows(); ++i) {
    bool met = false;
    const double a = trials.column("misfit[frequency]")[i], b = trials.column("misfit[damping]")[i];
    for (std::size_t k = 0; k < front.rows(); ++k) {
      const double x = front.column("misfit[frequency]")[k], y = front.column("misfit[damping]")[k];
      EXPECT_FALSE(a <= x && b <= y && (a < x || b < y)) << i << " " << k;
      met = met || (x <= a && y <= b);
    }
    if (trials.column("front")[i] == 1.0) {
      EXPECT_TRUE(met) << i;
    }
  }
  const RunOutcome fit = run(study_text(keys, "from = \"trials\"\nstarts = 1\n"));
  ASSERT_EQ(fit.exit_code, 0) << fit.failure;
  EXPECT_LT(fit.analyses[1].facts_json()["square"],
            *std::min_element(trials.column("square").begin(), trials.column("square").end()));
  EXPECT_EQ(table("next-starts").rows(), 5U);  // its own, and the best four
}

TEST_F(SampledUpdate, Mistakes) {
  const std::string at = "analysis \"trials\": ", next = "analysis \"next\": ";
  expect_complaint(study_text("»starts = 3\n"), at + "starts goes with method = \"least_squares\"");
  expect_complaint(study_text("choose = { trial = »11 }\nsamples = 10\n"),
                   at + "choose: trial must be an integer from 1 to 10, got 11");
  expect_complaint(study_text("choose = »\"kne\"\n"), at + "unknown choose \"kne\"; did you mean \"knee\"?");
  expect_complaint(study_text("sampling = »\"halton\"\n"),
                   at + "unknown sampling \"halton\" (sobol, latin_hypercube, random)");
  const std::string trials = "samples = 10\n";
  expect_complaint(
      study_text(trials, "from = »\"trial\"\n"),
      next + "from: no analysis \"trial\" of kind update stands before this one; did you mean \"trials\"?");
  expect_complaint(study_text(trials, "»sampling = \"random\"\n"), next + "sampling goes with method = \"sample\"");
  expect_complaint(study_text(trials, "method = \"posterior\"\n»from = \"trials\"\n"),
                   next + "from goes with method = \"least_squares\" or \"pareto\"");
  std::string others = study_text(trials, "from = »\"trials\"\n");
  others.replace(others.rfind("\"KT\""), 4, "\"K\"");
  expect_complaint(others, next + "from: \"trials\" has no parameter \"K\"");
  const std::string one =
      replaced(study_text("choose = »\"knee\"\n"), "mode = 2,", "mode = 2, compare = [\"damping\"],");
  expect_complaint(replaced(one, "mode = 3,", "mode = 3, compare = [\"damping\"],"),
                   at + "a front is one of frequencies (and shapes) against damping, and the targets do not hold both: "
                        "choose \"least\" or a trial");
}

}  // namespace update_trials_test
}  // namespace microslip
