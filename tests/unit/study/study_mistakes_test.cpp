// Every kind of mistake: the place, what is wrong, the value, what would be right.

#include <gtest/gtest.h>

#include "../io/corruption.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace study_mistakes_test {

using test::analysis_text;
using test::joint_text;
using test::load_text;
using test::marked_at;
using test::replaced;
using test::structure_text;

class StudyMistakes : public test::StudyFolder {};

TEST_F(StudyMistakes, None) {
  expect_complaint(structure_text + joint_text + load_text + analysis_text, "");
}

TEST_F(StudyMistakes, Toml) {
  expect_complaint(R"(title = "x»
)",
                   "Error while parsing string: unescaped control characters other than TAB (U+0009) are explicitly "
                   "prohibited");
  expect_complaint("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.a.b.c.d.e.f.g».h.i = 1",
                   "a key may have at most 32 dots");
  expect_complaint("»°C = 1", "Error while parsing root table: expected keys, tables, whitespace or comments, saw '°'");
  expect_complaint(R"(
title = "x"

[»=a]
)" + structure_text,
                   "Error while parsing key: expected bare key starting character or string delimiter, saw '='");
  expect_complaint("title = »3\n" + structure_text, R"(title must be a string, got 3; write "3")");
  expect_complaint(R"(»tittle = "x")", R"(unknown key "tittle"; did you mean "title"?)");
  expect_complaint(R"(»title = "x")", "structure is missing");
  expect_complaint("structure = »3", "structure must be a table, got 3");
  expect_complaint(structure_text + R"(
»[joint]
name = "lap"
)",
                   "joint must be written [[joint]], got a table");
  expect_complaint(R"(
[units]
»lenght = "m"
)" + structure_text,
                   R"(units: unknown key "lenght"; did you mean "length"?)");
}

TEST_F(StudyMistakes, LumpedStructure) {
  const auto expect = [&](const std::string& what, const std::string& by, const std::string& message) {
    expect_complaint(replaced(structure_text, what, by), "structure: " + message);
  };
  expect(R"("lumped")", R"(»"lumpt")", R"(unknown kind "lumpt"; did you mean "lumped"?)");
  expect("masses", "»mases", R"(unknown key "mases"; did you mean "masses"?)");
  expect("[10.0, 10.0", "[10.0, »-10.0", "masses[2] must be > 0, got -10");
  expect("[10.0, 10.0", "[10.0, »nan", "masses[2] must be > 0, got nan");
  expect("[10.0, 10.0", R"([10.0, »"ten")", R"(masses[2] must be a number, got the string "ten")");
  expect("[10.0, 10.0, 10.0]", "»10.0", "masses must be a list, got 10");
  expect("[10.0, 10.0, 10.0]", "»[]", "masses must be a list of 1 to 1000000 numbers, got 0");
  expect(R"(["ground", "1", 9.0])", R"(["ground", "1", »inf])", "springs[1] must be finite, got inf");
  expect(R"(["2", "3", 9.0])", R"(["2", »"4", 9.0])", R"(springs[3]: unknown label "4" (1, 2, 3, ground))");
  expect(R"(["2", "3", 9.0])", R"(["2", »"2", 9.0])",
         R"(springs[3] must join two different degrees of freedom, got "2" twice)");
  expect(R"(["2", "3", 9.0])", R"(»["2", "3"])", R"(springs[3] must be ["from", "to", value], got a list of 2)");
  expect(R"(["1", "2", 9.0])", R"(["1", »2, 9.0])", R"(springs[2] must be a string, got 2; write "2")");
  expect("{ modal = 1e-4 }", "{ modal = »-1e-4 }", "damping: modal must be >= 0, got -0.0001");
  expect("{ modal = 1e-4 }", "»{ modal = [0.1, 0.1] }", "there are 3 modes but 2 damping ratios");
  expect("{ modal = 1e-4 }", "{ modal = 0.1, »rayleigh = [0, 0] }", "damping: modal and rayleigh exclude each other");
  expect("{ modal = 1e-4 }", "{ rayleigh = »[0.1] }", "damping: rayleigh must be [a, b], got a list of 1");
  expect("{ modal = 1e-4 }", "»{ }", "damping: one of modal, rayleigh, matrix is missing");
  const auto with = [&](const std::string& key, const std::string& message) {
    expect_complaint(structure_text + key, "structure: " + message);
  };
  with(R"(labels = »["a", "b"])", "labels must be 3 like the degrees of freedom, got 2");
  with(R"(labels = ["a", "b", »"a"])", R"(label "a" is there twice)");
  with(R"(labels = ["a", "b", »"ground"])", R"("ground" cannot be a label)");
  with(R"(labels = ["a", "b", »"c,d"])",
       "a label must not hold commas, quotes, brackets, control characters or blanks at its ends, got \"c,d\"");
  with("constrain_rigid_body = »1", "constrain_rigid_body must be true or false, got 1");
  expect_complaint_begins(marked_at(replaced(structure_text, R"("3", 9.0)", R"("3", -90.0)"), R"([["ground")"),
                          "structure: the stiffness matrix is indef");
}

TEST_F(StudyMistakes, Matrices) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  write("M.mtx", head + "2 2 2\n1 1 1\n2 2 1\n");
  write("K.mtx", head + "2 2 2\n1 1 1\n2 2 1\n");
  write("indefinite.mtx", head + "2 2 4\n1 1 1\n2 2 1\n1 2 2\n2 1 2\n");
  const std::string wide = write_marked("wide.mtx", head + "»2 3 1\n1 1 1\n");
  const std::string three = write_marked("three.mtx", head + "»3 3 1\n1 1 1\n");
  const std::string skew = write_marked("skew.mtx", head + "2 2 4\n1 1 1\n2 2 1\n1 2 »0.5\n2 1 -0.5\n");
  const std::string negative = write_marked("negative.mtx", head + "2 2 2\n1 1 1\n2 2 »-1\n");
  const std::string huge = write_marked("huge.mtx", head + "»2000000000 2000000000 1\n1 1 1\n");
  const std::string empty = write_marked("empty.mtx", "»");
  const std::string labels = write_marked("labels.txt", "a\n»a\n");
  const std::string one_label = write_marked("one_label.txt", "»a\n");
  const auto expect = [&](const std::string& mass, const std::string& stiffness, const std::string& message,
                          const std::string& more = "") {
    expect_complaint("[structure]\nkind = \"matrices\"\nmass = " + mass + "\nstiffness = " + stiffness + "\n" + more,
                     message);
  };
  const std::string m = R"("M.mtx")", k = R"("K.mtx")";
  expect(m, k, "");
  expect(R"(»"no.mtx")", k, R"(structure: mass: "no.mtx" cannot be read: there is no such file)");
  expect(R"(»"")", k, R"(structure: mass must be the name of a file, got "")");
  expect(R"(»".")", k, R"(structure: mass: "." cannot be read: it is not a regular file)");
  expect(m, R"("wide.mtx")", wide + "the stiffness matrix must be square, got 2 x 3");
  expect(m, R"("three.mtx")", three + "the stiffness matrix must be 2 x 2 like the mass matrix, got 3 x 3");
  expect(m, R"("skew.mtx")", skew + "the stiffness matrix must be symmetric: entry (1,2) is 0.5, entry (2,1) is -0.5");
  expect(R"("negative.mtx")", k,
         negative + "the mass matrix must be positive definite: entry (2,2) must be > 0, got -1");
  expect(R"(»"three.mtx")", R"("three.mtx")",
         "structure: the mass matrix is not positive definite, and a motion without mass has no stiffness");
  expect(R"(»"indefinite.mtx")", k, "structure: the mass matrix is not positive semidefinite");
  expect(R"("huge.mtx")", k, huge + "the mass matrix must have at most 1000000 rows, got 2000000000");
  expect(R"("empty.mtx")", k,
         empty + R"(the file is empty; its first line must be like "%%MatrixMarket matrix coordinate real symmetric")");
  expect(m, k, labels + R"(label "a" is there twice)", R"(labels = "labels.txt")");
  expect(m, k, one_label + "there must be 2 labels, one a line, got 1", R"(labels = "one_label.txt")");
  expect(m, k, "structure: damping: the damping matrix must be positive semidefinite: it has the eigenvalue -1",
         R"(damping = { matrix = »"indefinite.mtx" })");
  expect_complaint_begins(R"(
[structure]
kind = "matrices"
mass = "M.mtx"
stiffness = »"indefinite.mtx"
)",
                          "structure: the stiffness matrix is indefin");
}

TEST_F(StudyMistakes, Joints) {
  const std::string bad = write_marked("bad.csv", "u,f\n1,2\n3,»x\n");
  write("convex.csv", "u,f\n1,2\n3,9\n");
  const auto expect = [&](const std::string& what, const std::string& by, const std::string& message) {
    expect_complaint(structure_text + replaced(joint_text, what, by), "joint \"lap\": " + message);
  };
  expect("FS = 10.0", "FS = »-3", "FS must be > 0, got -3");
  expect("FS = 10.0", "FS = »nan", "FS must be finite, got nan");
  expect("FS = 10.0", R"(FS = »"10")", R"(FS must be a number, got the string "10")");
  expect("FS = 10.0", "»Fs = 10.0", R"(unknown key "Fs"; did you mean "FS"?)");
  expect("between", "»betwen", R"(unknown key "betwen"; did you mean "between"?)");
  expect(R"("iwan4")", R"(»"iwan44")", R"(unknown law "iwan44"; did you mean "iwan4"?)");
  const std::string between = R"(between = ["2", "3"])";
  expect(between, R"(between = ["2", »"5"])", R"(between: unknown label "5" (1, 2, 3, ground))");
  expect(between, R"(between = ["2", »"2"])", R"(between must name two different degrees of freedom, got "2" twice)");
  expect(between, R"(between = »"2")", R"(between must be ["from", "to"], got the string "2")");
  expect(between, R"(direction = »{ "2" = 0.0 })", "direction must have a weight other than 0");
  expect(between, R"(direction = { "2" = 1.0, »"five" = 1 })", R"(direction: unknown label "five" (1, 2, 3, ground))");
  const auto missing = [&](const std::string& line, const std::string& message) {
    expect_complaint(structure_text + marked_at(replaced(joint_text, line, ""), "[[joint]]"), message);
  };
  missing(
      "KT = 1.0",
      R"(joint "lap": KT is missing: law "iwan4" takes FS, KT, chi, beta or R, S, phi_max, chi or KT, chi, phi_max, share)");
  missing(R"(law = "iwan4")", R"(joint "lap": law is missing)");
  missing(R"(name = "lap")", "joint 1: name is missing");
  missing(between, R"(joint "lap": one of between, direction is missing)");
  expect_complaint(structure_text + joint_text + marked_at(joint_text, R"("lap")"),
                   R"(joint "lap": another joint has this name)");

  const std::string masing = structure_text + R"(
[[joint]]
name = "j"
between = ["1", "2"]
law = "masing"
)";
  expect_complaint(masing + R"(backbone = "bad.csv")", bad + R"(column "f" must be a number, got "x")");
  expect_complaint(masing + R"(backbone = »"no.csv")",
                   R"(joint "j": backbone: "no.csv" cannot be read: there is no such file)");
  expect_complaint(marked_at(masing, "[[joint]]") + "u = [1, 2]", R"(joint "j": f is missing)");
  expect_complaint(masing + R"(
u = [1, 2]
f = [1, 1.5]
interpolation = »"cubic"
)",
                   R"(joint "j": interpolation must be "smooth" or "linear", got "cubic")");
  expect_complaint_begins(masing + R"(backbone = »"convex.csv")", R"(joint "j":)");
}

TEST_F(StudyMistakes, Loads) {
  const std::string back = write_marked("back.csv", "time,value\n0,1\n2,1\n»1,1\n");
  const auto expect = [&](const std::string& what, const std::string& by, const std::string& message) {
    expect_complaint(structure_text + replaced(load_text, what, by), "load \"hit\": " + message);
  };
  const std::string at = R"(at = "3")";
  expect(at, R"(at = »"33")", R"(at: unknown label "33"; did you mean "3"?)");
  expect(at, "at = »3", R"(at must be a string, got 3; write "3")");
  expect(at, "mode = »4", "mode must be an integer from 1 to 3, got 4");
  expect(at, "mode = »1.5", "mode must be an integer from 1 to 3, got 1.5");
  expect(at, at + "\n»mode = 1", "at and mode exclude each other");
  expect(at, "»" + at + "\nbase = true", "base and at exclude each other");
  expect(at, "vector = »{ }", "vector must have an entry other than 0");
  expect(R"("half_sine")", R"(»"halfsine")", R"(signal: unknown kind "halfsine"; did you mean "half_sine"?)");
  expect("amplitude", "»amplitud", R"(signal: unknown key "amplitud"; did you mean "amplitude"?)");
  expect("duration = 1.8", "duration = »0", "signal: duration must be > 0, got 0");
  const std::string signal = R"({ kind = "half_sine", amplitude = 150.0, duration = 1.8 })";
  expect(signal, R"(»{ kind = "sine", amplitude = 1 })", "signal: one of omega, frequency_hz is missing");
  expect(signal, R"({ kind = "random", amplitude = 1, cutoff_hz = 1, seed = »-1 })",
         "signal: seed must be an integer from 0 to 9223372036854775807, got -1");
  expect_complaint(structure_text + replaced(load_text, signal, R"({ kind = "table", file = "back.csv" })"),
                   back + "time must increase: 1 comes after 2");
  expect_complaint(structure_text + marked_at(replaced(load_text, at, ""), "[[load]]"),
                   R"(load "hit": one of at, mode, vector is missing)");
  expect_complaint(structure_text + load_text + marked_at(load_text, R"("hit")"),
                   R"(load "hit": another load has this name)");
}

TEST_F(StudyMistakes, BaseMotionOfMatricesNeedsAShape) {
  write("M.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  expect_complaint(R"(
[structure]
kind = "matrices"
mass = "M.mtx"
stiffness = "M.mtx"
[[load]]
name = "g"
base = »true
signal = { kind = "constant", amplitude = 1 }
)",
                   R"(load "g": base needs vector = { label = value, ... }, the displacement of every degree of )"
                   "freedom when the ground moves by one");
}

TEST_F(StudyMistakes, Analyses) {
  const std::string before = structure_text + joint_text + load_text;
  const auto expect = [&](const std::string& what, const std::string& by, const std::string& message) {
    expect_complaint(before + replaced(analysis_text, what, by), message);
  };
  expect(R"("transient")", R"(»"transent")", R"(analysis 1: unknown kind "transent"; did you mean "transient"?)");
  expect("duration", "»duraton", R"(analysis "ring": unknown key "duraton"; did you mean "duration"?)");
  expect("step = 0.1", "step = »0.0", R"(analysis "ring": step must be > 0, got 0)");
  expect("step = 0.1", "step = »1e-300", R"(analysis "ring": duration/step must be <= 1e+12, got 2e+300)");
  expect("step = 0.1", "step = 0.1\n»steps_per_period = 10",
         R"(analysis "ring": step and steps_per_period exclude each other)");
  expect(R"("hit")", R"(»"hut")", R"(analysis "ring": load: unknown load "hut"; did you mean "hit"?)");
  expect(R"("hit")", R"(["hit", »"hit"])", R"(analysis "ring": load: "hit" is there twice)");
  expect(R"("ring")", R"(»"../ring")",
         "analysis 1: name must be 1 to 100 letters, digits, _, - or ., since it names files, got \"../ring\"");
  const auto missing = [&](const std::string& line, const std::string& message) {
    expect_complaint(before + marked_at(replaced(analysis_text, line, ""), "[[analysis]]"), message);
  };
  missing("duration = 2.0", R"(analysis "ring": duration is missing)");
  missing("step = 0.1", R"(analysis "ring": one of step, steps_per_period is missing)");
  expect_complaint(before + analysis_text + marked_at(analysis_text, R"("ring")"),
                   R"(analysis "ring": another analysis has this name; give each a name of its own)");
  const auto with = [&](const std::string& keys, const std::string& message) {
    expect_complaint(before + analysis_text + keys, "analysis \"ring\": " + message);
  };
  with(R"(method = »"rk4")", R"(unknown method "rk4" (newmark, hht, generalized_alpha, modal_exact, events))");
  with(R"(
method = "hht"
»gamma = 0.5
)",
       R"(unknown key "gamma" (kind, name, load, duration, step, steps_per_period, method, modes, initial, record, )"
       "psd, tolerance, ...)");
  with("gamma = »0.4", "gamma must be in [0.5, 1], got 0.4");
  with("modes = »4", "modes must be an integer from 1 to 3, got 4");
  with(R"(initial = { q = { »"9" = 1.0 } })", R"(initial: q: unknown label "9" (1, 2, 3))");
  with(R"(initial = { static = "hit", »v = { "1" = 1.0 } })", "initial: static and v exclude each other");
  with(R"(record = { dofs = ["1", »"1"] })", R"(record: dofs: "1" is there twice)");
  with(R"(record = { joints = [»"lab"] })", R"(record: joints: unknown joint "lab"; did you mean "lap"?)");
  with("record = { every = »0 }", "record: every must be an integer from 1 to 2147483647, got 0");
  expect_complaint(before + R"(
[[analysis]]
kind = "modes"
count = »7
)",
                   R"(analysis "modes": count must be an integer from 1 to 3, got 7)");
  expect_complaint(before + R"(
[[analysis]]
kind = "modes"
[[analysis]]
kind = "modes"
name = »"modes-shapes"
)",
                   R"(analysis "modes-shapes": modes-shapes.csv is written by analysis "modes" as well)");
}

TEST_F(StudyMistakes, InQuasiStaticModalAnalyses) {
  const std::string before = structure_text + joint_text + R"(
[[analysis]]
kind = "qsma"
)";
  const auto expect = [&](const std::string& keys, const std::string& message) {
    expect_complaint(before + keys, "analysis \"qsma\": " + message);
  };
  expect_complaint(marked_at(before, "[[analysis]]") + "alpha = [1, 2]", R"(analysis "qsma": mode is missing)");
  const std::string alpha = "alpha = [1, 2]\n", both = alpha + "mode = 1\n";
  expect(alpha + "mode = »4", "mode must be an integer from 1 to 3, got 4");
  expect(alpha + "mode = [1, »1]", "mode: 1 is there twice");
  expect(alpha + "mode = »1.5", "mode must be an integer from 1 to 3, got 1.5");
  expect(alpha + "mode = [1, »2.0]", "mode must be an integer from 1 to 3, got 2.0");
  expect(alpha + "mode = »[]", "mode: the list is empty");
  expect("mode = 1\nalpha = »[2, 1]", "alpha must be [from, to] with 0 < from < to");
  expect(both + "ratios = [2, »2]", "ratios: 2 is there twice");
  expect(both + "ratios = [»4]", "ratios must be an integer from 1 to 3, got 4");
  expect(both + "points = »1", "points must be an integer from 2 to 1000000, got 1");
  expect(both + R"(spacing = »"lin")", R"(unknown spacing "lin" (log, linear))");
  expect(both + R"(
load_shape = "slipped"
other_modes = »"vibrating"
)",
         R"(other_modes = "vibrating" needs load_shape = "stuck")");
}

TEST_F(StudyMistakes, NoiseTooLongToHold) {
  expect_complaint(structure_text + R"(
[[load]]
name = "n"
at = "1"
signal = { kind = "random", amplitude = 1, cutoff_hz = 1e9 }
[[analysis]]
kind = "transient"
load = »"n"
duration = 100
step = 1
)",
                   R"(analysis "transient": load: load "n" would have 2e+12 samples, 20 a period of its cut-off; )"
                   "the limit is 1e+08");
}

TEST_F(StudyMistakes, SurviveAnyBytes) {
  write("b.csv", "u,f\n1,2\n");
  test::survives<StudyError>(structure_text + joint_text,
                             [&](const std::string& text) { static_cast<void>(parse(text)); });
  test::survives<StudyError>(
      R"(
[structure]
kind="lumped"
masses=[1]
springs=[["ground","1",1]]
[[joint]]
name="j"
direction={"1"=1}
law="masing"
backbone="b.csv"
residual=0.5
)" + replaced(load_text, R"("3")", R"("1")") +
          analysis_text,
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

}  // namespace study_mistakes_test
}  // namespace microslip
