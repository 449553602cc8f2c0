// What a right study is understood as.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "microslip/analyses/modes/analysis.hpp"
#include "microslip/analyses/qsma/analysis.hpp"
#include "microslip/analyses/transient/analysis.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace study_reading_test {

using test::analysis_text;
using test::joint_text;
using test::load_text;
using test::structure_text;

class StudyReading : public test::StudyFolder {};

// Three masses: omega of the first stuck mode is 0.42447 (errata of Lacayo's thesis, table 4.1).
TEST_F(StudyReading, LumpedStructureWithJointLoadAndTransient) {
  const Study study = parse(R"(
title = "T"
[units]
length = "m"
)" + structure_text + joint_text +
                            load_text + analysis_text);
  EXPECT_EQ(study.title, "T");
  EXPECT_EQ(study.units.of("length/time"), "m/time");
  EXPECT_NEAR(study.system.stuck_modes().omega(0), 0.42447, 5e-6);
  EXPECT_EQ(study.system.joints()[0].directions, Eigen::Vector3d(0, -1, 1));
  ASSERT_EQ(study.analyses.size(), 1U);
  const auto& ring = dynamic_cast<const TransientAnalysis&>(*study.analyses[0]);
  EXPECT_EQ(ring.name, "ring");
  EXPECT_EQ(ring.options.step, 0.1);
  EXPECT_EQ(ring.loads[0].direction, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(ring.record.dofs, (std::vector<int>{0, 1, 2}));
}

TEST_F(StudyReading, MatricesWithLabelsAndDampingMatrix) {
  write("M.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 4\n");
  write("K.mtx", "%%MatrixMarket matrix array real general\n2 2\n2\n-1\n-1\n5\n");
  write("C.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 1 0.1\n");
  write("dofs.txt", "a x\r\nb:y\n\n");
  const Study study = parse(
      R"(
[structure]
kind = "matrices"
mass = "M.mtx"
stiffness = "K.mtx"
labels = "dofs.txt"
damping = { matrix = "C.mtx" }
dampers = [["a x", "ground", 2.0]]
[[load]]
name = "floor"
base = true
vector = { "a x" = 1.0 }
signal = { kind = "constant", amplitude = 1 }
)");
  const LinearStructure& structure = study.system.structure();
  EXPECT_EQ(structure.labels(), (std::vector<std::string>{"a x", "b:y"}));
  EXPECT_EQ(structure.stiffness().coeff(0, 1), -1.0);
  EXPECT_EQ(std::get<MatrixDamping>(structure.damping()).matrix(0, 0), 0.1);
  EXPECT_EQ(structure.dampers()[0].coefficient, 2.0);
  EXPECT_TRUE(study.loads[0].base);
  EXPECT_EQ(study.loads[0].direction, Eigen::Vector2d(1, 0));
}

TEST_F(StudyReading, EverySignal) {
  write("t.csv", "time,value\n0,1\n2,3\n");
  const auto signal = [&](const std::string& text) {
    const Study study = parse(structure_text + R"(
[[load]]
name = "p"
vector = { "1" = 1, "3" = -2.5 }
signal = )" + text + "\n");
    EXPECT_EQ(study.loads[0].direction, Eigen::Vector3d(1, 0, -2.5));
    return study.loads[0].signal;
  };
  constexpr double pi = std::numbers::pi;
  EXPECT_EQ(std::get<Constant>(signal(R"({ kind = "constant", amplitude = -2 })")).amplitude, -2.0);
  EXPECT_EQ(std::get<HalfSine>(signal(R"({ kind = "half_sine", amplitude = 1, duration = 3 })")).duration, 3.0);
  EXPECT_EQ(std::get<Sine>(signal(R"({ kind = "sine", amplitude = 1, frequency_hz = 5, phase = 1.5 })")).omega,
            10.0 * pi);
  EXPECT_EQ(std::get<Sine>(signal(R"({ kind = "sine", amplitude = 1, omega = 5 })")).omega, 5.0);
  const auto beat = std::get<SineBeat>(
      signal(R"({ kind = "sine_beat", amplitude = 1, frequency_hz = 2, bandwidth_hz = 0.5, dwell = 4 })"));
  EXPECT_EQ(beat.bandwidth, 0.5);
  EXPECT_EQ(beat.dwell, 4.0);
  const auto noise = std::get<RandomNoise>(signal(R"({ kind = "random", amplitude = 1, cutoff_hz = 40, seed = 3 })"));
  EXPECT_EQ(noise.seed, 3U);
  EXPECT_EQ(noise.duration, 0.0);  // from the analysis
  EXPECT_EQ(std::get<RampedSine>(signal(R"({ kind = "ramped_sine", from = 1, to = 2, over = 3, omega = 4 })")).over,
            3.0);
  EXPECT_EQ(std::get<TableSignal>(signal(R"({ kind = "table", file = "t.csv" })")).values,
            (std::vector<double>{1.0, 3.0}));
}

TEST_F(StudyReading, NoiseLastsAsLongAsItsAnalysis) {
  const Study study = parse(structure_text +
                            R"(
[[load]]
name = "hit"
mode = 2
signal = { kind = "random", amplitude = 1, cutoff_hz = 40 }
)" + analysis_text);
  const auto& load = dynamic_cast<const TransientAnalysis&>(*study.analyses[0]).loads[0];
  EXPECT_EQ(std::get<RandomNoise>(load.signal.kind()).duration, 2.0);
  EXPECT_LT((load.direction - study.system.modal_force(1)).norm(), 1e-15);
}

TEST_F(StudyReading, TransientOptions) {
  const Study study = parse(structure_text + joint_text + load_text +
                            R"(
[[analysis]]
kind = "transient"
load = ["hit"]
duration = 1
modes = 2
steps_per_period = 50
method = "newmark"
gamma = 0.6
beta = 0.3025
initial = { q = { "1" = 0.1 }, v = { "3" = -1 } }
record = { dofs = ["3"], joints = [], every = 10 }
[[analysis]]
kind = "modes"
count = 2
)");
  const auto& analysis = dynamic_cast<const TransientAnalysis&>(*study.analyses[0]);
  EXPECT_EQ(analysis.name, "transient");
  EXPECT_DOUBLE_EQ(analysis.options.step, 2.0 * std::numbers::pi / study.system.stuck_modes().omega(1) / 50.0);
  EXPECT_EQ(analysis.options.modes, 2);
  EXPECT_EQ(analysis.options.gamma, 0.6);
  EXPECT_EQ(analysis.initial.q, Eigen::Vector3d(0.1, 0, 0));
  EXPECT_EQ(analysis.initial.v, Eigen::Vector3d(0, 0, -1));
  EXPECT_EQ(analysis.record.dofs, std::vector<int>{2});
  EXPECT_TRUE(analysis.record.joints.empty());
  EXPECT_EQ(analysis.record.every, 10);
  EXPECT_EQ(dynamic_cast<const ModesAnalysis&>(*study.analyses[1]).count, 2);
}

TEST_F(StudyReading, QuasiStaticModalAnalysis) {
  const Study study = parse(structure_text + joint_text +
                            R"(
[[analysis]]
kind = "qsma"
mode = 2
alpha = [0.1, 10]
[[analysis]]
kind = "qsma"
name = "all"
mode = [3, 1]
alpha = [1, 2]
points = 7
spacing = "linear"
load_shape = "slipped"
)");
  const auto& one = dynamic_cast<const QsmaAnalysis&>(*study.analyses[0]);
  EXPECT_EQ(one.modes, std::vector<int>{1});
  EXPECT_EQ(one.ramp.from, 0.1);
  EXPECT_EQ(one.ramp.to, 10.0);
  EXPECT_EQ(one.ramp.points, 50);
  EXPECT_EQ(one.ramp.spacing, Spacing::log);
  EXPECT_EQ(one.options.load_shape, LoadShape::stuck);
  const auto& all = dynamic_cast<const QsmaAnalysis&>(*study.analyses[1]);
  EXPECT_EQ(all.modes, (std::vector<int>{2, 0}));
  EXPECT_EQ(all.ramp.points, 7);
  EXPECT_EQ(all.ramp.spacing, Spacing::linear);
  EXPECT_EQ(all.options.load_shape, LoadShape::slipped);
  EXPECT_EQ(study.analyses[1]->describe(), "modes 3, 1, alpha from 1 to 2 in 7 points, slipped shape");
}

TEST_F(StudyReading, MasingBackboneFromAFileOrInPlace) {
  write("b.csv", "u,f\n1,2\n3,4\n");
  const std::string head = structure_text +
                           R"(
[[joint]]
name = "j"
direction = { "2" = -1, "3" = 0.5 }
law = "masing"
)";
  const Study from_file = parse(head + R"(backbone = "b.csv")");
  const Study in_place = parse(head + "u = [1, 3]\nf = [2, 4]\n");
  EXPECT_EQ(from_file.system.stuck_joint_stiffness()(0, 0), in_place.system.stuck_joint_stiffness()(0, 0));
  EXPECT_EQ(in_place.system.directions(), Eigen::Vector3d(0, -1, 0.5));
}

}  // namespace study_reading_test
}  // namespace microslip
