// What a response tells of its own points.

#include "microslip/periodic/frequency_response.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace microslip {
namespace frequency_response_test {

ResponsePoint point_at(double omega, double deflection) {
  ResponsePoint point;
  point.orbit = {omega, 2.0, 1, Eigen::MatrixXd::Constant(3, 1, deflection), Eigen::MatrixXd::Zero(3, 1)};
  return point;
}

TEST(FrequencyResponse, TellsOfPeriodsThatCouldNotBeRun) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  FrequencyResponse response;
  response.points = {point_at(1.0, 0.5), point_at(1.25, 0.5)};
  EXPECT_EQ(response.unknown_points(), "");
  response.points.push_back(point_at(1.5, none));
  EXPECT_EQ(response.unknown_points(), "omega = 1.5, level 2: the period could not be run");
  response.special.push_back({SpecialKind::peak, point_at(1.4, none)});
  EXPECT_EQ(response.unknown_points(), "omega = 1.5, level 2, the first of 2 points: the period could not be run");
}

}  // namespace frequency_response_test
}  // namespace microslip
