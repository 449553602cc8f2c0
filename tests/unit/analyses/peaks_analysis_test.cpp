// kind = "peaks": what its reader refuses, with the place.

#include <gtest/gtest.h>

#include <string>

#include "support/study_folder.hpp"

namespace microslip {
namespace peaks_analysis_test {

const std::string parts_text = test::structure_text + test::joint_text + test::shaker_text;
const std::string where = "analysis \"peaks\": ";

std::string peaks(const std::string& keys) {
  return parts_text + "[[analysis]]\nkind = \"peaks\"\nload = \"shaker\"\n" + keys;
}

using PeaksStudy = test::StudyFolder;

TEST_F(PeaksStudy, MistakesInLevelsAndRanges) {
  EXPECT_EQ(complaint(peaks("levels = [0.1, 0.2]\nmode = 1\n")), "");
  const std::string levels =
      where + "levels must be [from, .., to], two different numbers at least, of the same sign, rising or falling";
  expect_complaint(peaks("levels = »[0.1]\nmode = 1\n"), levels);
  expect_complaint(peaks("levels = »[0.1, 0.3, 0.2]\nmode = 1\n"), levels);
  expect_complaint(peaks("levels = »[-0.1, 0.2]\nmode = 1\n"), levels);
  expect_complaint(peaks("levels = [0.1, 0.2]\nomega = »[0.3]\n"),
                   where + "omega must be [from, to], two different numbers");
  expect_complaint(peaks("levels = [0.1, 0.2]\nmode = »[1, 2]\n"),
                   where + "mode must be one number: a curve of peaks has one");
}

TEST_F(PeaksStudy, MistakesInTheNumberVaried) {
  const auto over = [](const std::string& path, const std::string& values) {
    return peaks("mode = 1\nover = " + path + "\nvalues = " + values + "\n");
  };
  EXPECT_EQ(complaint(over("\"joint.lap.FS\"", "[5, 20]")), "");
  expect_complaint(over("»\"joint.lop.FS\"", "[5.0, 20.0]"),
                   where + "over: \"joint.lop.FS\": unknown joint \"lop\"; did you mean \"lap\"?");
  expect_complaint(over("»\"modes.lap\"", "[5.0, 20.0]"),
                   where + "over: \"modes.lap\": a path begins with structure, joint or load (structure, joint, load)");
  expect_complaint(over("\"joint.lap.FS\"", "»[5.0]"),
                   where + "values must be [from, .., to], two different numbers at least, rising or falling");
  expect_complaint_begins(over("\"joint.lap.FS\"", "[5.0, »-1.0]"), where + "joint.lap.FS = -1: joint \"lap\": FS");
  expect_complaint(peaks("levels = [0.1, 0.2]\nmode = 1\n»values = [1.0, 2.0]\n"), where + "values goes with over");
}

}  // namespace peaks_analysis_test
}  // namespace microslip
