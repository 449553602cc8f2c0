// Rigid friction, springs of straight lines and Fourier series in a study: what they mean, and every mistake.

#include <gtest/gtest.h>

#include "microslip/analyses/joint_methods.hpp"
#include "microslip/joints/law_traits.hpp"
#include "microslip/joints/make_law.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace friction_law_test {

using test::marked_at;
using test::structure_text;

std::string joint_with(const std::string& law, const std::string& keys) {
  return structure_text + R"(
[[joint]]
name = "j"
between = ["1", "2"]
law = ")" +
         law + "\"\n" + keys;
}

class FrictionLaw : public test::StudyFolder {
 protected:
  [[nodiscard]] Joint joint(const std::string& law, const std::string& keys) const {
    return parse(joint_with(law, keys)).system.joints().at(0);
  }
};

TEST_F(FrictionLaw, LevelsAndNormalLoads) {
  const auto levels = [&](const std::string& keys) {
    const Joint brake = joint("coulomb", keys);
    const auto& law = std::get<Coulomb<double>>(brake.law);
    return std::vector<double>{law.static_level(), law.kinetic_level(), brake.normal.value(0.0),
                               brake.normal.value(2.0)};
  };
  using Numbers = std::vector<double>;
  EXPECT_EQ(levels("fs = 3\n"), (Numbers{3.0, 3.0, 1.0, 1.0}));
  EXPECT_EQ(levels("fs = 3\nfk = 2\n"), (Numbers{3.0, 2.0, 1.0, 1.0}));
  EXPECT_EQ(levels("fs = 3\nfk = 0\n"), (Numbers{3.0, 0.0, 1.0, 1.0}));
  EXPECT_EQ(levels("mu_s = 0.4\nnormal = 9.5\n"), (Numbers{0.4, 0.4, 9.5, 9.5}));
  EXPECT_EQ(levels(R"(
mu_s = 0.4
mu_k = 0.3
normal = { kind = "constant", amplitude = 5 }
)"),
            (Numbers{0.4, 0.3, 5.0, 5.0}));
  EXPECT_EQ(levels(R"(
mu_s = 0.4
normal = { kind = "fourier", frequency_hz = 0.25, mean = 2, cosines = [1] }
)"),
            (Numbers{0.4, 0.4, 3.0, 1.0}));  // half a period later
  write("n.csv", "time,value\n0,2\n1,6\n");
  EXPECT_EQ(levels(R"(
mu_s = 0.4
normal = { kind = "table", file = "n.csv" }
)"),
            (Numbers{0.4, 0.4, 2.0, 6.0}));
}

TEST_F(FrictionLaw, MistakesOfRigidFriction) {
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(joint_with("coulomb", keys), "joint \"j\": " + message);
  };
  expect_complaint(marked_at(joint_with("coulomb", ""), "[[joint]]"),
                   R"(joint "j": fs is missing: law "coulomb" takes fs or mu_s)");
  expect("fs = »0", "fs must be > 0, got 0");
  expect("fs = 3\nfk = »4", "fk must be <= fs = 3, got 4");
  expect("fs = 3\nfk = »-1", "fk must be >= 0, got -1");
  expect("fs = 3\n»fq = 1", R"(unknown key "fq"; did you mean "fs"?)");
  expect("fs = 3\nmu_s = »0.4", "mu_s does not go with fs: give fs or mu_s");
  expect("fs = 3\nmu_k = »0.4", "mu_k does not go with fs: give fk");
  expect("fs = 3\n»normal = 2", "normal does not go with fs, a force: give mu_s");
  expect("mu_s = 0.4\nmu_k = »0.5\nnormal = 2", "mu_k must be <= mu_s = 0.4, got 0.5");
  expect("mu_s = 0.4\nfk = »0.5\nnormal = 2", "fk does not go with mu_s: give mu_k");
  expect("mu_s = »0.4", "mu_s needs normal, the load that presses the joint together: a number or a signal");
  const auto normal = [&](const std::string& signal, const std::string& message) {
    expect("mu_s = 0.4\nnormal = " + signal, message);
  };
  const std::string swings =
      "normal: normal must never be negative, and this signal swings about zero: give kind = \"fourier\" with a mean";
  normal("»-1", "normal must be >= 0, got -1");
  normal(R"(»"9")", R"(normal must be a number, got the string "9")");
  normal(R"(»{ kind = "constant", amplitude = -1 })", "normal must never be negative");
  normal(R"({ kind = »"sine", amplitude = 1, omega = 2 })", swings);
  normal(R"({ kind = »"random", amplitude = 1, cutoff_hz = 2 })", swings);
  normal(R"(»{ kind = "fourier", omega = 2, mean = 0.9, cosines = [1] })",
         "normal must never be negative, and this series is somewhere: raise its mean");
  normal(R"({ kind = »"fourrier" })", R"(normal: unknown kind "fourrier"; did you mean "fourier"?)");
  expect_complaint(joint_with("jenkins", "kt = 1\nfs = 1\n»normal = 3"),
                   R"(joint "j": unknown key "normal" (name, between, direction, law, kt, fs))");
}

TEST_F(FrictionLaw, MistakesOfStraightLines) {
  EXPECT_EQ(std::get<PiecewiseLinearSpring<double>>(joint("piecewise_linear", "u = [-1, 0, 1]\nf = [0, 0, 3]\n").law)
                .breaks(),
            std::vector<double>{0.0});
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(joint_with("piecewise_linear", keys), "joint \"j\": " + message);
  };
  const auto missing = [&](const std::string& keys, const std::string& message) {
    expect_complaint(marked_at(joint_with("piecewise_linear", keys), "[[joint]]"), "joint \"j\": " + message);
  };
  missing("u = [0, 1]", "f is missing");
  missing("f = [0, 1]", "u is missing");
  expect("u = »[]\nf = []", R"(u is missing: law "piecewise_linear" takes u and f)");
  expect("u = »[1]\nf = [1]", "u must have two points or more, got 1");
  expect("u = [0, 1]\nf = »[1]", "f must have as many points as u, 2, got 1");
  expect("u = »[0, 1, 1]\nf = [0, 1, 2]", "u must increase, point 3 does not");
  expect("u = [0, 1, 2]\nf = »[0, 1, 0]", "f must not decrease, point 3 does: no slope may be negative");
  expect(R"(
u = [0, »"x"]
f = [0, 1]
)",
         R"(u[2] must be a number, got the string "x")");
  expect(R"(
u = [0, 1]
f = [0, 1]
»backbone = "b.csv"
)",
         R"(unknown key "backbone" (name, between, direction, law, u, f))");
}

TEST_F(FrictionLaw, MistakesOfFourierSeries) {
  const auto expect = [&](const std::string& signal, const std::string& message) {
    expect_complaint(structure_text + "[[load]]\nname = \"p\"\nat = \"3\"\nsignal = " + signal, message);
  };
  const std::string of = "load \"p\": signal: ";
  expect(R"({ kind = "fourier", omega = 2, sines = [1] })", "");
  expect(R"(»{ kind = "fourier", sines = [1] })", of + "one of omega, frequency_hz is missing");
  expect(R"({ kind = "fourier", omega = »0, sines = [1] })", of + "omega must be > 0, got 0");
  expect(R"({ kind = »"fourier", omega = 2 })",
         of + "kind = \"fourier\" needs cosines, sines or both: lists with one number a harmonic");
  expect(R"({ kind = "fourier", omega = 2, sines = »[] })", of + "sines: the list is empty");
  expect(R"({ kind = "fourier", omega = 2, sines = »1 })", of + "sines must be a list, got 1");
  expect(R"({ kind = "fourier", omega = 2, sines = [1], mean = »inf })", of + "mean must be finite, got inf");
  expect(R"({ kind = "fourier", omega = 2, »cosine = [1] })", of + R"(unknown key "cosine"; did you mean "cosines"?)");
}

TEST_F(FrictionLaw, AnalysesThatDoNotTakeIt) {
  const std::string brake = joint_with("coulomb", "fs = 3\n");
  const std::string others =
      R"( does not take rigid friction (coulomb: joint "j"); transient with method = "events", frf, level_sweep and )"
      R"(orbit with method = "piecewise_linear" and modes do)";
  const std::string load = R"(
[[load]]
name = "p"
at = "3"
signal = { kind = "sine", amplitude = 1, omega = 1 }
)";
  const auto kind = [&](const std::string& name, const std::string& keys = "") {
    return brake + load + "[[analysis]]\nkind = " + name + "\n" + keys;
  };
  expect_complaint(kind(R"("modes")"), "");
  for (const std::string name : {"qsma", "averaging", "nonlinear_mode", "ringdown", "peaks"}) {
    const std::string quoted = '"' + name + '"';
    expect_complaint(kind("»" + quoted), "analysis " + quoted + ": kind = " + quoted + others);
  }
  const std::string run = R"(
load = "p"
duration = 1
step = 0.1
)";
  const std::string curve = R"(
load = "p"
omega = [1, 2]
)";
  expect_complaint(kind(R"(»"transient")", run), R"(analysis "transient": method = "newmark")" + others);
  expect_complaint(kind(R"("transient")", R"(method = »"hht")" + run),
                   R"(analysis "transient": method = "hht")" + others);
  expect_complaint(kind(R"(»"frf")", curve), R"(analysis "frf": method = "harmonic_balance")" + others);
  for (const std::string name : {"level_sweep", "orbit"}) {
    const std::string quoted = '"' + name + '"';
    expect_complaint(kind("»" + quoted), "analysis " + quoted + R"(: method = "harmonic_balance")" + others);
  }
  expect_complaint(kind(R"("frf")", R"(method = »"shooting")" + curve),
                   R"(analysis "frf": method = "shooting")" + others);
  // Beside a law that no event-driven method takes, there is only one way out.
  const std::string both = brake + R"(
[[joint]]
name = "lap"
between = ["2", "3"]
law = "jenkins"
kt = 1
fs = 1
)";
  const std::string way_out =
      R"(no method takes rigid friction (coulomb: joint "j") together with the law of joint "lap": replace coulomb )"
      "by a stiff jenkins (kt large, the same fs) and use newmark, harmonic_balance or shooting";
  expect_complaint(both + R"(
[[analysis]]
kind = "transient"
method = »"events"
duration = 1
step = 0.1
)",
                   "analysis \"transient\": " + way_out);
  expect_complaint(both + R"(
[[analysis]]
kind = »"qsma"
)",
                   "analysis \"qsma\": " + way_out);
}

TEST_F(FrictionLaw, WhichJointsNeedWhichMethod) {
  const std::string text = joint_with("coulomb", "fs = 3\n") +
                           R"(
[[joint]]
name = "stop"
between = ["2", "3"]
law = "gap"
k = 1
[[joint]]
name = "cubic"
between = ["2", "3"]
law = "polynomial"
k3 = 1
[[joint]]
name = "line"
between = ["2", "3"]
law = "polynomial"
k1 = 1
)";
  const JointMethods methods = joint_methods(parse(text).system);
  EXPECT_EQ(methods.rigid, std::vector<std::string>{"j"});
  EXPECT_EQ(methods.smooth, std::vector<std::string>{"cubic"});
  EXPECT_EQ(smooth_law_obstacle(parse(joint_with("jenkins", "kt = 1\nfs = 1\n")).system, R"(method = "events")"),
            R"(method = "events" takes the laws )" + laws_that(is_linear_between_events) +
                R"(; the law of joint "j" is none of them)");
  EXPECT_EQ(smooth_law_obstacle(parse(joint_with("gap", "k = 1\n")).system, R"(method = "events")"), "");
}

}  // namespace friction_law_test
}  // namespace microslip
