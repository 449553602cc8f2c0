// Base motions in studies: every coordinate moves with the ground, whatever it follows from; vectors that are no motion
// of one body are refused; what Rayleigh's mass term damps.

#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "microslip/io/csv_table.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/results/analysis_summary.hpp"
#include "microslip/study/run_study.hpp"
#include "study_folder.hpp"
#include "support/brick_block.hpp"

namespace microslip {
namespace {

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
        "[structure]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\nlabels = \"labels.txt\"\nnodes = \"nodes.csv\"\n{}\n"
        "[[structure.spider]]\nname = \"foot\"\nnodes = [{}]\n{}\n[[structure.spider]]\nname = \"tip\"\nnodes = "
        "[{}]\n{}\n",
        keys, fmt::join(foot_, ", "), spider, fmt::join(tip_, ", "), spider);
    for (const char* d : {"y", "z", "rx", "ry", "rz"}) {
      text +=
          fmt::format("[[joint]]\nname = \"{0}\"\nbetween = [\"ground\", \"foot.{0}\"]\nlaw = \"linear\"\nk = {1}\n", d,
                      std::string(d).size() == 1 ? "1e8" : "1e5");
    }
    return text +
           "[[joint]]\nname = \"x\"\nbetween = [\"ground\", \"foot.x\"]\nlaw = \"iwan4\"\nKT = 1e8\n"
           "chi = -0.5\nbeta = 1.0\n" +
           "FS = 100.0\n";
  }
  [[nodiscard]] static std::string shake(const std::string& shape, double omega) {
    return fmt::format(
        "[[load]]\nname = \"shake\"\nbase = true\n{}\nsignal = {{ kind = \"sine\", amplitude = {}, omega = {} }}\n",
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
    {"kind = \"reduced\"\nmodes = 6\nrecover = \"all\"\ndamping = { modal = 0.01 }", ""},
    {"kind = \"reduced\"\nmodes = 6\nboundary = [\"foot\"]\nrecover = \"all\"\ndamping = { modal = 0.01 }",
     "kind = \"rigid\""},
    {"kind = \"matrices\"\ndamping = { modal = 0.01 }", ""},
    {"kind = \"matrices\"\ndamping = { modal = 0.01 }", "kind = \"rigid\""},
};

// Far below the first mode all of the structure moves with the ground, by its amplitude: nodes, patches, nodes of rigid
// ties, recovered points. Nothing slips. By every method.
TEST_F(ShakenBlock, SlowlyEverythingMovesWithTheGround) {
  for (const Kind& kind : kinds) {
    const std::string body = structure(kind.keys, kind.spider);
    const Study study = parse(body);
    const double slow = 1e-3 * study.system.stuck_modes().omega(0);
    const std::string load = body + shake("direction = \"x\"", slow);
    const auto& labels = study.system.structure().labels();
    const auto along = [](const std::string& label) { return label.ends_with(".x") ? 1.0 : 0.0; };
    const auto moves = [](const std::string& label) { return label.find('r') > label.size() && label[0] != 'm'; };
    int compared = 0;
    const CsvTable frf =
        table(load + fmt::format("[[analysis]]\nkind = \"frf\"\nload = \"shake\"\nat = [{}]\n", slow), "frf");
    for (const std::string& label : labels) {
      if (!moves(label)) continue;
      ++compared;
      EXPECT_NEAR(frf.column("harmonic1[" + label + "]")[0] / amplitude, along(label), 2e-5)
          << label << kind.keys << kind.spider;
    }
    EXPECT_GE(compared, 60);
    const double end = 0.5 * std::numbers::pi / slow;
    const CsvTable run =
        table(load + fmt::format("[[analysis]]\nkind = \"transient\"\nload = \"shake\"\nduration = {}\n"
                                 "step = {}\nmethod = \"modal_exact\"\nrecord = {{ every = 500 }}\n",
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
  const std::string full_body = structure("kind = \"matrices\"\ndamping = { modal = 0.02 }");
  const double omega = 0.9 * parse(full_body).system.stuck_modes().omega(0);
  const auto frf = [&](const std::string& body) {
    return table(
        body + shake("direction = [0, 0, 1]", omega) +
            fmt::format("[[analysis]]\nkind = \"frf\"\nload = \"shake\"\nat = [{}]\nlevels = [1e-3]\nrecord = {{ "
                        "dofs = [\"foot.z\", \"7.z\", \"20.z\", \"20.x\"] }}\n",
                        omega),
        "frf");
  };
  const CsvTable full = frf(full_body);
  const CsvTable reduced =
      frf(structure("kind = \"reduced\"\nmodes = 8\nrecover = [\"7.z\", \"20.z\", \"20.x\"]\ndamping = { "
                    "modal = 0.02 }"));
  for (const char* label : {"foot.z", "7.z", "20.z", "20.x"}) {
    for (const char* column : {"harmonic1", "phase1"}) {
      const std::string name = fmt::format("{}[{}]", column, label);
      EXPECT_NEAR(reduced.column(name)[0] / full.column(name)[0], 1.0, 1e-4) << name;
    }
  }
}

TEST_F(ShakenBlock, VectorsThatAreNoMotionOfABodyAreRefused) {
  const std::string body =
      structure("kind = \"reduced\"\nmodes = 4\nboundary = [\"foot\", \"tip\"]\nrecover = [\"7.x\"]");
  const auto lines = std::count(body.begin(), body.end(), '\n');
  EXPECT_EQ(
      complaint(body + shake("vector = { \"foot.x\" = 1.0 }", 1.0)),
      fmt::format("study.toml:{}:10: load \"shake\": vector is not the motion of the structure as one body: "
                  "\"tip.x\" is 0, must be 1. Give direction = \"x\" (y, z, [1, 0, 0]) instead, or rigid = false for "
                  "a vector that is meant so",
                  lines + 4));
  EXPECT_EQ(
      complaint(body + shake("vector = { \"foot.x\" = 1.0, \"tip.x\" = 1.0, \"7.x\" = 0.9 }", 1.0)),
      fmt::format("study.toml:{}:10: load \"shake\": vector is not the motion of the structure as one body: "
                  "\"7.x\" is 0.9, must be 1. Give direction = \"x\" (y, z, [1, 0, 0]) instead, or rigid = false for "
                  "a vector that is meant so",
                  lines + 4));
  const Study given = parse(body + shake("vector = { \"foot.x\" = 1.0, \"tip.x\" = 1.0 }", 1.0));
  const Study derived = parse(body + shake("direction = \"x\"", 1.0));
  EXPECT_LT((given.loads[0].direction - derived.loads[0].direction).norm(), 1e-9);
  EXPECT_NEAR(given.loads[0].direction.tail(1)(0), 1.0, 1e-9) << "7.x follows";
  EXPECT_EQ(given.loads[0].note, "");
  // Taken as it is, with a word about it.
  const Study meant = parse(body + shake("vector = { \"foot.x\" = 1.0 }\nrigid = false", 1.0));
  EXPECT_EQ(meant.loads[0].direction(0), 1.0);
  EXPECT_EQ(meant.loads[0].direction(6), 0.0);
  EXPECT_NE(meant.loads[0].note.find("K r is not zero at 2 of "), std::string::npos) << meant.loads[0].note;
}

// A ground that turns about z: every node by z x (p - p0). One wrong entry is named.
TEST_F(ShakenBlock, RotationsComeFromThePlacesOfNodes) {
  const std::string body = structure("kind = \"matrices\"");
  const auto vector = [&](double wrong) {
    std::string text = "vector = {";
    for (int i = 0; i < block_.nodes(); ++i) {
      const Eigen::Vector3d p = block_.position(i) - Eigen::Vector3d(0.1, 0.02, 0.0);
      text += fmt::format("{} \"{}.x\" = {}, \"{}.y\" = {}", i > 0 ? "," : "", i + 1, -p.y(), i + 1,
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
      "[structure]\nkind = \"matrices\"\nmass = \"Mc.mtx\"\nstiffness = \"Kc.mtx\"\n"
      "[[load]]\nname = \"shake\"\nbase = true\nvector = { \"1\" = 1, \"2\" = 1, \"3\" = 1 }\n"
      "signal = { kind = \"sine\", amplitude = 1, omega = 1e-3 }\n"
      "[[analysis]]\nkind = \"transient\"\nload = \"shake\"\nduration = 1\nstep = 0.1\n");
  EXPECT_EQ(study.loads[0].note,
            "K r is not zero at 1 of 3 degrees of freedom (1): there the structure holds on to the ground, or r is no "
            "motion with it");
  const RunOutcome outcome = run_study(study, path("out"), {});
  EXPECT_EQ(outcome.analyses[0].message, "base motion \"shake\": " + study.loads[0].note);
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
        "[structure]\nmass = \"Mc.mtx\"\nstiffness = \"Kc.mtx\"\nlabels = \"chain.txt\"\ndamping = { modal = 0.02 }\n" +
            keys +
            "[[joint]]\nname = \"j\"\nbetween = [\"20.x\", \"30.x\"]\nlaw = \"linear\"\nk = 0.1\n"
            "[[load]]\nname = \"shake\"\nbase = true\ndirection = \"x\"\nsignal = { kind = \"sine\", amplitude = 1, "
            "omega = 1 }\n[[analysis]]\nkind = \"frf\"\nload = \"shake\"\nat = [1e-4, 0.04]\nrecord = { dofs = "
            "[\"20.x\", \"30.x\"] }\n",
        "frf");
  };
  const CsvTable full = frf("kind = \"matrices\"\n"), reduced = frf("kind = \"reduced\"\nmodes = 8\n");
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
      "[structure]\nkind = \"matrices\"\nmass = \"Mc.mtx\"\nstiffness = \"Kc.mtx\"\ndamping = { modal = 0.05 }\n"
      "[[joint]]\nname = \"j\"\nbetween = [\"ground\", \"1\"]\nlaw = \"iwan4\"\nFS = 0.01\nKT = 1\nchi = -0.5\nbeta = "
      "1\n"
      "[[load]]\nname = \"shake\"\nbase = true\nvector = { \"1\" = 1, \"2\" = 1 }\n"
      "signal = { kind = \"sine\", amplitude = 1, omega = 1e-3 }\n[[analysis]]\n";
  const CsvTable run = table(text +
                                 "kind = \"transient\"\nload = \"shake\"\nduration = 6000\nstep = 0.1\nmethod = "
                                 "\"modal_exact\"\nrecord = { every = "
                                 "1000 }\n",
                             "transient");
  for (std::size_t row = 1; row < run.rows(); ++row) {
    const double t = run.column("time")[row];
    for (const char* q : {"q[1]", "q[2]"})
      EXPECT_NEAR(run.column(q)[row], std::sin(1e-3 * t), 3e-3) << q << " at " << t;
    EXPECT_LT(std::abs(run.column("u[j]")[row]), 3e-3);
  }
  const CsvTable frf = table(text + "kind = \"frf\"\nload = \"shake\"\nat = [1e-3]\n", "frf");
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
    const std::string key = *term != '\0' ? fmt::format(", mass_term = \"{}\"", term) : "";
    const std::string text = fmt::format(
        "[structure]\nkind = \"lumped\"\nmasses = [2.0]\nsprings = [[\"ground\", \"1\", 50.0]]\n"
        "damping = {{ rayleigh = [0.4, 0.0]{} }}\n"
        "[[joint]]\nname = \"j\"\nbetween = [\"ground\", \"1\"]\nlaw = \"linear\"\nk = 22.0\n"
        "[[load]]\nname = \"shake\"\nbase = true\nsignal = {{ kind = \"sine\", amplitude = 1.0, omega = 5.0 }}\n"
        "[[analysis]]\nname = \"a\"\nload = \"shake\"\n",
        key);
    for (const char* method : {"harmonic_balance", "shooting", "piecewise_linear"}) {
      const CsvTable frf = table(text + fmt::format("kind = \"frf\"\nat = [5.0]\nmethod = \"{}\"\n", method), "a");
      const double tolerance = method == std::string("shooting") ? 1e-4 : 1e-9;
      EXPECT_NEAR(frf.column("harmonic1[1]")[0], std::abs(exact), tolerance) << method << term;
      EXPECT_NEAR(std::remainder(frf.column("phase1[1]")[0] - std::arg(exact), 2.0 * std::numbers::pi), 0.0, tolerance)
          << method << term;
    }
    // Curves follow derivatives with respect to omega; the last point is the closed form again.
    for (const char* method : {"harmonic_balance", "shooting", "piecewise_linear"}) {
      const CsvTable curve =
          table(text + fmt::format("kind = \"frf\"\nomega = [4.0, 5.0]\nmethod = \"{}\"\n", method), "a");
      EXPECT_NEAR(curve.column("harmonic1[1]").back(), std::abs(exact), 2e-4) << method << term;
    }
    for (const char* method : {"newmark", "modal_exact", "events"}) {
      RunOptions options;
      options.report = false;
      const RunOutcome outcome = run_study(
          parse(text +
                fmt::format("kind = \"transient\"\nduration = 100\nstep = 0.001\nmethod = \"{}\"\nrecord = {{ every = "
                            "1000 }}\n",
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
  const std::string lumped = test::structure_text;  // 5 lines
  const auto base = [](const std::string& key) {
    return "[[load]]\nname = \"g\"\nbase = true\n" + key + "\nsignal = { kind = \"sine\", amplitude = 1, omega = 1 }\n";
  };
  EXPECT_EQ(
      complaint(lumped + base("direction = \"x\"")),
      "study.toml:9:1: load \"g\": direction does not go with base in a lumped structure: all of it moves with the "
      "ground");
  const std::string force =
      "[[load]]\nname = \"g\"\nat = \"1\"\ndirection = \"x\"\nsignal = { kind = \"sine\", amplitude = 1, omega = 1 }\n";
  EXPECT_EQ(complaint(lumped + force), "study.toml:9:1: load \"g\": direction goes with base = true");
  std::string modal = lumped;
  modal.replace(modal.find("{ modal = 1e-4 }"), 16, "{ modal = 1e-4, mass_term = \"absolute\" }");
  EXPECT_EQ(complaint(modal),
            "study.toml:5:27: structure: damping: mass_term goes with rayleigh: it says which motion its a M damps");
  std::string rayleigh = lumped;
  rayleigh.replace(rayleigh.find("{ modal = 1e-4 }"), 16, "{ rayleigh = [0.1, 0], mass_term = \"absolut\" }");
  EXPECT_EQ(complaint(rayleigh),
            "study.toml:5:46: structure: damping: unknown mass_term \"absolut\"; did you mean \"absolute\"?");
  const std::string block = structure("kind = \"matrices\"");
  const auto lines = std::count(block.begin(), block.end(), '\n');
  EXPECT_EQ(complaint(block + base("direction = \"w\"")),
            fmt::format("study.toml:{}:13: load \"g\": unknown direction \"w\" (x, y, z)", lines + 4));
  EXPECT_EQ(complaint(block + base("direction = [1, 0]")),
            fmt::format(
                "study.toml:{}:13: load \"g\": direction must be \"x\", \"y\", \"z\" or three numbers, got a list of 2",
                lines + 4));
  EXPECT_EQ(
      complaint(block + base("")),
      fmt::format("study.toml:{}:8: load \"g\": base needs direction = \"x\", \"y\" or \"z\", or vector = {{ label = "
                  "value, ... }}, the displacement of every degree of freedom when the ground moves by one",
                  lines + 3));
  EXPECT_EQ(complaint(block + base("direction = \"x\"\nvector = { \"1.x\" = 1 }")),
            fmt::format("study.toml:{}:1: load \"g\": direction and vector exclude each other", lines + 5));
}

}  // namespace
}  // namespace microslip
