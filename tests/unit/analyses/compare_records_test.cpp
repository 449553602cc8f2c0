// kind = "compare_records" and signals of kind = "measured", against closed forms of oscillators.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "microslip/analyses/compare_records/analysis.hpp"
#include "microslip/analyses/compare_records/common_times.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace compare_records_test {

/// Acceleration of q'' + 2 zeta omega q' + omega^2 q = 0 with q(0) = 0, q'(0) = 1.
double acceleration(double omega, double zeta, double t) {
  const double damped = omega * std::sqrt(1.0 - zeta * zeta), decay = std::exp(-zeta * omega * t);
  const double q = std::sin(damped * t) / damped * decay,
               v = (std::cos(damped * t) - zeta * omega / damped * std::sin(damped * t)) * decay;
  return -2.0 * zeta * omega * v - omega * omega * q;
}

constexpr double omega = two_pi * 20.0, zeta = 0.004;

class CompareRecords : public test::StudyFolder {
 protected:
  /// A record of channels a[1], ... over 4 s, 400 samples a second.
  void write_record(const std::string& file, const std::vector<std::function<double(double)>>& channels,
                    double step = 0.0025, double start = 0.0) const {
    std::string text = "time";
    for (std::size_t c = 0; c < channels.size(); ++c) text += fmt::format(",a[{}]", c + 1);
    text += "\n";
    for (int i = 0; i <= static_cast<int>(std::lround(4.0 / step)); ++i) {
      const double t = start + step * i;
      text += fmt::format("{:.17g}", t);
      for (const auto& channel : channels) text += fmt::format(",{:.17g}", channel(t));
      text += "\n";
    }
    write(file, text);
  }

  /// One mass, exact in time, from an initial velocity of 1.
  [[nodiscard]] static std::string one_mass(const std::string& compare, double row = 0.000625) {
    return fmt::format(R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", {:.17g}]]
damping = {{ modal = {} }}

[[analysis]]
kind = "transient"
name = "ring"
method = "modal_exact"
duration = 5.0
step = {}
initial = {{ v = {{ "1" = 1.0 }} }}

[[analysis]]
kind = "compare_records"
name = "both"
simulated = "ring"
measured = "record.csv"
{}
)",
                       omega * omega, zeta, row, compare);
  }

  const CompareRecordsFacts& run(const std::string& text, const std::string& message = "") {
    study_.emplace(parse(text));
    RunOptions options;
    options.report = false;
    outcome_ = run_study(*study_, path("out"), options);
    const AnalysisSummary& last = outcome_.analyses.back();
    EXPECT_EQ(last.ending, Ending::completed) << last.message;
    EXPECT_EQ(last.message, message);
    const auto* facts = last.facts_as<CompareRecordsFacts>();
    if (facts == nullptr) throw std::runtime_error("no facts: " + last.message);
    return *facts;
  }

  std::optional<Study> study_;
  RunOutcome outcome_;
};

// The record: 1.1 times as large, 0.1 % lower in frequency, damping 0.005. With gamma = zeta omega
//   d = exp((gamma' - gamma) t)/1.1 - 1,   phase (omega_d - omega_d') t + phi,
// phi: between the phases of the accelerations, -2 zeta against -2 zeta'. The span keeps away from the ends, where the
// Hilbert transform of a signal that begins at once is off by about 1/(pi omega t), 2e-3 at 1.
TEST_F(CompareRecords, TwoDecayingSines) {
  const double own = 0.999 * omega, ratio = 0.005;
  write_record("record.csv", {[&](double t) { return 1.1 * acceleration(own, ratio, t); }});
  const CompareRecordsFacts& facts = run(one_mass("modes = [1]\nspan = [1.0, 3.0]\nstart = 0.2\nband_order = 2\n"));
  ASSERT_EQ(facts.signals.size(), 2U);
  EXPECT_EQ(facts.point, "1");
  EXPECT_LT(facts.resampling_error, 1e-3);
  const double rate = ratio * own - zeta * omega;
  const double turn = omega * std::sqrt(1.0 - zeta * zeta) - own * std::sqrt(1.0 - ratio * ratio);
  double sum = 0.0;
  for (int i = 0; i <= 800; ++i) sum += std::exp(rate * (1.0 + 0.0025 * i)) / 1.1 * omega / own - 1.0;
  for (const CompareRecordsFacts::Signal& signal : facts.signals) {
    const SignalDifference& d = signal.difference;
    EXPECT_NEAR(d.envelope_mean, sum / 801.0, 5e-3) << signal.mode;
    EXPECT_NEAR(d.envelope_largest, std::exp(rate * 3.0) / 1.1 * omega / own - 1.0, 0.01);
    EXPECT_NEAR(d.phase_last - d.phase_first, turn * 1.8, 5e-3);
    EXPECT_EQ(d.used, 1.0);
  }
  // Both are linear: the same at every amplitude. Turning points know zeta to 2 % where there is noise, and to 1e-3
  // here.
  const CompareRecordsFacts::Signal& mode = facts.signals.back();
  EXPECT_EQ(mode.mode, 1);
  EXPECT_GT(mode.rows, 20);
  EXPECT_NEAR(mode.frequency, 1.0 / 0.999 - 1.0, 1e-5);
  EXPECT_NEAR(mode.zeta, zeta / ratio - 1.0, 3e-3);
}

// The same motion, whatever the steps: what is left is the resampler's, below 1e-4 of the normalised error, and the
// time at which the record begins is told apart from that of the simulation.
TEST_F(CompareRecords, TheSameMotionAtOtherTimes) {
  const auto same = [](double t) { return t < 0.0 ? 0.0 : acceleration(omega, zeta, t); };
  for (const double step : {0.0025, 0.0031, 0.000625, 0.0003}) {
    for (const double shift : {0.0, 0.7}) {
      write_record("record.csv", {[&](double t) { return same(t + shift); }}, step, 0.11);
      const CompareRecordsFacts& facts = run(one_mass(fmt::format("span = [1.0, 3.0]\nshift = {}\n", shift)));
      EXPECT_LT(facts.signals.front().difference.normalised_error, 1e-4) << step << " " << shift;
      EXPECT_NEAR(facts.step, std::max(step, 0.000625), 1e-12);
      EXPECT_LT(facts.resampling_error, 1e-3);
    }
  }
}

// Two masses, whose modes are (1, 1)/sqrt 2 and (1, -1)/sqrt 2: (3.36) and (3.37) are the same filter where every
// degree of freedom is a channel, and each mode has its own amplitude in the record.
TEST_F(CompareRecords, ModesByBothFilters) {
  const double k = omega * omega;
  const double first = omega, second = omega * std::sqrt(3.0);
  const auto q = [&](double size_1, double size_2) {
    const auto channel = [=](double sign) {
      return [=](double t) {
        return 0.5 * (size_1 * acceleration(first, zeta, t) + sign * size_2 * acceleration(second, zeta, t));
      };
    };
    return std::vector<std::function<double(double)>>{channel(1.0), channel(-1.0)};
  };
  write_record("record.csv", q(0.8, 1.25));
  const auto text = [&](const std::string& more) {
    return fmt::format(R"(
[structure]
kind = "lumped"
masses = [1.0, 1.0]
springs = [["ground", "1", {0:.17g}], ["1", "2", {0:.17g}], ["2", "ground", {0:.17g}]]
damping = {{ modal = {1} }}

[[analysis]]
kind = "transient"
name = "ring"
method = "modal_exact"
duration = 4.0
step = 0.000625
initial = {{ v = {{ "1" = 1.0 }} }}

[[analysis]]
kind = "compare_records"
name = "both"
simulated = "ring"
measured = "record.csv"
modes = [1, 2]
span = [1.0, 3.0]
band_order = 2
{2}
)",
                       k, zeta, more);
  };
  for (const std::string filter : {"shapes", "mass"}) {
    const CompareRecordsFacts& facts = run(text("filter = \"" + filter + "\"\npoint = \"2\"\n"));
    ASSERT_EQ(facts.signals.size(), 4U);
    EXPECT_NEAR(facts.signals[2].difference.size_ratio, 1.0 / 0.8, 1e-3) << filter;
    EXPECT_NEAR(facts.signals[3].difference.size_ratio, 1.0 / 1.25, 1e-3) << filter;
    for (std::size_t i : {2U, 3U}) EXPECT_NEAR(facts.signals[i].difference.assurance, 1.0, 1e-5) << filter;
  }
  const CsvTable modes = read_csv_table(path("out/both-modes.csv"), CsvGaps::allowed);
  const CsvTable record = read_csv_table(path("out/both-record.csv"));
  EXPECT_EQ(modes.rows(), 2 * record.rows());
  EXPECT_TRUE(record.has("measured[2]"));
}

/// A Gaussian pulse, sampled 20 times while the oscillator of omega makes a period, 0.1 s before it begins, on an
/// offset.
void write_pulse(const test::StudyFolder&, const std::string& file, double step, double width) {
  std::ofstream out(file);
  out << "time,f[1]\n";
  for (int i = 0; i < 400; ++i) {
    const double t = step * i;
    out << fmt::format("{:.17g},{:.17g}\n", t, 3.0 + 40.0 * std::exp(-0.5 * std::pow((t - 0.5003) / width, 2)));
  }
}

// After a pulse p(t) an undamped oscillator of mass 1 rings with |integral p e^{-i omega t} dt|/omega = 40 w sqrt(2 pi)
// exp(-(w omega)^2/2)/omega. Seven samples a period: straight lines between them would take 6.6 % off; between the
// points made here, (pi/(7 32))^2/3 = 7e-5. Newmark's own error at steps of 1/700 of a period is (2 pi/700)^2/24 =
// 3e-6.
TEST_F(CompareRecords, AMeasuredForceDrivesTheModel) {
  const double period = two_pi / omega, step = period / 7.0, width = 1.1 * step;
  write_pulse(*this, path("pulse.csv"), step, width);
  const auto largest = [&](const std::string& more) {
    const Study study = parse(fmt::format(R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", {:.17g}]]

[[load]]
name = "hit"
at = "1"
signal = {{ kind = "measured", file = "pulse.csv"{} }}

[[analysis]]
kind = "transient"
load = "hit"
duration = 2.0
step = {:.17g}
)",
                                          omega * omega, more, period / 700.0));
    RunOptions options;
    options.report = false;
    run_study(study, path("pulse"), options);
    const CsvTable table = read_csv_table(path("pulse/transient.csv"));
    double size = 0.0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (table.column("time")[i] > 1.0) size = std::max(size, std::abs(table.column("q[1]")[i]));
    }
    return size;
  };
  const double expected = 40.0 * width * std::sqrt(two_pi) * std::exp(-0.5 * std::pow(width * omega, 2)) / omega;
  EXPECT_NEAR(largest("") / expected, 1.0, 3e-4);
  EXPECT_NEAR(largest(", scale = -2.0") / expected, 2.0, 6e-4);
  EXPECT_NEAR(largest(", between = \"lines\"") / expected, std::pow(std::sin(pi / 7.0) / (pi / 7.0), 2), 3e-4);
  // An offset that is wrong by 1 is a step force of 1 while the window lasts: it is not nothing.
  EXPECT_GT(std::abs(largest(", offset = 2.0") / expected - 1.0), 1e-3);
}

TEST_F(CompareRecords, MistakesInAMeasuredForceAreNamed) {
  write_pulse(*this, path("pulse.csv"), 0.0025, 0.003);
  write(
      "two.csv", "time,f[1],f[2]\n" + [] {
        std::string rows;
        for (int i = 0; i < 50; ++i) rows += fmt::format("{},{},0\n", i, i == 20 ? 1 : 0);
        return rows;
      }());
  write(
      "still.csv", "time,f[1]\n" + [] {
        std::string rows;
        for (int i = 0; i < 50; ++i) rows += fmt::format("{},0\n", i);
        return rows;
      }());
  const auto complain = [&](const std::string& marked, const std::string& message) {
    expect_complaint(
        "[structure]\nkind = \"lumped\"\nmasses = [1.0]\n[[load]]\nname = \"hit\"\nat = \"1\"\nsignal = { kind = "
        "\"measured\", " +
            marked + " }\n",
        message);
  };
  const std::string where = "load \"hit\": signal: ";
  complain("file = \"pulse.csv\", window = »\"hits\"", where + "unknown window \"hits\"; did you mean \"hit\"?");
  complain("file = \"pulse.csv\", window = »[0.9, 0.1]",
           where + "window must be [from, to] within the record, 0 to 0.9975, got [0.9, 0.1]");
  complain("file = »\"still.csv\"", where +
                                        "file: no hit stands out of the noise of the force and is over before its end: "
                                        "say window = [from, to] or \"all\"");
  complain("file = \"pulse.csv\", »chanel = \"f[1]\"", where + "unknown key \"chanel\"; did you mean \"channel\"?");
  complain("file = \"pulse.csv\", shift = »-1.0",
           where +
               "the force begins at -0.505, before time 0 of the analysis: shift, which is added to the times of the "
               "record, must be at least -0.495");
  const std::string none = complaint(
      "[structure]\nkind = \"lumped\"\nmasses = [1.0]\n[[load]]\nname = \"hit\"\nat = \"1\"\nsignal = { kind = "
      "\"measured\", file = \"none.csv\" }\n");
  EXPECT_NE(none.find("cannot be read: there is no such file"), std::string::npos) << none;
  const std::string said = complaint(
      "[structure]\nkind = \"lumped\"\nmasses = [1.0]\n[[load]]\nname = \"hit\"\nat = \"1\"\nsignal = { kind = "
      "\"measured\", file = \"two.csv\" }\n");
  EXPECT_NE(said.find("channel is missing: the file has 2 forces, f[1], f[2]"), std::string::npos) << said;
}

TEST_F(CompareRecords, MistakesAreNamed) {
  const auto ring = [](double t) { return acceleration(omega, zeta, t); };
  write_record("record.csv", {ring});
  write_record("other.csv", {ring, ring});
  const auto complain = [&](const std::string& marked, const std::string& message) {
    expect_complaint(one_mass(marked), "analysis \"both\": " + message);
  };
  complain("»spans = [1.0, 2.0]", "unknown key \"spans\"; did you mean \"span\"?");
  complain("quantity = »\"velocity\"", "quantity: no channel of \"record.csv\" measures velocity");
  complain("span = »[3.0, 1.0]", "span must be [from, to] within the times that both have, 0 to 4, got [3, 1]");
  complain("span = »[1.0, 4.5]", "span must be [from, to] within the times that both have, 0 to 4, got [1, 4.5]");
  complain("shift = »9.0",
           "ring, from -9 to -4 in times of the record, and the record, 0 to 4, must overlap by 64 samples");
  complain("point = »\"3\"", "point: both have no channel \"3\" (1)");
  complain("modes = [»2]", "modes must be an integer from 1 to 1, got 2");
  complain("»modes = [1]\nfrom = \"ring\"", "from and modes exclude each other");
  complain("filter = »\"mass\"", "filter goes with modes: give from, shapes or modes");
  complain("band_hz = »[10.0, 900.0]",
           "band_hz must be [low, high] with low < high < 200, half the lower sampling rate, got "
           "[10, 900]");
  complain("start = »7.0", "start must be within the times that both have, 0 to 4, got 7");
  const auto of_file = [&](const std::string& file, const std::string& more) {
    return test::replaced(one_mass(more), "\"record.csv\"", file);
  };
  expect_complaint(of_file("»[\"record.csv\", \"record.csv\"]", ""),
                   "analysis \"both\": measured must be one file: give one analysis a record");
  expect_complaint(test::replaced(one_mass(""), "simulated = \"ring\"", "simulated = »\"rings\""),
                   "analysis \"both\": simulated: no analysis \"rings\" of kind transient stands before this one; did "
                   "you mean \"ring\"?");
}

// Both faster and slower: whole, shifted and uneven grids.
TEST(CommonTimes, KeepsEqualSamplesAndTellsNoOverlap) {
  SampledMotion a{0.0, 0.1, Quantity::acceleration, std::vector<double>(100)}, b = a;
  for (std::size_t i = 0; i < 100; ++i) {
    a.values[i] = static_cast<double>(i);
    b.values[i] = static_cast<double>(i) + 20.0;
  }
  b.start = 2.0;
  const CommonTimes common = at_common_times({a}, {b});
  EXPECT_FALSE(common.resampled);
  EXPECT_EQ(common.first.front().values, common.second.front().values);
  EXPECT_EQ(common.first.front().values.size(), 80U);
  EXPECT_DOUBLE_EQ(common.first.front().start, 2.0);
  b.start = 8.9;
  EXPECT_TRUE(at_common_times({a}, {b}).first.empty());
}

}  // namespace compare_records_test
}  // namespace microslip
