// What every kind of analysis declares for the report: figures of columns that are there, in their units, and sentences
// with numbers. Energy ledgers and slider states against closed forms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "microslip/report/figure.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/study.hpp"
#include "support/study_folder.hpp"
#include "unit/measurement/response_csv.hpp"
#include "unit/measurement/synthetic_responses.hpp"

namespace microslip {
namespace figures_test {

using test::dry_mass_text;
using test::joint_text;
using test::light_hit_text;
using test::shaker_text;
using test::structure_text;

const std::string three_masses = structure_text + joint_text + shaker_text + light_hit_text;

const std::string one_mass =
    R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 1e4]]
damping = { modal = 1e-3 }
[[joint]]
name = "lap"
between = ["ground", "1"]
law = "iwan4"
FS = 1.0
KT = 1e4
chi = -0.3
beta = 2.0
[[load]]
name = "hit"
at = "1"
signal = { kind = "half_sine", amplitude = 0.5, duration = 0.02 }
[[load]]
name = "shaker"
at = "1"
signal = { kind = "sine", amplitude = 0.01, omega = 1.0 }
)";

std::string analysis(const std::string& kind, const std::string& name, const std::string& keys) {
  return R"(
[[analysis]]
kind = ")" +
         kind + R"("
name = ")" +
         name + "\"\n" + keys;
}

/// Values of a curve's column where its conditions hold.
std::vector<double> chosen(const MemorySink& table, const Curve& curve, const std::string& column) {
  std::vector<double> values = table.column(column), result;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const bool all = std::all_of(curve.where.begin(), curve.where.end(), [&](const Condition& condition) {
      return table.column(condition.column)[row] == condition.value;
    });
    if (all) result.push_back(values[row]);
  }
  return result;
}

class FigureStudy : public test::StudyFolder {
 protected:
  /// Runs every analysis in memory and looks at what it declares.
  void look_at(const std::string& text) {
    study_.emplace(parse(text));
    outer_.emplace(path("results"), study_->units, std::vector<std::string>{});
    memory_.emplace(*outer_, Results::InMemory{});
    summaries_.clear();
    for (const AnalysisPointer& each : study_->analyses) {
      SCOPED_TRACE(each->name);
      AnalysisRun with{study_->system, *memory_, {}};
      AnalysisSummary summary = each->run(with);
      EXPECT_EQ(summary.ending, Ending::completed) << summary.message;
      check_figures(each->figures(study_->system), each->name);
      check_text(each->in_words(summary, study_->units), true);
      check_text(each->how(summary), false);
      EXPECT_NO_THROW(static_cast<void>(to_json(summary)));
      const bool study = each->kind_word == "parameter_study" || each->kind_word == "update";
      for (const std::string& name : each->table_names()) {
        const MemorySink* written = memory_->find(name);
        if (written == nullptr) continue;
        for (const Column& column : written->columns()) {
          EXPECT_FALSE(column.description.empty()) << name << " " << column.name;
          const bool varied = study || column.description == "varied";  // in units of what is varied
          EXPECT_TRUE(varied || !column.unit.empty()) << name << " " << column.name;
        }
      }
      // Of an analysis that gave nothing.
      check_text(each->in_words(AnalysisSummary{}, study_->units), false);
      check_text(each->how(AnalysisSummary{}), false);
      summaries_.push_back(std::move(summary));
    }
  }

  [[nodiscard]] const MemorySink& table(const std::string& name) const { return memory_->kept(name); }
  [[nodiscard]] std::vector<Figure> figures_of(std::size_t i) const {
    return study_->analyses[i]->figures(study_->system);
  }

  static void check_text(const std::string& text, bool with_number) {
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    EXPECT_EQ(text.find("  "), std::string::npos) << text;
    EXPECT_EQ(text.back(), '.') << text;
    if (with_number) {
      EXPECT_TRUE(std::any_of(text.begin(), text.end(), [](char c) { return std::isdigit(c) != 0; })) << text;
    }
  }

  void check_figures(const std::vector<Figure>& list, const std::string& name) const {
    EXPECT_FALSE(list.empty());
    std::set<std::string> names;
    for (const Figure& figure : list) {
      SCOPED_TRACE(figure.name);
      EXPECT_TRUE(names.insert(figure.name).second);
      EXPECT_EQ(figure.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos);
      EXPECT_FALSE(figure.title.empty());
      EXPECT_FALSE(figure.curves.empty());
      for (const Curve& curve : figure.curves) check_curve(figure, curve, name);
      for (const Marks& marks : figure.marks) check_curve(figure, marks.points, name);
    }
  }

  void check_curve(const Figure& figure, const Curve& curve, const std::string& name) const {
    SCOPED_TRACE(curve.table + ": " + curve.y + " over " + curve.x);
    const MemorySink* found = memory_->find(table_name(name, curve.table));
    ASSERT_NE(found, nullptr);
    ASSERT_FALSE(found->columns().empty());
    const auto unit_of = [&](const std::string& column) -> std::string {
      const auto& columns = found->columns();
      const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == column; });
      if (at == columns.end()) {
        ADD_FAILURE() << "no column " << column;
        return "?";
      }
      EXPECT_FALSE(at->description.empty()) << column;
      return at->unit;
    };
    for (const std::string& column : curve.split) unit_of(column);
    for (const Condition& condition : curve.where) unit_of(condition.column);
    if (!curve.stable.empty()) unit_of(curve.stable);
    if (figure.kind == FigureKind::shapes) {
      EXPECT_FALSE(study_->system.structure().geometry().empty());
      for (const std::string& label : study_->system.structure().labels()) {
        EXPECT_EQ(unit_of(curve.y + "[" + label + "]"), figure.y.unit);
        if (!curve.z.empty()) {
          EXPECT_EQ(unit_of(curve.z + "[" + label + "]"), figure.y.unit);
        }
      }
      return;
    }
    check_axis(figure.x, *found, curve, curve.x, unit_of);
    check_axis(figure.y, *found, curve, curve.y, unit_of);
    if (figure.kind == FigureKind::map) {
      check_axis(figure.z, *found, curve, curve.z, unit_of);
      const auto x = chosen(*found, curve, curve.x), y = chosen(*found, curve, curve.y);
      EXPECT_EQ(std::set<double>(x.begin(), x.end()).size() * std::set<double>(y.begin(), y.end()).size(), x.size());
    } else {
      EXPECT_TRUE(curve.z.empty());
    }
  }

  static void check_axis(const Axis& axis, const MemorySink& table, const Curve& curve, const std::string& column,
                         const std::function<std::string(const std::string&)>& unit_of) {
    EXPECT_EQ(unit_of(column), axis.unit) << column;
    EXPECT_FALSE(axis.label.empty());
    if (!axis.log) return;
    for (const double value : chosen(table, curve, column)) {
      // No sliders of that strength, or a loss that may be none: nothing to show.
      if ((column.starts_with("rho") || column == "dissipation_low") && value == 0.0) continue;
      EXPECT_GT(value, 0.0) << column;
    }
  }

  std::optional<Study> study_;
  std::optional<Results> outer_, memory_;
  std::vector<AnalysisSummary> summaries_;
};

TEST_F(FigureStudy, ModesAndModalCurves) {
  look_at(R"(
[units]
length = "m"
force = "N"
time = "s"
)" + three_masses +
          analysis("modes", "modes", "") + analysis("qsma", "qsma", R"(
mode = [1, 2]
alpha = [0.01, 30.0]
points = 12
)") +
          analysis("nonlinear_mode", "nnm",
                   R"(
mode = [1, 2]
amplitude = [0.1, 10.0]
points = 6
load = "shaker"
levels = [0.1, 0.2]
)") + analysis("fit_modal_iwan", "fit", R"(
from = "qsma"
mode = 1
)"));
  const auto facts = summaries_[0].facts_json();
  EXPECT_NEAR(facts["frequency_hz_stuck"][0].get<double>(),
              study_->system.stuck_modes().omega(0) / (2.0 * std::numbers::pi), 1e-15);
}

TEST_F(FigureStudy, Transients) {
  look_at(three_masses +
          analysis("transient", "ring",
                   R"(
load = "hit"
duration = 60.0
step = 0.02
psd = { segment = 20.0, to_hz = 2.0 }
)") +
          analysis("transient", "quiet",
                   R"(
load = "hit"
duration = 6.0
step = 0.02
record = { dofs = [], joints = [] }
)") +
          analysis("transient", "density",
                   R"(
load = "hit"
duration = 60.0
step = 0.02
psd = { segment = 20.0, only = true }
)") + analysis("ringdown", "decay", R"(
load = "hit"
duration = 300.0
step = 0.05
mode = [1, 2]
)") + analysis("ringdown", "strongest", R"(
load = "hit"
duration = 300.0
step = 0.05
)"));
}

TEST_F(FigureStudy, OneMass) {
  look_at(one_mass + analysis("averaging", "fast", R"(
load = "hit"
duration = 1.0
step = 1e-3
)") + analysis("averaging", "free", R"(
initial = { q = { "1" = 1e-4 } }
duration = 1.0
step = 1e-3
)") + analysis("orbit", "orbit", R"(
load = "shaker"
omega = 140.0
points = 128
)") + analysis("loop", "loop", R"(
turns = [1e-4, -1e-4, 1e-4]
)") + analysis("fit_ignl", "static", "joints = { to = 1e-4, both = true }\n"));
}

TEST_F(FigureStudy, SeveralModesByAveraging) {
  look_at(three_masses + analysis("averaging", "modes", "load = \"hit\"\nduration = 20.0\nstep = 0.1\nmodes = 2\n"));
}

TEST_F(FigureStudy, MeasuredRingdown) {
  std::string text = "time,left\n";
  for (int i = 0; i < 2000; ++i) {
    const double t = 1e-3 * i;
    text += fmt::format("{},{}\n", t, std::exp(-2.0 * t) * std::cos(100.0 * t));
  }
  write("test.csv", text);
  look_at(three_masses + analysis("ringdown", "test", R"(
data = "test.csv"
quantity = "velocity"
channel = "left"
)"));
}

TEST_F(FigureStudy, MeasuredModes) {
  write("shapes.csv",
        "frequency_hz,frequency_hz_error,phi[1],phi[2],phi[3]\n0.07,0.001,0.3,0.6,0.7\n0.19,0.002,0.7,0.3,-0.6\n");
  look_at(three_masses + analysis("compare_modes", "compare", "shapes = \"shapes.csv\"\n"));
}

TEST_F(FigureStudy, UpdatedModel) {
  look_at(three_masses + analysis("qsma", "test", "mode = 2\nalpha = [0.1, 20.0]\npoints = 12\n") +
          analysis("update", "fit", R"(
parameters = [{ name = "KT", paths = "joint.lap.KT", range = [0.5, 2.0], scale = "log" }]
targets = [{ curve = "test", errors = { frequency = 1e-4, damping = 0.02 } },
           { loop = { joint = "lap", to = [8.0, -8.0, 8.0], points = 20 }, settled = false, errors = { force = 0.01 } }]
starts = 1
)") + analysis("update", "draws", R"(
method = "posterior"
chains = 2
warmup = 200
draws = 400
parameters = [{ name = "KT", paths = "joint.lap.KT", range = [0.5, 2.0], scale = "log" },
              { name = "chi", paths = "joint.lap.chi", range = [-0.8, -0.2] }]
predictions = [{ mode = 3, range = [0.1, 5.0], points = 5 }]
targets = [{ curve = "test", discrepancy = false, errors = { frequency = 1e-4, damping = 0.02 } }]
)") + analysis("update", "trials", R"(
method = "sample"
samples = 20
parameters = [{ name = "KT", paths = "joint.lap.KT", range = [0.5, 2.0], scale = "log" }]
targets = [{ curve = "test", errors = { frequency = 1e-4, damping = 0.02 } }]
)"));
}

TEST_F(FigureStudy, RecordsBesideEachOther) {
  std::string text = "time,a[1],a[2],a[3]\n";
  for (int i = 0; i < 1200; ++i) {
    const double t = 0.5 * i;
    const auto mode = [t](double omega) { return std::exp(-0.002 * t) * std::sin(omega * t); };
    text += fmt::format("{},{},{},{}\n", t, mode(0.424) + mode(1.216), 0.5 * mode(1.744), mode(1.744) - mode(0.424));
  }
  write("record.csv", text);
  look_at(three_masses + analysis("transient", "ring", R"(
load = "hit"
duration = 600.0
step = 0.1
)") + analysis("compare_records", "both", R"(
simulated = "ring"
measured = "record.csv"
modes = [1, 2, 3]
)"));
}

TEST_F(FigureStudy, MeasuredResponses) {
  std::string hit = "time,f[s],a[x],a[y]\n", random = hit;
  for (int i = 0; i < 1200; ++i) {
    const double t = 0.001 * i, after = std::max(0.0, t - 0.1), noise = 1e-4 * std::cos(1.7 * i * i);
    const double a = std::exp(-20.0 * after) * std::sin(600.0 * after);
    const double force = i > 98 && i < 103 ? 1.0 : 0.0;
    hit += fmt::format("{},{},{},{}\n", t, force + noise, a + noise, noise - 2.0 * a);
    random += fmt::format("{},{},{},{}\n", t, 1e4 * noise, 1e4 * noise + std::sin(2.3 * i * i), std::cos(0.9 * i * i));
  }
  write("hit.csv", hit);
  write("random.csv", random);
  look_at(analysis("frf_estimate", "hits", R"(
records = "hit.csv"
exponential_window = 0.1
)") + analysis("frf_estimate", "random", R"(
records = "random.csv"
excitation = "random"
)"));
}

TEST_F(FigureStudy, Responses) {
  look_at(three_masses + analysis("frf", "curve", R"(
load = "shaker"
levels = [0.05, 0.1]
omega = [0.3, 0.5]
tolerance = 1e-3
)") +
          analysis("frf", "wide",
                   R"(
load = "shaker"
levels = [0.02]
omega = [0.1, 1.1]
tolerance = 1e-3
record = { dofs = ["3"] }
)") + analysis("frf", "points", R"(
load = "shaker"
levels = [0.1]
at = [0.4, 0.42]
tolerance = 1e-3
)") +
          analysis("frf", "shot",
                   R"(
load = "shaker"
levels = [0.1]
at = [0.4, 0.42]
method = "shooting"
tolerance = 1e-3
)") +
          analysis("level_sweep", "levels",
                   R"(
load = "shaker"
levels = [0.01, 0.2]
omega = [0.4, 0.45]
tolerance = 1e-3
)") + analysis("peaks", "over_level", R"(
load = "shaker"
levels = [0.02, 0.2]
mode = 1
tolerance = 1e-3
)") + analysis("peaks", "over_number", R"(
load = "shaker"
over = "joint.lap.FS"
values = [8.0, 12.0]
omega = [0.3, 0.5]
tolerance = 1e-3
)"));
  // The largest amplitude told is that of points and peaks.
  const MemorySink &points = table("curve"), &special = table("curve-special");
  double largest = 0.0;
  for (const MemorySink* each : {&points, &special}) {
    const auto level = each->column("level");
    const auto amplitude = each->column("amplitude[3]");
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (level[i] == 0.1) largest = std::max(largest, amplitude[i]);
    }
  }
  EXPECT_EQ(summaries_[0].facts_json()["highest"][1]["amplitude"].get<double>(), largest);
  EXPECT_EQ(summaries_[0].facts_json()["highest"][1]["dof"], "3");
}

TEST_F(FigureStudy, DryFriction) {
  look_at(dry_mass_text + analysis("frf", "curve", R"(
load = "force"
method = "piecewise_linear"
omega = [2.5, 15.0]
)") + analysis("frf", "points", R"(
load = "force"
method = "piecewise_linear"
at = [3.0, 8.0]
)") + analysis("transient", "run", R"(
load = "force"
method = "events"
duration = 10.0
step = 0.02
)"));
}

TEST_F(FigureStudy, Fits) {
  look_at(one_mass +
          analysis("fit_bouc_wen", "bw",
                   R"(
data = [{ joint = "lap", to = 2e-5, points = 40 }, { joint = "lap", to = 8e-5, points = 40 }]
exponents = 5
)") +
          analysis("fit_iwan_distribution", "sliders",
                   R"(data = { joint = "lap", to = 3e-4, points = 60, noise = 1e-3 })") +
          analysis("fit_iwan_distribution", "spline",
                   R"(
data = { joint = "lap", to = 3e-4, points = 200 }
method = "spline"
)"));
}

TEST_F(FigureStudy, ModesOfMeasuredResponses) {
  const testing::KnownModes known{{50.0, 120.0}, {0.01, 0.02},       testing::cosine_shapes(3, 2),
                                  {0},           Quantity::velocity, 0.0};
  FrequencyResponses responses = testing::exact_responses(known, 10.0, 200.0, 191);
  testing::add_noise(0.01, 1, false, responses);
  write("frfs.csv", testing::response_csv(responses));
  const std::string data = "data = \"frfs.csv\"\nquantity = \"velocity\"\n";
  look_at(one_mass + analysis("modal_fit", "orders", data) +
          analysis("modal_fit", "peaks", data + "method = \"isolation\"\n"));
}

TEST_F(FigureStudy, ParameterStudies) {
  const auto study = [&](const std::string& name, const std::string& inner, const std::string& vary) {
    return analysis("parameter_study", name, "threads = 1\nanalysis = { " + inner + " }\nvary = { " + vary + " }\n");
  };
  const std::string modes = R"(kind = "modes", count = 2)";
  look_at(
      three_masses + study("curve", modes, R"("joint.lap.KT" = [1.0, 2.0, 50.0])") +
      study("map", modes, R"("joint.lap.KT" = [1.0, 2.0, 3.0], "structure.masses.2" = [5.0, 10.0])") +
      study("three", modes,
            R"("joint.lap.KT" = [1.0, 2.0], "structure.masses.2" = [5.0, 10.0], "structure.masses.1" = [5.0, )"
            R"(10.0])") +
      study("words", modes, R"("joint.lap.between" = [["1", "2"], ["2", "3"]])") +
      study("response",
            R"(kind = "frf", load = "shaker", levels = [0.05], omega = [0.4, 0.45], tolerance = 1e-3, record = )"
            R"({ dofs = ["3"] })",
            R"("joint.lap.KT" = [1.0, 2.0])") +
      study("history", R"(kind = "transient", load = "hit", duration = 2.0, step = 0.1)",
            R"("joint.lap.KT" = [1.0, 2.0])") +
      study("cycle", R"(kind = "qsma", mode = 1, alpha = [0.01, 1.0], points = 3)", R"("joint.lap.KT" = [1.0, 2.0])") +
      study("orbit", R"(kind = "orbit", load = "shaker", omega = 0.4, level = 0.05, tolerance = 1e-3)",
            R"("joint.lap.KT" = [1.0, 2.0])"));
  EXPECT_EQ(figures_of(1).front().kind, FigureKind::map);
  EXPECT_EQ(figures_of(0).front().kind, FigureKind::curves);
  EXPECT_TRUE(figures_of(0).front().x.log);
  EXPECT_FALSE(figures_of(1).front().x.log);
}

/// Row by row the energies balance, and the last row is the ledger of the summary.
void expect_ledger(const MemorySink& table, const AnalysisSummary& summary, const std::vector<std::string>& joints,
                   double tolerance) {
  const auto input = table.column("input"), stored = table.column("stored"), damping = table.column("damping"),
             error = table.column("error"), time = table.column("time");
  ASSERT_GT(table.rows(), 10U);
  EXPECT_LE(table.rows(), 2100U);
  EXPECT_EQ(time.front(), 0.0);
  EXPECT_EQ(input.front(), 0.0);
  const double most = std::max(stored.front(), *std::max_element(input.begin(), input.end()));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    double lost = damping[i], largest = std::max({std::abs(stored.front()), std::abs(input[i]), stored[i], damping[i]});
    for (const std::string& joint : joints) {
      const double value = table.column("joint[" + joint + "]")[i];
      lost += value;
      largest = std::max(largest, value);
      if (i > 0) {
        EXPECT_GE(value, table.column("joint[" + joint + "]")[i - 1] - 1e-12 * largest);  // friction only takes
      }
    }
    EXPECT_NEAR(stored.front() + input[i], stored[i] + lost, tolerance * most) << "at " << time[i];
    EXPECT_NEAR(std::abs(stored.front() + input[i] - stored[i] - lost), error[i] * largest, 1e-12 * largest);
    if (i == 0) continue;
    EXPECT_GT(time[i], time[i - 1]);
    EXPECT_GE(damping[i], damping[i - 1]);
  }
  const auto facts = summary.facts_json();
  const auto& energy = facts["energy"];
  EXPECT_EQ(time.back(), facts["time"].get<double>());
  EXPECT_EQ(stored.front(), energy["initial"].get<double>());
  EXPECT_EQ(input.back(), energy["input"].get<double>());
  EXPECT_EQ(stored.back(), energy["stored"].get<double>());
  EXPECT_EQ(damping.back(), energy["damping"].get<double>());
  EXPECT_EQ(error.back(), energy["error"].get<double>());
  for (const std::string& joint : joints) {
    EXPECT_EQ(table.column("joint[" + joint + "]").back(), energy["joints"][joint].get<double>());
  }
}

// Trapezoidal sums of powers, whose error is (Omega h)^2/12 of the energy that passes: powers vibrate with twice the
// highest frequency, Omega = 2 * 1.74, and h = 0.02: 4e-4.
TEST_F(FigureStudy, EnergyLedgerOverTime) {
  look_at(three_masses + analysis("transient", "ring", R"(
load = "hit"
duration = 60.0
step = 0.02
)") + analysis("transient", "free", R"(
initial = { q = { "3" = 5.0 } }
duration = 60.0
step = 0.02
)"));
  expect_ledger(table("ring-energy"), summaries_[0], {"lap"}, 1e-3);
  expect_ledger(table("free-energy"), summaries_[1], {"lap"}, 1e-3);
  EXPECT_NEAR(table("free-energy").column("stored").front(), 0.5 * 9.0 * 25.0 + 0.5 * 25.0, 13.0);
}

// One mass, no spring of its own but rigid friction fk: free sliding from speed v stops after v/fk, and friction takes
// fk times the way: closed forms at every row.
TEST_F(FigureStudy, EnergyLedgerOfEvents) {
  const std::string sliding =
      R"(
[structure]
kind = "lumped"
masses = [1.0]
[[joint]]
name = "floor"
between = ["ground", "1"]
law = "coulomb"
fs = 0.5
)" + analysis("transient", "stop",
              R"(
method = "events"
initial = { v = { "1" = 2.0 } }
duration = 6.0
step = 0.1
)");
  look_at(sliding);
  const MemorySink& ledger = table("stop-energy");
  const auto time = ledger.column("time"), stored = ledger.column("stored"), floor = ledger.column("joint[floor]");
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double t = std::min(time[i], 4.0);  // it stops at v/fk = 4
    EXPECT_NEAR(stored[i], 0.5 * std::pow(2.0 - 0.5 * t, 2), 1e-12) << time[i];
    EXPECT_NEAR(floor[i], 0.5 * (2.0 * t - 0.25 * t * t), 1e-12) << time[i];
  }
  look_at(dry_mass_text + analysis("transient", "run", R"(
load = "force"
method = "events"
duration = 40.0
step = 0.02
)"));
  expect_ledger(table("run-energy"), summaries_[0], {"damper"}, 1e-10);  // exact motion, Gauss's rule: rounding
}

// Jenkins: the spring up to its strength.
TEST_F(FigureStudy, Backbones) {
  look_at(
      R"(
[structure]
kind = "lumped"
masses = [1.0, 1.0]
springs = [["ground", "1", 100.0], ["1", "2", 50.0]]
damping = { modal = 1e-3 }
[[joint]]
name = "beside"
between = ["ground", "1"]
law = "gap"
k = 1.0
gap = 5.0
[[joint]]
name = "damper"
between = ["1", "2"]
law = "jenkins"
kt = 30.0
fs = 2.0
)" + analysis("qsma", "qsma", "mode = [1, 2]\nalpha = [0.01, 50.0]\n"));
  const MemorySink& backbones = table("qsma-backbones");
  double largest = 0.0;
  for (const double value : table("qsma").column("u[damper]")) largest = std::max(largest, std::abs(value));
  EXPECT_DOUBLE_EQ(backbones.column("u").back(), largest);
  EXPECT_GT(30.0 * largest, 2.0);
  for (std::size_t i = 0; i < backbones.rows(); ++i) {
    if (backbones.at(i, 0) != 2.0) continue;
    EXPECT_NEAR(backbones.at(i, 2), std::min(30.0 * backbones.at(i, 1), 2.0), 1e-14);
  }
}

// The sliders of a steady cycle of amplitude X: one of strength phi is stretched to min(X, phi) at the tips (it starts
// unstretched in the mean), and slips where that reaches phi.
TEST_F(FigureStudy, SliderStates) {
  look_at(one_mass + analysis("orbit", "orbit", R"(
load = "shaker"
omega = 139.0
level = 2.0
points = 256
)"));
  const MemorySink &states = table("orbit-states"), &orbit = table("orbit");
  const auto u = orbit.column("u[lap]");
  const auto [low, high] = std::minmax_element(u.begin(), u.end());
  const double amplitude = 0.5 * (*high - *low);
  const auto strength = states.column("strength"), stretch = states.column("stretch"), phase = states.column("phase");
  EXPECT_EQ(phase.front(), 0.0);
  EXPECT_EQ(phase.back(), 2.0 * std::numbers::pi);
  std::map<double, double> most;
  for (std::size_t i = 0; i < strength.size(); ++i) {
    most[strength[i]] = std::max(most[strength[i]], std::abs(stretch[i]));
    EXPECT_LE(std::abs(stretch[i]), 1.0 + 1e-12);
  }
  bool some_slip = false, some_stick = false;
  for (const auto& [phi, value] : most) {
    // Tips between the points of the grid: a cosine near its top falls by (pi/128)^2/2 of the amplitude.
    const double between = 0.5 * std::pow(std::numbers::pi / 128.0, 2) * std::max(1.0, amplitude / phi);
    EXPECT_NEAR(value, std::min(1.0, amplitude / phi), between) << phi;
    some_slip = some_slip || phi < amplitude;
    some_stick = some_stick || phi > amplitude;
  }
  EXPECT_TRUE(some_slip);
  EXPECT_TRUE(some_stick);
}

TEST_F(FigureStudy, Geometry) {
  write("nodes.csv",
        "label,x,y,z,dx,dy,dz,line\n1,0,0,0,1,0,0,1\n2,1,0,0,0,1,0,1\n3,1,0,0,0,0,1,1\nground,2,0,0,0,0,0,2\n"
        "1,1,1,0,0.5,0,0,2\n");
  const std::string with_nodes = structure_text + R"(geometry = "nodes.csv"
)" + joint_text + analysis("modes", "modes", "");
  look_at(with_nodes);
  const Geometry& geometry = study_->system.structure().geometry();
  EXPECT_FALSE(geometry.assumed);
  EXPECT_EQ(geometry.points.size(), 4U);
  EXPECT_EQ(geometry.motions.size(), 4U);  // the ground moves nothing
  ASSERT_EQ(geometry.lines.size(), 2U);
  EXPECT_EQ(geometry.lines[0], (std::vector<int>{0, 1}));
  EXPECT_EQ(geometry.lines[1], (std::vector<int>{2, 3}));
  EXPECT_EQ(geometry.motions[2].dof, 2);
  EXPECT_EQ(geometry.motions[2].point, 1);

  look_at(structure_text + joint_text + analysis("modes", "modes", ""));
  EXPECT_TRUE(study_->system.structure().geometry().assumed);
  EXPECT_EQ(study_->system.structure().geometry().points.size(), 3U);

  const auto expect = [&](const std::string& marked, const std::string& message) {
    const std::string place = write_marked("nodes.csv", marked);
    expect_complaint(with_nodes, place + message);
  };
  expect("»", "the file holds no header line");
  expect("»label,x,y,z,dx,dy,dz\n", "the file holds no points");
  expect("»label,x,y,z,dx,dy\n", R"(there is no column "dz")");
  expect("label,x,y,z,dx,dy,dz,»lines\n", R"(unknown column "lines"; did you mean "line"?)");
  expect("label,x,y,z,dx,dy,dz,»x\n", R"(column "x" is there twice)");
  expect("label,x,y,z,dx,dy,dz\n»4,0,0,0,1,0,0\n", R"(unknown label "4" (1, 2, 3))");
  expect("label,x,y,z,dx,dy,dz\n»1,0,0,0,1,0\n", "a row must have 7 values like the header, got 6");
  expect_complaint_begins(structure_text + R"(geometry = »"no.csv")" + joint_text, R"(structure: geometry: "no.csv)");
}

}  // namespace figures_test
}  // namespace microslip
