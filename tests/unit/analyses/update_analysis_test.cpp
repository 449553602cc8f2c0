// kind = "update": parameters back from the study's own curves and modes, the study it leaves, and the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "support/study_run.hpp"
#include "unit/measurement/response_csv.hpp"
#include "unit/measurement/synthetic_responses.hpp"

namespace microslip {
namespace update_analysis_test {

using test::joint_text;
using test::marked_at;
using test::replaced;
using test::structure_text;

const std::string own_curve = R"(
[[analysis]]
kind = "qsma"
mode = [1, 2]
alpha = [0.01, 60.0]
)";
const std::string update_text = R"(
[[analysis]]
kind = "update"
name = "fit"
parameters = [
  { name = "spring", paths = ["structure.springs.1.3", { path = "structure.springs.2.3" }], range = [5.0, 15.0], start = 7.0 },
  { name = "KT", paths = "joint.lap.KT", range = [0.2, 5.0], scale = "log", start = 2.0 },
  { name = "FS", paths = "joint.lap.FS", range = [2.0, 50.0], scale = "log", start = 20.0 },
  { name = "chi", paths = "joint.lap.chi", range = [-0.9, 0.5], start = 0.0 },
  { name = "zeta", paths = "structure.damping.modal", range = [1e-5, 1e-2], scale = "log", start = 1e-3 },
]
targets = [
  { curve = "qsma", mode = 1, compare = ["frequency", "damping"], errors = { frequency = 1e-5, damping = 0.01 } },
  { curve = "qsma", mode = 2, name = "second", errors = { frequency = 1e-5, damping = 0.01 } },
]
starts = 3
)";
const std::string text = structure_text + joint_text + own_curve + update_text;

class UpdateStudy : public test::StudyRun {};

// The study's own curves, without noise: the parameters are those of the study. What the two quadratures of the first
// harmonic leave, 1e-4 of a shift of 1e-2, is a tenth of the stated error of a frequency, and less than that of the
// parameters.
TEST_F(UpdateStudy, FindsTheStudyItself) {
  const RunOutcome outcome = run(text);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure;
  const CsvTable found = table("fit");
  ASSERT_EQ(found.rows(), 5U);
  const double truth[] = {9.0, 1.0, 10.0, -0.5, 1e-4};
  for (std::size_t p = 0; p < 5; ++p) {
    EXPECT_NEAR(found.column("value")[p], truth[p], 0.3 * found.column("error")[p]) << p;
    EXPECT_LT(found.column("error")[p], 0.05 * std::abs(truth[p])) << p;
    EXPECT_EQ(found.column("determined")[p], 1.0);
  }
  const auto facts = outcome.analyses[1].facts_json();
  EXPECT_EQ(facts["parameters"][0]["paths"], "structure.springs.1.3, structure.springs.2.3");
  EXPECT_EQ(facts["starts"], 3);
  const CsvTable rows = table("fit-rows");
  for (const double residual : rows.column("residual")) EXPECT_LT(std::abs(residual), 0.3);
}

// The study that it leaves runs and has the same curves.
TEST_F(UpdateStudy, LeavesAStudyThatRuns) {
  ASSERT_EQ(run(text).exit_code, 0);
  const Study model = load_study(path("out/fit-model.toml"));
  const RunOutcome outcome = run_study(model, path("model"), {});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.failure;
  const CsvTable found = table("fit"), curves = table("fit-curves");
  EXPECT_NEAR(model.system.structure().mass().coeff(0, 0), 10.0, 0.0);
  EXPECT_NEAR(model.system.stuck_joint_stiffness()(0, 0) / found.column("value")[1], 1.0, 1e-12);
  const CsvTable modes = read_csv_table(path("model/modes.csv"));
  // At the smallest amplitude of the curve the joint is stuck but for a share of its softening.
  EXPECT_NEAR(curves.column("omega")[0] / modes.column("omega_stuck")[0], 1.0, 1e-4);
  EXPECT_EQ(read_csv_table(path("model/qsma-1.csv")).column("mode")[0], 1.0);
}

// Shapes and frequencies of a file, made here by `modes`, with a channel that the model has not; the same for 1 - MAC.
// Least squares end 1e-5 of a standard error from the minimum, which is the truth: the errors are below 1e-2 in the
// springs and the mass.
TEST_F(UpdateStudy, TakesModesOfAFile) {
  const std::string modes_study = structure_text + joint_text + "[[analysis]]\nkind = \"modes\"\n";
  ASSERT_EQ(run(modes_study).exit_code, 0);
  const CsvTable modes = table("modes"), shapes = table("modes-shapes");
  std::string file = "mode,frequency_hz,phi[1],phi[2],phi[3],phi[9]\n";
  for (std::size_t m = 0; m < 3; ++m) {
    file += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},1\n", m + 1,
                        modes.column("omega_stuck")[m] / (2.0 * std::numbers::pi), shapes.column("phi[1]")[m],
                        shapes.column("phi[2]")[m], shapes.column("phi[3]")[m]);
  }
  write("test.csv", file);
  for (const char* compared : {"\"frequency\", \"shapes\"", "\"frequency\", \"mac\""}) {
    const RunOutcome outcome = run(structure_text + joint_text +
                                   fmt::format(R"(
[[analysis]]
kind = "update"
parameters = [
  {{ name = "first", paths = "structure.springs.1.3", range = [5.0, 15.0], start = 12.0 }},
  {{ name = "second", paths = "structure.springs.2.3", range = [5.0, 15.0], start = 6.0 }},
  {{ name = "mass", paths = "structure.masses.3", range = [8.0, 12.0], start = 11.0 }},
]
targets = [ {{ shapes = "test.csv", compare = [{}], errors = {{ frequency = 1e-4, shapes = 0.01 }} }} ]
)",
                                               compared));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
    EXPECT_NE(outcome.analyses[0].message.find("1 channel of the test left out, no point of the model: 9"),
              std::string::npos);
    const CsvTable found = table("update");
    EXPECT_NEAR(found.column("value")[0], 9.0, 1e-4);
    EXPECT_NEAR(found.column("value")[1], 9.0, 1e-4);
    EXPECT_NEAR(found.column("value")[2], 10.0, 1e-4);
  }
}

// A modal fit without a driving point scales the largest component of a shape to 1, which has no error of its own; the
// others hold it. Four masses between walls: omega_j = 2 sqrt(k) sin(j pi/10), phi_ij = sqrt(2/5) sin(i j pi/5). Two
// numbers within 4.5 standard errors: exceeded by 7 of a million each.
TEST_F(UpdateStudy, TakesShapesWithoutADrivingPoint) {
  testing::KnownModes known{{}, std::vector<double>(4, 0.01), Eigen::MatrixXd(4, 4)};
  for (int j = 1; j <= 4; ++j) {
    known.frequency_hz.push_back(2.0 * std::sqrt(1e5) * std::sin(0.1 * j * pi) / two_pi);
    for (int i = 1; i <= 4; ++i) known.shapes(i - 1, j - 1) = std::sqrt(0.4) * std::sin(0.2 * i * j * pi);
  }
  FrequencyResponses responses = testing::exact_responses(known, 10.0, 120.0, 501);
  testing::add_noise(0.01, 5, true, responses);
  responses.channels = {"2", "3", "4"};
  responses.reference = "1";
  responses.values = responses.values.rightCols(3).eval();
  responses.error = responses.error.rightCols(3).eval();
  write("frfs.csv", testing::response_csv(responses));
  const RunOutcome outcome = run(R"(
[structure]
kind = "lumped"
masses = [1.0, 1.0, 1.0, 1.0]
springs = [["ground", "1", 1e5], ["1", "2", 1e5], ["2", "3", 1e5], ["3", "4", 1e5], ["4", "ground", 1e5]]
[[analysis]]
kind = "modal_fit"
name = "fit"
data = "frfs.csv"
quantity = "acceleration"
[[analysis]]
kind = "update"
parameters = [
  { name = "wall", paths = "structure.springs.1.3", range = [5e4, 2e5], start = 1.3e5 },
  { name = "mass", paths = "structure.masses.3", range = [0.5, 2.0], start = 0.8 },
]
targets = [ { modes = "fit" } ]
)");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure;
  ASSERT_EQ(outcome.analyses[1].ending, Ending::completed) << outcome.analyses[1].message;
  const CsvTable found = table("update");
  EXPECT_LT(std::abs(found.column("value")[0] - 1e5), 4.5 * found.column("error")[0]);
  EXPECT_LT(std::abs(found.column("value")[1] - 1.0), 4.5 * found.column("error")[1]);
  EXPECT_LT(found.column("error")[0], 1e3);
}

/// One oscillator, with or without a spring as its joint, against a file of its mode.
std::string oscillator(const std::string& joint, const std::string& target) {
  return R"(
[structure]
kind = "lumped"
masses = [2.0]
springs = [["ground", "1", 6.0]]
damping = { modal = 1e-3 }
)" + joint +
         fmt::format(R"(
[[analysis]]
kind = "update"
name = "fit"
parameters = [
  {{ name = "spring", paths = "structure.springs.1.3", range = [5.0, 11.0] }},
  {{ name = "zeta", paths = "structure.damping.modal", range = [0.0, 1e-2] }},
]
targets = [ {{ data = "test.csv", compare = ["frequency", "damping"], discrepancy = false, {} }} ]
)",
                     target);
}

// omega = sqrt(k/m) = 2 and the ratio itself at every amplitude.
TEST_F(UpdateStudy, TakesAStructureWithoutJoints) {
  write("test.csv", "q,omega,zeta\n0.1,2.0,3e-3\n0.2,2.0,3e-3\n0.4,2.0,3e-3\n");
  const RunOutcome outcome = run(oscillator("", "errors = { frequency = 1e-4, damping = 1e-2 }"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
  EXPECT_NEAR(table("fit").column("value")[0], 8.0, 1e-6);
  EXPECT_NEAR(table("fit").column("value")[1], 3e-3, 1e-9);
}

// The damping is the same at every amplitude, so that its estimate is the mean of the rows, 5e-4, with the error of a
// mean, 1e-3/sqrt(4): a row that noise took below zero is one of them.
TEST_F(UpdateStudy, RowsBelowZeroCount) {
  write("test.csv",
        "q,omega,omega_error,zeta,zeta_error\n0.1,2,1e-4,2e-3,1e-3\n0.2,2,1e-4,-1e-3,1e-3\n"
        "0.3,2,1e-4,5e-4,1e-3\n0.4,2,1e-4,5e-4,1e-3\n");
  const std::string spring = "[[joint]]\nname = \"j\"\nbetween = [\"ground\", \"1\"]\nlaw = \"linear\"\nk = 1.0\n";
  const RunOutcome outcome = run(oscillator(spring, "mode = 1"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
  EXPECT_NEAR(table("fit").column("value")[1], 5e-4, 1e-9);
  EXPECT_NEAR(table("fit").column("error")[1], 5e-4, 1e-7);
  EXPECT_EQ(table("fit-test").rows(), 4U);
}

// Jenkins joint: K1, and with it the frequency, falls from the end of microslip on with a vertical third derivative,
// which cubics over a twelfth of a decade do not follow. Told beyond 100 rows, where not each is computed.
TEST_F(UpdateStudy, TellsWhereInterpolationIsTooCoarse) {
  for (const int rows : {60, 160}) {
    std::string file = "q,omega,zeta\n";
    for (int i = 0; i < rows; ++i) {
      const double stuck = 8.0, kt = 3.0, fs = 0.6, yield = fs / kt, pi = std::numbers::pi;
      const double q = 0.02 * std::pow(150.0, i / (rows - 1.0)),
                   angle = std::acos(1.0 - 2.0 * std::min(1.0, yield / q));
      const double k1 = stuck - kt + kt / pi * (angle - 0.5 * std::sin(2.0 * angle));
      const double loss = 4.0 * fs * std::max(0.0, q - yield), omega = std::sqrt(k1);
      const double viscous = pi * 4e-3 * std::sqrt(stuck) * omega * q * q;
      file += fmt::format("{:.15g},{:.15g},{:.15g}\n", q, omega,
                          (loss + viscous) / (2.0 * pi * q * q * (q < yield ? stuck : stuck - kt)));
    }
    write("test.csv", file);
    const RunOutcome outcome = run(R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 5.0]]
damping = { modal = 2e-3 }
[[joint]]
name = "j"
between = ["ground", "1"]
law = "jenkins"
kt = 3.0
fs = 0.5
[[analysis]]
kind = "update"
name = "fit"
starts = 1
parameters = [ { name = "fs", paths = "joint.j.fs", range = [0.1, 6.0], scale = "log" } ]
targets = [ { data = "test.csv", discrepancy = false, errors = { frequency = 1e-5, damping = 1e-3 } } ]
)");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
    const bool told = outcome.analyses[0].message.find("raise per_decade") != std::string::npos;
    EXPECT_EQ(told, rows > 100) << outcome.analyses[0].message;
  }
}

/// Two parameters of the joint, from the curve of one mode.
std::string two_parameters(const std::string& method, const std::string& target) {
  return structure_text + joint_text + own_curve +
         fmt::format(R"(
[[analysis]]
kind = "update"
name = "fit"
{}
parameters = [
  {{ name = "KT", paths = "joint.lap.KT", range = [0.5, 2.0], scale = "log" }},
  {{ name = "chi", paths = "joint.lap.chi", range = [-0.8, -0.2] }},
]
targets = [ {{ {}, mode = 2, discrepancy = false, errors = {{ frequency = 1e-5, damping = 0.02 }} }} ]
)",
                     method, target);
}

// The study's own curve without noise: the truth lies well inside, and every row within the band of a new measurement.
// Four chains of 1500 draws, three of which are worth one: each of the eight halves has 250, so that R-hat^2 - 1 is
// chi^2(7)/(7 * 250), beyond 0.02 (where the program complains) once in 1e4.
TEST_F(UpdateStudy, PosteriorHoldsTheTruth) {
  const RunOutcome outcome = run(two_parameters("method = \"posterior\"\ndraws = 1500", "curve = \"qsma\""));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[1].message;
  const CsvTable found = table("fit");
  const double truth[] = {1.0, -0.5};
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_LT(found.column("low")[p], truth[p]);
    EXPECT_GT(found.column("high")[p], truth[p]);
  }
  EXPECT_EQ(table("fit-draws").rows(), 6000U);
  const auto facts = outcome.analyses[1].facts_json();
  EXPECT_EQ(facts["method"], "posterior");
  EXPECT_EQ(facts["covered"], 1.0);
  EXPECT_NO_THROW(static_cast<void>(load_study(path("out/fit-model.toml"))));
}

/// Highest stuck frequency of the three masses: largest root of the cubic of a tridiagonal matrix, by its cosine.
double third_frequency(double stiffness) {
  const double off2 = -9.0 - stiffness, mean = (18.0 + 18.0 + stiffness - off2) / 3.0;
  const double a = 18.0 - mean, b = 18.0 + stiffness - mean, c = -off2 - mean;  // and -9, off2 beside the diagonal
  const double p = std::sqrt((a * a + b * b + c * c + 2.0 * (81.0 + off2 * off2)) / 6.0);
  const double determinant = a * b * c - a * off2 * off2 - c * 81.0;
  const double largest = mean + 2.0 * p * std::cos(std::acos(0.5 * determinant / (p * p * p)) / 3.0);
  return std::sqrt(largest / 10.0);
}

// A mode that took no part, at an amplitude of nothing: its frequency is that of the stuck structure, a function of K_T
// alone, and its damping the modal ratio, 1e-4, to the joint's share ~ q^0.5. So the bands are quantiles of the draws,
// here of 400 of them: between the shares that four standard deviations of a binomial count allow.
TEST_F(UpdateStudy, PredictsAnUnseenMode) {
  const RunOutcome outcome =
      run(two_parameters("method = \"posterior\"\nchains = 2\nwarmup = 200\ndraws = 400\npredictions = [ { mode = 3, "
                         "range = [1e-14, 1.0], points = 5, name = \"third\" } ]",
                         "curve = \"qsma\""));
  ASSERT_EQ(outcome.analyses[1].facts_json()["predictions"][0]["name"], "third");
  const CsvTable predicted = table("fit-predictions"), draws = table("fit-draws");
  ASSERT_EQ(predicted.rows(), 5U);
  const auto share_below = [&](double omega) {
    std::size_t below = 0;
    for (const double stiffness : draws.column("p[KT]")) below += third_frequency(stiffness) < omega;
    return static_cast<double>(below) / static_cast<double>(draws.rows());
  };
  const std::pair<const char*, double> bounds[] = {{"omega_low", 0.025}, {"omega_median", 0.5}, {"omega_high", 0.975}};
  for (const auto& [column, share] : bounds) {
    EXPECT_NEAR(share_below(predicted.column(column)[0]), share, 4.0 * std::sqrt(share * (1.0 - share) / 400.0))
        << column;
  }
  EXPECT_NEAR(predicted.column("zeta_low")[0], 1e-4, 1e-7);
  EXPECT_NEAR(predicted.column("zeta_high")[0], 1e-4, 1e-7);
  EXPECT_EQ(predicted.column("q").back(), 1.0);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(predicted.column("reached")[i], 1.0);
    EXPECT_LT(predicted.column("zeta_low")[i], predicted.column("zeta_high")[i]);
  }
}

// Damping half as large again as that of the model that has the frequencies: both cannot be met.
TEST_F(UpdateStudy, FrontHasNoDominatedPoint) {
  ASSERT_EQ(run(structure_text + joint_text + own_curve).exit_code, 0);
  const CsvTable own = table("qsma");
  std::string file = "mode,q,omega,zeta\n";
  for (std::size_t i = 0; i < own.rows(); ++i) {
    if (own.column("mode")[i] != 2.0) continue;
    file += fmt::format("2,{:.17g},{:.17g},{:.17g}\n", own.column("q")[i], own.column("omega_ringdown")[i],
                        1.5 * own.column("zeta")[i]);
  }
  write("test.csv", file);
  const RunOutcome outcome =
      run(two_parameters("method = \"pareto\"\npoints = 7\nsamples = 32", "data = \"test.csv\""));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[1].message;
  const CsvTable front = table("fit");
  ASSERT_GE(front.rows(), 3U);
  double chosen = 0.0;
  for (std::size_t i = 0; i < front.rows(); ++i) {
    chosen += front.column("chosen")[i];
    if (i == 0) continue;
    EXPECT_GT(front.column("misfit[frequency]")[i], front.column("misfit[frequency]")[i - 1]);
    EXPECT_LT(front.column("misfit[damping]")[i], front.column("misfit[damping]")[i - 1]);
  }
  EXPECT_EQ(chosen, 1.0);
}

// The study's own joint, pulled from rest and round a loop into macroslip: all four numbers, without noise.
TEST_F(UpdateStudy, FindsAJointFromItsLoop) {
  const RunOutcome outcome = run(structure_text + joint_text + R"(
[[analysis]]
kind = "update"
name = "fit"
starts = 2
parameters = [
  { name = "FS", paths = "joint.lap.FS", range = [2.0, 50.0], scale = "log", start = 15.0 },
  { name = "KT", paths = "joint.lap.KT", range = [0.2, 5.0], scale = "log", start = 1.5 },
  { name = "chi", paths = "joint.lap.chi", range = [-0.9, 0.5], start = -0.2 },
  { name = "beta", paths = "joint.lap.beta", range = [0.1, 50.0], scale = "log", start = 2.0 },
]
targets = [
  { loop = { joint = "lap", to = [15.0, -12.0, 15.0], points = 40 }, settled = false, discrepancy = false, errors = { force = 1e-3 } },
]
)");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
  const CsvTable found = table("fit"), loops = table("fit-loops");
  const double truth[] = {10.0, 1.0, -0.5, 5.0};
  for (std::size_t p = 0; p < 4; ++p) EXPECT_NEAR(found.column("value")[p] / truth[p], 1.0, 1e-4) << p;
  for (std::size_t i = 0; i < loops.rows(); ++i) {
    EXPECT_NEAR(loops.column("f_model")[i], loops.column("f")[i], 1e-3);
    EXPECT_NEAR(loops.column("f_error")[i], 0.01, 1e-4);  // 1e-3 of 10 N
  }
}

// A settled parallelogram beside the origin: deflections from its middle, forces to a constant.
TEST_F(UpdateStudy, FindsASliderFromAMeasuredCycle) {
  std::string file = "u,f\n";
  const auto add = [&](double u, double f) { file += fmt::format("{},{}\n", 3.0 + u, 7.0 + f); };
  // kt = 2, fs = 1: slips after 1 of the way of 4.
  for (int i = 0; i <= 40; ++i) add(-2.0 + 0.1 * i, std::min(-1.0 + 2.0 * 0.1 * i, 1.0));
  for (int i = 1; i <= 40; ++i) add(2.0 - 0.1 * i, std::max(1.0 - 2.0 * 0.1 * i, -1.0));
  write("loop.csv", file);
  const std::string study = structure_text + R"(
[[joint]]
name = "slider"
between = ["2", "3"]
law = "jenkins"
kt = 3.0
fs = 0.6
[[analysis]]
kind = "update"
name = "fit"
starts = 1
parameters = [ { name = "kt", paths = "joint.slider.kt", range = [0.5, 6.0], scale = "log" },
               { name = "fs", paths = "joint.slider.fs", range = [0.1, 6.0], scale = "log" } ]
targets = [ { loop = "loop.csv", discrepancy = false, errors = { force = 1e-3 } } ]
)";
  const RunOutcome outcome = run(study);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
  EXPECT_NEAR(table("fit").column("value")[0], 2.0, 1e-6);
  EXPECT_NEAR(table("fit").column("value")[1], 1.0, 1e-6);
  const std::string at = "analysis \"fit\": targets 1: ";
  const std::string target = "discrepancy = false, errors = { force = 1e-3 }";
  expect_complaint(replaced(study, target, target + ", joint = »\"sliders\""),
                   at + "unknown joint \"sliders\"; did you mean \"slider\"?");
  expect_complaint(replaced(study, "{ force = 1e-3 }", "{ force = »0.0 }"),
                   at + "errors: force must be in (0, 1], got 0");
  expect_complaint(replaced(replaced(study, "starts = 1", "method = \"pareto\""), "targets = [", "targets = »["),
                   "analysis \"fit\": a front is one of frequencies (and shapes) against damping: no loops");
  write("loop.csv", "u,f\n0,0\n1,1\n2,1\n");
  expect_complaint(
      replaced(study, "loop = ", "loop = »"),
      at + "target joint slider: a settled loop is one whole cycle, this one begins at u = 0 and ends at 2; "
           "settled = false is for a path from rest");
  // Against time; and the way there besides: from rest by 2 and round, where f = 1.
  write("loop.csv", "u,f\n-1,-1\n1,-1\n1,1\n-1,1\n");
  expect_complaint(replaced(study, "loop = ", "loop = »"),
                   at + "target joint slider: the loop gives work, 4 a cycle, where a joint takes it: rows must follow "
                        "each other in time, and f resist u");
  file = "u,f\n";
  for (int i = 0; i <= 20; ++i) file += fmt::format("{},{}\n", 0.1 * i, std::min(0.2 * i, 1.0));
  for (int i = 1; i <= 40; ++i) file += fmt::format("{},{}\n", 2.0 - 0.1 * i, std::max(1.0 - 0.2 * i, -1.0));
  for (int i = 1; i <= 20; ++i) file += fmt::format("{},{}\n", -2.0 + 0.1 * i, std::min(-1.0 + 0.2 * i, 1.0));
  write("loop.csv", file);
  expect_complaint(replaced(study, "loop = ", "loop = »"),
                   at + "target joint slider: a settled loop ends where it began, this one begins with f = 0 and ends "
                        "with 1: leave out the way there, or settled = false for a path from rest");
}

TEST_F(UpdateStudy, MistakesInPredictions) {
  const auto expect = [&](const std::string& prediction, const std::string& message) {
    expect_complaint_begins(
        two_parameters("method = \"posterior\"\npredictions = [ { " + prediction + " } ]", "curve = \"qsma\""),
        "analysis \"fit\": predictions 1: " + message);
  };
  expect("mode = »4, range = [1e-3, 1.0]", "mode must be an integer from 1 to 3, got 4");
  expect("mode = 3, range = »[1.0, 1e-3]", "range must be [from, to], amplitudes q with 0 < from < to");
  expect("mode = 3, range = [1e-3, 1.0], points = »101", "points must be an integer from 2 to 100, got 101");
  expect_complaint(two_parameters("»predictions = [ { mode = 3, range = [1e-3, 1.0] } ]", "curve = \"qsma\""),
                   "analysis \"fit\": predictions goes with method = \"posterior\"");
}

TEST_F(UpdateStudy, Mistakes) {
  const std::string at = "analysis \"fit\": ";
  const auto spoilt = [&](const std::string& what, const std::string& with, const std::string& message) {
    expect_complaint_begins(replaced(text, what, with), message);
  };
  spoilt("\"joint.lap.KT\"", "»\"joint.lap.K\"",
         "parameter \"KT\": \"joint.lap.K\": the law of this joint is given no number \"K\"; did you mean \"KT\"?");
  spoilt("\"joint.lap.KT\"", "»\"joint.lip.KT\"",
         "parameter \"KT\": \"joint.lip.KT\": unknown joint \"lip\"; did you mean \"lap\"?");
  spoilt("\"joint.lap.KT\"", "»\"joints.lap.KT\"",
         "parameter \"KT\": \"joints.lap.KT\": a path begins with structure or joint; did you mean \"joint\"?");
  spoilt("\"joint.lap.chi\"", "»\"joint.lap.FS\"", "parameter \"chi\": \"joint.lap.FS\" is moved twice");
  spoilt("range = [0.2, 5.0]", "range = »[5.0, 0.2]",
         "parameter \"KT\": range must be [low, high] with low < high, got [5, 0.2]");
  spoilt("range = [0.2, 5.0]", "range = »[-0.2, 5.0]", "parameter \"KT\": scale = \"log\" needs a range > 0");
  spoilt("range = [-0.9, 0.5]", "range = »[-1.5, 0.5]", "parameter \"chi\": joint.lap.chi = -1.5: chi must be > -1");
  spoilt("starts = 3", "»draws = 3", at + "draws goes with method = \"posterior\"");
  spoilt("starts = 3", "method = »\"least\"",
         at + "unknown method \"least\" (least_squares, posterior, pareto, sample)");
  spoilt("mode = 1, compare", "mode = »3, compare", at + "targets 1: mode must be one of 1, 2, got 3");
  spoilt("\"frequency\", \"damping\"]", "\"frequency\", »\"dampng\"]",
         at + "targets 1: compare: unknown word \"dampng\"; did you mean \"damping\"?");
  const std::string first = "{ curve = \"qsma\", mode = 1, compare = [\"frequency\", \"damping\"]";
  spoilt(first + ", errors = { frequency = 1e-5, damping = 0.01 } }", test::mark + first + " }",
         at + "targets 1: a computed curve has no errors: give errors");
  spoilt("curve = \"qsma\", mode = 1", "curve = »\"qsm\", mode = 1", at + "targets 1: curve: ");
  spoilt("errors = { frequency = 1e-5, damping = 0.01 } },\n]", "errors = { frequency = »0.0, damping = 0.01 } },\n]",
         at + "targets 2: errors: frequency must be in (0, 1], got 0");
}

// A point that moves takes its joint along: no derivative knows.
TEST_F(UpdateStudy, NumbersThatMovePointsOrNothing) {
  const std::string with_points =
      replaced(structure_text, "damping =", "points = { rows = [[0.5, 0.5, 0.0]], labels = [\"p\"] }\ndamping =");
  const auto study = [&](const std::string& path) {
    return with_points + joint_text + own_curve +
           fmt::format(
               "[[analysis]]\nkind = \"update\"\nparameters = [ {{ name = \"lever\", paths = »\"{}\", "
               "range = [0.2, 1.0], start = 0.5 }} ]\ntargets = [ {{ curve = \"qsma\", mode = 1, errors = {{ "
               "frequency = 1e-5, damping = 0.01 }} }} ]\n",
               path);
  };
  expect_complaint_begins(study("structure.points.rows.1.1"),
                          "parameter \"lever\": structure.points.rows.1.1 = 1: this moves points");
  expect_complaint_begins(study("structure.modes"),
                          "parameter \"lever\": \"structure.modes\" moves neither masses nor stiffness nor damping");
}

}  // namespace update_analysis_test
}  // namespace microslip
