// Modes that do not vibrate.

#include <gtest/gtest.h>

#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace damping_remark_test {

class DampingRemarkStudy : public test::StudyFolder {};

// A ratio of 2 was meant as 2 %.
TEST_F(DampingRemarkStudy, TellsOfModesThatDoNotVibrate) {
  for (const char* ratio : {"2.0", "0.99"}) {
    const Study study = parse(std::string(R"(
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 4.0]]
damping = { modal = )") + ratio +
                              R"( }
[[analysis]]
kind = "modes"
)");
    RunOptions options;
    options.report = false;
    const std::string message = run_study(study, path("out"), options).analyses.at(0).message;
    EXPECT_EQ(message.find("damping ratio 2 and does not vibrate") != std::string::npos, ratio[0] == '2') << message;
  }
}

}  // namespace damping_remark_test
}  // namespace microslip
