#include "microslip/measurement/force_hits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace microslip {
namespace force_hits_test {

constexpr std::size_t samples = 1000, least = 16;

/// 1 at its middle, over samples 20 to 60: below 5 % from 0.64 samples before its end on.
double half_sine(std::size_t i) {
  return i > 20 && i < 60 ? std::sin(std::numbers::pi * (static_cast<double>(i) - 20.0) / 40.0) : 0.0;
}

template <class Function>
ForceHits hits_of(Function&& value) {
  std::vector<double> force(samples);
  for (std::size_t i = 0; i < samples; ++i) force[i] = value(i);
  return force_hits({&force}, least);
}

void expect_one_hit(const ForceHits& hits, std::size_t from, std::size_t to) {
  ASSERT_TRUE(hits.end.has_value());
  EXPECT_GE(*hits.end, from);
  EXPECT_LE(*hits.end, to);
  EXPECT_FALSE(hits.second.has_value()) << *hits.second;
}

// Lines between medians follow a drift that is one; before the first and after the last, an eighth of the record from
// its ends, they are off by an eighth of it, 1 and 2 %. A tap of 9 % stands out of that by 7 % or more.
TEST(ForceHits, BaselinesMayDrift) {
  for (const double drift : {0.08, -0.08, 0.16}) {
    const auto force = [&](std::size_t i) { return 3.0 + drift * static_cast<double>(i) / samples + half_sine(i); };
    expect_one_hit(hits_of(force), 59, 61);
    const ForceHits two = hits_of([&](std::size_t i) { return force(i) + (i >= 700 && i < 703 ? 0.09 : 0.0); });
    EXPECT_EQ(two.second, 700U) << drift;
  }
}

// A transducer that comes back from the hit at -8 % as exp(-t/200): the hit and 34 samples around are set aside, and
// the median of the rest of the first quarter is about that of its middle, 172, -4.6 %. At 60 3.4 % are left.
TEST(ForceHits, UndershootIsNoHit) {
  const auto undershoot = [](std::size_t i) {
    return i < 60 ? 0.0 : -0.08 * std::exp(-(static_cast<double>(i) - 60.0) / 200.0);
  };
  expect_one_hit(hits_of([&](std::size_t i) { return half_sine(i) + undershoot(i); }), 59, 61);
}

// 15 counts, and noise of 0.4 counts: every fifth sample is a count, 6.7 %, and the others are 0. Quiet are six
// standard deviations and half a count, 2.9 counts: what rounds to 2 of them, or 3, as the estimate has it. The half
// sine, with three standard deviations either way, falls below 2.5 to 3.5 counts from 5 to 1 samples before its end on;
// a tap of 8 counts is a hit.
TEST(ForceHits, SingleCountsAreNoise) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal(0.0, 0.4);
  for (int record = 0; record < 20; ++record) {
    const auto force = [&](std::size_t i) { return std::round(15.0 * half_sine(i) + normal(generator)); };
    expect_one_hit(hits_of(force), 55, 59);
    const ForceHits two = hits_of([&](std::size_t i) { return force(i) + (i >= 700 && i < 703 ? 8.0 : 0.0); });
    EXPECT_EQ(two.second, 700U);
  }
}

// Many spikes of 6 % in the last quarter, three samples each, are no noise where there is none between them, or less
// than a count of a fine converter: a second hit of 24 % does not hide among them. A coarse converter, 1/16 of the hit,
// has them as single counts: 30 of 250 samples, a deviation of 0.32 counts, and quiet up to 2.4 counts, 15 %.
TEST(ForceHits, SpikesHideNoHit) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal(0.0, 1e-4);
  const auto force = [](std::size_t i) {
    return half_sine(i) + (i >= 500 && i < 508 ? 0.24 : 0.0) + (i >= 750 && i % 25 < 3 ? 0.06 : 0.0);
  };
  EXPECT_EQ(hits_of(force).second, 500U);
  EXPECT_EQ(hits_of([&](std::size_t i) { return force(i) + normal(generator); }).second, 500U);
  for (const double counts : {16.0, 2048.0}) {
    EXPECT_EQ(hits_of([&](std::size_t i) { return std::round(counts * force(i)) / counts; }).second, 500U) << counts;
  }
}

// A force of 10 % that swings 20 times after the hit and dies out before the last quarter is no noise of counts: the
// hit lasts as long as it does, to the last swing beyond 5 %, exp(-t/200) = 1/2.
// 4 % over four samples, forty standard deviations of the noise; a transducer that drifts or swings back by twice that
// makes none, of itself.
TEST(ForceHits, FaintPulsesAreHits) {
  std::mt19937_64 generator(5);
  std::normal_distribution<double> normal(0.0, 1e-3);
  const auto slow = [](int kind, std::size_t i) {
    const auto t = static_cast<double>(i);
    return kind == 0 ? 0.0 : kind == 1 ? 0.08 * t / samples : i < 60 ? 0.0 : -0.08 * std::exp(-(t - 60.0) / 200.0);
  };
  for (const int kind : {0, 1, 2}) {
    expect_one_hit(hits_of([&](std::size_t i) { return half_sine(i) + slow(kind, i) + normal(generator); }), 57, 62);
    const ForceHits two = hits_of([&](std::size_t i) {
      return half_sine(i) + slow(kind, i) + normal(generator) + (i >= 800 && i < 804 ? 0.04 : 0.0);
    });
    EXPECT_EQ(two.second, 800U) << kind;
  }
}

TEST(ForceHits, ASwingingForceIsNoNoise) {
  const ForceHits hits = hits_of([](std::size_t i) {
    const double t = static_cast<double>(i) - 60.0;
    return half_sine(i) + (t > 0.0 ? 0.1 * std::exp(-t / 200.0) * std::sin(0.3 * t) : 0.0);
  });
  ASSERT_TRUE(hits.end.has_value());
  EXPECT_NEAR(static_cast<double>(*hits.end), 60.0 + 200.0 * std::log(2.0), std::numbers::pi / 0.3);
}

// A box of 0 and 1 is no noise of counts, nor is one that comes back.
TEST(ForceHits, BoxesAreHits) {
  const auto box = [](std::size_t i) { return i >= 20 && i < 60 ? 1.0 : 0.0; };
  expect_one_hit(hits_of(box), 60, 60);
  EXPECT_EQ(hits_of([&](std::size_t i) { return box(i) + (i >= 700 ? box(i - 680) : 0.0); }).second, 700U);
}

// Noise alone moves, but hits nowhere.
TEST(ForceHits, NoiseAloneMoves) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  const ForceHits noise = hits_of([&](std::size_t) { return normal(generator); });
  EXPECT_TRUE(noise.any);
  EXPECT_FALSE(noise.end.has_value());
  EXPECT_FALSE(hits_of([](std::size_t) { return 0.3; }).any);
}

}  // namespace force_hits_test
}  // namespace microslip
