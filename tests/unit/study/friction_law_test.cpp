// Rigid friction, springs of straight lines and Fourier series in a study: what they mean, and every mistake.

#include <gtest/gtest.h>

#include "microslip/analyses/joint_methods.hpp"
#include "study_folder.hpp"

namespace microslip {
namespace {

using test::structure_text;

/// Line 6 on: the keys begin in line 10.
std::string joint_with(const std::string& law, const std::string& keys) {
  return structure_text + "[[joint]]\nname = \"j\"\nbetween = [\"1\", \"2\"]\nlaw = \"" + law + "\"\n" + keys;
}

class FrictionLaw : public test::StudyFolder {
 protected:
  struct Case {
    std::string text;
    std::string expected;
  };
  void expect(const std::vector<Case>& cases) const {
    for (const Case& c : cases) EXPECT_EQ(complaint(c.text), c.expected) << c.text;
  }
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
  EXPECT_EQ(levels("mu_s = 0.4\nmu_k = 0.3\nnormal = { kind = \"constant\", amplitude = 5 }\n"),
            (Numbers{0.4, 0.3, 5.0, 5.0}));
  EXPECT_EQ(levels("mu_s = 0.4\nnormal = { kind = \"fourier\", frequency_hz = 0.25, mean = 2, cosines = [1] }\n"),
            (Numbers{0.4, 0.4, 3.0, 1.0}));  // half a period later
  write("n.csv", "time,value\n0,2\n1,6\n");
  EXPECT_EQ(levels("mu_s = 0.4\nnormal = { kind = \"table\", file = \"n.csv\" }\n"), (Numbers{0.4, 0.4, 2.0, 6.0}));
}

TEST_F(FrictionLaw, MistakesOfRigidFriction) {
  const auto with = [](const std::string& keys) { return joint_with("coulomb", keys); };
  const auto normal = [&](const std::string& signal) { return with("mu_s = 0.4\nnormal = " + signal + "\n"); };
  expect({
      {with(""), "study.toml:6:1: joint \"j\": fs is missing: law \"coulomb\" takes fs or mu_s"},
      {with("fs = 0\n"), "study.toml:10:6: joint \"j\": fs must be > 0, got 0"},
      {with("fs = 3\nfk = 4\n"), "study.toml:11:6: joint \"j\": fk must be <= fs = 3, got 4"},
      {with("fs = 3\nfk = -1\n"), "study.toml:11:6: joint \"j\": fk must be >= 0, got -1"},
      {with("fs = 3\nfq = 1\n"), "study.toml:11:1: joint \"j\": unknown key \"fq\"; did you mean \"fs\"?"},
      {with("fs = 3\nmu_s = 0.4\n"), "study.toml:11:8: joint \"j\": mu_s does not go with fs: give fs or mu_s"},
      {with("fs = 3\nmu_k = 0.4\n"), "study.toml:11:8: joint \"j\": mu_k does not go with fs: give fk"},
      {with("fs = 3\nnormal = 2\n"), "study.toml:11:1: joint \"j\": normal does not go with fs, a force: give mu_s"},
      {with("mu_s = 0.4\nmu_k = 0.5\nnormal = 2\n"),
       "study.toml:11:8: joint \"j\": mu_k must be <= mu_s = 0.4, got 0.5"},
      {with("mu_s = 0.4\nfk = 0.5\nnormal = 2\n"), "study.toml:11:6: joint \"j\": fk does not go with mu_s: give mu_k"},
      {with("mu_s = 0.4\n"),
       "study.toml:10:8: joint \"j\": mu_s needs normal, the load that presses the joint together: a number or a "
       "signal"},
      {normal("-1"), "study.toml:11:10: joint \"j\": normal must be >= 0, got -1"},
      {normal("\"9\""), "study.toml:11:10: joint \"j\": normal must be a number, got the string \"9\""},
      {normal("{ kind = \"constant\", amplitude = -1 }"),
       "study.toml:11:10: joint \"j\": normal must never be negative"},
      {normal("{ kind = \"sine\", amplitude = 1, omega = 2 }"),
       "study.toml:11:19: joint \"j\": normal: normal must never be negative, and this signal swings about zero: give "
       "kind = \"fourier\" with a mean"},
      {normal("{ kind = \"random\", amplitude = 1, cutoff_hz = 2 }"),
       "study.toml:11:19: joint \"j\": normal: normal must never be negative, and this signal swings about zero: give "
       "kind = \"fourier\" with a mean"},
      {normal("{ kind = \"fourier\", omega = 2, mean = 0.9, cosines = [1] }"),
       "study.toml:11:10: joint \"j\": normal must never be negative, and this series is somewhere: raise its mean"},
      {normal("{ kind = \"fourrier\" }"),
       "study.toml:11:19: joint \"j\": normal: unknown kind \"fourrier\"; did you mean \"fourier\"?"},
      {joint_with("jenkins", "kt = 1\nfs = 1\nnormal = 3\n"),
       "study.toml:12:1: joint \"j\": unknown key "
       "\"normal\" (name, between, direction, law, kt, fs)"},
  });
}

TEST_F(FrictionLaw, MistakesOfStraightLines) {
  EXPECT_EQ(std::get<PiecewiseLinearSpring<double>>(joint("piecewise_linear", "u = [-1, 0, 1]\nf = [0, 0, 3]\n").law)
                .breaks(),
            std::vector<double>{0.0});
  const auto with = [](const std::string& keys) { return joint_with("piecewise_linear", keys); };
  expect({
      {with("u = [0, 1]\n"), "study.toml:6:1: joint \"j\": f is missing"},
      {with("f = [0, 1]\n"), "study.toml:6:1: joint \"j\": u is missing"},
      {with("u = []\nf = []\n"), "study.toml:10:5: joint \"j\": u is missing: law \"piecewise_linear\" takes u and f"},
      {with("u = [1]\nf = [1]\n"), "study.toml:10:5: joint \"j\": u must have two points or more, got 1"},
      {with("u = [0, 1]\nf = [1]\n"), "study.toml:11:5: joint \"j\": f must have as many points as u, 2, got 1"},
      {with("u = [0, 1, 1]\nf = [0, 1, 2]\n"), "study.toml:10:5: joint \"j\": u must increase, point 3 does not"},
      {with("u = [0, 1, 2]\nf = [0, 1, 0]\n"),
       "study.toml:11:5: joint \"j\": f must not decrease, point 3 does: no slope may be negative"},
      {with("u = [0, \"x\"]\nf = [0, 1]\n"),
       "study.toml:10:9: joint \"j\": u[2] must be a number, got the string \"x\""},
      {with("u = [0, 1]\nf = [0, 1]\nbackbone = \"b.csv\"\n"),
       "study.toml:12:1: joint \"j\": unknown key \"backbone\" (name, between, direction, law, u, f)"},
  });
}

TEST_F(FrictionLaw, MistakesOfFourierSeries) {
  const auto with = [](const std::string& keys) {
    return structure_text + "[[load]]\nname = \"p\"\nat = \"3\"\nsignal = { kind = \"fourier\", " + keys + " }\n";
  };
  const std::string at = "load \"p\": signal: ";
  EXPECT_EQ(complaint(with("omega = 2, sines = [1]")), "");
  expect({
      {with("sines = [1]"), "study.toml:9:10: " + at + "one of omega, frequency_hz is missing"},
      {with("omega = 0, sines = [1]"), "study.toml:9:38: " + at + "omega must be > 0, got 0"},
      {with("omega = 2"),
       "study.toml:9:19: " + at + "kind = \"fourier\" needs cosines, sines or both: lists with one number a harmonic"},
      {with("omega = 2, sines = []"), "study.toml:9:49: " + at + "sines: the list is empty"},
      {with("omega = 2, sines = 1"), "study.toml:9:49: " + at + "sines must be a list, got 1"},
      {with("omega = 2, sines = [1], mean = inf"), "study.toml:9:61: " + at + "mean must be finite, got inf"},
      {with("omega = 2, cosine = [1]"), "study.toml:9:41: " + at + "unknown key \"cosine\"; did you mean \"cosines\"?"},
  });
}

TEST_F(FrictionLaw, AnalysesThatDoNotTakeIt) {
  const std::string brake = joint_with("coulomb", "fs = 3\n");  // 10 lines
  const std::string others =
      " does not take rigid friction (coulomb: joint \"j\"); transient with method = \"events\", frf with method = "
      "\"piecewise_linear\" and modes do";
  const std::string load =
      "[[load]]\nname = \"p\"\nat = \"3\"\nsignal = { kind = \"sine\", amplitude = 1, omega = 1 }\n";
  const auto kind = [&](const std::string& name, const std::string& keys = "") {
    return brake + load + "[[analysis]]\nkind = \"" + name + "\"\n" + keys;  // lines 15, 16, ...
  };
  EXPECT_EQ(complaint(kind("modes")), "");
  for (const std::string name : {"qsma", "averaging", "nonlinear_mode", "ringdown", "level_sweep", "orbit"}) {
    EXPECT_EQ(complaint(kind(name)), "study.toml:16:8: analysis \"" + name + "\": kind = \"" + name + "\"" + others);
  }
  const std::string run = "load = \"p\"\nduration = 1\nstep = 0.1\n";
  const std::string curve = "load = \"p\"\nomega = [1, 2]\n";
  expect({
      {kind("transient", run), "study.toml:16:8: analysis \"transient\": method = \"newmark\"" + others},
      {kind("transient", "method = \"hht\"\n" + run),
       "study.toml:17:10: analysis \"transient\": method = \"hht\"" + others},
      {kind("frf", curve), "study.toml:16:8: analysis \"frf\": method = \"harmonic_balance\"" + others},
      {kind("frf", "method = \"shooting\"\n" + curve),
       "study.toml:17:10: analysis \"frf\": method = \"shooting\"" + others},
  });
  // Beside a law that no event-driven method takes, there is only one way out.
  const std::string both =
      brake + "[[joint]]\nname = \"lap\"\nbetween = [\"2\", \"3\"]\nlaw = \"jenkins\"\nkt = 1\nfs = 1\n";
  const std::string way_out =
      "no method takes rigid friction (coulomb: joint \"j\") together with the law of joint \"lap\": replace coulomb "
      "by a "
      "stiff jenkins (kt large, the same fs) and use newmark, harmonic_balance or shooting";
  expect({
      {both + "[[analysis]]\nkind = \"transient\"\nmethod = \"events\"\nduration = 1\nstep = 0.1\n",
       "study.toml:19:10: analysis \"transient\": " + way_out},
      {both + "[[analysis]]\nkind = \"qsma\"\n", "study.toml:18:8: analysis \"qsma\": " + way_out},
  });
}

TEST_F(FrictionLaw, WhichJointsNeedWhichMethod) {
  const std::string text = joint_with("coulomb", "fs = 3\n") +
                           "[[joint]]\nname = \"stop\"\nbetween = [\"2\", \"3\"]\nlaw = \"gap\"\nk = 1\n"
                           "[[joint]]\nname = \"cubic\"\nbetween = [\"2\", \"3\"]\nlaw = \"polynomial\"\nk3 = 1\n"
                           "[[joint]]\nname = \"line\"\nbetween = [\"2\", \"3\"]\nlaw = \"polynomial\"\nk1 = 1\n";
  const JointMethods methods = joint_methods(parse(text).system);
  EXPECT_EQ(methods.rigid, std::vector<std::string>{"j"});
  EXPECT_EQ(methods.smooth, std::vector<std::string>{"cubic"});
  EXPECT_EQ(
      smooth_law_obstacle(parse(joint_with("jenkins", "kt = 1\nfs = 1\n")).system, "method = \"events\""),
      "method = \"events\" takes the laws linear, gap, piecewise_linear and coulomb; the law of joint \"j\" is none of "
      "them");
  EXPECT_EQ(smooth_law_obstacle(parse(joint_with("gap", "k = 1\n")).system, "method = \"events\""), "");
}

}  // namespace
}  // namespace microslip
