// transient with method = "events" and frf with method = "piecewise_linear": reading, mistakes, tables.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "study_folder.hpp"

namespace microslip {
namespace {

class PiecewiseStudy : public test::StudyFolder {
 protected:
  /// One mass of Altamirano's section 3.1; the keys of the analysis from line 19 on.
  static std::string with(const std::string& kind, const std::string& keys) {
    return "[structure]\nkind = \"lumped\"\nmasses = [1.0]\nsprings = [[\"ground\", \"1\", 50.0]]\n"
           "dampers = [[\"ground\", \"1\", 1.0]]\n"
           "[[joint]]\nname = \"damper\"\nbetween = [\"ground\", \"1\"]\nlaw = \"coulomb\"\nnormal = 9.5\nmu_s = 0.4\n"
           "mu_k = 0.2\n"
           "[[load]]\nname = \"force\"\nat = \"1\"\nsignal = { kind = \"sine\", amplitude = 4.0, omega = 8.0 }\n"
           "[[analysis]]\nkind = \"" +
           kind + "\"\n" + keys;
  }
};

TEST_F(PiecewiseStudy, Mistakes) {
  const auto frf = [&](const std::string& keys) {
    return complaint(with("frf", "load = \"force\"\nmethod = \"piecewise_linear\"\n" + keys));
  };
  EXPECT_EQ(frf("at = [3.0]\n"), "");
  EXPECT_EQ(frf("at = [3.0]\nharmonics = 3\n").substr(0, 49), "study.toml:22:1: analysis \"frf\": unknown key \"har");
  EXPECT_EQ(frf("at = [3.0]\nmodes = 2\n"),
            "study.toml:22:9: analysis \"frf\": modes must be an integer from 1 to 1, got 2");
  EXPECT_EQ(frf("at = [3.0]\nperiod = 0\n"),
            "study.toml:22:10: analysis \"frf\": period must be an integer from 1 to 1000, got 0");
  const auto events = [&](const std::string& keys) {
    return complaint(with("transient", "method = \"events\"\nload = \"force\"\n" + keys));
  };
  EXPECT_EQ(events("duration = 5\nstep = 0.1\n"), "");
  EXPECT_EQ(events("duration = 5\n"), "study.toml:17:1: analysis \"transient\": step is missing");
  EXPECT_EQ(
      events("duration = 5\nstep = 0.1\ninitial = { static = \"force\" }\n"),
      "study.toml:23:11: analysis \"transient\": initial: with rigid friction many states are in equilibrium under "
      "a static load; give q and v");
  EXPECT_EQ(complaint(with("transient", "method = \"event\"\nload = \"force\"\nduration = 5\nstep = 0.1\n")),
            "study.toml:19:10: analysis \"transient\": unknown method \"event\"; did you mean \"events\"?");
  EXPECT_EQ(complaint(with("frf", "load = \"force\"\nat = [3.0]\nmethod = \"shooting\"\nperiod = 2\n")).substr(0, 58),
            "study.toml:21:10: analysis \"frf\": method = \"shooting\" does");
}

TEST_F(PiecewiseStudy, Tables) {
  const Study study = parse(with("frf",
                                 "name = \"points\"\nload = \"force\"\nmethod = \"piecewise_linear\"\nat = [3.0, 8.0]\n"
                                 "[[analysis]]\nkind = \"transient\"\nname = \"run\"\nload = \"force\"\nduration = 30\n"
                                 "method = \"events\"\nstep = 0.5\n"));
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
