// Measured data from MATLAB and universal files in a study: the same numbers as from CSV, and the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "microslip/input/read_geometry.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/io/mat_file.hpp"
#include "microslip/io/mat_writer.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace measured_files_test {

using test::joint_text;
using test::load_text;
using test::structure_text;

class MeasuredFiles : public test::StudyFolder {
 protected:
  static constexpr std::size_t count = 2000;

  /// Two damped modes seen by accelerometers at nodes 12 (along -z) and 13 (along z), with shapes (1, 2) and (2, -1).
  void SetUp() override {
    test::StudyFolder::SetUp();
    std::string csv = "time,12.-z,13.z\n";
    for (std::size_t i = 0; i < count; ++i) {
      const double t = 0.125 * static_cast<double>(i);
      const double a = std::exp(-0.01 * t) * std::cos(t);
      const double b = std::exp(-0.015 * t) * std::cos(3.0 * t + 0.5);
      time_.push_back(t);
      first_.push_back(-(a + 2.0 * b));
      second_.push_back(2.0 * a - b);
      csv += fmt::format("{:.17g},{:.17g},{:.17g}\n", t, first_.back(), second_.back());
    }
    write("data.csv", csv);
    write("shapes.csv", "mode,12.z,13.z\n4,1,2\n7,2,-1\n");
  }

  [[nodiscard]] UniversalFile universal() const {
    UniversalFile content;
    for (const bool first : {true, false}) {
      UniversalFunction function;
      function.type = 1;
      function.response = {first ? 12 : 13, first ? -3 : 3};
      function.abscissa_kind = UniversalKind::time;
      function.ordinate_kind = UniversalKind::acceleration;
      function.abscissa = time_;
      function.values = first ? first_ : second_;
      content.functions.push_back(function);
    }
    for (const int mode : {4, 7}) {
      UniversalShape shape;
      shape.mode = mode;
      shape.values_a_node = 3;
      shape.nodes = {12, 13};
      shape.values = mode == 4 ? std::vector<double>{0, 0, 1, 0, 0, 2} : std::vector<double>{0, 0, 2, 0, 0, -1};
      content.shapes.push_back(shape);
    }
    return content;
  }

  [[nodiscard]] static std::string study(const std::string& analysis) {
    return structure_text + joint_text + load_text + R"(
[[analysis]]
kind = "ringdown"
name = "r"
)" + analysis;
  }
  [[nodiscard]] CsvTable run(const std::string& analysis) const {
    const RunOutcome outcome = run_study(parse(study(analysis)), path("out"), {});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
    return read_csv_table(path("out/r.csv"));
  }

  std::vector<double> time_, first_, second_;
};

const std::string settings = R"(
quantity = "acceleration"
mode = [4, 7]
max_other = 10
)";

void expect_same(const CsvTable& a, const CsvTable& b, double tolerance) {
  ASSERT_GT(a.rows(), 30U);
  ASSERT_EQ(a.rows(), b.rows());
  for (const char* name : {"mode", "time", "q", "omega", "zeta"}) {
    for (std::size_t i = 0; i < a.rows(); ++i) {
      EXPECT_NEAR(a.column(name)[i], b.column(name)[i], tolerance * (1.0 + std::abs(a.column(name)[i]))) << name;
    }
  }
}

// Time steps of 1/8 are exact in every format. Bytes hold the doubles themselves, so the results are the same to the
// bit; text has 13 digits: errors of 5e-13 of a sample, which the derivatives of turning points multiply by up to the
// samples of a half-cycle, 25, and damping by its difference of logarithms, again of the order of one.
TEST_F(MeasuredFiles, UniversalFilesGiveTheNumbersOfCsv) {
  const CsvTable expected = run(R"(
data = "data.csv"
shapes = "shapes.csv"
)" + settings);
  for (const UniversalForm form : {UniversalForm::little_endian, UniversalForm::big_endian, UniversalForm::text}) {
    write("test.unv", universal_text(universal(), form));
    const CsvTable found = run(R"(
data = "test.unv:time"
shapes = "test.unv"
)" + settings);
    expect_same(expected, found, form == UniversalForm::text ? 1e-9 : 0.0);
  }
}

TEST_F(MeasuredFiles, MatlabFilesGiveTheNumbersOfCsv) {
  MatWriter writer(path("test.mat"));
  writer.table({"run", {"time", "12.-z", "13.z"}, {"", "", ""}, {"", "", ""}, count}, [&](std::size_t k) {
    return k == 0 ? time_ : k == 1 ? first_ : second_;
  });
  const std::vector<std::vector<double>> shapes{{4, 7}, {1, 2}, {2, -1}};
  writer.table({"shapes", {"mode", "12.z", "13.z"}, {"", "", ""}, {"", "", ""}, 2},
               [&](std::size_t k) { return shapes[k]; });
  writer.close();
  const CsvTable expected = run(R"(
data = "data.csv"
shapes = "shapes.csv"
)" + settings);
  expect_same(expected, run(R"(
data = "test.mat:run"
shapes = "test.mat:shapes"
)" + settings),
              0.0);
  // One channel: its opposite direction only turns the sign, which frequency and damping do not see.
  const std::string band = R"(
quantity = "acceleration"
band_hz = [0.1, 0.25]
mode = 1
max_other = 3
)";
  expect_same(run(R"(
data = "data.csv"
channel = "12.-z"
)" + band),
              run(R"(
data = "test.mat:run"
channel = "12.z"
)" + band),
              1e-12);  // rounding
}

// --mat: what the CSV files hold, to the bit.
TEST_F(MeasuredFiles, ResultsAsMatlabFile) {
  RunOptions options;
  options.version = "1.2.3";
  options.mat = true;
  const Study transient = parse(structure_text + joint_text + load_text +
                                R"(
[[analysis]]
kind = "modes"
[[analysis]]
kind = "transient"
name = "ring-1"
load = "hit"
duration = 20
step = 0.1
)");
  ASSERT_EQ(run_study(transient, path("out"), options).exit_code, 0);
  for (const auto& [file, member] : {std::pair("modes", "modes"), std::pair("modes-shapes", "modes_shapes"),
                                     std::pair("ring-1", "ring_1"), std::pair("ring-1-energy", "ring_1_energy")}) {
    const CsvTable csv = read_csv_table(path(fmt::format("out/{}.csv", file)));
    const CsvTable mat = read_data_table(path(fmt::format("out/results.mat:{}", member)));
    EXPECT_EQ(csv.names, mat.names);
    EXPECT_EQ(csv.columns, mat.columns);
  }
  EXPECT_EQ(read_mat_arrays(path("out/results.mat"), "microslip.version").at(0).text, "1.2.3");
  EXPECT_EQ(read_mat_arrays(path("out/results.mat"), "microslip.study").at(0).text, transient.text);
  // A run without it takes an old one away.
  options.mat = false;
  ASSERT_EQ(run_study(transient, path("out"), options).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("out/results.mat")));
}

// A measured force as a load.
TEST_F(MeasuredFiles, ChannelOfATableSignal) {
  write("test.unv", universal_text(universal(), UniversalForm::little_endian));
  const auto load = [](const std::string& channel) {
    return structure_text + R"(
[[load]]
name = "hit"
at = "3"
signal = { kind = "table", file = "test.unv")" +
           channel + " }\n";
  };
  expect_complaint(load(R"(, channel = "12.z")"), "");
  expect_complaint(load(""), R"(test.unv:32:1: there is no column "value"; the header has "time,a[12.-z],a[13.z]")");
}

// Nodes of a universal file: where the degrees of freedom named after them are.
TEST_F(MeasuredFiles, NodesAsGeometry) {
  UniversalFile content;
  content.file = "nodes.unv";
  content.nodes = {{12, {1.0, 2.0, 3.0}}, {13, {4.0, 5.0, 6.0}}, {14, {7.0, 8.0, 9.0}}};
  const Geometry geometry = universal_geometry(content, {"13.z", "tip", "12.x"});
  ASSERT_EQ(geometry.points.size(), 2U);
  EXPECT_EQ(geometry.points[1], (Geometry::Vector{4.0, 5.0, 6.0}));
  ASSERT_EQ(geometry.motions.size(), 2U);
  EXPECT_EQ(geometry.motions[0].dof, 2);
  EXPECT_EQ(geometry.motions[0].direction, (Geometry::Vector{1.0, 0.0, 0.0}));
  EXPECT_EQ(geometry.motions[1].dof, 0);
  EXPECT_EQ(geometry.motions[1].point, 1);
  EXPECT_EQ(geometry.motions[1].direction, (Geometry::Vector{0.0, 0.0, 1.0}));
  write("nodes.unv", universal_text(content));
  expect_complaint(structure_text + R"(geometry = "nodes.unv")",
                   "nodes.unv:1:1: no node of the file (datasets 15 and 2411) is a degree of freedom, named like 12.x");
}

TEST_F(MeasuredFiles, Mistakes) {
  write("test.unv", universal_text(universal(), UniversalForm::little_endian));
  MatWriter writer(path("test.mat"));
  std::vector<double> broken = first_;
  broken[17] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> back = time_;
  back[17] = back[15];
  const auto add = [&](const char* name, const std::vector<double>& time, const std::vector<double>& values) {
    writer.table({name, {"time", "a"}, {"", ""}, {"", ""}, count},
                 [&](std::size_t k) { return k == 0 ? time : values; });
  };
  add("good", time_, first_);
  add("gap", time_, broken);
  add("back", back, first_);
  writer.close();
  const std::string velocity = R"(
quantity = "velocity"
channel = "a"
)";
  const auto expect = [&](const std::string& file, const std::string& message) {
    expect_complaint(study(velocity + "data = " + file), message);
  };
  expect(R"("test.mat:good")", "");
  expect(R"(»"test.mat:goo")",
         R"(analysis "r": data: "test.mat:goo" has no numeric array "goo"; it holds "good.time", "good.a", )"
         R"("gap.time", "gap.a", "back.time", "back.a")");
  expect(R"(»"test.mat:gap")",
         R"(analysis "r": data: "test.mat:gap" array "gap.a": entry (18,1) must be finite, got nan)");
  expect(R"(»"test.mat:back")", R"(analysis "r": data: "test.mat:back" time must increase: 1.875 comes after 2)");
  expect(R"(»"none.mat")", R"(analysis "r": data: "none.mat" cannot be read: there is no such file)");
  expect_complaint(study(R"(
data = "test.unv"
quantity = "velocity"
channel = "12.z"
)"),
                   R"(test.unv:32:1: column "a[12.-z]" holds accelerations, not velocities)");
  expect_complaint(study(R"(
data = "test.unv"
quantity = "acceleration"
channel = "12.x"
)"),
                   R"(test.unv:32:1: there is no column "12.x"; the header has "time,a[12.-z],a[13.z]")");
}

}  // namespace measured_files_test
}  // namespace microslip
