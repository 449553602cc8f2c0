// kind = "ringdown": measured data through every filter, and the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <utility>

#include "microslip/analyses/ringdown/analysis.hpp"
#include "microslip/io/csv_table.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace ringdown_analysis_test {

using test::joint_text;
using test::load_text;
using test::marked_at;
using test::structure_text;

class RingdownStudy : public test::StudyFolder {
 protected:
  /// Two damped modes, omega 1 and 3, zeta 0.01 and 0.005, seen by two channels with shapes (1, 2) and (2, -1), from
  /// t = 0 at 60 samples a period of the first.
  void write_data(const std::string& header = "time,left,right", double second = 1.0) const {
    std::string text = header + "\n";
    for (int i = 0; i < 3000; ++i) {
      const double t = 2.0 * 3.141592653589793 / 60.0 * i;
      const double a = std::exp(-0.01 * t) * std::cos(t);
      const double b = second * std::exp(-0.015 * t) * std::cos(3.0 * t + 0.5);
      text += fmt::format("{:.17g},{:.17g},{:.17g}\n", t, a + 2.0 * b, 2.0 * a - b);
    }
    write("data.csv", text);
  }
  /// The table of the analysis "r".
  [[nodiscard]] CsvTable table(const std::string& analysis, const std::string& part = "") const {
    const Study study = parse(structure_text + joint_text + load_text + R"(
[[analysis]]
kind = "ringdown"
name = "r"
)" + analysis);
    const RunOutcome outcome = run_study(study, path("out"), {});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.failure << outcome.analyses[0].message;
    return read_csv_table(path("out/r" + part + ".csv"));
  }
};

// The pseudo-inverse takes the modes apart; frequency and damping of each as made. Here v = e^{-gt} cos(wt): sampled
// finely enough for 1e-6, zeta = g/sqrt(w^2 + g^2).
TEST_F(RingdownStudy, PseudoInverseOfMeasuredShapes) {
  write_data();
  write("shapes.csv", "mode,left,right\n4,1,2\n7,2,-1\n");
  const CsvTable rows = table(R"(
data = "data.csv"
quantity = "velocity"
shapes = "shapes.csv"
mode = [4, 7]
max_other = 10
)");
  EXPECT_EQ(rows.names,
            (std::vector<std::string>{"mode", "time", "q", "v", "omega", "frequency_hz", "zeta", "omega_error",
                                      "zeta_error", "other_mode", "other_ratio", "clean", "half_cycles",
                                      "frequency_low", "zeta_low", "frequency_high", "zeta_high"}));
  ASSERT_GT(rows.rows(), 300U);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    // 95 % of a normal distribution; rounding of numbers below 1.
    const double by_frequency = 1.96 * rows.column("omega_error")[i] / (2.0 * std::numbers::pi);
    const double by_zeta = 1.96 * rows.column("zeta_error")[i];
    for (const auto& [end, sign] : {std::pair{"low", -1.0}, {"high", 1.0}}) {
      EXPECT_NEAR(rows.column(fmt::format("frequency_{}", end))[i] - rows.column("frequency_hz")[i],
                  sign * by_frequency, 1e-4 * by_frequency + 1e-15);
      EXPECT_NEAR(rows.column(fmt::format("zeta_{}", end))[i] - rows.column("zeta")[i], sign * by_zeta,
                  1e-4 * by_zeta + 1e-15);
    }
    const bool first = rows.column("mode")[i] == 4.0;
    const double omega = first ? 1.0 : 3.0, gamma = first ? 0.01 : 0.015;
    EXPECT_NEAR(rows.column("omega")[i] / omega, 1.0, first ? 1e-6 : 1e-5);
    EXPECT_NEAR(rows.column("zeta")[i] / (gamma / std::hypot(omega, gamma)), 1.0, first ? 1e-6 : 2e-4);  // 20 a period
    EXPECT_EQ(rows.column("other_mode")[i], first ? 7.0 : 4.0);
    EXPECT_EQ(rows.column("clean")[i], 1.0);
  }
}

// One channel, the band around the first mode, and the second, as strong, outside. The kinks where both are mirrored
// reach into the record. The slowest pole of the band-pass, the root of s^2 - p B s + w0^2 with Butterworth's
// p = -sin(pi/8) +- i cos(pi/8), B = 2 pi 0.15 and w0^2 = (2 pi)^2 0.1 0.25, decays with 0.107, and the signal with
// 0.01. What is left, e of the amplitude, moves ln X by e and a zero by e radians: zeta by e/pi and the frequency by
// 2 e/pi, over the two half-cycles of a row at least. Elsewhere the accuracy of turning points, 1e-6.
TEST_F(RingdownStudy, ChannelWithBand) {
  write_data();
  const CsvTable rows = table(
      R"(
data = "data.csv"
quantity = "velocity"
channel = "right"
band_hz = [0.1, 0.25]
mode = 1
max_other = 3
)");
  ASSERT_GT(rows.rows(), 40U);  // of 100 half-cycles a quarter is cut off at each end
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double time = rows.column("time")[i];
    const double left = std::exp(-0.097 * time) + std::exp(-0.097 * (314.16 - time));
    EXPECT_GT(time, 20.0);
    EXPECT_NEAR(rows.column("omega")[i], 1.0, 2.0 * left / std::numbers::pi + 1e-6) << time;
    EXPECT_NEAR(rows.column("zeta")[i], 0.01, left / std::numbers::pi + 1e-6) << time;
    EXPECT_EQ(rows.column("other_mode")[i], 0.0);
    EXPECT_GT(rows.column("other_ratio")[i], 0.05);  // the second mode is in the channel
  }
}

// Offset and white noise outside the band are no other mode: beside an offset as large as the amplitude and noise a
// tenth of it, rows are clean until they end. A line of a fifth of the amplitude is one.
TEST_F(RingdownStudy, CleanWithBand) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(0.0, 0.1);
  std::string text = "time,alone,both\n";
  for (int i = 0; i < 6000; ++i) {
    const double t = 2.0 * std::numbers::pi / 60.0 * i, noise = normal(generator);
    const double a = 1.0 + std::exp(-0.002 * t) * std::cos(t) + noise;
    text += fmt::format("{:.17g},{:.17g},{:.17g}\n", t, a, a + 0.2 * std::exp(-0.002 * t) * std::cos(3.0 * t + 0.5));
  }
  write("data.csv", text);
  const std::string band = R"(
data = "data.csv"
quantity = "velocity"
band_hz = [0.1, 0.25]
)";
  const CsvTable alone = table(band + R"(channel = "alone")");
  ASSERT_GT(alone.rows(), 50U);
  for (const double clean : alone.column("clean")) EXPECT_EQ(clean, 1.0);
  const CsvTable both = table(band + R"(channel = "both")");
  ASSERT_GT(both.rows(), 50U);
  for (const double clean : both.column("clean")) EXPECT_EQ(clean, 0.0);
}

// An offset of 3 % in an acceleration e^{-0.01 t} cos t, 35 % of the amplitude at the end, is taken off and told with
// its unit; one of 1e-5, 1e-4 at the end, is taken off and not told. The noise, 1e-3, leaves some 1e-3/sqrt(1500) of
// both.
TEST_F(RingdownStudy, TellsOfAnOffset) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(0.0, 1e-3);
  std::string text = "time,much,little\n";
  for (int i = 0; i < 2400; ++i) {
    const double t = 2.0 * std::numbers::pi / 60.0 * i, a = std::exp(-0.01 * t) * std::cos(t) + normal(generator);
    text += fmt::format("{:.17g},{:.17g},{:.17g}\n", t, a + 0.03, a + 1e-5);
  }
  write("data.csv", text);
  const auto outcome = [&](const std::string& channel) {
    const Study study = parse(R"(
[units]
length = "m"
time = "s"
)" + structure_text + joint_text +
                              load_text +
                              R"(
[[analysis]]
kind = "ringdown"
name = "r"
data = "data.csv"
quantity = "acceleration"
channel = ")" + channel + "\"\n");
    return run_study(study, path("out"), {}).analyses.at(0);
  };
  const AnalysisSummary much = outcome("much"), little = outcome("little");
  EXPECT_EQ(much.message.substr(0, 34), "mode 1: an offset of the sensor, 0") << much.message;
  EXPECT_NE(much.message.find(" m/s^2, was taken off"), std::string::npos) << much.message;
  EXPECT_EQ(little.message, "");
  for (const auto& [summary, offset] : {std::pair{&much, 0.03}, std::pair{&little, 1e-5}}) {
    const auto mode = summary->facts_json().at("modes").at(0);
    EXPECT_NEAR(mode.at("offset").get<double>(), offset, 4.0 * mode.at("offset_error").get<double>());
    EXPECT_LT(mode.at("offset_error").get<double>(), 5e-5);
  }
}

// v = e^{-0.01 t} cos t from t = 0 on; during the hit before it the channel sees three times the frequency and five
// times as much. A table with a force has its ring-down begin when that has fallen back; the force of a joint, f[x]
// beside u[x], is none.
TEST_F(RingdownStudy, BeginsAfterTheHit) {
  const auto write_hit = [&](const std::string& force) {
    std::string text = "time,left," + force + ",u[x],f[x]\n";
    for (int i = -60; i < 1500; ++i) {
      const double t = 2.0 * std::numbers::pi / 60.0 * i;
      const double pulse = t > -6.0 && t < 0.0 ? std::sin(std::numbers::pi * (t + 6.0) / 6.0) : 0.0;
      const double v = t < 0.0 ? 5.0 * pulse * std::cos(3.0 * t) : std::exp(-0.01 * t) * std::cos(t);
      text += fmt::format("{:.17g},{:.17g},{:.17g},0,{:.17g}\n", t, v, 0.3 + 100.0 * pulse, 1.0 + 1e-3 * t);
    }
    write("data.csv", text);
  };
  const std::string channel = R"(
data = "data.csv"
quantity = "velocity"
channel = "left"
)";
  for (const char* force : {"f[3]", "Force"}) {
    write_hit(force);
    const CsvTable rows = table(channel);
    ASSERT_GT(rows.rows(), 30U);
    EXPECT_LT(rows.column("time")[0], 10.0);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      EXPECT_NEAR(rows.column("omega")[i], 1.0, 1e-5);
      EXPECT_NEAR(rows.column("zeta")[i], 0.01, 1e-5);
    }
  }
  write_hit("other");
  EXPECT_LT(table(channel).column("time")[0], 0.0);
}

// v as before, and forces of any kind beside it: 60 samples a period from t = -2 pi to 50 pi.
class HitStudy : public RingdownStudy {
 protected:
  static constexpr double step = 2.0 * std::numbers::pi / 60.0;
  static constexpr const char* again = "rises again at ";
  using Force = std::function<double(double t)>;

  /// 100 sin over the 6 before t = 0.
  static double hit(double t) {
    return t > -6.0 && t < 0.0 ? 100.0 * std::sin(std::numbers::pi * (t + 6.0) / 6.0) : 0.0;
  }
  /// So much for three samples from t = 40 pi on.
  static double tap(double t, double size) {
    return t > 40.0 * std::numbers::pi - 0.5 * step && t < 40.0 * std::numbers::pi + 2.5 * step ? size : 0.0;
  }
  /// The message of the analysis whose table is out/r.csv.
  std::string message(const std::vector<Force>& forces) const {
    std::string text = "time,left";
    for (std::size_t k = 0; k < forces.size(); ++k) text += fmt::format(",force{}", k + 1);
    text += "\n";
    for (int i = -60; i < 1500; ++i) {
      const double t = step * i;
      const double v = t < 0.0 ? 0.05 * hit(t) * std::cos(3.0 * t) : std::exp(-0.01 * t) * std::cos(t);
      text += fmt::format("{:.17g},{:.17g}", t, v);
      for (const Force& force : forces) text += fmt::format(",{:.17g}", force(t));
      text += "\n";
    }
    write("data.csv", text);
    const Study study = parse(structure_text + joint_text + load_text +
                              R"(
[[analysis]]
kind = "ringdown"
name = "r"
data = "data.csv"
quantity = "velocity"
channel = "left"
)");
    return run_study(study, path("out"), {}).analyses.at(0).message;
  }
  /// Its rows begin after the hit, with the frequency and damping of the free motion.
  void expect_free_motion() const {
    const CsvTable rows = read_csv_table(path("out/r.csv"));
    ASSERT_GT(rows.rows(), 30U);
    EXPECT_GT(rows.column("time")[0], 0.0);
    EXPECT_LT(rows.column("time")[0], 10.0);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      EXPECT_NEAR(rows.column("omega")[i], 1.0, 1e-5);
      EXPECT_NEAR(rows.column("zeta")[i], 0.01, 1e-5);
    }
  }
};

// A second hit, larger than the first or 3 % of it: the ring-down still begins after the first, and the second is told.
// 0.9 % is none.
TEST_F(HitStudy, TellsOfASecondHit) {
  for (const double size : {150.0, 24.0, 3.0, 0.9}) {
    const std::string told = message({[&](double t) { return 0.3 + hit(t) + tap(t, size); }});
    const std::string expected = fmt::format("{}{:.6g}, a second hit", again, 40.0 * std::numbers::pi);
    EXPECT_EQ(told.find(expected) != std::string::npos, size > 1.0) << size << told;
    expect_free_motion();
  }
}

// Noise of 3 % of the hit goes beyond 5 % in every tenth sample, and is no hit. Six of its standard deviations are 18
// %: a second hit of 30 %, less four of them, is one in each of its three samples.
TEST_F(HitStudy, NoiseIsNoHit) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal(0.0, 3.0);
  const Force noisy = [&](double t) { return hit(t) + normal(generator); };
  std::string told = message({noisy});
  EXPECT_EQ(told.find(again), std::string::npos) << told;
  expect_free_motion();
  told = message({noisy, [&](double) { return normal(generator); }});  // noise alone does not count
  EXPECT_EQ(told.find(again), std::string::npos) << told;
  expect_free_motion();
  told = message({[&](double t) { return noisy(t) + tap(t, 30.0); }});
  EXPECT_NE(told.find(again), std::string::npos) << told;
  expect_free_motion();
}

// Two hammers, one that hits before t = 0 and at 40 pi, one 0.2 later only: the second hit of the first lies before the
// end of the first hit of the other.
TEST_F(HitStudy, OfSeveralForces) {
  const Force first = [](double t) { return hit(t) + tap(t, 100.0); };
  const Force other = [](double t) { return tap(t - 0.2, 5.0); };
  for (const bool swapped : {false, true}) {
    const std::string told = message(swapped ? std::vector{other, first} : std::vector{first, other});
    EXPECT_NE(told.find(fmt::format("{}{:.6g},", again, 40.0 * std::numbers::pi)), std::string::npos) << told;
    expect_free_motion();
  }
}

// A force that never falls back, and one of noise alone: told. One that never moves: the record begins after the hit.
TEST_F(HitStudy, TellsThatThereIsNone) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  const std::string remark = "no hit that stands out";
  EXPECT_NE(message({[](double t) { return std::cos(t); }}).find(remark), std::string::npos);
  EXPECT_NE(message({[&](double) { return normal(generator); }}).find(remark), std::string::npos);
  EXPECT_EQ(message({[](double) { return 0.3; }}).find(remark), std::string::npos);
}

TEST_F(RingdownStudy, LegendsTellTheMethod) {
  RingdownAnalysis analysis;
  EXPECT_EQ(analysis.method_in_words(), "turning points");
  analysis.hilbert = true;
  EXPECT_EQ(analysis.method_in_words(), "Hilbert transform");
}

// The dominating mode is found, another that is too strong is flagged, and the spectrum has both lines.
TEST_F(RingdownStudy, DominanceAndSpectrum) {
  write_data("time,left,right", 0.3);
  write("shapes.csv", "left,right\n1,2\n2,-1\n");
  const CsvTable rows = table(R"(
data = "data.csv"
quantity = "velocity"
shapes = "shapes.csv"
)");
  ASSERT_GT(rows.rows(), 50U);
  EXPECT_EQ(rows.column("mode")[0], 1.0);
  EXPECT_EQ(rows.column("other_mode")[0], 2.0);
  EXPECT_NEAR(rows.column("other_ratio")[0], 0.3 * std::exp(-0.005 * rows.column("time")[0]), 0.02);
  EXPECT_EQ(rows.column("clean")[0], 0.0);
  const CsvTable spectrum = read_csv_table(path("out/r-spectrum.csv"));
  EXPECT_EQ(spectrum.names, (std::vector<std::string>{"frequency_hz", "amplitude[1]", "psd[1]"}));
  std::size_t peak = 0;
  for (std::size_t i = 0; i < spectrum.rows(); ++i) {
    if (spectrum.column("amplitude[1]")[i] > spectrum.column("amplitude[1]")[peak]) peak = i;
  }
  EXPECT_NEAR(spectrum.column("frequency_hz")[peak], 1.0 / 6.2832, 0.004);
}

// The columns of a transient are channels, and the filter then is phi^T M. What the study simulates itself and what it
// reads back agree to the digits of the file.
TEST_F(RingdownStudy, OwnTransientAsData) {
  const std::string motion = R"(
load = "hit"
duration = 200.0
step = 0.02
integrator = "modal_exact"
)";
  const CsvTable own = table(motion + "mode = 1\n");
  const Study study = parse(structure_text + joint_text + load_text +
                            R"(
[[analysis]]
kind = "transient"
name = "t"
load = "hit"
duration = 200.0
step = 0.02
method = "modal_exact"
)");
  EXPECT_EQ(run_study(study, folder_.string(), {}).exit_code, 0);
  const CsvTable read = table(R"(
data = "t.csv"
quantity = "velocity"
mode = 1
start = 1.8
)");
  ASSERT_EQ(own.rows(), read.rows());
  for (std::size_t i = 0; i < own.rows(); ++i) {
    EXPECT_NEAR(own.column("omega")[i], read.column("omega")[i], 1e-9);
    EXPECT_NEAR(own.column("q")[i] / read.column("q")[i], 1.0, 1e-9);
  }
}

TEST_F(RingdownStudy, Mistakes) {
  write_data();
  const std::string few = write_marked("short.csv", "»time,a\n0,1\n1,2\n");
  const std::string nan = write_marked("nan.csv", "time,a\n0,1\n1,»nan\n");
  std::string rows_uneven = "time,a\n", rows_back = "time,a\n";
  for (int i = 0; i < 20; ++i) {
    rows_uneven += i == 10 ? "»10.3,1\n" : fmt::format("{},1\n", i);
    rows_back += i == 10 ? "»8,1\n" : fmt::format("{},1\n", i);
  }
  const std::string uneven = write_marked("uneven.csv", rows_uneven), back = write_marked("back.csv", rows_back);
  write("same.csv", "left,right\n1,2\n2,4\n");
  write("many.csv", "left,right\n1,2\n2,4\n1,1\n");
  const std::string twice = write_marked("twice.csv", "mode,left\n1,2\n»1,4\n");
  const std::string head = structure_text + joint_text + load_text + R"(
[[analysis]]
kind = "ringdown"
)";
  const std::string data = head + R"(
data = "data.csv"
quantity = "velocity"
)";
  const std::string run = head + R"(
load = "hit"
duration = 100
step = 0.1
)";
  const auto expect = [&](const std::string& text, const std::string& message) {
    expect_complaint(text, "analysis \"ringdown\": " + message);
  };
  expect_complaint(run, "");
  expect_complaint(data + R"(channel = "left")", "");
  expect(run + R"(method = »"peeks")", R"(unknown method "peeks"; did you mean "peaks"?)");
  expect(run + R"(integrator = »"modal")",
         R"(unknown integrator "modal" (newmark, hht, generalized_alpha, modal_exact))");
  expect(run + "mode = »4", "mode must be one of 1, 2, 3, got 4");
  expect(run + "mode = »2.0", "mode must be one of 1, 2, 3, got 2.0");
  expect(run + "mode = [1, »1]", "mode: 1 is there twice");
  expect(run + "half_cycles = »4", "half_cycles must be odd, got 4");
  expect(run + "start = »200", "the ring-down begins at 200, after the duration of 100");
  expect(run + "band_hz = »[1, 6]",
         "band_hz must be [low, high] with low < high < 5, half the sampling rate, got [1, 6]");
  expect(run + "band_hz = »[0.1, 0.2]\nmode = [1, 2]", "band_hz goes with one mode: give one analysis a mode");
  expect_complaint_begins(run + R"(»quantity = "velocity")", R"(analysis "ringdown": unknown key "quantity")");
  expect(marked_at(head, "[[analysis]]") + R"(data = "data.csv")", "quantity is missing");
  expect_complaint(data, R"(data.csv:1:1: there is no column "1"; the header has "time,left,right")");
  expect_complaint(data + R"(channel = "middle")",
                   R"(data.csv:1:1: there is no column "middle"; the header has "time,left,right")");
  expect_complaint_begins(data + R"(
channel = "left"
»step = 0.1
)",
                          R"(analysis "ringdown": unknown key "step")");
  expect(data + R"(
channel = "left"
»shapes = "same.csv"
)",
         "channel and shapes exclude each other");
  expect(data + R"(shapes = »"same.csv")",
         "shapes: the channels cannot tell the shapes apart: only 1 of 2 are independent there");
  expect(data + R"(shapes = »"many.csv")",
         "shapes: there must be at least as many channels as modes, got 2 channels and 3 modes");
  expect_complaint(data + R"(shapes = "twice.csv")", twice + "mode must be a whole number from 1, each once, got 1");
  const std::string channel = head + R"(
quantity = "velocity"
channel = "a"
)";
  expect_complaint(channel + R"(data = "short.csv")", few + "a ring-down needs at least 16 samples, got 2");
  expect_complaint(channel + R"(data = "uneven.csv")",
                   uneven + "time must be evenly spaced: at the mean step 1 this row would be at 10, got 10.3");
  expect_complaint(channel + R"(data = "back.csv")", back + "time must increase: 8 comes after 9");
  expect_complaint_begins(channel + R"(data = "nan.csv")", nan);
  expect_complaint_begins(channel + R"(data = »"none.csv")", "");
}

}  // namespace ringdown_analysis_test
}  // namespace microslip
