// Frequency responses from the records of a study: files, names of channels, mistakes, results, and files of responses
// read back.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "microslip/analyses/read_channels.hpp"
#include "microslip/analyses/read_responses.hpp"
#include "microslip/io/data_table.hpp"
#include "microslip/io/text_file.hpp"
#include "microslip/measurement/frequency_responses.hpp"
#include "microslip/numerics/random.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "microslip/toml/toml_document.hpp"
#include "support/study_folder.hpp"
#include "unit/measurement/known_system.hpp"

namespace microslip {
namespace frf_estimate_test {

constexpr double step = 1.0 / 1024.0;

class FrfEstimate : public test::StudyFolder {
 protected:
  static test::KnownSystem system() { return {step, {{60.0, 0.05, {1.0, -0.5}}, {200.0, 0.02, {0.5, 2.0}}}}; }

  /// A hit at 24.y, seen by 1.y and 2.-y, which points against 2.y.
  void SetUp() override {
    test::StudyFolder::SetUp();
    for (int file = 1; file <= 3; ++file) {
      std::vector<double> force(2300, 0.0);
      test::add_pulse(force, 200, 6, 10.0 * file);
      Normal normal(static_cast<std::uint64_t>(file));
      const std::vector<double> a = system().response(force, 0), b = system().response(force, 1);
      UniversalFile content;
      std::string csv = "time,force,1.y,2.-y\n";
      for (const int channel : {24, 1, 2}) {
        UniversalFunction function;
        function.type = 1;
        function.response = {channel, channel == 2 ? -2 : 2};
        function.abscissa_kind = UniversalKind::time;
        function.ordinate_kind = channel == 24 ? UniversalKind::force : UniversalKind::acceleration;
        content.functions.push_back(function);
      }
      for (std::size_t j = 0; j < force.size(); ++j) {
        const double values[] = {force[j] + 0.01 * normal(), a[j] + 1e-4 * normal(), -b[j] + 1e-4 * normal()};
        for (std::size_t c = 0; c < 3; ++c) {
          content.functions[c].abscissa.push_back(step * static_cast<double>(j));
          content.functions[c].values.push_back(values[c]);
        }
        csv += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g}\n", step * static_cast<double>(j), values[0], values[1],
                           values[2]);
      }
      write(fmt::format("hit{}.unv", file), universal_text(content, UniversalForm::little_endian));
      write(fmt::format("hit{}.csv", file), csv);
    }
  }

  static std::string study(const std::string& keys) {
    return R"(
[[analysis]]
kind = "frf_estimate"
name = "frf"
)" + keys;
  }
  /// Runs it and gives its main table.
  CsvTable run(const std::string& keys) {
    outcome_ = run_study(parse(study(keys)), path("out"), {});
    EXPECT_EQ(outcome_.exit_code, 0) << outcome_.failure << outcome_.analyses[0].message;
    return read_csv_table(path("out/frf.csv"));
  }

  RunOutcome outcome_;
};

const std::string three = R"(
records = ["hit1.unv", "hit2.unv", "hit3.unv"]
channels = { "1.y" = "left", "2.y" = "-right", "24.y" = "tip" }
)";

// The response of `right` is that of the system's second channel with its sign turned. Beyond five and a half standard
// errors there is one number of 1e7; the noise is known to 1/sqrt(130 x 3/2) = 7 %.
TEST_F(FrfEstimate, OfRecordsByTheNamesOfTheStudy) {
  const CsvTable table = run(three);
  const std::vector<double>& f = table.column("frequency_hz");
  ASSERT_GT(f.size(), 900U);
  const auto at = [&](const char* symbol, const char* name, std::size_t k) {
    return table.column(fmt::format("{}[{}]", symbol, name))[k];
  };
  for (std::size_t k = 0; k < f.size() && f[k] < 220.0; ++k) {  // the force has its first zero at 1.5/(6 h) = 256
    for (const char* name : {"left/tip", "right/tip"}) {
      const bool left = name[0] == 'l';
      const std::complex<double> expected = left ? system().transfer(f[k], 0) : -system().transfer(f[k], 1);
      const double error = std::hypot(at("error", name, k), at("force_error", "tip", k) * std::abs(expected));
      EXPECT_NEAR(at("re", name, k), expected.real(), 6.0 * error);
      EXPECT_NEAR(at("im", name, k), expected.imag(), 6.0 * error);
      EXPECT_DOUBLE_EQ(at("abs", name, k), std::hypot(at("re", name, k), at("im", name, k)));
      // 1e-4 sqrt(2100/2)/(sqrt(14) |F|) with |F| of a hit of 10 from 37 down to 6.
      EXPECT_LT(error, 2e-4 + 0.001 * std::abs(expected));
    }
    if (std::abs(f[k] - 60.0) < 3.0) {
      EXPECT_GT(at("coherence", "left/tip", k), 0.999);
    }
  }
  const CsvTable hits = read_csv_table(path("out/frf-hits.csv"));
  ASSERT_EQ(hits.rows(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(hits.column("record")[k], static_cast<double>(k + 1));
    EXPECT_NEAR(hits.column("peak_force")[k], 10.0 * static_cast<double>(k + 1), 0.05);
    EXPECT_EQ(hits.column("used")[k], 1.0);
  }
  EXPECT_NE(outcome_.report, "");
  EXPECT_EQ(outcome_.report_failure, "");
}

// The same records as CSV give the same numbers: universal files hold doubles here.
TEST_F(FrfEstimate, FilesOfAnyKind) {
  const CsvTable universal = run(three);
  const CsvTable commas = run(R"(
records = ["hit1.csv", "hit2.csv", "hit3.csv"]
channels = { "1.y" = "left", "2.y" = "-right", "force" = "f[tip]" }
quantity = "acceleration"
)");
  EXPECT_EQ(universal.names, commas.names);
  EXPECT_EQ(universal.columns, commas.columns);
}

// A file that names its unit, here by the label in the header of 58: accelerations (kind 12) in g, or in those of the
// study.
TEST_F(FrfEstimate, UnitsOfAFileThatAreNotTheStudysAreTold) {
  const std::string units = "[units]\nlength = \"m\"\nforce = \"N\"\ntime = \"s\"\n";
  const std::string plain = read_text_file(path("hit1.unv")), head = "        12    0    0    0 NONE                 ";
  for (const char* unit : {"g    ", "m/s^2"}) {
    std::string text = plain;
    std::size_t labels = 0;
    for (std::size_t at = 0; (at = text.find(head + "NONE ", at)) != std::string::npos; at += head.size(), ++labels) {
      text.replace(at + head.size(), 5, unit);
    }
    ASSERT_EQ(labels, 2U);
    write("labelled.unv", text);
    outcome_ = run_study(parse(units + study("records = \"labelled.unv\"\n")), path("out"), {});
    ASSERT_EQ(outcome_.exit_code, 0) << outcome_.failure;
    const bool told = outcome_.analyses[0].message.find(
                          "a[1.y] is in g, the study in m/s^2, and nothing is converted") != std::string::npos;
    EXPECT_EQ(told, unit[0] == 'g') << outcome_.analyses[0].message;
  }
}

// 58b holds the values as they are; its frequencies have six digits.
TEST_F(FrfEstimate, IsReadBackFromItsFiles) {
  const CsvTable table = run(three);
  const std::string text = R"(
data = ["out/frf.unv"]
channels = { "1" = "left", "2" = { name = "right", scale = 2.0 }, "3" = "tip" }
)";
  const TomlDocument document = parse_toml(text, path("study.toml"));
  const TableReader reader(document.root, document.file, "");
  const MeasuredResponses read = read_frequency_responses(reader, "data");
  ASSERT_EQ(read.references.size(), 1U);
  const FrequencyResponses& of = read.references[0];
  EXPECT_EQ(of.reference, "tip");
  EXPECT_EQ(of.channels, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(of.quantity, Quantity::acceleration);
  ASSERT_EQ(static_cast<std::size_t>(of.frequency.size()), table.rows());
  for (Eigen::Index k = 0; k < of.frequency.size(); ++k) {
    const auto row = static_cast<std::size_t>(k);
    EXPECT_NEAR(of.frequency(k), table.column("frequency_hz")[row], 2e-6 * of.frequency(k) + 1e-5);
    EXPECT_EQ(of.values(k, 0).real(), table.column("re[left/tip]")[row]);
    EXPECT_EQ(of.values(k, 1).imag(), 2.0 * table.column("im[right/tip]")[row]);
  }
  // The table itself tells errors and coherence too.
  const std::string again = "data = \"out/frf.csv\"\nquantity = \"acceleration\"\n";
  const TomlDocument second = parse_toml(again, path("study.toml"));
  const MeasuredResponses full = read_frequency_responses(TableReader(second.root, second.file, ""), "data");
  ASSERT_EQ(full.references.at(0).error.cols(), 2);
  EXPECT_EQ(full.references[0].error(5, 1), table.column("error[right/tip]")[5]);
  EXPECT_EQ(full.references[0].coherence(5, 1), table.column("coherence[right/tip]")[5]);
}

TEST_F(FrfEstimate, ASingleHitTellsNoCoherence) {
  run("records = \"hit1.unv\"\nexponential_window = 0.01\nband_hz = [20, 220]\nestimator = \"Hv\"\n");
  EXPECT_NE(outcome_.analyses[0].message.find("with a single hit the coherence is 1"), std::string::npos);
  const auto facts = outcome_.analyses[0].facts_json();
  EXPECT_EQ(facts["averages"], 1);
  EXPECT_GT(facts["window_decay"], 2.0);
  EXPECT_GE(facts["band_hz"][0], 20.0);
  EXPECT_LE(facts["band_hz"][1], 220.0);
}

TEST_F(FrfEstimate, RandomExcitation) {
  std::string csv = "time,f[s],a[x]\n";
  Normal normal(3);
  double before = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const double force = normal();
    csv += fmt::format("{:.6g},{:.9g},{:.9g}\n", 0.01 * i, force, force - 0.5 * before + 0.1 * normal());
    before = force;
  }
  write("random.csv", csv);
  const CsvTable table = run("records = \"random.csv\"\nexcitation = \"random\"\nresolution_hz = 0.5\noverlap = 0.6\n");
  EXPECT_EQ(table.rows(), 99U);  // 0.5 to 49.5
  EXPECT_NEAR(table.column("abs[x/s]")[97], 1.5, 0.1);
  EXPECT_FALSE(std::filesystem::exists(path("out/frf-hits.csv")));
}

TEST_F(FrfEstimate, Mistakes) {
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(study(keys), "analysis \"frf\": " + message);
  };
  expect("records = »[]\n", "records: the list is empty");
  expect_complaint_begins(study("records = »\"none.unv\"\n"), "analysis \"frf\": records: ");
  expect("records = \"hit1.unv\"\nreference = »\"25.y\"\n",
         "reference: \"hit1.unv\": there is no column \"25.y\"; the header has \"time,f[24.y],a[1.y],a[2.-y]\"; its "
         "forces are f[24.y]");
  expect("records = \"hit1.unv\"\nreference = »\"1.y\"\n",
         "reference: \"hit1.unv\": column \"a[1.y]\" holds accelerations, not forces; its forces are f[24.y]");
  expect("records = \"hit1.unv\"\nquantity = »\"velocity\"\nresponses = [\"1.y\"]\n",
         "quantity: \"hit1.unv\": column \"a[1.y]\" holds accelerations, not velocities");
  expect("records = \"hit1.unv\"\nresponses = »[\"1.y\", \"3.y\"]\n",
         "responses: no record has a channel \"3.y\"; did you mean \"1.y\"?");
  expect("records = \"hit1.unv\"\nchannels = { »\"3.y\" = \"x\" }\n",
         "channels: no channel \"3.y\" in \"hit1.unv\" (time, f[24.y], a[1.y], a[2.-y])");
  expect("records = \"hit1.unv\"\nband_hz = »[10, 600]\n",
         "band_hz must be [low, high] with low < high <= 512, half the sampling rate, got [10, 600]");
  expect("records = \"hit1.unv\"\nduration = »5.0\n",
         "duration must be from 0.0625, 64 samples, to 2.24609, the length of the shortest record, got 5");
  expect("records = \"hit1.unv\"\n»overlap = 0.5\n", "unknown key \"overlap\"; did you mean \"overloads\"?");
  expect_complaint(test::marked_at(study("records = \"hit1.csv\"\n"), "[[analysis]]"),
                   "analysis \"frf\": quantity is missing: \"hit1.csv\" does not say what its channels measure");
}

TEST_F(FrfEstimate, MistakesInRecords) {
  std::string fast = "time,force,x\n", dead = fast, jumps = fast, back = fast, two = "time,force1,force2,x\n";
  for (int i = 0; i < 100; ++i) {
    fast += fmt::format("{},{},{}\n", 0.0005 * i, i == 50 ? 1 : 0, i % 3);
    dead += fmt::format("{},1.5,{}\n", 0.001 * i, i % 3);
    jumps += fmt::format("{},{},{}\n", i < 70 ? 0.001 * i : 0.001 * i + 0.5, i == 50 ? 1 : 0, i % 3);
    back += fmt::format("{},{},{}\n", i < 70 ? 0.001 * i : 0.001 * i - 0.05, i == 50 ? 1 : 0, i % 3);
    two += fmt::format("{},{},0,{}\n", 0.001 * i, i == 50 ? 1 : 0, i % 3);
  }
  write("fast.csv", fast);
  write("dead.csv", dead);
  write("jumps.csv", jumps);
  write("back.csv", back);
  write("two.csv", two);
  const std::string rest = "quantity = \"acceleration\"\n";
  expect_complaint(
      study("records = [\"hit1.csv\", »\"fast.csv\"]\n" + rest),
      "analysis \"frf\": records: all must be sampled alike: \"fast.csv\" has the step 0.0005, \"hit1.csv\" "
      "has 0.0009765625");
  expect_complaint(study("records = »\"dead.csv\"\n" + rest),
                   "analysis \"frf\": records: \"dead.csv\": the force \"force\" is dead, all of its values are 1.5");
  expect_complaint_begins(study("records = \"jumps.csv\"\n" + rest), "jumps.csv:72:1: time jumps: ");
  expect_complaint_begins(study("records = \"back.csv\"\n" + rest), "back.csv:72:1: time must increase: ");
  expect_complaint(study("records = [\"hit1.csv\", »\"hit1.csv\"]\n" + rest),
                   "analysis \"frf\": records: \"hit1.csv\" holds the same samples as \"hit1.csv\": one hit, taken "
                   "twice, looks like less noise");
  expect_complaint_begins(study("records = »\"two.csv\"\n" + rest),
                          "analysis \"frf\": records: \"two.csv\" has 2 forces (force1, force2)");
}

// What the responses measure need not be said twice; said wrong, it is a mistake of the study.
TEST_F(FrfEstimate, AFitTakesWhatTheResponsesMeasure) {
  const std::string estimate = study("records = \"hit1.csv\"\nquantity = \"displacement\"\n");
  const std::string fit = "[[analysis]]\nkind = \"modal_fit\"\nname = \"fit\"\nfrom = \"frf\"\n";
  expect_complaint(estimate + fit, "");
  expect_complaint(estimate + fit + "quantity = »\"velocity\"\n",
                   "analysis \"fit\": quantity: the responses of analysis \"frf\" measure displacement, not velocity");
}

TEST_F(FrfEstimate, ChannelMaps) {
  const auto table = [&](const std::string& channels) {
    const std::string text = "channels = " + channels;
    const TomlDocument document = parse_toml(text, path("study.toml"));
    CsvTable made{"test.unv", 1, {"time", "a[1.y]", "f[1.y]", "12.-z", "x"}, {{0}, {1}, {2}, {3}, {4}}, {0}};
    ChannelMap map(TableReader(document.root, document.file, ""));
    map.apply(made);
    map.require_used({"test.unv"}, {"time"});
    return made;
  };
  // A name stands for all that is measured there; with a letter for that alone.
  CsvTable made = table(R"({ "1.y" = "tip", "12.z" = "-up", x = { name = "1.y", scale = 0.5 } })");
  EXPECT_EQ(made.names, (std::vector<std::string>{"time", "a[tip]", "f[tip]", "up", "1.y"}));
  EXPECT_EQ(made.columns[3][0], 3.0);  // turned twice
  EXPECT_EQ(made.columns[4][0], 2.0);
  made = table(R"({ "f[1.y]" = { name = "-hammer", scale = 4 }, "1.y" = "tip" })");
  EXPECT_EQ(made.names, (std::vector<std::string>{"time", "a[tip]", "f[hammer]", "12.-z", "x"}));
  EXPECT_EQ(made.columns[2][0], -8.0);
  made = table(R"({ x = "f[new]" })");
  EXPECT_EQ(made.names[4], "f[new]");
  const auto complaint_of = [&](const std::string& channels) -> std::string {
    try {
      static_cast<void>(table(channels));
    } catch (const StudyError& error) {
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(complaint_of(R"({ x = "12.-z" })"), "channels: test.unv has two channels that would be called \"12.-z\"");
  EXPECT_EQ(complaint_of(R"({ "a[1.y]" = "v[x]" })"),
            "channels: column \"a[1.y]\" of test.unv cannot become \"v[x]\": the file says what it holds");
  EXPECT_EQ(complaint_of(R"({ "y" = "z" })"), "channels: no channel \"y\" in test.unv (time)");
  EXPECT_EQ(complaint_of(R"({ "x" = { name = "z", scale = 0 } })"),
            "channels: \"x\": scale must not be 0: the channel would be dead");
  EXPECT_EQ(complaint_of(R"({ "x" = 3 })"), "channels: \"x\" must be a string, got 3; write \"3\"");
  EXPECT_EQ(complaint_of(R"({ "x" = "a,b" })").substr(0, 40), "channels: the name of a channel must not");
}

// A ring-down takes the same map.
TEST_F(FrfEstimate, RingDownsTakeChannels) {
  const std::string keys = R"(
[[analysis]]
kind = "ringdown"
data = "hit1.unv"
quantity = "acceleration"
channel = "left"
band_hz = [40, 90]
channels = { "1.y" = "left" }
)";
  EXPECT_EQ(complaint(keys), "");
  expect_complaint(
      test::replaced(keys, "{ \"1.y\"", "{ »\"5.y\""),
      "analysis \"ringdown\": channels: no channel \"5.y\" in \"hit1.unv\" (time, f[24.y], a[1.y], a[2.-y])");
}

TEST_F(FrfEstimate, KindsThatNeedAStructure) {
  expect_complaint("[[analysis]]\nkind = »\"modes\"\n", "analysis \"modes\": \"modes\" needs a [structure]");
  expect_complaint("[[analysis]]\nkind = »\"ringdown\"\n",
                   "analysis \"ringdown\": \"ringdown\" needs a [structure], or data");
  expect_complaint("[[load]]\nname = \"x\"\n[[analysis]]\nkind = \"modes\"\n",
                   "study.toml:1:1: [[load]] needs a [structure]");
  expect_complaint("»[[analysis]]\nkind = \"ringdown\"\ndata = \"hit1.csv\"\nquantity = \"acceleration\"\n",
                   "analysis \"ringdown\": without shapes, channel or from the filter is that of the [structure], and "
                   "there is none");
}

}  // namespace frf_estimate_test
}  // namespace microslip
