// Where bands are found, and what they are between.

#include "microslip/identify/band_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace microslip {
namespace band_nodes_test {

// 1000 even points: 39 equal stretches of ln x + 4 x/x_last would be (ln 1000 + 4)/39 long each, but points are only
// where they are: half as much again. Gaps without points do not count.
TEST(BandNodes, AreAsCloseAsCanBe) {
  for (const double first : {1.0, 1e-9}) {
    std::vector<double> x = {first};
    for (int i = 2; i <= 1000; ++i) x.push_back(i);
    const std::vector<std::size_t> nodes = band_nodes(x, 40);
    ASSERT_LE(nodes.size(), 40U);
    EXPECT_EQ(nodes.front(), 0U);
    EXPECT_EQ(nodes.back(), 999U);
    for (std::size_t k = 1; k < nodes.size(); ++k) {
      if (nodes[k] == nodes[k - 1] + 1) continue;
      const double from = x[nodes[k - 1]], to = x[nodes[k]];
      EXPECT_LT(std::log(to / from) + 4.0 * (to - from) / 1000.0, 1.5 * (std::log(1000.0) + 4.0) / 39.0) << from;
    }
  }
  const std::vector<double> few = {1.0, 2.0, 2.0, 5.0};
  EXPECT_EQ(band_nodes(few, 40).size(), 4U);
  EXPECT_EQ(band_nodes(few, 2), (std::vector<std::size_t>{0, 3}));
}

// Ends that are a share of a power keep it, to rounding; a chord from 1 to 26 is 5.3 times x^2.5 at 8.
TEST(BandNodes, BandsOfAPower) {
  const auto node = [](double x) {
    const double value = std::pow(x, 2.5);
    return BandNode{x, value, {0.8 * value, 1.3 * value}};
  };
  const double value = std::pow(8.0, 2.5);
  const BandEnds ends = band_between(node(1.0), node(26.0), 8.0, value);
  EXPECT_NEAR(ends.low, 0.8 * value, 1e-12 * value);
  EXPECT_NEAR(ends.high, 1.3 * value, 1e-12 * value);
}

TEST(BandNodes, ValuesOfZeroAndOpenEnds) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const BandNode none{1.0, 0.0, {0.0, 2.0}}, some{3.0, 4.0, {1.0, 6.0}}, open{3.0, 4.0, {1.0, infinite}};
  EXPECT_EQ(band_between(none, some, 2.0, 1.0).low, 0.0);
  EXPECT_EQ(band_between(none, some, 2.0, 1.0).high, 4.0);
  const BandNode maybe{1.0, 1.0, {0.0, 2.0}};
  EXPECT_EQ(band_between(maybe, some, 2.9, 3.9).low, 0.0);
  EXPECT_EQ(band_between(some, open, 3.0, 4.0).high, infinite);
  EXPECT_EQ(band_between(some, open, 3.0, 4.0).low, 1.0);
  EXPECT_EQ(band_between(none, open, 2.0, 1.0).high, infinite);
}

}  // namespace band_nodes_test
}  // namespace microslip
