// Steps in time that are too long for a load.

#include "microslip/input/load_resolution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "microslip/study/run_study.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace load_resolution_test {

constexpr double pi = std::numbers::pi;

TEST(LoadResolution, ShortestHalfWaves) {
  EXPECT_TRUE(std::isinf(shortest_half_wave(Signal(Constant{3.0}))));
  EXPECT_EQ(shortest_half_wave(Signal(HalfSine{1.0, 1.8})), 1.8);
  EXPECT_DOUBLE_EQ(shortest_half_wave(Signal(Sine{1.0, 4.0, 0.3})), pi / 4.0);
  EXPECT_TRUE(std::isinf(shortest_half_wave(Signal(Sine{0.0, 4.0, 0.3}))));
  EXPECT_DOUBLE_EQ(shortest_half_wave(Signal(Fourier{2.0, 1.0, {1.0, 0.0, 0.5}, {1.0, 1.0, 0.0, 0.0}})), pi / 6.0);
  EXPECT_DOUBLE_EQ(shortest_half_wave(Signal(RandomNoise{1.0, 10.0, 1, 5.0})), 0.05);
  // 0, 1, 2, -1, -1, 0: up for 2, down for 1, flat and up for 2 to its end.
  EXPECT_DOUBLE_EQ(
      shortest_half_wave(Signal(TableSignal{{0.0, 1.0, 2.0, 3.0, 4.0, 5.0}, {0.0, 1.0, 2.0, -1.0, -1.0, 0.0}})), 1.0);
  EXPECT_TRUE(std::isinf(shortest_half_wave(Signal(TableSignal{{0.0, 1.0, 2.0}, {0.0, 1.0, 2.0}, true}))));
}

class LoadResolutionStudy : public test::StudyFolder {};

// A half-sine of 1.8 between two steps of 2: nothing moves, no energy is missing, and it is said.
TEST_F(LoadResolutionStudy, TellsWhatAStepDoesNotSee) {
  const std::string analysis = R"(
[[analysis]]
kind = "transient"
name = "a"
load = "hit"
duration = 20.0
)";
  for (const double step : {2.0, 0.5}) {
    const Study study = parse(test::structure_text + test::joint_text + test::light_hit_text + analysis +
                              "step = " + std::to_string(step) + "\n");
    const bool seen = step < 1.0;
    RunOptions options;
    options.report = false;
    const std::string message = run_study(study, path("out"), options).analyses.at(0).message;
    EXPECT_EQ(message.find(R"(does not see load "hit")") == std::string::npos, seen) << message;
    EXPECT_EQ(message.find("did no work") == std::string::npos, seen) << message;
    EXPECT_EQ(study.analyses.at(0)->describe().find("does not see") == std::string::npos, seen);
  }
}

// A ring-down simulates in the same steps, and says the same.
TEST_F(LoadResolutionStudy, RingDownsTellItToo) {
  const std::string analysis =
      R"(
[[analysis]]
kind = "ringdown"
name = "a"
load = "hit"
duration = 400.0
mode = 1
)";
  for (const double step : {1.0, 0.5}) {
    const Study study = parse(test::structure_text + test::joint_text + test::light_hit_text + analysis +
                              "step = " + std::to_string(step) + "\n");
    RunOptions options;
    options.report = false;
    const std::string message = run_study(study, path("out"), options).analyses.at(0).message;
    EXPECT_EQ(message.find(R"(does not see load "hit")") == std::string::npos, step < 1.0) << message;
  }
}

}  // namespace load_resolution_test
}  // namespace microslip
