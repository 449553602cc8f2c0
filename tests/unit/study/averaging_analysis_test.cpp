// kind = "averaging" and the densities of histories: tables, keys and mistakes.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "study_folder.hpp"

namespace microslip {
namespace {

/// One mass; the lines are counted in the tests.
const std::string one_mass =
    "[structure]\n"
    "kind = \"lumped\"\n"
    "masses = [4.0]\n"
    "springs = [[\"ground\", \"1\", 100.0]]\n"
    "damping = { modal = 1e-3 }\n";  // 5 lines
const std::string joint =
    "[[joint]]\n"
    "name = \"lap\"\n"
    "between = [\"ground\", \"1\"]\n"
    "law = \"iwan4\"\n"
    "FS = 10.0\n"
    "KT = 100.0\n"
    "chi = -0.5\n"
    "beta = 5\n";  // 8 lines
const std::string hit =
    "[[load]]\n"
    "name = \"hit\"\n"
    "at = \"1\"\n"
    "signal = { kind = \"half_sine\", amplitude = 2.0, duration = 0.5 }\n";  // 4 lines
const std::string analysis =
    "[[analysis]]\n"
    "kind = \"averaging\"\n"
    "load = \"hit\"\n"
    "duration = 20.0\n"
    "step = 0.01\n";  // lines 18 to 22

class AveragingStudy : public test::StudyFolder {
 protected:
  RunOutcome run(const std::string& text) const {
    const RunOutcome outcome = run_study(parse(text), path("out"), {});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
    return outcome;
  }
  [[nodiscard]] CsvTable table(const std::string& name) const { return read_csv_table(path("out/" + name + ".csv")); }
};

TEST_F(AveragingStudy, WritesItsTableAndSummary) {
  const RunOutcome outcome = run(one_mass + joint + hit + analysis + "form = \"secant\"\nrecord = { every = 5 }\n");
  const CsvTable rows = table("averaging");
  EXPECT_EQ(rows.names, (std::vector<std::string>{"time", "q[1]", "v[1]", "a[1]", "u[lap]", "f[lap]", "X", "omega",
                                                  "zeta", "macroslip"}));
  EXPECT_EQ(rows.rows(), 401U);
  // Modal amplitude: sqrt(4 kg) times that of the mass, which the displacement never exceeds.
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    EXPECT_LE(2.0 * std::abs(rows.column("q[1]")[i]), rows.column("X")[i] * (1.0 + 1e-9));
  }
  const auto facts = outcome.analyses[0].facts_json();
  EXPECT_GT(facts["forced_steps"].get<long>(), 0);
  EXPECT_GT(facts["free_steps"].get<long>(), 0);
  EXPECT_FALSE(facts.contains("macroslip_time"));
  EXPECT_EQ(outcome.analyses[0].message, "");
}

TEST_F(AveragingStudy, WarnsOfMacroslip) {
  std::string text = one_mass + joint + hit + analysis;
  text.replace(text.find("amplitude = 2.0"), 15, "amplitude = 90.0");
  const RunOutcome outcome = run(text);
  EXPECT_EQ(outcome.analyses[0].ending, Ending::completed);
  // phi_max = 0.1125, twice that in the modal coordinate of 4 kg
  const std::string start = "X passes 0.225, phi_max of joint \"lap\", at t = 0.";
  EXPECT_EQ(outcome.analyses[0].message.substr(0, start.size()), start);
  EXPECT_TRUE(outcome.analyses[0].facts_json().contains("macroslip_time"));
}

// A sine of 5 Hz on a stiff mass, in segments of 4 s: A^2/2 in three bins of 1/4 Hz as 1/6, 2/3, 1/6; both kinds.
TEST_F(AveragingStudy, DensitiesOfBothKinds) {
  const std::string sine =
      "[[load]]\nname = \"hit\"\nat = \"1\"\nsignal = { kind = \"sine\", amplitude = 3.0, frequency_hz = 5.0 }\n";
  for (const std::string kind : {"averaging", "transient"}) {
    const std::string text =
        "[structure]\nkind = \"lumped\"\nmasses = [1e-6]\nsprings = [[\"ground\", \"1\", 100.0]]\n" + sine +
        "[[analysis]]\nkind = \"" + kind +
        "\"\nload = \"hit\"\nduration = 10.0\nstep = 1e-2\n"
        "psd = { segment = 4.0, to_hz = 10.0, only = true }\n";
    const RunOutcome outcome = run(text);
    std::vector<std::string> files = {kind + "-psd.csv"};
    if (kind == "transient") files.push_back(kind + "-energy.csv");
    EXPECT_EQ(outcome.analyses[0].files, files);
    EXPECT_FALSE(std::filesystem::exists(path("out/" + kind + ".csv")));
    EXPECT_EQ(outcome.analyses[0].facts_json()["psd_segments"], 4);
    const CsvTable psd = table(kind + "-psd");
    EXPECT_EQ(psd.names, (std::vector<std::string>{"frequency_hz", "psd_q[1]", "psd_v[1]", "psd_a[1]"}));
    ASSERT_EQ(psd.rows(), 41U);
    EXPECT_DOUBLE_EQ(psd.column("frequency_hz")[20], 5.0);
    const double power = 0.5 * 0.03 * 0.03 / 0.25;  // quasi-static: q = F/k
    // but for the mass, (5 Hz/1592 Hz)^2, and the free motion of the start, at 1592 Hz
    EXPECT_NEAR(psd.column("psd_q[1]")[20] / power, 2.0 / 3.0, 1e-3);
    EXPECT_NEAR(psd.column("psd_q[1]")[19] / power, 1.0 / 6.0, 1e-3);
  }
}

TEST_F(AveragingStudy, Mistakes) {
  const std::string study = one_mass + joint + hit + analysis;
  const auto swapped = [](std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
  };
  EXPECT_EQ(complaint(study), "");
  EXPECT_EQ(complaint(study + "form = \"tangant\"\n"),
            "study.toml:23:8: analysis \"averaging\": unknown form \"tangant\"; did you mean \"tangent\"?");
  EXPECT_EQ(complaint(study + "method = \"newmark\"\n").substr(0, 59),
            "study.toml:23:1: analysis \"averaging\": unknown key \"method\"");
  EXPECT_EQ(complaint(study + "tolerance = 0.1\n"),
            "study.toml:23:13: analysis \"averaging\": tolerance must be in (0, 0.01], got 0.1");
  EXPECT_EQ(complaint(swapped(study, "step = 0.01", "step = 100")),
            "study.toml:22:8: analysis \"averaging\": the step must be <= duration = 20, got 100");
  EXPECT_EQ(complaint(study + "initial = { static = \"hit\" }\n"),
            "study.toml:23:22: analysis \"averaging\": initial: averaging keeps no joint memory to start from: give q "
            "and v");
  EXPECT_EQ(
      complaint(study + "psd = { segment = 30.0 }\n"),
      "study.toml:23:19: analysis \"averaging\": psd: segment must be from 0.04, four rows, to the duration of 20, "
      "got 30");
  EXPECT_EQ(complaint(study + "psd = { segmant = 3.0 }\n"),
            "study.toml:23:9: analysis \"averaging\": psd: unknown key \"segmant\"; did you mean \"segment\"?");
  EXPECT_EQ(complaint(study + "psd = { segment = 3.0, to_hz = 60.0 }\n"),
            "study.toml:23:32: analysis \"averaging\": psd: to_hz must be in (0, 50], got 60");
  EXPECT_EQ(complaint(study + "record = { dofs = [], joints = [] }\npsd = { segment = 3.0 }\n"),
            "study.toml:24:7: analysis \"averaging\": psd needs degrees of freedom or joints in record");
  EXPECT_EQ(complaint(swapped(study, "at = \"1\"", "base = true")),
            "study.toml:20:8: analysis \"averaging\": averaging takes forces, but load \"hit\" moves the base: take "
            "transient");
  EXPECT_EQ(
      complaint(swapped(study, "law = \"iwan4\"\nFS = 10.0\nKT = 100.0\nchi = -0.5\nbeta = 5\n",
                        "law = \"gap\"\nk = 3.0\ngap = 0.1\n")),
      "study.toml:17:8: analysis \"averaging\": averaging needs the closed forms of a steady cycle, and the law of "
      "joint \"lap\" has none; it takes linear, polynomial of odd powers, jenkins, iwan4, iwan6, iwan_uniform, "
      "masing. transient takes every law");
  EXPECT_EQ(
      complaint(swapped(study, "modal = 1e-3", "modal = 1.5")),
      "study.toml:19:8: analysis \"averaging\": averaging needs a damping ratio from 0 to 1, the stuck mode has 1.5: "
      "take transient");
  EXPECT_EQ(complaint(test::structure_text + analysis.substr(0, analysis.find("load")) + "duration = 1\nstep = 0.1\n"),
            "study.toml:7:8: analysis \"averaging\": averaging is for one mode that vibrates; this structure has 3 "
            "modes: take transient, or a modal model of one mass");
}

}  // namespace
}  // namespace microslip
