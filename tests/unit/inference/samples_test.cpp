// Samples: known points, evenness, and that each is known by its number alone.

#include "microslip/inference/samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "microslip/inference/prior.hpp"
#include "microslip/inference/sobol.hpp"
#include "microslip/numerics/counter_random.hpp"
#include "microslip/numerics/normal_quantile.hpp"

namespace microslip {
namespace samples_test {

// Random123's known answers of philox4x32-10.
TEST(CounterRandom, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (FourWords{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  EXPECT_EQ(philox({0xffffffffU, 0xffffffffU, 0xffffffffU, 0xffffffffU}, {0xffffffffU, 0xffffffffU}),
            (FourWords{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(philox({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
            (FourWords{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

// Mean and variance of 20 000 within four of their standard errors, 1/sqrt(n) and sqrt(2/n); streams do not go
// together.
TEST(CounterRandom, NormalNumbers) {
  constexpr int n = 20000;
  CounterRandom a(7, 1), b(7, 2);
  double sum = 0.0, squares = 0.0, together = 0.0;
  for (int i = 0; i < n; ++i) {
    const double x = a.normal(), y = b.normal();
    sum += x, squares += x * x, together += x * y;
  }
  EXPECT_NEAR(sum / n, 0.0, 4.0 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1.0, 4.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(together / n, 0.0, 4.0 / std::sqrt(n));
}

// The first eight points in three dimensions, as in Joe and Kuo's table, in the order of the Gray code.
TEST(Sobol, TabulatedPoints) {
  constexpr double table[8][3] = {{0, 0, 0},
                                  {0.5, 0.5, 0.5},
                                  {0.75, 0.25, 0.25},
                                  {0.25, 0.75, 0.75},
                                  {0.375, 0.375, 0.625},
                                  {0.875, 0.875, 0.125},
                                  {0.625, 0.125, 0.875},
                                  {0.125, 0.625, 0.375}};
  for (std::size_t j = 0; j < 3; ++j) {
    const SobolDirections v = sobol_directions(j);
    for (std::uint32_t n = 0; n < 8; ++n) EXPECT_EQ(sobol_coordinate(v, n) * 0x1.0p-32, table[n][j]) << n << " " << j;
  }
}

// Every coordinate by itself is a permutation of the 2^m multiples of 2^-m: 2^12 points fall into 2^12 cells.
TEST(Sobol, OneCoordinateMeetsEveryCell) {
  for (std::size_t j = 0; j < most_sobol_dimensions; ++j) {
    const SobolDirections v = sobol_directions(j);
    std::vector<char> met(4096, 0);
    for (std::uint32_t n = 0; n < 4096; ++n) met[sobol_coordinate(v, n) >> 20] = 1;
    EXPECT_EQ(std::count(met.begin(), met.end(), 1), 4096) << j;
  }
}

/// The least t for which 2^m points in these two directions fall evenly into every box of 2^(t-m): m less the most
/// digits k such that the first d of one and the first k - d of the other are independent (modulo 2) for every d.
int evenness(const SobolDirections& a, const SobolDirections& b, int m) {
  const auto row = [m](const SobolDirections& v, int r) {
    std::uint32_t bits = 0;
    for (int k = 0; k < m; ++k) bits |= (v[static_cast<std::size_t>(k)] >> (31 - r) & 1U) << k;
    return bits;
  };
  int most = m;
  for (int d = 0; d <= m; ++d) {
    std::vector<std::uint32_t> basis;
    const auto independent = [&](std::uint32_t x) {
      for (const std::uint32_t y : basis) x = std::min(x, x ^ y);
      if (x != 0) basis.push_back(x);
      return x != 0;
    };
    for (int r = 0; r < d; ++r) independent(row(a, r));
    int more = 0;
    while (d + more < m && independent(row(b, more))) ++more;
    if (d + more < m) most = std::min(most, d + more);
  }
  return m - most;
}

// What the direction numbers were chosen by: of 400 random ones for each dimension those with the least sum of
// 2^(t - m/2) over the pairs with the dimensions before it, m = 6, 8, ..., 16. The largest t of all pairs at m = 10: of
// 21 dimensions 5, of 64 dimensions 7; random directions have m - 2 and more somewhere. The mean over the pairs of 21,
// with m = 6 to 16, is 2.19; that of Joe and Kuo's numbers is 2.23.
TEST(Sobol, PairsOfCoordinatesAreEven) {
  int worst = 0, of_few = 0;
  for (std::size_t i = 0; i < most_sobol_dimensions; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int t = evenness(sobol_directions(i), sobol_directions(j), 10);
      worst = std::max(worst, t);
      if (i < 21) of_few = std::max(of_few, t);
    }
  }
  EXPECT_LE(of_few, 5);
  EXPECT_LE(worst, 7);
  EXPECT_EQ(evenness(sobol_directions(0), sobol_directions(1), 10), 0);  // both of degree 0 and 1: a (0, m, 2) net
}

// The mean of f = prod (1 + (u - 1/2)/4) over 12 parameters is 1. One sample has the variance (1 + 1/192)^12 - 1;
// without the parts of f that are sums of functions of one parameter, which Latin hypercubes and nets average out,
// 12/192 less. Bounds: four standard errors of a mean of n.
TEST(Samples, IntegrateAProduct) {
  constexpr std::size_t n = 1024, d = 12;
  const auto mean = [](SampleKind kind, std::uint64_t seed) {
    const Samples samples(kind, d, n, seed);
    std::vector<double> u(d);
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      samples.unit(i, u);
      double f = 1.0;
      for (const double v : u) f *= 1.0 + 0.25 * (v - 0.5);
      sum += f;
    }
    return sum / n;
  };
  const double one = std::sqrt(std::pow(1.0 + 1.0 / 192.0, 12) - 1.0);
  const double not_additive = std::sqrt(std::pow(1.0 + 1.0 / 192.0, 12) - 1.0 - 12.0 / 192.0);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_NEAR(mean(SampleKind::random, seed), 1.0, 4.0 * one / std::sqrt(n));
    EXPECT_NEAR(mean(SampleKind::latin_hypercube, seed), 1.0, 4.0 * not_additive / std::sqrt(n));
    EXPECT_NEAR(mean(SampleKind::sobol, seed), 1.0, 4.0 * not_additive / std::sqrt(n));
  }
}

// A Latin hypercube has one sample in each stratum of each parameter, for any count; a scrambled net of 2^m too.
TEST(Samples, OneInEachStratum) {
  for (const std::uint64_t count : {1U, 2U, 7U, 100U, 1024U}) {
    for (const SampleKind kind : {SampleKind::latin_hypercube, SampleKind::sobol}) {
      if (kind == SampleKind::sobol && (count & (count - 1)) != 0) continue;
      const Samples samples(kind, 5, count, 42);
      std::vector<std::set<std::uint64_t>> met(5);
      std::vector<double> u(5);
      for (std::uint64_t i = 0; i < count; ++i) {
        samples.unit(i, u);
        for (std::size_t j = 0; j < 5; ++j) {
          ASSERT_TRUE(u[j] > 0.0 && u[j] < 1.0);
          met[j].insert(static_cast<std::uint64_t>(u[j] * static_cast<double>(count)));
        }
      }
      for (const auto& cells : met) EXPECT_EQ(cells.size(), count);
    }
  }
}

// Parameters of a Latin hypercube go together no more than chance has it: correlations of 1000 within 4.5/sqrt(1000).
TEST(Samples, StrataAreIndependent) {
  constexpr std::size_t n = 1000, d = 6;
  const Samples samples(SampleKind::latin_hypercube, d, n, 3);
  Eigen::MatrixXd all(d, n);
  for (std::size_t i = 0; i < n; ++i) samples.unit(i, {all.col(static_cast<Eigen::Index>(i)).data(), d});
  all.array() -= 0.5;
  for (Eigen::Index j = 0; j < static_cast<Eigen::Index>(d); ++j) {
    for (Eigen::Index k = 0; k < j; ++k) {
      EXPECT_NEAR(12.0 * all.row(j).dot(all.row(k)) / static_cast<double>(n), 0.0, 4.5 / std::sqrt(n));
    }
  }
}

TEST(Samples, AreKnownByTheirNumber) {
  for (const SampleKind kind : {SampleKind::sobol, SampleKind::latin_hypercube, SampleKind::random}) {
    const Samples samples(kind, 40, 5000, 9), again(kind, 40, 5000, 9), other(kind, 40, 5000, 10);
    std::vector<double> a(40), b(40), c(40);
    samples.unit(4321, a);
    again.unit(17, b);
    again.unit(4321, b);
    other.unit(4321, c);
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
  }
}

TEST(Samples, RefuseWhatTheyCannotDo) {
  EXPECT_THROW(Samples(SampleKind::sobol, most_sobol_dimensions + 1, 10, 1), std::invalid_argument);
  EXPECT_THROW(Samples(SampleKind::random, 3, 0, 1), std::invalid_argument);
}

// Quantile, share and their inverse, also far out in a tail; mean 0.5 + slope by differences.
TEST(Prior, QuantilesOfCutNormals) {
  using Parameter = ResidualProblem::Parameter;
  for (const Parameter& p :
       {Parameter{"a", -1.0, 3.0, 0.0, {}}, Parameter{"b", -1.0, 3.0, 0.0, {true, 0.5, 2.0}},
        Parameter{"c", 8.0, 9.0, 8.5, {true, 0.0, 1.0}}, Parameter{"d", -50.0, 50.0, 0.0, {true, 1.0, 0.1}}}) {
    for (const double z : {-6.0, -2.0, -0.3, 0.0, 0.4, 1.7, 5.0}) {
      const PriorPoint at = from_standard(p, z);
      EXPECT_GE(at.x, p.low);
      EXPECT_LE(at.x, p.high);
      EXPECT_NEAR(to_standard(p, at.x), z, 1e-6) << p.name;
      EXPECT_NEAR(prior_quantile(p, normal_share(z)), at.x, 1e-9 * (p.high - p.low)) << p.name;
      const double h = 1e-4;
      const double slope = (from_standard(p, z + h).x - from_standard(p, z - h).x) / (2.0 * h);
      EXPECT_NEAR(at.slope, slope, 1e-6 * at.slope + 1e-9) << p.name << " " << z;
    }
    // The standard deviation, by the quantiles at 20 000 midpoints.
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < 20000; ++i) {
      const double x = prior_quantile(p, (i + 0.5) / 20000.0) - p.low;
      sum += x / 20000.0, squares += x * x / 20000.0;
    }
    const double deviation = std::sqrt(squares - sum * sum);
    EXPECT_NEAR(prior_deviation(p), deviation, p.name == "c" ? 2.0 * deviation : 1e-3 * deviation) << p.name;
  }
}

// Against its own share, down to tails of 1e-300.
TEST(NormalQuantile, InvertsTheShare) {
  for (const double share : {1e-300, 1e-100, 1e-20, 1e-8, 0.01, 0.3, 0.5}) {
    EXPECT_NEAR(normal_share(normal_quantile(share)), share, 1e-12 * share) << share;
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.25), -normal_quantile(0.75), 1e-15);
}

}  // namespace samples_test
}  // namespace microslip
