// transient with method = "events"; frf, level_sweep and orbit with method = "piecewise_linear": reading, mistakes,
// tables.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace piecewise_study_test {

using test::marked_at;

class PiecewiseStudy : public test::StudyFolder {
 protected:
  static std::string with(const std::string& kind, const std::string& keys) {
    return test::dry_mass_text + "[[analysis]]\nkind = \"" + kind + "\"\n" + keys;
  }
};

TEST_F(PiecewiseStudy, Mistakes) {
  const std::string frf = with("frf", R"(
load = "force"
method = "piecewise_linear"
at = [3.0]
)");
  expect_complaint(frf, "");
  expect_complaint_begins(frf + "»harmonics = 3", R"(analysis "frf": unknown key "har)");
  expect_complaint(frf + "modes = »2", R"(analysis "frf": modes must be an integer from 1 to 1, got 2)");
  expect_complaint(frf + "period = »0", R"(analysis "frf": period must be an integer from 1 to 1000, got 0)");
  const std::string events = with("transient", R"(
method = "events"
load = "force"
duration = 5
)");
  expect_complaint(events + "step = 0.1", "");
  expect_complaint(marked_at(events, "[[analysis]]"), R"(analysis "transient": step is missing)");
  expect_complaint(events + R"(
step = 0.1
initial = »{ static = "force" }
)",
                   R"(analysis "transient": initial: with rigid friction many states are in equilibrium under a )"
                   "static load; give q and v");
  expect_complaint(with("transient", R"(
method = »"event"
load = "force"
duration = 5
step = 0.1
)"),
                   R"(analysis "transient": unknown method "event"; did you mean "events"?)");
  expect_complaint_begins(with("frf", R"(
load = "force"
at = [3.0]
method = »"shooting"
period = 2
)"),
                          R"(analysis "frf": method = "shooting" does)");
}

TEST_F(PiecewiseStudy, Tables) {
  const Study study = parse(with("frf",
                                 R"(
name = "points"
load = "force"
method = "piecewise_linear"
at = [3.0, 8.0]
[[analysis]]
kind = "transient"
name = "run"
load = "force"
duration = 30
method = "events"
step = 0.5
)"));
  const RunOutcome outcome = run_study(study, path("out"), {});
  ASSERT_EQ(outcome.exit_code, 0);
  const CsvTable points = read_csv_table(path("out/points.csv"));
  EXPECT_NEAR(points.column("amplitude[1]")[0], 0.095320774, 0.5e-9);
  EXPECT_NEAR(points.column("amplitude[1]")[1], 0.130575543, 0.5e-9);
  EXPECT_EQ(points.column("case[damper]"), (std::vector<double>{2.0, 1.0}));
  EXPECT_EQ(points.column("events"), (std::vector<double>{4.0, 2.0}));
  EXPECT_EQ(points.column("stick_fraction[damper]")[1], 0.0);
  EXPECT_EQ(points.column("friction_energy[damper]"), points.column("dissipation[damper]"));
  // Sliding all around: kinetic friction times twice the range.
  EXPECT_NEAR(points.column("friction_energy[damper]")[1], 1.9 * 4.0 * points.column("amplitude[1]")[1], 1e-12);
  const CsvTable run = read_csv_table(path("out/run.csv"));
  EXPECT_EQ(run.rows(), 61u);
  for (const double regime : run.column("regime[damper]"))
    EXPECT_TRUE(regime == -1.0 || regime == 0.0 || regime == 1.0);
  const CsvTable events = read_csv_table(path("out/run-events.csv"));
  ASSERT_GT(events.rows(), 50u);
  // From rest to the orbit: its turning points.
  EXPECT_NEAR(std::abs(events.column("u").back()), points.column("amplitude[1]")[1], 1e-6);
  EXPECT_LT(outcome.analyses[1].facts_json()["energy"]["error"].get<double>(), 1e-12);
}

TEST_F(PiecewiseStudy, MistakesOfLevelsAndOrbits) {
  const std::string levels = with("level_sweep", R"(
load = "force"
method = "piecewise_linear"
levels = [0.5, 2.0]
omega = 8.0
)");
  expect_complaint(levels, "");
  expect_complaint_begins(levels + "»harmonics = 3", R"(analysis "level_sweep": unknown key "har)");
  expect_complaint(levels + "period = »0",
                   R"(analysis "level_sweep": period must be an integer from 1 to 1000, got 0)");
  const std::string orbit = with("orbit", R"(
load = "force"
method = "piecewise_linear"
omega = 3.0
)");
  expect_complaint(orbit, "");
  expect_complaint_begins(orbit + "»sliders = 3", R"(analysis "orbit": unknown key "sli)");
  expect_complaint_begins(with("orbit", R"(
load = "force"
method = »"shooting"
omega = 3.0
)"),
                          R"(analysis "orbit": method = "shooting" does not take rigid friction)");
}

// A period of the orbit against a run from rest that has settled: a disturbance falls to exp(-1) and less in a period
// at omega = 3, so that 40 of them leave nothing but rounding. The load is a sine: the orbit counts time from its
// maximum, a quarter of a period later.
TEST_F(PiecewiseStudy, OrbitAgainstEvents) {
  const double period = 2.0 * std::numbers::pi / 3.0;
  const Study study = parse(with("orbit", fmt::format(R"(
load = "force"
method = "piecewise_linear"
omega = 3.0
points = 40
[[analysis]]
kind = "frf"
load = "force"
method = "piecewise_linear"
at = [3.0]
[[load]]
name = "slow"
at = "1"
signal = {{ kind = "sine", amplitude = 4.0, omega = 3.0 }}
[[analysis]]
kind = "transient"
load = "slow"
method = "events"
duration = {:.17g}
step = {:.17g}
)",
                                                      45.0 * period, period / 40.0)));
  const RunOutcome outcome = run_study(study, path("out"), {});
  ASSERT_EQ(outcome.exit_code, 0);
  const CsvTable orbit = read_csv_table(path("out/orbit.csv"));
  const CsvTable run = read_csv_table(path("out/transient.csv"));
  ASSERT_EQ(orbit.rows(), 41U);
  for (const std::string column : {"q[1]", "v[1]", "u[damper]", "f[damper]", "regime[damper]"}) {
    for (std::size_t i = 0; i < orbit.rows(); ++i) {
      EXPECT_NEAR(orbit.column(column)[i], run.column(column)[40 * 40 + 10 + i], 1e-9) << column << i;
    }
  }
  // Events: those of one period of the run, in the same order.
  const CsvTable events = read_csv_table(path("out/orbit-events.csv"));
  const CsvTable all = read_csv_table(path("out/transient-events.csv"));
  ASSERT_EQ(events.rows(), 4U);
  const double from = 40.25 * period;
  std::size_t first = 0;
  while (all.column("time")[first] < from) ++first;
  for (std::size_t i = 0; i < events.rows(); ++i) {
    EXPECT_NEAR(events.column("time")[i], all.column("time")[first + i] - from, 1e-9);
    EXPECT_EQ(events.column("after")[i], all.column("after")[first + i]);
  }
  // Stick intervals: two, of the share that the frequency response tells.
  const CsvTable sticks = read_csv_table(path("out/orbit-sticks.csv"));
  ASSERT_EQ(sticks.rows(), 2U);
  double stuck = 0.0;
  for (std::size_t i = 0; i < 2; ++i) stuck += sticks.column("end")[i] - sticks.column("start")[i];
  const CsvTable points = read_csv_table(path("out/frf.csv"));
  EXPECT_NEAR(stuck / period, points.column("stick_fraction[damper]")[0], 1e-12);
  EXPECT_NEAR(sticks.column("u")[0], -sticks.column("u")[1], 1e-12);
  EXPECT_NEAR(std::abs(sticks.column("u")[0]), points.column("amplitude[1]")[0], 1e-12);
  const auto facts = outcome.analyses[0].facts_json();
  EXPECT_NEAR(facts["amplitude"]["1"].get<double>(), 0.095320774, 0.5e-9);
  EXPECT_EQ(facts["events"].get<int>(), 4);
}

TEST_F(PiecewiseStudy, LevelSweep) {
  const Study study = parse(with("level_sweep", R"(
load = "force"
method = "piecewise_linear"
levels = [0.5, 2.0]
omega = [8.0, 3.0]
)"));
  const RunOutcome outcome = run_study(study, path("out"), {});
  ASSERT_EQ(outcome.exit_code, 0);
  const CsvTable rows = read_csv_table(path("out/level_sweep.csv"));
  ASSERT_GT(rows.rows(), 10U);
  EXPECT_EQ(rows.column("level")[0], 0.5);  // held: 2 N against 3.8
  EXPECT_EQ(rows.column("amplitude[1]")[0], 0.0);
  EXPECT_EQ(rows.column("stick_fraction[damper]")[0], 1.0);
  EXPECT_EQ(rows.column("level").back(), 2.0);
  EXPECT_EQ(rows.column("omega").back(), 3.0);
  EXPECT_GT(rows.column("amplitude[1]").back(), 0.095);
}

}  // namespace piecewise_study_test
}  // namespace microslip
