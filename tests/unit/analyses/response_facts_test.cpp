// What is counted of curves on which some motions or multipliers are not known.

#include "microslip/analyses/response/response_facts.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "microslip/analyses/response/highest_response.hpp"

namespace microslip {
namespace response_facts_test {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

ResponsePoint point_of(double amplitude, double multiplier, double error) {
  ResponsePoint point;
  point.amplitude = {amplitude};
  point.multiplier = multiplier;
  point.multiplier_error = error;
  return point;
}

TEST(ResponseFacts, MultipliersThatWereNotFoundAreCountedApart) {
  FrequencyResponse response;
  response.points = {point_of(1.0, 0.5, 0.1), point_of(1.0, 1.5, 0.1), point_of(1.0, 0.95, 0.1),
                     point_of(1.0, none, 1.0), point_of(1.0, none, 1.0)};
  ResponseFacts facts;
  facts.tells_stability = true;
  facts.add(response);
  EXPECT_EQ(facts.unstable_points, 1);
  EXPECT_EQ(facts.undecided_points, 1);
  EXPECT_EQ(facts.unknown_multipliers, 2);
  EXPECT_EQ(facts.to_json()["unknown_multipliers"], 2);
}

TEST(ResponseFacts, TheHighestAmplitudeIsANumber) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}), {});
  const ResponseRecord record{{0}, 0};
  FrequencyResponse response;
  response.points = {point_of(none, none, 1.0)};
  EXPECT_FALSE(highest_of(record, system, response));
  response.points.push_back(point_of(2.0, 0.5, 0.1));
  response.points.push_back(point_of(1.0, 0.5, 0.1));
  response.special.push_back({SpecialKind::peak, point_of(none, none, 1.0)});
  ASSERT_TRUE(highest_of(record, system, response));
  EXPECT_EQ(highest_of(record, system, response)->amplitude, 2.0);
  response.special.push_back({SpecialKind::peak, point_of(3.0, 0.5, 0.1)});
  EXPECT_EQ(highest_of(record, system, response)->amplitude, 3.0);
}

}  // namespace response_facts_test
}  // namespace microslip
