// Every kind of mistake: the place, what is wrong, the value, what would be right.

#include <gtest/gtest.h>

#include "../io/corruption.hpp"
#include "study_folder.hpp"

namespace microslip {
namespace {

using test::analysis_text;
using test::joint_text;
using test::load_text;
using test::structure_text;

class StudyMistakes : public test::StudyFolder {
 protected:
  struct Case {
    std::string text;
    std::string expected;
  };
  void expect(const std::vector<Case>& cases) const {
    for (const Case& c : cases) EXPECT_EQ(complaint(c.text), c.expected) << c.text;
  }
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  if (at == std::string::npos) ADD_FAILURE() << "no " << what;
  return text.replace(at, what.size(), with);
}

TEST_F(StudyMistakes, None) {
  EXPECT_EQ(complaint(structure_text + joint_text + load_text + analysis_text), "");
}

TEST_F(StudyMistakes, Toml) {
  expect({
      {"title = \"x\n",
       "study.toml:1:11: Error while parsing string: unescaped control characters other than TAB "
       "(U+0009) are explicitly prohibited"},
      {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.a.b.c.d.e.f.g.h.i = 1",
       "study.toml:1:66: a key may have at most 32 dots"},
      {"\xC2\xB0"
       "C = 1\n",
       "study.toml:1:1: Error while parsing root table: expected keys, tables, whitespace or comments, saw '\xC2\xB0'"},
      {"title = \"x\"\n\n[=a]\n" + structure_text,
       "study.toml:3:2: Error while parsing key: expected bare key starting character or string delimiter, saw '='"},
      {"title = 3\n" + structure_text, "study.toml:1:9: title must be a string, got 3; write \"3\""},
      {"tittle = \"x\"\n", "study.toml:1:1: unknown key \"tittle\"; did you mean \"title\"?"},
      {"title = \"x\"\n", "study.toml:1:1: structure is missing"},
      {"structure = 3\n", "study.toml:1:13: structure must be a table, got 3"},
      {structure_text + "[joint]\nname = \"lap\"\n", "study.toml:6:1: joint must be written [[joint]], got a table"},
      {"[units]\nlenght = \"m\"\n" + structure_text,
       "study.toml:2:1: units: unknown key \"lenght\"; did you mean \"length\"?"},
  });
}

TEST_F(StudyMistakes, LumpedStructure) {
  const auto with = [](const std::string& what, const std::string& by) { return replaced(structure_text, what, by); };
  expect({
      {with("\"lumped\"", "\"lumpt\""), "study.toml:2:8: structure: unknown kind \"lumpt\"; did you mean \"lumped\"?"},
      {with("masses", "mases"), "study.toml:3:1: structure: unknown key \"mases\"; did you mean \"masses\"?"},
      {with("[10.0, 10.0", "[10.0, -10.0"), "study.toml:3:17: structure: masses[2] must be > 0, got -10"},
      {with("[10.0, 10.0", "[10.0, nan"), "study.toml:3:17: structure: masses[2] must be > 0, got nan"},
      {with("[10.0, 10.0", "[10.0, \"ten\""),
       "study.toml:3:17: structure: masses[2] must be a number, got the string \"ten\""},
      {with("[10.0, 10.0, 10.0]", "10.0"), "study.toml:3:10: structure: masses must be a list, got 10"},
      {with("[10.0, 10.0, 10.0]", "[]"),
       "study.toml:3:10: structure: masses must be a list of 1 to 1000000 numbers, got 0"},
      {with("\"1\", 9.0], [\"1\"", "\"1\", inf], [\"1\""),
       "study.toml:4:28: structure: springs[1] must be finite, got inf"},
      {with("\"3\", 9.0", "\"4\", 9.0"),
       "study.toml:4:57: structure: springs[3]: unknown label \"4\" (1, 2, 3, ground)"},
      {with("[\"2\", \"3\", 9.0]", "[\"2\", \"2\", 9.0]"),
       "study.toml:4:57: structure: springs[3] must join two different degrees of freedom, got \"2\" twice"},
      {with("[\"2\", \"3\", 9.0]", "[\"2\", \"3\"]"),
       "study.toml:4:51: structure: springs[3] must be [\"from\", \"to\", value], got a list of 2"},
      {with("[\"1\", \"2\", 9.0]", "[\"1\", 2, 9.0]"),
       "study.toml:4:40: structure: springs[2] must be a string, got 2; write \"2\""},
      {with("{ modal = 1e-4 }", "{ modal = -1e-4 }"),
       "study.toml:5:21: structure: damping: modal must be >= 0, got -0.0001"},
      {with("{ modal = 1e-4 }", "{ modal = [0.1, 0.1] }"),
       "study.toml:5:11: structure: there are 3 modes but 2 damping ratios"},
      {with("{ modal = 1e-4 }", "{ modal = 0.1, rayleigh = [0, 0] }"),
       "study.toml:5:26: structure: damping: modal and rayleigh exclude each other"},
      {with("{ modal = 1e-4 }", "{ rayleigh = [0.1] }"),
       "study.toml:5:24: structure: damping: rayleigh must be [a, b], got a list of 1"},
      {with("{ modal = 1e-4 }", "{ }"),
       "study.toml:5:11: structure: damping: one of modal, rayleigh, matrix is missing"},
      {structure_text + "labels = [\"a\", \"b\"]\n",
       "study.toml:6:10: structure: labels must be 3 like the degrees of freedom, got 2"},
      {structure_text + "labels = [\"a\", \"b\", \"a\"]\n", "study.toml:6:21: structure: label \"a\" is there twice"},
      {structure_text + "labels = [\"a\", \"b\", \"ground\"]\n",
       "study.toml:6:21: structure: \"ground\" cannot be a label"},
      {structure_text + "labels = [\"a\", \"b\", \"c,d\"]\n",
       "study.toml:6:21: structure: a label must not hold commas, quotes, brackets, control characters or blanks at "
       "its ends, got \"c,d\""},
      {structure_text + "constrain_rigid_body = 1\n",
       "study.toml:6:24: structure: constrain_rigid_body must be true or false, got 1"},
  });
  EXPECT_EQ(complaint(with("\"3\", 9.0", "\"3\", -90.0")).substr(0, 57),
            "study.toml:4:11: structure: the stiffness matrix is indef");
}

TEST_F(StudyMistakes, Matrices) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  write("M.mtx", head + "2 2 2\n1 1 1\n2 2 1\n");
  write("K.mtx", head + "2 2 2\n1 1 1\n2 2 1\n");
  write("wide.mtx", head + "2 3 1\n1 1 1\n");
  write("three.mtx", head + "3 3 1\n1 1 1\n");
  write("skew.mtx", head + "2 2 4\n1 1 1\n2 2 1\n1 2 0.5\n2 1 -0.5\n");
  write("negative.mtx", head + "2 2 2\n1 1 1\n2 2 -1\n");
  write("indefinite.mtx", head + "2 2 4\n1 1 1\n2 2 1\n1 2 2\n2 1 2\n");
  write("huge.mtx", head + "2000000000 2000000000 1\n1 1 1\n");
  write("empty.mtx", "");
  write("labels.txt", "a\na\n");
  write("one_label.txt", "a\n");
  const auto study = [](const std::string& mass, const std::string& stiffness, const std::string& more = "") {
    return "[structure]\nkind = \"matrices\"\nmass = \"" + mass + "\"\nstiffness = \"" + stiffness + "\"\n" + more;
  };
  expect({
      {study("M.mtx", "K.mtx"), ""},
      {study("no.mtx", "K.mtx"), "study.toml:3:8: structure: mass: \"no.mtx\" cannot be read: there is no such file"},
      {study("", "K.mtx"), "study.toml:3:8: structure: mass must be the name of a file, got \"\""},
      {study(".", "K.mtx"), "study.toml:3:8: structure: mass: \".\" cannot be read: it is not a regular file"},
      {study("M.mtx", "wide.mtx"), "wide.mtx:2:1: the stiffness matrix must be square, got 2 x 3"},
      {study("M.mtx", "three.mtx"),
       "three.mtx:2:1: the stiffness matrix must be 2 x 2 like the mass matrix, got 3 x 3"},
      {study("M.mtx", "skew.mtx"),
       "skew.mtx:5:5: the stiffness matrix must be symmetric: entry (1,2) is 0.5, entry (2,1) is -0.5"},
      {study("negative.mtx", "K.mtx"),
       "negative.mtx:4:5: the mass matrix must be positive definite: entry (2,2) must be > 0, got -1"},
      {study("three.mtx", "three.mtx"),
       "study.toml:3:8: structure: the mass matrix is not positive definite, and a motion without mass has no "
       "stiffness"},
      {study("indefinite.mtx", "K.mtx"), "study.toml:3:8: structure: the mass matrix is not positive semidefinite"},
      {study("huge.mtx", "K.mtx"), "huge.mtx:2:1: the mass matrix must have at most 1000000 rows, got 2000000000"},
      {study("empty.mtx", "K.mtx"),
       "empty.mtx:1:1: the file is empty; its first line must be like \"%%MatrixMarket matrix coordinate real "
       "symmetric\""},
      {study("M.mtx", "K.mtx", "labels = \"labels.txt\"\n"), "labels.txt:2:1: label \"a\" is there twice"},
      {study("M.mtx", "K.mtx", "labels = \"one_label.txt\"\n"),
       "one_label.txt:1:1: there must be 2 labels, one a line, got 1"},
      {study("M.mtx", "K.mtx", "damping = { matrix = \"indefinite.mtx\" }\n"),
       "study.toml:5:22: structure: damping: the damping matrix must be positive semidefinite: it has the eigenvalue "
       "-1"},
  });
  EXPECT_EQ(complaint(study("M.mtx", "indefinite.mtx")).substr(0, 59),
            "study.toml:4:13: structure: the stiffness matrix is indefin");
}

TEST_F(StudyMistakes, Joints) {
  write("bad.csv", "u,f\n1,2\n3,x\n");
  write("convex.csv", "u,f\n1,2\n3,9\n");
  const auto with = [](const std::string& what, const std::string& by) {
    return structure_text + replaced(joint_text, what, by);
  };
  const std::string masing = structure_text + "[[joint]]\nname = \"j\"\nbetween = [\"1\", \"2\"]\nlaw = \"masing\"\n";
  expect({
      {with("FS = 10.0", "FS = -3"), "study.toml:10:6: joint \"lap\": FS must be > 0, got -3"},
      {with("FS = 10.0", "FS = nan"), "study.toml:10:6: joint \"lap\": FS must be finite, got nan"},
      {with("FS = 10.0", "FS = \"10\""), "study.toml:10:6: joint \"lap\": FS must be a number, got the string \"10\""},
      {with("FS = 10.0", "Fs = 10.0"), "study.toml:10:1: joint \"lap\": unknown key \"Fs\"; did you mean \"FS\"?"},
      {with("between", "betwen"), "study.toml:8:1: joint \"lap\": unknown key \"betwen\"; did you mean \"between\"?"},
      {with("KT = 1.0\n", ""),
       "study.toml:6:1: joint \"lap\": KT is missing: law \"iwan4\" takes FS, KT, chi, beta or R, S, phi_max, chi"},
      {with("\"iwan4\"", "\"iwan44\""),
       "study.toml:9:7: joint \"lap\": unknown law \"iwan44\"; did you mean \"iwan4\"?"},
      {with("law = \"iwan4\"\n", ""), "study.toml:6:1: joint \"lap\": law is missing"},
      {with("name = \"lap\"\n", ""), "study.toml:6:1: joint 1: name is missing"},
      {with("[\"2\", \"3\"]", "[\"2\", \"5\"]"),
       "study.toml:8:17: joint \"lap\": between: unknown label \"5\" (1, 2, 3, ground)"},
      {with("[\"2\", \"3\"]", "[\"2\", \"2\"]"),
       "study.toml:8:17: joint \"lap\": between must name two different degrees of freedom, got \"2\" twice"},
      {with("[\"2\", \"3\"]", "\"2\""),
       "study.toml:8:11: joint \"lap\": between must be [\"from\", \"to\"], got the string \"2\""},
      {with("between = [\"2\", \"3\"]\n", ""), "study.toml:6:1: joint \"lap\": one of between, direction is missing"},
      {with("between = [\"2\", \"3\"]", "direction = { \"2\" = 0.0 }"),
       "study.toml:8:13: joint \"lap\": direction must have a weight other than 0"},
      {with("between = [\"2\", \"3\"]", "direction = { \"2\" = 1.0, \"five\" = 1 }"),
       "study.toml:8:26: joint \"lap\": direction: unknown label \"five\" (1, 2, 3, ground)"},
      {structure_text + joint_text + joint_text, "study.toml:15:8: joint \"lap\": another joint has this name"},
      {masing + "backbone = \"bad.csv\"\n", "bad.csv:3:3: column \"f\" must be a number, got \"x\""},
      {masing + "backbone = \"no.csv\"\n",
       "study.toml:10:12: joint \"j\": backbone: \"no.csv\" cannot be read: there is no such file"},
      {masing + "u = [1, 2]\n", "study.toml:6:1: joint \"j\": f is missing"},
      {masing + "u = [1, 2]\nf = [1, 1.5]\ninterpolation = \"cubic\"\n",
       "study.toml:12:17: joint \"j\": interpolation must be \"smooth\" or \"linear\", got \"cubic\""},
  });
  EXPECT_EQ(complaint(masing + "backbone = \"convex.csv\"\n").substr(0, 28), "study.toml:10:12: joint \"j\":");
}

TEST_F(StudyMistakes, Loads) {
  write("back.csv", "time,value\n0,1\n2,1\n1,1\n");
  const auto with = [](const std::string& what, const std::string& by) {
    return structure_text + replaced(load_text, what, by);
  };
  const std::string signal = "{ kind = \"half_sine\", amplitude = 150.0, duration = 1.8 }";
  expect({
      {with("at = \"3\"", "at = \"33\""),
       "study.toml:8:6: load \"hit\": at: unknown label \"33\"; did you mean \"3\"?"},
      {with("at = \"3\"", "at = 3"), "study.toml:8:6: load \"hit\": at must be a string, got 3; write \"3\""},
      {with("at = \"3\"", "mode = 4"), "study.toml:8:8: load \"hit\": mode must be an integer from 1 to 3, got 4"},
      {with("at = \"3\"", "mode = 1.5"), "study.toml:8:8: load \"hit\": mode must be an integer from 1 to 3, got 1.5"},
      {with("at = \"3\"\n", ""), "study.toml:6:1: load \"hit\": one of at, mode, vector is missing"},
      {with("at = \"3\"", "at = \"3\"\nmode = 1"), "study.toml:9:1: load \"hit\": at and mode exclude each other"},
      {with("at = \"3\"", "at = \"3\"\nbase = true"), "study.toml:8:1: load \"hit\": base and at exclude each other"},
      {with("at = \"3\"", "vector = { }"), "study.toml:8:10: load \"hit\": vector must have an entry other than 0"},
      {with("half_sine", "halfsine"),
       "study.toml:9:19: load \"hit\": signal: unknown kind \"halfsine\"; did you mean \"half_sine\"?"},
      {with("amplitude", "amplitud"),
       "study.toml:9:32: load \"hit\": signal: unknown key \"amplitud\"; did you mean \"amplitude\"?"},
      {with("duration = 1.8", "duration = 0"), "study.toml:9:62: load \"hit\": signal: duration must be > 0, got 0"},
      {with(signal, "{ kind = \"sine\", amplitude = 1 }"),
       "study.toml:9:10: load \"hit\": signal: one of omega, frequency_hz is missing"},
      {with(signal, "{ kind = \"table\", file = \"back.csv\" }"), "back.csv:4:1: time must increase: 1 comes after 2"},
      {with(signal, "{ kind = \"random\", amplitude = 1, cutoff_hz = 1, seed = -1 }"),
       "study.toml:9:66: load \"hit\": signal: seed must be an integer from 0 to 9223372036854775807, got -1"},
      {structure_text + load_text + load_text, "study.toml:11:8: load \"hit\": another load has this name"},
  });
}

TEST_F(StudyMistakes, BaseMotionOfMatricesNeedsAShape) {
  write("M.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  EXPECT_EQ(complaint("[structure]\nkind = \"matrices\"\nmass = \"M.mtx\"\nstiffness = \"M.mtx\"\n"
                      "[[load]]\nname = \"g\"\nbase = true\nsignal = { kind = \"constant\", amplitude = 1 }\n"),
            "study.toml:7:8: load \"g\": base needs vector = { label = value, ... }, the displacement of every degree "
            "of freedom when the ground moves by one");
}

TEST_F(StudyMistakes, Analyses) {
  const std::string before = structure_text + joint_text + load_text;  // 17 lines
  const auto with = [&](const std::string& what, const std::string& by) {
    return before + replaced(analysis_text, what, by);
  };
  expect({
      {with("\"transient\"", "\"transent\""),
       "study.toml:19:8: analysis 1: unknown kind \"transent\"; did you mean \"transient\"?"},
      {with("duration", "duraton"),
       "study.toml:22:1: analysis \"ring\": unknown key \"duraton\"; did you mean \"duration\"?"},
      {with("duration = 2.0\n", ""), "study.toml:18:1: analysis \"ring\": duration is missing"},
      {with("step = 0.1\n", ""), "study.toml:18:1: analysis \"ring\": one of step, steps_per_period is missing"},
      {with("step = 0.1\n", "step = 0.0\n"), "study.toml:23:8: analysis \"ring\": step must be > 0, got 0"},
      {with("step = 0.1\n", "step = 1e-300\n"),
       "study.toml:23:8: analysis \"ring\": duration/step must be <= 1e+12, got 2e+300"},
      {with("step = 0.1\n", "step = 0.1\nsteps_per_period = 10\n"),
       "study.toml:24:1: analysis \"ring\": step and steps_per_period exclude each other"},
      {with("\"hit\"", "\"hut\""),
       "study.toml:21:8: analysis \"ring\": load: unknown load \"hut\"; did you mean \"hit\"?"},
      {with("\"hit\"", "[\"hit\", \"hit\"]"), "study.toml:21:16: analysis \"ring\": load: \"hit\" is there twice"},
      {with("\"ring\"", "\"../ring\""),
       "study.toml:20:8: analysis 1: name must be 1 to 100 letters, digits, _, - or ., since it names files, got "
       "\"../ring\""},
      {before + analysis_text + analysis_text,
       "study.toml:26:8: analysis \"ring\": another analysis has this name; give each a name of its own"},
      {before + analysis_text + "method = \"rk4\"\n",
       "study.toml:24:10: analysis \"ring\": unknown method \"rk4\" (newmark, hht, generalized_alpha, modal_exact, "
       "events)"},
      {before + analysis_text + "method = \"hht\"\ngamma = 0.5\n",
       "study.toml:25:1: analysis \"ring\": unknown key \"gamma\" (kind, name, load, duration, step, "
       "steps_per_period, method, modes, initial, record, psd, tolerance, ...)"},
      {before + analysis_text + "gamma = 0.4\n",
       "study.toml:24:9: analysis \"ring\": gamma must be in [0.5, 1], got 0.4"},
      {before + analysis_text + "modes = 4\n",
       "study.toml:24:9: analysis \"ring\": modes must be an integer from 1 to 3, got 4"},
      {before + analysis_text + "initial = { q = { \"9\" = 1.0 } }\n",
       "study.toml:24:19: analysis \"ring\": initial: q: unknown label \"9\" (1, 2, 3)"},
      {before + analysis_text + "initial = { static = \"hit\", v = { \"1\" = 1.0 } }\n",
       "study.toml:24:29: analysis \"ring\": initial: static and v exclude each other"},
      {before + analysis_text + "record = { dofs = [\"1\", \"1\"] }\n",
       "study.toml:24:25: analysis \"ring\": record: dofs: \"1\" is there twice"},
      {before + analysis_text + "record = { joints = [\"lab\"] }\n",
       "study.toml:24:22: analysis \"ring\": record: joints: unknown joint \"lab\"; did you mean \"lap\"?"},
      {before + analysis_text + "record = { every = 0 }\n",
       "study.toml:24:20: analysis \"ring\": record: every must be an integer from 1 to 2147483647, got 0"},
      {before + "[[analysis]]\nkind = \"modes\"\ncount = 7\n",
       "study.toml:20:9: analysis \"modes\": count must be an integer from 1 to 3, got 7"},
      {before + "[[analysis]]\nkind = \"modes\"\n[[analysis]]\nkind = \"modes\"\nname = \"modes-shapes\"\n",
       "study.toml:22:8: analysis \"modes-shapes\": modes-shapes.csv is written by analysis \"modes\" as well"},
  });
}

TEST_F(StudyMistakes, InQuasiStaticModalAnalyses) {
  const auto qsma = [](const std::string& keys) {
    return structure_text + joint_text + "[[analysis]]\nkind = \"qsma\"\n" + keys;  // keys from line 16
  };
  expect({
      {qsma("alpha = [1, 2]\n"), "study.toml:14:1: analysis \"qsma\": mode is missing"},
      {qsma("mode = 4\nalpha = [1, 2]\n"),
       "study.toml:16:8: analysis \"qsma\": mode must be an integer from 1 to 3, got 4"},
      {qsma("mode = [1, 1]\nalpha = [1, 2]\n"), "study.toml:16:12: analysis \"qsma\": mode: 1 is there twice"},
      {qsma("mode = 1.5\nalpha = [1, 2]\n"),
       "study.toml:16:8: analysis \"qsma\": mode must be an integer from 1 to 3, got 1.5"},
      {qsma("mode = [1, 2.0]\nalpha = [1, 2]\n"),
       "study.toml:16:12: analysis \"qsma\": mode must be an integer from 1 to 3, got 2.0"},
      {qsma("mode = 1\nalpha = [1, 2]\nload_shape = \"slipped\"\nother_modes = \"vibrating\"\n"),
       "study.toml:19:15: analysis \"qsma\": other_modes = \"vibrating\" needs load_shape = \"stuck\""},
      {qsma("mode = []\nalpha = [1, 2]\n"), "study.toml:16:8: analysis \"qsma\": mode: the list is empty"},
      {qsma("mode = 1\nalpha = [2, 1]\n"),
       "study.toml:17:9: analysis \"qsma\": alpha must be [from, to] with 0 < from < to"},
      {qsma("mode = 1\nalpha = [1, 2]\npoints = 1\n"),
       "study.toml:18:10: analysis \"qsma\": points must be an integer from 2 to 1000000, got 1"},
      {qsma("mode = 1\nalpha = [1, 2]\nspacing = \"lin\"\n"),
       "study.toml:18:11: analysis \"qsma\": unknown spacing \"lin\" (log, linear)"},
  });
}

TEST_F(StudyMistakes, NoiseTooLongToHold) {
  EXPECT_EQ(complaint(structure_text + "[[load]]\nname = \"n\"\nat = \"1\"\n"
                                       "signal = { kind = \"random\", amplitude = 1, cutoff_hz = 1e9 }\n"
                                       "[[analysis]]\nkind = \"transient\"\nload = \"n\"\nduration = 100\nstep = 1\n"),
            "study.toml:12:8: analysis \"transient\": load: load \"n\" would have 2e+12 samples, 20 a period of its "
            "cut-off; the limit is 1e+08");
}

TEST_F(StudyMistakes, SurviveAnyBytes) {
  write("b.csv", "u,f\n1,2\n");
  test::survives<StudyError>(structure_text + joint_text,
                             [&](const std::string& text) { static_cast<void>(parse(text)); });
  test::survives<StudyError>(
      "[structure]\nkind=\"lumped\"\nmasses=[1]\nsprings=[[\"ground\",\"1\",1]]\n"
      "[[joint]]\nname=\"j\"\ndirection={\"1\"=1}\nlaw=\"masing\"\nbackbone=\"b.csv\"\nresidual=0.5\n" +
          replaced(load_text, "\"3\"", "\"1\"") + analysis_text,
      [&](const std::string& text) { static_cast<void>(parse(text)); });
}

TEST_F(StudyMistakes, SurviveDeepNesting) {
  std::string keys = "a";
  for (int i = 0; i < 200000; ++i) keys += ".a";
  EXPECT_THROW(static_cast<void>(parse(keys + " = 1\n")), StudyError);
  EXPECT_THROW(static_cast<void>(parse("[" + keys + "]\n")), StudyError);
  EXPECT_THROW(static_cast<void>(parse("a = " + std::string(200000, '['))), StudyError);
  std::string tables = "a = ";
  for (int i = 0; i < 100000; ++i) tables += "{a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = ";
  EXPECT_THROW(static_cast<void>(parse(tables)), StudyError);
}

}  // namespace
}  // namespace microslip
