// kind = "ringdown" of several records, by the modes of a fit: bands, modal signals, dominance, which record is clean.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/analyses/ringdown/modal_signals.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace ringdown_records_test {

constexpr double pi = std::numbers::pi;
constexpr double step = 1.0 / 2000.0;
constexpr int samples = 8000;

/// Two damped modes at 50 and 140 Hz, of zeta 0.002, as accelerations at three channels.
struct Mode {
  double omega, gamma;
  double shape[3];
};
const Mode modes[] = {{2.0 * pi * 50.0, 0.002 * 2.0 * pi * 50.0, {1.0, 2.0, 1.0}},
                      {2.0 * pi * 140.0, 0.002 * 2.0 * pi * 140.0, {2.0, -1.0, 1.0}}};
double acceleration(const Mode& mode, double t) {
  return std::exp(-mode.gamma * t) * std::cos(mode.omega * t);
}

/// Shapes of the fit are off by 2 %: the filter leaves some of each mode in the other.
MeasuredModes fitted() {
  MeasuredModes result;
  result.channels = {"left", "middle", "right"};
  result.numbers = {4, 7};
  result.frequency_hz = Eigen::Vector2d(50.0, 140.0);
  result.shapes.resize(3, 2);
  result.shapes << 1.02, 2.0, 2.0, -1.02, 1.0, 1.0;
  return result;
}

class RingdownRecords : public test::StudyFolder {
 protected:
  /// `sizes`: of both modes.
  static std::vector<std::vector<double>> channels(double first, double second) {
    std::vector<std::vector<double>> result(3);
    for (int i = 0; i < samples; ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        result[c].push_back(first * modes[0].shape[c] * acceleration(modes[0], i * step) +
                            second * modes[1].shape[c] * acceleration(modes[1], i * step));
      }
    }
    return result;
  }
  void write_record(const std::string& name, double first, double second) const {
    std::string text = "time,left,middle,right\n";
    const auto columns = channels(first, second);
    for (std::size_t i = 0; i < samples; ++i) {
      text += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g}\n", static_cast<double>(i) * step, columns[0][i],
                          columns[1][i], columns[2][i]);
    }
    write(name, text);
  }
  void write_shapes() const {
    const MeasuredModes fit = fitted();
    std::string text = "mode,frequency_hz,phi[left],phi[middle],phi[right]\n";
    for (Eigen::Index m = 0; m < 2; ++m) {
      text += fmt::format("{},{},{},{},{}\n", fit.numbers[static_cast<std::size_t>(m)], fit.frequency_hz(m),
                          fit.shapes(0, m).real(), fit.shapes(1, m).real(), fit.shapes(2, m).real());
    }
    write("shapes.csv", text);
  }
  [[nodiscard]] RunOutcome run(const std::string& keys) const {
    RunOptions options;
    options.report = false;
    return run_study(parse("[[analysis]]\nkind = \"ringdown\"\nname = \"r\"\nquantity = \"acceleration\"\n" + keys),
                     path("out"), options);
  }
  [[nodiscard]] CsvTable table(const std::string& part = "") const {
    return read_csv_table(path("out/r" + part + ".csv"));
  }
};

// Each record gives the mode that dominates it as it was made, though the filter leaves 2 % of each mode in the other;
// the clean rows, and the message, tell whose record it is. The mirrored ends die down to 1e-4 of the amplitude there
// (theory.md: zeta is off by 1e-4/pi over two half-cycles, 1/(2 pi zeta) = 80 times more of zeta is 2.5e-3). In the
// other record the mode is as strong as what the filter leaves of the strong one, of which the band-pass lets 3e-5
// through: its rows say that they are not clean, and nothing more.
TEST_F(RingdownRecords, BandsTakeTheModesApart) {
  write_record("one.csv", 1.0, 0.02);
  write_record("two.csv", 0.01, 1.0);
  write_shapes();
  const RunOutcome outcome = run(R"(
data = ["one.csv", "two.csv"]
shapes = "shapes.csv"
mode = [4, 7]
band_hz = "auto"
)");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  EXPECT_NE(outcome.analyses[0].message.find("cleanest: mode 4 in one.csv, mode 7 in two.csv"), std::string::npos)
      << outcome.analyses[0].message;
  const CsvTable rows = table();
  EXPECT_EQ(rows.names.back(), "record");
  int clean[2][2] = {};
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const bool first = rows.column("mode")[i] == 4.0, one = rows.column("record")[i] == 1.0;
    const Mode& mode = modes[first ? 0 : 1];
    if (rows.column("clean")[i] == 1.0) {
      EXPECT_NEAR(rows.column("frequency_hz")[i] / (mode.omega / (2.0 * pi)), 1.0, 1e-5);
      EXPECT_NEAR(rows.column("zeta")[i] / 0.002, 1.0, 3e-3);
      ++clean[first ? 0 : 1][one ? 0 : 1];
    }
    if (first == one) {  // over less than a cycle the mean square of the other mode is up to twice that over many
      const double start = one ? 0.02 : 0.01, rate = modes[first ? 1 : 0].gamma - mode.gamma;
      const double expected = start * std::exp(-rate * rows.column("time")[i]);
      EXPECT_LT(rows.column("other_ratio")[i], 1.5 * expected);
    }
  }
  EXPECT_GT(clean[0][0], 100);
  EXPECT_GT(clean[1][1], 100);
  EXPECT_EQ(clean[1][0], 0);
  const auto facts = outcome.analyses[0].facts_json();
  EXPECT_EQ(facts["modes"].size(), 4U);
  EXPECT_NEAR(facts["modes"][0]["band_hz"][0].get<double>(), 35.0, 1e-9);  // 0.7 f
  EXPECT_NEAR(facts["modes"][0]["band_hz"][1].get<double>(), 65.0, 1e-9);  // 1.3 f
  EXPECT_NEAR(facts["modes"][1]["band_hz"][0].get<double>(), 98.0, 1e-9);  // 0.7 f is nearer than half-way, 95
}

// Without `mode` all records are of the mode that dominates the first, and the message tells where it is another.
TEST_F(RingdownRecords, OneModeForAllRecords) {
  write_record("one.csv", 1.0, 0.02);
  write_record("two.csv", 0.01, 1.0);
  write_shapes();
  const RunOutcome outcome = run("data = [\"one.csv\", \"two.csv\"]\nshapes = \"shapes.csv\"\nband_hz = \"none\"\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
  EXPECT_NE(outcome.analyses[0].message.find("but mode 7 dominates two.csv"), std::string::npos)
      << outcome.analyses[0].message;
  const CsvTable rows = table();
  for (const double mode : rows.column("mode")) EXPECT_EQ(mode, 4.0);
  EXPECT_TRUE(table("-spectrum").has("amplitude[4]"));
  EXPECT_FALSE(table("-spectrum").has("amplitude[7]"));
}

// In its band a mode's acceleration is the one that was made, its displacement that over -omega^2 (and a phase of
// zeta): times the pseudo-inverse of shapes that are off. Away from the ends.
TEST_F(RingdownRecords, ModalSignals) {
  write_record("one.csv", 1.0, 0.5);
  write("shapes.csv", "mode,frequency_hz,left,middle,right\n4,50,1,2,1\n7,140,2,-1,1\n");
  ASSERT_EQ(run("data = \"one.csv\"\nshapes = \"shapes.csv\"\nband_hz = \"auto\"\nband_order = 3\n").exit_code, 0);
  const CsvTable signals = table("-signals");
  EXPECT_EQ(signals.names, (std::vector<std::string>{"time", "a[4]", "a[7]", "q[4]", "q[7]"}));
  for (std::size_t i = 1000; i + 1000 < signals.rows(); i += 7) {
    const double t = signals.column("time")[i];
    for (int m = 0; m < 2; ++m) {
      const Mode& mode = modes[m];
      const double size = m == 0 ? 1.0 : 0.5, amplitude = size * std::exp(-mode.gamma * t);
      // The gain of both passes at the frequency, 1/(1 + W^6), W = (f^2 - f1 f2)/(f (f2 - f1)): W = 0.15/1 of 50 Hz
      EXPECT_NEAR(signals.column(m == 0 ? "a[4]" : "a[7]")[i], size * acceleration(mode, t), 3e-3 * amplitude);
      const std::complex<double> s(-mode.gamma, mode.omega);
      const double q = size * (std::exp(s * t) / (s * s)).real();
      EXPECT_NEAR(signals.column(m == 0 ? "q[4]" : "q[7]")[i], q, 3e-3 * amplitude / std::norm(s));
    }
  }
  // Amplitudes over time: the first mode is twice as strong and decays more slowly.
  const CsvTable dominance = table("-dominance");
  ASSERT_GT(dominance.rows(), 100U);
  for (std::size_t i = 0; i < dominance.rows(); ++i) {
    EXPECT_EQ(dominance.column("dominant")[i], 4.0);
    const bool first = dominance.column("mode")[i] == 4.0;
    const double expected = (first ? 1.0 : 0.5) * std::exp(-modes[first ? 0 : 1].gamma * dominance.column("time")[i]);
    // over three cycles the amplitude falls by up to 3 * 2 pi zeta = 4 % of the first mode, 11 % of the second
    EXPECT_NEAR(dominance.column("amplitude")[i] / expected, 1.0, 0.02) << i;
  }
}

// The filter is made of what a fit has left; every mode of it is taken, each in its band.
TEST_F(RingdownRecords, ShapesOfAFitFurtherUp) {
  RingdownAnalysis analysis;
  analysis.name = "r";
  analysis.from = "fit";
  analysis.bands_of_fit = true;
  MeasuredMotion record;
  record.name = "one.csv";
  record.by_shapes = true;
  record.channels = {"middle", "left", "other", "right"};  // in another order
  const auto columns = channels(1.0, 0.02);
  for (const std::size_t c : {1, 0, 0, 2}) record.signals.push_back({0.0, step, Quantity::acceleration, columns[c]});
  analysis.measured = {record};
  const Study study = parse("[structure]\nkind = \"lumped\"\nmasses = [1.0]\nsprings = [[\"ground\", \"1\", 1.0]]\n");
  Results outer(path("out"), study.units, std::vector<std::string>{});
  Results memory(outer, Results::InMemory{});
  AnalysisRun with{study.system, memory, {}};
  EXPECT_EQ(analysis.run(with).message, "analysis fit left no modes");
  memory.leave("fit", fitted());
  const AnalysisSummary summary = analysis.run(with);
  ASSERT_EQ(summary.ending, Ending::completed) << summary.message;
  EXPECT_NE(summary.message.find("the shapes of fit have a largest component of 1"), std::string::npos);
  const MemorySink& rows = memory.kept("r");
  std::set<double> found;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    found.insert(rows.column("mode")[i]);
    const bool first = rows.column("mode")[i] == 4.0;
    if (rows.column("clean")[i] == 1.0) {
      EXPECT_NEAR(rows.column("frequency_hz")[i], first ? 50.0 : 140.0, 1e-3);
    }
  }
  EXPECT_EQ(found, (std::set<double>{4.0, 7.0}));
  analysis.modes = {5};
  EXPECT_EQ(analysis.run(with).message, "analysis fit found no mode 5");
  analysis.modes = {};
  analysis.measured.front().channels[3] = "else";
  EXPECT_EQ(analysis.run(with).message, "record one.csv has no channel \"right\"");
}

// A third channel tells what is wrong with another one: dead, turned or of twice the gain.
TEST_F(RingdownRecords, ChannelsThatDoNotFitAreTold) {
  const auto message = [&](double gain) {
    std::string text = "time,left,middle,right,other\n";
    const auto columns = channels(1.0, 0.5);
    for (std::size_t i = 0; i < samples; ++i) {
      text += fmt::format("{},{},{},{},{}\n", static_cast<double>(i) * step, columns[0][i], gain * columns[1][i],
                          columns[2][i], 0.5 * (columns[0][i] - columns[2][i]));
    }
    write("one.csv", text);
    write("shapes.csv", "mode,frequency_hz,left,middle,right,other\n4,50,1,2,1,0\n7,140,2,-1,1,0.5\n");
    const RunOutcome outcome = run("data = \"one.csv\"\nshapes = \"shapes.csv\"\nmode = 4\n");
    EXPECT_EQ(outcome.exit_code, 0);
    return outcome.analyses[0].message;
  };
  EXPECT_EQ(message(1.0).find("channel"), std::string::npos) << message(1.0);
  EXPECT_NE(message(0.0).find("channel middle is dead"), std::string::npos);
  EXPECT_NEAR(table().column("q")[0] * std::pow(2.0 * pi * 50.0, 2), 1.0, 0.02);  // from the others
  EXPECT_NE(message(-1.0).find("of what the channels show"), std::string::npos) << message(-1.0);
}

TEST_F(RingdownRecords, Mistakes) {
  write_record("one.csv", 1.0, 0.02);
  write("shapes.csv", "mode,left,middle,right\n4,1,2,1\n7,2,-1,1\n");
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint("[[analysis]]\nkind = \"ringdown\"\nquantity = \"acceleration\"\ndata = \"one.csv\"\n" + keys,
                     "analysis \"ringdown\": " + message);
  };
  expect("shapes = \"shapes.csv\"\nband_hz = »\"auto\"",
         "band_hz = \"auto\" needs the frequencies of the modes, below 0.45 of the sampling rate: from a modal_fit, or "
         "shapes with a column frequency_hz");
  expect("shapes = \"shapes.csv\"\nband_hz = »\"all\"", "unknown band_hz \"all\" (auto, none)");
  expect("shapes = \"shapes.csv\"\n»band_order = 6", "band_order goes with band_hz");
  expect("shapes = \"shapes.csv\"\nband_hz = [20, 30]\nband_order = »0",
         "band_order must be an integer from 1 to 20, got 0");
  expect("shapes = \"shapes.csv\"\n»from = \"fit\"", "shapes and from exclude each other");
  expect("from = »\"fit\"", "from: no modal_fit stands before this analysis, so that there is no \"fit\"");
}

}  // namespace ringdown_records_test
}  // namespace microslip
