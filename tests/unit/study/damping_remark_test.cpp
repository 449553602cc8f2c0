// Modes that do not vibrate.

#include <gtest/gtest.h>

#include "microslip/study/run_study.hpp"
#include "study_folder.hpp"

namespace microslip {
namespace {

class DampingRemarkStudy : public test::StudyFolder {};

// A ratio of 2 was meant as 2 %.
TEST_F(DampingRemarkStudy, TellsOfModesThatDoNotVibrate) {
  for (const char* ratio : {"2.0", "0.99"}) {
    const Study study = parse(std::string("[structure]\nkind = \"lumped\"\nmasses = [1.0]\nsprings = [[\"ground\", "
                                          "\"1\", 4.0]]\ndamping = { modal = ") +
                              ratio + " }\n[[analysis]]\nkind = \"modes\"\n");
    RunOptions options;
    options.report = false;
    const std::string message = run_study(study, path("out"), options).analyses.at(0).message;
    EXPECT_EQ(message.find("damping ratio 2 and does not vibrate") != std::string::npos, ratio[0] == '2') << message;
  }
}

}  // namespace
}  // namespace microslip
