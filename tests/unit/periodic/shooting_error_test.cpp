// The error that shooting tells, against the error that it has: a population of oscillators with friction.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "microslip/periodic/shooting_response.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

struct Oscillator {
  std::string name;
  Law law;
  double omega, level;
};

/// Stuck at sqrt(1.8), slipping at 1 rad/time; loads from microslip to full macroslip.
std::vector<Oscillator> population(int each) {
  std::mt19937 generator(7);
  const auto between = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(generator()) / 4294967296.0);
  };
  std::vector<Oscillator> list;
  for (int i = 0; i < each; ++i) {
    list.push_back({"jenkins", Jenkins<double>(0.8, 0.5), between(0.6, 1.7), between(0.3, 1.5)});
    list.push_back(
        {"iwan4", Iwan4<double>(Iwan4Backbone<double>::from_physical(0.5, 0.8, between(-0.8, -0.1), between(0.2, 4.0))),
         between(0.6, 1.7), between(0.2, 1.5)});
    list.push_back({"bouc_wen",
                    BoucWen<double>({0.8, 0.0, 1.0, between(0.4, 1.2), between(0.2, 0.8), between(0.6, 2.0)}),
                    between(0.6, 1.7), between(0.2, 1.5)});
  }
  return list;
}

/// Of the half-range or the first harmonic, whichever is more.
double difference(const ResponsePoint& a, const ResponsePoint& b) {
  const std::complex<double> first = std::polar(b.harmonic1[0], b.phase1[0]);
  return std::max(std::abs(a.amplitude[0] / b.amplitude[0] - 1.0),
                  std::abs(std::polar(a.harmonic1[0], a.phase1[0]) - first) / std::abs(first));
}

// 256 steps against 4096, whose own error is less by 256. The estimate takes the largest of three samples of an error
// whose coefficient depends on where in a step the joint begins to slip; of 389 oscillators of this population the
// median of (error/told) is 0.82, 99 in 100 are below 1.8. For one hundredth of 30 cases the bound is that of all.
TEST(ShootingError, IsNotMuchExceeded) {
  std::vector<double> ratios;
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Ones(1);
  for (const Oscillator& o : population(10)) {
    SCOPED_TRACE(::testing::Message() << o.name << ", omega " << o.omega << ", level " << o.level);
    const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                        {{"j", o.law, testing::between(1, -1, 0)}});
    FrequencyResponseOptions options;
    options.steps = 4096;
    const auto exact = shooting_at(system, load, o.level, {o.omega}, {{0}, -1}, options);
    options.steps = 256;
    const auto result = shooting_at(system, load, o.level, {o.omega}, {{0}, -1}, options);
    ASSERT_EQ(exact.points.size(), 1U) << exact.message;
    ASSERT_EQ(result.points.size(), 1U) << result.message;
    const ResponsePoint &a = result.points[0], &b = exact.points[0];
    ratios.push_back(difference(a, b) / a.errors.quadrature);
    EXPECT_NEAR(*a.multiplier, *b.multiplier, 2.0 * a.multiplier_error);
  }
  std::sort(ratios.begin(), ratios.end());
  EXPECT_LE(ratios[ratios.size() / 2], 1.0);
  EXPECT_LE(ratios.back(), 2.0);
}

// A third of the change from half the steps said 7e-7 here, and was off by 8.8e-6.
TEST(ShootingError, OfAnIwanElementInMacroslip) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                      {testing::iwan_joint("j", 1, -1, 0, 0.5, 0.8, -0.4, 1.5)});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Constant(1, 0.6);
  FrequencyResponseOptions options;
  options.tolerance = 1e-8;
  const auto exact = responses_at(system, load, 1.0, {1.3}, {{0}, -1}, options);
  ASSERT_EQ(exact.points.size(), 1U) << exact.message;
  for (const int steps : {256, 512, 1024, 2048}) {
    options.steps = steps;
    const auto result = shooting_at(system, load, 1.0, {1.3}, {{0}, -1}, options);
    ASSERT_EQ(result.points.size(), 1U) << result.message;
    EXPECT_LT(difference(result.points[0], exact.points[0]), 2.0 * result.points[0].errors.quadrature + 1e-8) << steps;
  }
}

}  // namespace
}  // namespace microslip
