// Printed values: what printed.toml may say, where ours is found, and the verdict.

#include "microslip/gallery/printed_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/gallery/gallery.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace printed_values_test {

using test::marked_at;

const std::string head = R"(
[[value]]
paper = "P"
where = "Table 1"
what = "w"
)";

class PrintedValues : public test::StudyFolder {
 protected:
  void SetUp() override {
    StudyFolder::SetUp();
    write("modes.csv", "mode,omega\n1,2\n2,4\n3,nan\n");
    write("curve.csv", "q,zeta\n1,10\n2,20\n3,10\n2.5,0\n");
    write("summary.json",
          R"({"analyses":[{"name":"ring","energy":{"joints":{"lap.1":5.5}},"modes":[{"chi":-0.5},{"chi":-0.4}]}]})");
  }
  [[nodiscard]] Comparison compared(const std::string& rest) const {
    const auto values = parse_printed_values(head + rest, "printed.toml");
    ResultFiles results(path(""));
    return compare(values.front(), results);
  }
  [[nodiscard]] double ours(const std::string& from) const {
    const Comparison comparison = compared("printed = 1\ndigits = 1\nfrom = " + from + "\n");
    EXPECT_EQ(comparison.message, "");
    return comparison.ours;
  }
  [[nodiscard]] std::string not_read(const std::string& from) const {
    const Comparison comparison = compared("printed = 1\ndigits = 1\nfrom = " + from + "\n");
    EXPECT_EQ(in_words(comparison), "not read");
    return comparison.message;
  }
};

TEST_F(PrintedValues, Selectors) {
  EXPECT_EQ(ours(R"({ table = "modes", column = "omega", where = { mode = 2 } })"), 4.0);
  EXPECT_NEAR(ours(R"_({ table = "modes", column = "omega", where = { mode = 1 }, scale = "1/(2 pi)" })_"), 1.0 / M_PI,
              1e-15);
  EXPECT_EQ(ours(R"({ table = "modes", column = "omega", reduce = "max" })"), 4.0);
  EXPECT_EQ(ours(R"({ table = "modes", column = "omega", reduce = "count" })"), 2.0) << "numbers, not rows";
  EXPECT_EQ(ours(R"({ table = "curve", column = "zeta", reduce = "half_range" })"), 10.0);
  EXPECT_EQ(ours(R"({ table = "curve", column = "zeta", reduce = "last" })"), 0.0);
  EXPECT_EQ(ours(R"({ table = "curve", column = "zeta", reduce = "mean" })"), 10.0);
  EXPECT_NEAR(ours(R"({ table = "curve", column = "zeta", reduce = "rms" })"), std::sqrt(150.0), 1e-13);
  EXPECT_EQ(ours(R"({ table = "curve", column = "zeta", between = { q = [2.4, 3.0] }, reduce = "largest" })"), 10.0);
  EXPECT_EQ(ours(R"({ table = "curve", column = "zeta", at = { q = 1.5 } })"), 15.0);
  EXPECT_EQ(ours(R"({ table = "curve", column = "zeta", at = { q = 2.75 } })"), 12.5) << "first of both branches";
  EXPECT_EQ(ours(R"({ table = "curve", column = "zeta", at = { q = 2 } })"), 20.0);
  EXPECT_EQ(ours(R"({ summary = "ring.energy.joints.lap.1" })"), 5.5);
  EXPECT_EQ(ours(R"({ summary = "ring.modes.2.chi", scale = 10 })"), -4.0);
  EXPECT_EQ(ours(R"_({ formula = "100 (a / b - 1)", values = { a = { table = "modes", column = "omega", where = { )_"
                 R"(mode = 2 } }, b = { table = "modes", column = "omega", where = { mode = 1 } } } })"),
            100.0);
}

TEST_F(PrintedValues, WhatCannotBeRead) {
  EXPECT_EQ(not_read(R"({ table = "mods", column = "omega" })"),
            R"(the run left no table "mods"; did you mean "modes"?)");
  EXPECT_EQ(not_read(R"({ table = "modes", column = "omgea" })"),
            R"(modes.csv has no column "omgea"; did you mean "omega"?)");
  EXPECT_EQ(not_read(R"({ table = "modes", column = "omega" })"),
            R"(3 rows of "modes" are left, there must be one (or say how to "reduce" them))");
  EXPECT_EQ(not_read(R"({ table = "modes", column = "omega", where = { mode = 3 } })"),
            "the value is no finite number");
  EXPECT_EQ(not_read(R"({ table = "curve", column = "zeta", at = { q = 9 } })"), R"("q" does not reach 9)");
  EXPECT_EQ(not_read(R"({ summary = "rign.energy" })"),
            R"("rign.energy" names no analysis of summary.json; did you mean "ring"?)");
  EXPECT_EQ(not_read(R"({ summary = "ring.enrgy" })"),
            R"(summary.json has no "enrgy" in "ring.enrgy"; did you mean "energy"?)");
  EXPECT_EQ(not_read(R"({ summary = "ring.energy" })"), R"("ring.energy" of summary.json is no number)");
}

TEST_F(PrintedValues, Verdicts) {
  const std::string from = R"(from = { table = "modes", column = "omega", where = { mode = 2 } }
)";  // 4
  const auto verdict = [&](const std::string& rest) { return in_words(compared(rest + from)); };
  EXPECT_EQ(verdict("printed = 4.0\ndigits = 2\n"), "agrees");
  EXPECT_EQ(verdict("printed = 4.05\ndigits = 2\n"), "agrees") << "half a unit of the last digit";
  EXPECT_EQ(verdict("printed = 4.06\ndigits = 2\n"), "differs by −1.5 %");
  EXPECT_EQ(verdict("printed = 5.0\ndigits = 2\n"), "differs by −20 %");
  EXPECT_EQ(verdict(R"(
printed = 5.0
tolerance = 1.0
reason = "r"
)"),
            "agrees");
  EXPECT_EQ(verdict(R"(
printed = 5.0
relation = "at most"
)"),
            "agrees");
  EXPECT_EQ(verdict(R"(
printed = 5.0
relation = "at least"
)"),
            "differs by −20 %");
  EXPECT_EQ(verdict(R"(
printed = 40.0
digits = 2
misprint = true
note = "power of ten"
)"),
            "misprint in the paper, see note");
  EXPECT_EQ(verdict(R"(
printed = 4.0
digits = 2
misprint = true
note = "n"
)"),
            "agrees")
      << "a note does not make it one";
}

TEST_F(PrintedValues, Mistakes) {
  const auto expect = [](const std::string& marked, const std::string& message) {
    const auto [text, place] = test::without_mark(marked, "printed.toml");
    try {
      static_cast<void>(parse_printed_values(text, "printed.toml"));
      ADD_FAILURE() << "no mistake in\n" << text;
    } catch (const StudyError& error) {
      EXPECT_EQ(error.what(), place + message) << marked;
    }
  };
  expect("[[»valeu]]", R"(unknown key "valeu"; did you mean "value"?)");
  const std::string from = R"(
from = { table = "t", column = "c" }
)";
  const std::string pointed = marked_at(head, "[[value]]");
  expect(pointed + "digits = 2" + from, "value 1: printed is missing");
  expect(pointed + "printed = 1" + from, "value 1: one of digits, tolerance is missing");
  expect(pointed + "printed = 1\ntolerance = 1" + from, "value 1: reason is missing");
  const std::string value = head + "printed = 1\ndigits = 2\n";
  expect(value + "misprint = »true" + from, "value 1: a misprint needs a note that says why it is one");
  expect(value + R"(from = { table = "t", »colum = "c" })",
         R"(value 1: from: unknown key "colum"; did you mean "column"?)");
  expect(value + R"(from = { table = »"../t", column = "c" })",
         R"(value 1: from: table must be a name without slashes, got "../t")");
  expect(value + R"(from = { table = "t", column = "c", reduce = »"maxx" })",
         R"(value 1: from: unknown reduce "maxx"; did you mean "max"?)");
  expect(value + R"_(from = { table = "t", column = "c", scale = »"1/(2 p)" })_",
         R"(value 1: from: scale: unknown name "p"; did you mean "pi"?)");
  expect(value + R"(from = { formula = »"a / c", values = { a = { summary = "x.y" } } })",
         R"(value 1: from: formula: unknown name "c"; did you mean "a"?)");
  try {
    static_cast<void>(parse_printed_values("[[value]\n", "printed.toml"));
    ADD_FAILURE() << "no mistake";
  } catch (const StudyError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 13), "printed.toml:");
  }
}

TEST_F(PrintedValues, GalleriesAreCheckedBeforeTheyRun) {
  const auto message = [&] {
    try {
      static_cast<void>(find_gallery_studies(path("")));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(message().find("there is no study in this folder"), std::string::npos);
  const std::string place = write_marked("printed.toml", marked_at(head, "[[value]]") + R"(
printed = 1
digits = 2
study = "no.toml"
from = { summary = "a.b" }
)");
  EXPECT_NE(message().find(place + R"(there is no study "no.toml" beside it)"), std::string::npos);
}

}  // namespace printed_values_test
}  // namespace microslip
