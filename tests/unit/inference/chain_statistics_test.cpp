// R-hat and effective sample sizes against sums by hand and chains of known correlation.

#include "microslip/inference/chain_statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "microslip/numerics/counter_random.hpp"
#include "microslip/numerics/normal_quantile.hpp"

namespace microslip {
namespace chain_statistics_test {

/// x_(t+1) = c x_t + sqrt(1 - c^2) e: standard normal.
std::vector<double> correlated_chain(int length, double c, std::uint64_t stream) {
  CounterRandom random(11, stream);
  std::vector<double> chain;
  double x = random.normal();
  for (int i = 0; i < length; ++i) {
    chain.push_back(x);
    x = c * x + std::sqrt(1.0 - c * c) * random.normal();
  }
  return chain;
}

std::vector<double> chains_of(int count, int length, double c) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) {
    const std::vector<double> chain = correlated_chain(length, c, static_cast<std::uint64_t>(k));
    all.insert(all.end(), chain.begin(), chain.end());
  }
  return all;
}

// Draws 1 to 4 and 5 to 8 in two chains: ranks are the draws, half chains (1,2), (3,4), (5,6), (7,8). R-hat of the
// draws is the larger one: distances from the median repeat in both chains.
TEST(ChainStatistics, ByHand) {
  const std::array<double, 8> draws{10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0};
  std::array<double, 8> z{};
  for (int i = 0; i < 8; ++i) z[static_cast<std::size_t>(i)] = normal_quantile((i + 0.625) / 8.25);
  double within = 0.0, between = 0.0;
  for (std::size_t c = 0; c < 8; c += 2) {
    within += 0.25 * 0.5 * std::pow(z[c + 1] - z[c], 2);
    between += std::pow(0.5 * (z[c] + z[c + 1]), 2) / 3.0;  // their mean is 0
  }
  EXPECT_NEAR(diagnose(draws, 2).r_hat, std::sqrt((0.5 * within + between) / within), 1e-12);
}

// Independent draws are worth their number, those of correlation c from one to the next (1-c)/(1+c) of it. The sum of
// correlations has about 2 M + 1 terms each off by 1/sqrt(N): with N = 20 000 and M = 20 lags, 3 % of it; bound 10 %.
TEST(ChainStatistics, ChainsOfKnownCorrelation) {
  for (const double c : {0.0, 0.6}) {
    const ChainDiagnosis d = diagnose(chains_of(4, 5000, c), 4);
    EXPECT_NEAR(d.bulk_size / 20000.0, (1.0 - c) / (1.0 + c), 0.1 * (1.0 - c) / (1.0 + c)) << c;
    EXPECT_GT(d.tail_size, 0.8 * d.bulk_size);
    EXPECT_LT(d.r_hat, 1.005);
  }
}

// A chain that is elsewhere, one that is wider, and one that drifts.
TEST(ChainStatistics, ChainsThatDoNotAgree) {
  std::vector<double> moved = chains_of(4, 500, 0.0), wider = moved, drifting = moved;
  for (std::size_t i = 0; i < 500; ++i) {
    moved[i] += 1.0;
    wider[i] *= 3.0;
  }
  for (std::size_t i = 0; i < 2000; ++i) drifting[i] += 0.004 * static_cast<double>(i % 500);
  EXPECT_GT(diagnose(moved, 4).r_hat, 1.05);
  EXPECT_GT(diagnose(wider, 4).r_hat, 1.05);
  EXPECT_GT(diagnose(drifting, 4).r_hat, 1.05);
  EXPECT_LT(diagnose(moved, 4).bulk_size, 100.0);
}

TEST(ChainStatistics, NothingToSay) {
  EXPECT_TRUE(std::isnan(diagnose(std::vector<double>(100, 1.0), 4).r_hat));
  EXPECT_TRUE(std::isnan(diagnose(std::vector<double>{1.0, 2.0, 3.0}, 1).r_hat));
}

}  // namespace chain_statistics_test
}  // namespace microslip
