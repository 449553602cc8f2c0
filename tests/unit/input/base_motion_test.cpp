// Base motions in studies: every coordinate moves with the ground, whatever it follows from; vectors that are no motion
// of one body are refused; what Rayleigh's mass term damps.

#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "microslip/io/csv_table.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "support/brick_block.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace base_motion_test {

using test::marked_at;
using test::replaced;
using testing::BrickBlock;

/// A free block whose foot (the patch at x = 0) joints hold to the ground; one of them slips at a thousandth of the
/// ground's amplitude.
class ShakenBlock : public test::StudyFolder {
 protected:
  static constexpr double amplitude = 1e-3;

  void SetUp() override {
    test::StudyFolder::SetUp();
    block_.elements = {4, 1, 1};
    block_.size = {0.3, 0.05, 0.04};
    testing::Triplets k, m;
    testing::add_block(block_, 0, k, m);
    const auto matrices = testing::assembled(3 * block_.nodes(), k, m);
    write_matrix_market(path("K.mtx"), matrices.stiffness);
    write_matrix_market(path("M.mtx"), matrices.mass);
    std::string labels, nodes = "label,x,y,z\n";
    for (int i = 0; i < block_.nodes(); ++i) {
      const Eigen::Vector3d p = block_.position(i);
      nodes += fmt::format("{},{},{},{}\n", i + 1, p.x(), p.y(), p.z());
      for (const char* d : {"x", "y", "z"}) labels += fmt::format("{}.{}\n", i + 1, d);
      if (p.x() < 1e-9) foot_.push_back(i + 1);
      if (p.x() > 0.3 - 1e-9) tip_.push_back(i + 1);
    }
    write("labels.txt", labels);
    write("nodes.csv", nodes);
  }

  [[nodiscard]] std::string structure(const std::string& keys, const std::string& spider = "") const {
    std::string text = fmt::format(
        R"(
[structure]
mass = "M.mtx"
stiffness = "K.mtx"
labels = "labels.txt"
nodes = "nodes.csv"
{}
[[structure.spider]]
name = "foot"
nodes = [{}]
{}
[[structure.spider]]
name = "tip"
nodes = [{}]
{}
)",
        keys, fmt::join(foot_, ", "), spider, fmt::join(tip_, ", "), spider);
    for (const char* d : {"y", "z", "rx", "ry", "rz"}) {
      text += fmt::format(R"(
[[joint]]
name = "{0}"
between = ["ground", "foot.{0}"]
law = "linear"
k = {1}
)",
                          d, std::string(d).size() == 1 ? "1e8" : "1e5");
    }
    return text +
           R"(
[[joint]]
name = "x"
between = ["ground", "foot.x"]
law = "iwan4"
KT = 1e8
chi = -0.5
beta = 1.0
)" + "FS = 100.0\n";
  }
  [[nodiscard]] static std::string shake(const std::string& shape, double omega) {
    return fmt::format(
        R"(
[[load]]
name = "shake"
base = true
{}
signal = {{ kind = "sine", amplitude = {}, omega = {} }}
)",
        shape, amplitude, omega);
  }

  /// Runs the study and gives the rows of a table.
  [[nodiscard]] CsvTable table(const std::string& study, const std::string& name) const {
    RunOptions options;
    options.report = false;
    const RunOutcome outcome = run_study(parse(study), path("out"), options);
    if (outcome.exit_code != 0) throw std::runtime_error(outcome.analyses[0].message);
    return read_csv_table(path("out/" + name + ".csv"));
  }

  BrickBlock block_;
  std::vector<int> foot_, tip_;
};

struct Kind {
  std::string keys, spider;
};
const Kind kinds[] = {
    {R"(
kind = "reduced"
modes = 6
recover = "all"
damping = { modal = 0.01 })",
     ""},
    {R"(
kind = "reduced"
modes = 6
boundary = ["foot"]
recover = "all"
damping = { modal = 0.01 })",
     R"(kind = "rigid")"},
    {R"(
kind = "matrices"
damping = { modal = 0.01 })",
     ""},
    {R"(
kind = "matrices"
damping = { modal = 0.01 })",
     R"(kind = "rigid")"},
};

// Far below the first mode all of the structure moves with the ground, by its amplitude: nodes, patches, nodes of rigid
// ties, recovered points. Nothing slips. By every method.
TEST_F(ShakenBlock, SlowlyEverythingMovesWithTheGround) {
  for (const Kind& kind : kinds) {
    const std::string body = structure(kind.keys, kind.spider);
    const Study study = parse(body);
    const double slow = 1e-3 * study.system.stuck_modes().omega(0);
    const std::string load = body + shake(R"(direction = "x")", slow);
    const auto& labels = study.system.structure().labels();
    const auto along = [](const std::string& label) { return label.ends_with(".x") ? 1.0 : 0.0; };
    const auto moves = [](const std::string& label) { return label.find('r') > label.size() && label[0] != 'm'; };
    int compared = 0;
    const CsvTable frf = table(load + fmt::format(R"(
[[analysis]]
kind = "frf"
load = "shake"
at = [{}]
)",
                                                  slow),
                               "frf");
    for (const std::string& label : labels) {
      if (!moves(label)) continue;
      ++compared;
      EXPECT_NEAR(frf.column("harmonic1[" + label + "]")[0] / amplitude, along(label), 2e-5)
          << label << kind.keys << kind.spider;
    }
    EXPECT_GE(compared, 60);
    const double end = 0.5 * std::numbers::pi / slow;
    const CsvTable run = table(load + fmt::format(R"(
[[analysis]]
kind = "transient"
load = "shake"
duration = {}
step = {}
method = "modal_exact"
record = {{ every = 500 }}
)",
                                                  end, end / 20000),
                               "transient");
    for (std::size_t row = 0; row < run.rows(); ++row) {
      const double ground = std::sin(slow * run.column("time")[row]);
      for (const std::string& label : labels) {
        if (!moves(label)) continue;
        // From rest: the ground starts with a jerk that rings by omega/omega_1 of the amplitude.
        EXPECT_NEAR(run.column("q[" + label + "]")[row] / amplitude, along(label) * ground, 5e-3) << label << kind.keys;
      }
      EXPECT_LT(std::abs(run.column("u[x]")[row]), 5e-3 * amplitude) << kind.keys;
    }
  }
}

// The reduced model against the full one, near its first mode.
TEST_F(ShakenBlock, RecoveredPointsMoveAsInTheFullModel) {
  const std::string full_body = structure(R"(
kind = "matrices"
damping = { modal = 0.02 })");
  const double omega = 0.9 * parse(full_body).system.stuck_modes().omega(0);
  const auto frf = [&](const std::string& body) {
    return table(body + shake("direction = [0, 0, 1]", omega) +
                     fmt::format(R"(
[[analysis]]
kind = "frf"
load = "shake"
at = [{}]
levels = [1e-3]
record = {{ dofs = ["foot.z", "7.z", "20.z", "20.x"] }}
)",
                                 omega),
                 "frf");
  };
  const CsvTable full = frf(full_body);
  const CsvTable reduced = frf(structure(R"(
kind = "reduced"
modes = 8
recover = ["7.z", "20.z", "20.x"]
damping = { modal = 0.02 })"));
  for (const char* label : {"foot.z", "7.z", "20.z", "20.x"}) {
    for (const char* column : {"harmonic1", "phase1"}) {
      const std::string name = fmt::format("{}[{}]", column, label);
      EXPECT_NEAR(reduced.column(name)[0] / full.column(name)[0], 1.0, 1e-4) << name;
    }
  }
}

TEST_F(ShakenBlock, VectorsThatAreNoMotionOfABodyAreRefused) {
  const std::string body = structure(R"(
kind = "reduced"
modes = 4
boundary = ["foot", "tip"]
recover = ["7.x"])");
  const auto expect = [&](const std::string& vector, const std::string& wrong) {
    expect_complaint(body + shake(vector, 1.0),
                     "load \"shake\": vector is not the motion of the structure as one body: " + wrong +
                         R"(, must be 1. Give direction = "x" (y, z, [1, 0, 0]) instead, or rigid = false for a )"
                         "vector that is meant so");
  };
  expect(R"(vector = »{ "foot.x" = 1.0 })", R"("tip.x" is 0)");
  expect(R"(vector = »{ "foot.x" = 1.0, "tip.x" = 1.0, "7.x" = 0.9 })", R"("7.x" is 0.9)");
  const Study given = parse(body + shake(R"(vector = { "foot.x" = 1.0, "tip.x" = 1.0 })", 1.0));
  const Study derived = parse(body + shake(R"(direction = "x")", 1.0));
  EXPECT_LT((given.loads[0].direction - derived.loads[0].direction).norm(), 1e-9);
  EXPECT_NEAR(given.loads[0].direction.tail(1)(0), 1.0, 1e-9) << "7.x follows";
  EXPECT_EQ(given.loads[0].note, "");
  // Taken as it is, with a word about it.
  const Study meant = parse(body + shake(R"(
vector = { "foot.x" = 1.0 }
rigid = false)",
                                         1.0));
  EXPECT_EQ(meant.loads[0].direction(0), 1.0);
  EXPECT_EQ(meant.loads[0].direction(6), 0.0);
  EXPECT_NE(meant.loads[0].note.find("K r is not zero at 2 of "), std::string::npos) << meant.loads[0].note;
}

// A ground that turns about z: every node by z x (p - p0). One wrong entry is named.
TEST_F(ShakenBlock, RotationsComeFromThePlacesOfNodes) {
  const std::string body = structure(R"(kind = "matrices")");
  const auto vector = [&](double wrong) {
    std::string text = "vector = {";
    for (int i = 0; i < block_.nodes(); ++i) {
      const Eigen::Vector3d p = block_.position(i) - Eigen::Vector3d(0.1, 0.02, 0.0);
      text += fmt::format(R"({} "{}.x" = {}, "{}.y" = {})", i > 0 ? "," : "", i + 1, -p.y(), i + 1,
                          p.x() + (i == 12 ? wrong : 0.0));
    }
    return text + " }";
  };
  const Study study = parse(body + shake(vector(0.0), 1.0));
  const Eigen::VectorXd& r = study.loads[0].direction;
  EXPECT_EQ(study.loads[0].note, "");
  EXPECT_NEAR(r(study.system.structure().index_of("tip.rz")), 1.0, 1e-9);
  EXPECT_NEAR(r(study.system.structure().index_of("tip.y")), 0.2, 1e-9);
  const std::string refused = complaint(body + shake(vector(0.1), 1.0));
  EXPECT_NE(refused.find("not the motion of the structure as one body"), std::string::npos) << refused;
}

// Held rows were taken out: K r is not zero beside them, which is no mistake.
TEST_F(ShakenBlock, RowsBesideAClampAreNamed) {
  write("Kc.mtx", "%%MatrixMarket matrix array real general\n3 3\n2\n-1\n0\n-1\n2\n-1\n0\n-1\n1\n");
  write("Mc.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n");
  const Study study = parse(
      R"(
[structure]
kind = "matrices"
mass = "Mc.mtx"
stiffness = "Kc.mtx"
[[load]]
name = "shake"
base = true
vector = { "1" = 1, "2" = 1, "3" = 1 }
signal = { kind = "sine", amplitude = 1, omega = 1e-3 }
[[analysis]]
kind = "transient"
load = "shake"
duration = 1
step = 0.1
)");
  EXPECT_EQ(study.loads[0].note,
            "K r is not zero at 1 of 3 degrees of freedom (1): there the structure holds on to the ground, or r is no "
            "motion with it");
  const RunOutcome outcome = run_study(study, path("out"), {});
  EXPECT_EQ(outcome.analyses[0].message, R"(base motion "shake": )" + study.loads[0].note);
}

// A clamped reduced model: between clamp and boundary the modes make up the motion with the ground.
TEST_F(ShakenBlock, ClampedReducedModelsFollowTheGround) {
  const int n = 30;
  std::string k = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {1}\n", n, 2 * n - 1);
  std::string m = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {0}\n", n), labels;
  for (int i = 1; i <= n; ++i) {
    k += fmt::format("{0} {0} {1}\n", i, i < n ? 2 : 1);
    if (i > 1) k += fmt::format("{} {} -1\n", i, i - 1);
    m += fmt::format("{0} {0} 1\n", i);
    labels += fmt::format("{}.x\n", i);
  }
  write("Kc.mtx", k);
  write("Mc.mtx", m);
  write("chain.txt", labels);
  const auto frf = [&](const std::string& keys) {
    return table(
        R"(
[structure]
mass = "Mc.mtx"
stiffness = "Kc.mtx"
labels = "chain.txt"
damping = { modal = 0.02 }
)" + keys +
            R"(
[[joint]]
name = "j"
between = ["20.x", "30.x"]
law = "linear"
k = 0.1
[[load]]
name = "shake"
base = true
direction = "x"
signal = { kind = "sine", amplitude = 1, omega = 1 }
[[analysis]]
kind = "frf"
load = "shake"
at = [1e-4, 0.04]
record = { dofs = ["20.x", "30.x"] }
)",
        "frf");
  };
  const CsvTable full = frf(R"(kind = "matrices")"), reduced = frf(R"(
kind = "reduced"
modes = 8
)");
  for (const char* label : {"harmonic1[20.x]", "harmonic1[30.x]"}) {
    EXPECT_NEAR(reduced.column(label)[0], 1.0, 1e-4);
    EXPECT_GT(full.column(label)[1], 1.1);
    EXPECT_NEAR(reduced.column(label)[1] / full.column(label)[1], 1.0, 1e-3) << label;
  }
}

// A ground spring on a coordinate without mass: no mode holds its motion with the ground.
TEST_F(ShakenBlock, MasslessCoordinatesMoveWithTheGround) {
  write("Kc.mtx", "%%MatrixMarket matrix array real general\n2 2\n3\n-1\n-1\n1\n");
  write("Mc.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 2 1\n");
  const std::string text =
      R"(
[structure]
kind = "matrices"
mass = "Mc.mtx"
stiffness = "Kc.mtx"
damping = { modal = 0.05 }
[[joint]]
name = "j"
between = ["ground", "1"]
law = "iwan4"
FS = 0.01
KT = 1
chi = -0.5
beta = 1
[[load]]
name = "shake"
base = true
vector = { "1" = 1, "2" = 1 }
signal = { kind = "sine", amplitude = 1, omega = 1e-3 }
[[analysis]]
)";
  const CsvTable run = table(text +
                                 R"(
kind = "transient"
load = "shake"
duration = 6000
step = 0.1
method = "modal_exact"
record = { every = 1000 }
)",
                             "transient");
  for (std::size_t row = 1; row < run.rows(); ++row) {
    const double t = run.column("time")[row];
    for (const char* q : {"q[1]", "q[2]"})
      EXPECT_NEAR(run.column(q)[row], std::sin(1e-3 * t), 3e-3) << q << " at " << t;
    EXPECT_LT(std::abs(run.column("u[j]")[row]), 3e-3);
  }
  const CsvTable frf = table(text + R"(
kind = "frf"
load = "shake"
at = [1e-3]
)",
                             "frf");
  for (const char* q : {"1", "2"}) EXPECT_NEAR(frf.column(fmt::format("harmonic1[{}]", q))[0], 1.0, 1e-4) << q;
}

// One mass on springs K = 72 with a m x': over the ground's amplitude it moves by
//   (K + i w a m)/(K - w^2 m + i w a m) where a m damps x - g, and by K/(K - w^2 m + i w a m) where it damps x.
TEST_F(ShakenBlock, MassTermOfRayleighDampsRelativeOrAbsoluteMotion) {
  const double w = 5.0, a = 0.4, m = 2.0, stiffness = 72.0;
  for (const char* term : {"", "relative", "absolute"}) {
    const std::complex<double> damper(0.0, w * a * m);
    const std::complex<double> driven = term == std::string("absolute") ? stiffness : stiffness + damper;
    const std::complex<double> exact = driven / (stiffness - w * w * m + damper);
    const std::string key = *term != '\0' ? fmt::format(R"(, mass_term = "{}")", term) : "";
    const std::string text = fmt::format(
        R"(
[structure]
kind = "lumped"
masses = [2.0]
springs = [["ground", "1", 50.0]]
damping = {{ rayleigh = [0.4, 0.0]{} }}
[[joint]]
name = "j"
between = ["ground", "1"]
law = "linear"
k = 22.0
[[load]]
name = "shake"
base = true
signal = {{ kind = "sine", amplitude = 1.0, omega = 5.0 }}
[[analysis]]
name = "a"
load = "shake"
)",
        key);
    for (const char* method : {"harmonic_balance", "shooting", "piecewise_linear"}) {
      const CsvTable frf = table(text + fmt::format(R"(
kind = "frf"
at = [5.0]
method = "{}"
)",
                                                    method),
                                 "a");
      const double tolerance = method == std::string("shooting") ? 1e-4 : 1e-9;
      EXPECT_NEAR(frf.column("harmonic1[1]")[0], std::abs(exact), tolerance) << method << term;
      EXPECT_NEAR(std::remainder(frf.column("phase1[1]")[0] - std::arg(exact), 2.0 * std::numbers::pi), 0.0, tolerance)
          << method << term;
    }
    // Curves follow derivatives with respect to omega; the last point is the closed form again.
    for (const char* method : {"harmonic_balance", "shooting", "piecewise_linear"}) {
      const CsvTable curve = table(text + fmt::format(R"(
kind = "frf"
omega = [4.0, 5.0]
method = "{}"
)",
                                                      method),
                                   "a");
      EXPECT_NEAR(curve.column("harmonic1[1]").back(), std::abs(exact), 2e-4) << method << term;
    }
    for (const char* method : {"newmark", "modal_exact", "events"}) {
      RunOptions options;
      options.report = false;
      const RunOutcome outcome = run_study(parse(text + fmt::format(R"(
kind = "transient"
duration = 100
step = 0.001
method = "{}"
record = {{ every = 1000 }}
)",
                                                                    method)),
                                           path("out"), options);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.analyses[0].message;
      const CsvTable run = read_csv_table(path("out/a.csv"));
      const double t = run.column("time").back();
      const std::complex<double> motion = exact * std::exp(std::complex<double>(0.0, w * t));
      EXPECT_NEAR(run.column("q[1]").back(), motion.imag(), 1e-5) << method << term;
      EXPECT_NEAR(run.column("v[1]").back(), w * motion.real(), 5e-4) << method << term;
      EXPECT_LT(outcome.analyses[0].facts_json()["energy"]["error"].get<double>(), 1e-5) << method << term;
    }
  }
}

TEST_F(ShakenBlock, Mistakes) {
  const std::string lumped = test::structure_text;
  const auto base = [](const std::string& key) {
    return "[[load]]\nname = \"g\"\nbase = true\n" + key + "\nsignal = { kind = \"sine\", amplitude = 1, omega = 1 }\n";
  };
  expect_complaint(lumped + base(R"(»direction = "x")"),
                   R"(load "g": direction does not go with base in a lumped structure: all of it moves with the )"
                   "ground");
  expect_complaint(lumped + R"(
[[load]]
name = "g"
at = "1"
»direction = "x"
signal = { kind = "sine", amplitude = 1, omega = 1 }
)",
                   R"(load "g": direction goes with base = true)");
  expect_complaint(replaced(lumped, "{ modal = 1e-4 }", R"({ modal = 1e-4, »mass_term = "absolute" })"),
                   "structure: damping: mass_term goes with rayleigh: it says which motion its a M damps");
  expect_complaint(replaced(lumped, "{ modal = 1e-4 }", R"({ rayleigh = [0.1, 0], mass_term = »"absolut" })"),
                   R"(structure: damping: unknown mass_term "absolut"; did you mean "absolute"?)");
  const std::string block = structure("kind = \"matrices\"");
  expect_complaint(block + base(R"(direction = »"w")"), R"(load "g": unknown direction "w" (x, y, z))");
  expect_complaint(block + base("direction = »[1, 0]"),
                   R"(load "g": direction must be "x", "y", "z" or three numbers, got a list of 2)");
  expect_complaint(block + marked_at(base(""), "true"),
                   R"(load "g": base needs direction = "x", "y" or "z", or vector = { label = value, ... }, the )"
                   "displacement of every degree of freedom when the ground moves by one");
  expect_complaint(block + base(R"(
direction = "x"
»vector = { "1.x" = 1 })"),
                   R"(load "g": direction and vector exclude each other)");
}

}  // namespace base_motion_test
}  // namespace microslip
