// transient with method = "events" and frf with method = "piecewise_linear": reading, mistakes, tables.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace {

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

}  // namespace
}  // namespace microslip
