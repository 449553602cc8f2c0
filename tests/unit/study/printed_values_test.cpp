// Printed values: what printed.toml may say, where ours is found, and the verdict.

#include "microslip/gallery/printed_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/gallery/gallery.hpp"
#include "study_folder.hpp"

namespace microslip {
namespace {

const std::string head = "[[value]]\npaper = \"P\"\nwhere = \"Table 1\"\nwhat = \"w\"\n";

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
  EXPECT_EQ(ours("{ table = \"modes\", column = \"omega\", where = { mode = 2 } }"), 4.0);
  EXPECT_NEAR(ours("{ table = \"modes\", column = \"omega\", where = { mode = 1 }, scale = \"1/(2 pi)\" }"), 1.0 / M_PI,
              1e-15);
  EXPECT_EQ(ours("{ table = \"modes\", column = \"omega\", reduce = \"max\" }"), 4.0);
  EXPECT_EQ(ours("{ table = \"modes\", column = \"omega\", reduce = \"count\" }"), 2.0) << "numbers, not rows";
  EXPECT_EQ(ours("{ table = \"curve\", column = \"zeta\", reduce = \"half_range\" }"), 10.0);
  EXPECT_EQ(ours("{ table = \"curve\", column = \"zeta\", reduce = \"last\" }"), 0.0);
  EXPECT_EQ(ours("{ table = \"curve\", column = \"zeta\", reduce = \"mean\" }"), 10.0);
  EXPECT_NEAR(ours("{ table = \"curve\", column = \"zeta\", reduce = \"rms\" }"), std::sqrt(150.0), 1e-13);
  EXPECT_EQ(ours("{ table = \"curve\", column = \"zeta\", between = { q = [2.4, 3.0] }, reduce = \"largest\" }"), 10.0);
  EXPECT_EQ(ours("{ table = \"curve\", column = \"zeta\", at = { q = 1.5 } }"), 15.0);
  EXPECT_EQ(ours("{ table = \"curve\", column = \"zeta\", at = { q = 2.75 } }"), 12.5) << "first of both branches";
  EXPECT_EQ(ours("{ table = \"curve\", column = \"zeta\", at = { q = 2 } }"), 20.0);
  EXPECT_EQ(ours("{ summary = \"ring.energy.joints.lap.1\" }"), 5.5);
  EXPECT_EQ(ours("{ summary = \"ring.modes.2.chi\", scale = 10 }"), -4.0);
  EXPECT_EQ(
      ours("{ formula = \"100 (a / b - 1)\", values = { a = { table = \"modes\", column = \"omega\", where = { mode = "
           "2 } }, b = { table = \"modes\", column = \"omega\", where = { mode = 1 } } } }"),
      100.0);
}

TEST_F(PrintedValues, WhatCannotBeRead) {
  EXPECT_EQ(not_read("{ table = \"mods\", column = \"omega\" }"),
            "the run left no table \"mods\"; did you mean \"modes\"?");
  EXPECT_EQ(not_read("{ table = \"modes\", column = \"omgea\" }"),
            "modes.csv has no column \"omgea\"; did you mean \"omega\"?");
  EXPECT_EQ(not_read("{ table = \"modes\", column = \"omega\" }"),
            "3 rows of \"modes\" are left, there must be one (or say how to \"reduce\" them)");
  EXPECT_EQ(not_read("{ table = \"modes\", column = \"omega\", where = { mode = 3 } }"),
            "the value is no finite number");
  EXPECT_EQ(not_read("{ table = \"curve\", column = \"zeta\", at = { q = 9 } }"), "\"q\" does not reach 9");
  EXPECT_EQ(not_read("{ summary = \"rign.energy\" }"),
            "\"rign.energy\" names no analysis of summary.json; did you mean \"ring\"?");
  EXPECT_EQ(not_read("{ summary = \"ring.enrgy\" }"),
            "summary.json has no \"enrgy\" in \"ring.enrgy\"; did you mean \"energy\"?");
  EXPECT_EQ(not_read("{ summary = \"ring.energy\" }"), "\"ring.energy\" of summary.json is no number");
}

TEST_F(PrintedValues, Verdicts) {
  const std::string from = "from = { table = \"modes\", column = \"omega\", where = { mode = 2 } }\n";  // 4
  const auto verdict = [&](const std::string& rest) { return in_words(compared(rest + from)); };
  EXPECT_EQ(verdict("printed = 4.0\ndigits = 2\n"), "agrees");
  EXPECT_EQ(verdict("printed = 4.05\ndigits = 2\n"), "agrees") << "half a unit of the last digit";
  EXPECT_EQ(verdict("printed = 4.06\ndigits = 2\n"), "differs by −1.5 %");
  EXPECT_EQ(verdict("printed = 5.0\ndigits = 2\n"), "differs by −20 %");
  EXPECT_EQ(verdict("printed = 5.0\ntolerance = 1.0\nreason = \"r\"\n"), "agrees");
  EXPECT_EQ(verdict("printed = 5.0\nrelation = \"at most\"\n"), "agrees");
  EXPECT_EQ(verdict("printed = 5.0\nrelation = \"at least\"\n"), "differs by −20 %");
  EXPECT_EQ(verdict("printed = 40.0\ndigits = 2\nmisprint = true\nnote = \"power of ten\"\n"),
            "misprint in the paper, see note");
  EXPECT_EQ(verdict("printed = 4.0\ndigits = 2\nmisprint = true\nnote = \"n\"\n"), "agrees")
      << "a note does not make it one";
}

TEST_F(PrintedValues, Mistakes) {
  const auto message = [](const std::string& text) {
    try {
      static_cast<void>(parse_printed_values(text, "printed.toml"));
    } catch (const StudyError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string from = "from = { table = \"t\", column = \"c\" }\n";
  EXPECT_EQ(message("[[valeu]]\n"), "printed.toml:1:3: unknown key \"valeu\"; did you mean \"value\"?");
  EXPECT_EQ(message(head + "digits = 2\n" + from), "printed.toml:1:1: value 1: printed is missing");
  EXPECT_EQ(message(head + "printed = 1\n" + from), "printed.toml:1:1: value 1: one of digits, tolerance is missing");
  EXPECT_EQ(message(head + "printed = 1\ntolerance = 1\n" + from), "printed.toml:1:1: value 1: reason is missing");
  EXPECT_EQ(message(head + "printed = 1\ndigits = 2\nmisprint = true\n" + from),
            "printed.toml:7:12: value 1: a misprint needs a note that says why it is one");
  EXPECT_EQ(message(head + "printed = 1\ndigits = 2\nfrom = { table = \"t\", colum = \"c\" }\n"),
            "printed.toml:7:23: value 1: from: unknown key \"colum\"; did you mean \"column\"?");
  EXPECT_EQ(message(head + "printed = 1\ndigits = 2\nfrom = { table = \"../t\", column = \"c\" }\n"),
            "printed.toml:7:18: value 1: from: table must be a name without slashes, got \"../t\"");
  EXPECT_EQ(message(head + "printed = 1\ndigits = 2\nfrom = { table = \"t\", column = \"c\", reduce = \"maxx\" }\n"),
            "printed.toml:7:46: value 1: from: unknown reduce \"maxx\"; did you mean \"max\"?");
  EXPECT_EQ(message(head + "printed = 1\ndigits = 2\nfrom = { table = \"t\", column = \"c\", scale = \"1/(2 p)\" }\n"),
            "printed.toml:7:45: value 1: from: scale: unknown name \"p\"; did you mean \"pi\"?");
  EXPECT_EQ(
      message(head +
              "printed = 1\ndigits = 2\nfrom = { formula = \"a / c\", values = { a = { summary = \"x.y\" } } }\n"),
      "printed.toml:7:20: value 1: from: formula: unknown name \"c\"; did you mean \"a\"?");
  EXPECT_EQ(message("[[value]\n").substr(0, 13), "printed.toml:");
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
  write("printed.toml", head + "printed = 1\ndigits = 2\nstudy = \"no.toml\"\nfrom = { summary = \"a.b\" }\n");
  EXPECT_NE(message().find("printed.toml:1:1: there is no study \"no.toml\" beside it"), std::string::npos);
}

}  // namespace
}  // namespace microslip
