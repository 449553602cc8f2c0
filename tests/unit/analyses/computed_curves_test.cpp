// Curves of the model beside those of a ring-down: which mode is which, differences at equal amplitude.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "microslip/analyses/ringdown/analysis.hpp"
#include "support/study_run.hpp"

namespace microslip {
namespace computed_curves_test {

class ComputedCurves : public test::StudyRun {
 protected:
  /// Three masses; quasi-static and nonlinear modes; a ring-down of mode 2 in microslip.
  [[nodiscard]] static std::string study(const std::string& keys) {
    return test::structure_text + test::joint_text + R"(
[[load]]
name = "mode2"
mode = 2
signal = { kind = "half_sine", amplitude = 2.0, duration = 1.0 }
[[analysis]]
kind = "qsma"
mode = [2, 3]
alpha = [0.05, 3.0]
[[analysis]]
kind = "nonlinear_mode"
mode = 2
amplitude = [0.7, 0.9]
points = 5
[[analysis]]
kind = "ringdown"
name = "ring"
load = "mode2"
mode = 2
duration = 2000.0
step = 0.025
integrator = "modal_exact"
)" + keys;
  }
};

// A ring-down by its own integration follows the quasi-static curve to the order of zeta, 2e-4, in frequency; in
// damping to that and what turning points over three or more half-cycles and 200 steps a period leave: 0.5 %. The same
// for nonlinear modes, which are known between 0.7 and 0.9.
TEST_F(ComputedCurves, OfTheSameModelAreThoseOfItsRingDown) {
  const RunOutcome outcome = run(study("computed = [\"qsma\", \"nonlinear_mode\"]\n"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[2].message;
  const auto differences = outcome.analyses[2].facts_json()["differences"];
  ASSERT_EQ(differences.size(), 2U);
  for (const auto& each : differences) {
    EXPECT_EQ(each["mode"], 2);
    EXPECT_EQ(each["model"], 2);
    EXPECT_GT(each["rows"].get<int>(), 50);
    EXPECT_LT(std::abs(each["frequency_difference"].get<double>()), 2e-4) << each["computed"];
    EXPECT_LT(std::abs(each["zeta_difference"].get<double>()), 5e-3) << each["computed"];
  }
  EXPECT_EQ(differences[0]["rows_beyond"], 0);
  EXPECT_GT(differences[1]["rows_beyond"].get<int>(), 50);
  const CsvTable curves = table("ring-computed"), qsma = table("qsma");
  EXPECT_EQ(curves.names, (std::vector<std::string>{"mode", "model", "source", "q", "frequency_hz", "zeta"}));
  EXPECT_EQ(curves.column("source").back(), 2.0);
  EXPECT_DOUBLE_EQ(curves.column("frequency_hz")[0] * 2.0 * M_PI, qsma.column("omega_ringdown")[0]);
}

// Measured shapes have numbers of their own; a compare_modes tells whose they are.
TEST_F(ComputedCurves, MeasuredModesByTheirPartners) {
  const std::string record = R"(
[[analysis]]
kind = "transient"
load = "mode2"
duration = 400.0
step = 0.05
record = { every = 2 }
)";
  ASSERT_EQ(run(study("") + record).exit_code, 0);
  write("record.csv", [&] {
    const CsvTable rows = table("transient");
    std::string text = "time,v[1],v[2],v[3]\n";
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      text += fmt::format("{},{},{},{}\n", rows.column("time")[i], rows.column("v[1]")[i], rows.column("v[2]")[i],
                          rows.column("v[3]")[i]);
    }
    return text;
  }());
  // Shapes of the stuck modes 2 and 3, the first twice as large as of unit modal mass, by other numbers.
  const std::string modes = "\n[[analysis]]\nkind = \"modes\"\n";
  ASSERT_EQ(run(study("") + modes).exit_code, 0);
  const CsvTable shapes = table("modes-shapes");
  std::string text = "mode,frequency_hz,phi[1],phi[2],phi[3]\n";
  for (const int mode : {2, 3}) {
    const double scale = mode == 2 ? 2.0 : 1.0;
    text += fmt::format("{},{}", mode + 5, mode == 2 ? 0.1935 : 0.2776);
    for (const char* column : {"phi[1]", "phi[2]", "phi[3]"}) {
      text += fmt::format(",{}", scale * shapes.column(column)[static_cast<std::size_t>(mode) - 1]);
    }
    text += '\n';
  }
  write("shapes.csv", text);
  const std::string measured = R"(
[[analysis]]
kind = "compare_modes"
name = "pairs"
shapes = "shapes.csv"
[[analysis]]
kind = "ringdown"
name = "test"
data = "record.csv"
quantity = "velocity"
shapes = "shapes.csv"
mode = 7
start = 2.0
computed = "qsma"
pairs = "pairs"
)";
  const RunOutcome outcome = run(study("") + measured);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses.back().message;
  const auto facts = outcome.analyses.back().facts_json()["differences"];
  ASSERT_EQ(facts.size(), 1U);
  EXPECT_EQ(facts[0]["mode"], 7);
  EXPECT_EQ(facts[0]["model"], 2);
  EXPECT_NE(outcome.analyses.back().message.find("mode 7 2 times that;"), std::string::npos)
      << outcome.analyses.back().message;
}

TEST_F(ComputedCurves, Mistakes) {
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(study(keys), "analysis \"ring\": " + message);
  };
  expect("computed = »\"qsm\"",
         "computed: no analysis \"qsm\" of kind qsma or nonlinear_mode stands before this one; "
         "did you mean \"qsma\"?");
  expect("computed = [\"qsma\", »\"qsma\"]", "computed: \"qsma\" is there twice");
  expect("»pairs = \"pairs\"", "pairs goes with computed");
  expect("computed = \"qsma\"\npairs = »\"qsma\"",
         "pairs: analysis \"qsma\" is of kind \"qsma\"; it must be compare_modes");
  write(
      "record.csv", "time,v[1],v[2],v[3]\n" + [] {
        std::string text;
        for (int i = 0; i < 40; ++i) text += fmt::format("{},{},0,0\n", 0.1 * i, i % 2);
        return text;
      }());
  const std::string data = study("") +
                           "[[analysis]]\nkind = \"ringdown\"\nname = \"test\"\ndata = \"record.csv\"\n"
                           "quantity = \"velocity\"\n";
  expect_complaint(data + "channel = \"1\"\ncomputed = »\"qsma\"",
                   "analysis \"test\": computed: curves of the model are of modal displacements, and channel has none");
  write("shapes.csv", "mode,phi[1],phi[2],phi[3]\n1,1,2,3\n");
  expect_complaint(
      data + "shapes = \"shapes.csv\"\ncomputed = »\"qsma\"",
      "analysis \"test\": computed needs pairs: a compare_modes further up, which tells the mode of the model "
      "that each measured shape belongs to");
}

}  // namespace computed_curves_test
}  // namespace microslip
