// Stability of friction whose loops are not the same on both sides, or whose branches have corners.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "microslip/periodic/floquet.hpp"
#include "microslip/periodic/piecewise_response.hpp"
#include "microslip/periodic/shooting_response.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double pi = std::numbers::pi;

HarmonicLoad shaken(double amplitude, double constant) {
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Constant(1, amplitude);
  load.constant = Eigen::VectorXd::Constant(1, constant);
  return load;
}

// A constant force has pushed the slider as far as it goes; the vibration about that place is linear, m = 1, and both
// multipliers have the magnitude exp(-c T/2). With the slope of the virgin curve at its tip the larger one is 0.694 for
// 0.785 in such a system.
TEST(OneSidedFriction, SticksWhereItHasSlipped) {
  constexpr double rate = 0.1, omega = 1.3;
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, RayleighDamping{rate, 0.0}),
                      {{"j", Jenkins<double>(0.8, 0.5), testing::between(1, -1, 0)}});
  const HarmonicLoad load = shaken(0.003, 2.0);
  for (const auto method : {responses_at, shooting_at}) {
    const auto result = method(system, load, 1.0, {omega}, {{0}, -1}, {}, {});
    ASSERT_EQ(result.points.size(), 1U) << result.message;
    const ResponsePoint& point = result.points[0];
    EXPECT_NEAR(*point.multiplier, std::exp(-rate * pi / omega), point.multiplier_error + 1e-12);
    EXPECT_LT(point.multiplier_error, 2e-3);
  }
}

// Corners between the points of a table end steps: the error told holds against sixteen times as many steps, which
// leave a 256th of it.
TEST(OneSidedFriction, TablesOfLinesHaveCornersInTheirBranches) {
  const System system(LinearStructure::lumped({1.1}, {}, {{-1, 0, 1.9}}, {}, RayleighDamping{0.01, 0.0}),
                      {{"j", masing_table<double>({0.14, 0.33, 0.7}, {0.6, 1.06, 1.46}, Interpolation::linear, 0.4),
                        testing::between(1, -1, 0)}});
  FrequencyResponseOptions options;
  options.tolerance = 1e-5;
  const auto result = responses_at(system, shaken(1.0, 0.4), 1.0, {1.1}, {{0}, -1}, options);
  ASSERT_EQ(result.points.size(), 1U) << result.message;
  const PeriodicOrbit& orbit = result.points[0].orbit;
  const MultiplierEstimate told = Floquet(system, 256).largest(orbit, orbit);
  EXPECT_NEAR(std::abs(told.value), std::abs(Floquet(system, 4096).multipliers(orbit)(0)), told.error + 1e-6);
  EXPECT_LT(told.error, 1e-4);
}

// All of a smooth table is passed in a twentieth of the swing: its points end steps, and each piece has four. Without
// that 0.80905 +- 1.2e-4 was told for 0.80973. 16384 steps leave 1e-4 of what 128 do.
TEST(MultipliersOfFriction, TablesThatSlipEarly) {
  const std::vector<double> u = {5.4e-6, 16.5e-6, 31e-6, 40e-6, 52e-6, 67e-6, 70e-6},
                            f = {3.1e-4, 9.0e-4, 15.5e-4, 19.4e-4, 23.4e-4, 27.9e-4, 28.3e-4};
  const System system(LinearStructure::lumped({0.86}, {}, {{-1, 0, 483.0}}, {}, ModalDamping{{0.0048}}),
                      {{"j", masing_table<double>(u, f, Interpolation::smooth, 7.0), testing::between(1, -1, 0)}});
  for (const double omega : {7.0, 10.3, 15.0}) {
    const auto result = responses_at(system, shaken(0.1, 0.0), 1.0, {omega}, {{0}, -1}, {}, {});
    ASSERT_EQ(result.points.size(), 1U) << result.message;
    const ResponsePoint& point = result.points[0];
    const double exact = std::abs(Floquet(system, 16384).multipliers(point.orbit)(0));
    EXPECT_NEAR(*point.multiplier, exact, point.multiplier_error + 1e-8) << omega;
    EXPECT_LT(point.multiplier_error, 1e-3) << omega;
  }
}

// Two multipliers turn so far with the steps that 0.964 of the others stood as the largest, where they meet at 1.15.
TEST(MultipliersOfAStop, WaitForTheirRivals) {
  const System system(
      LinearStructure::lumped({0.4, 2.0}, {}, {{-1, 0, 300.0}, {0, 1, 1000.0}}, {}, ModalDamping{{0.006}}),
      {{"stop", Gap<double>(5000.0, 0.09), testing::between(2, 0, 1)}});
  constexpr double omega = 10.646976191444553;
  const Load force{"f", Eigen::Vector2d(1.0, 0.0), Signal(Sine{20.0, 1.0, 0.5 * pi})};
  PiecewiseResponses arcs(system, {&force, 1}, {{0}, -1});
  const double at[] = {omega};
  const PiecewiseResponse exact = arcs.at(1.0, at);
  ASSERT_EQ(exact.points.size(), 1U) << exact.message;
  HarmonicLoad load;
  load.force = Eigen::Vector2cd(20.0, 0.0);
  const auto result = responses_at(system, load, 1.0, {omega}, {{0}, -1}, {});
  ASSERT_EQ(result.points.size(), 1U) << result.message;
  EXPECT_NEAR(result.points[0].amplitude[0], exact.points[0].amplitude[0], 1e-6);
  EXPECT_NEAR(*result.points[0].multiplier, *exact.points[0].multiplier, result.points[0].multiplier_error);
  EXPECT_TRUE(result.points[0].unstable());
}

}  // namespace
}  // namespace microslip
