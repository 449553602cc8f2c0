// A periodic motion in full: loops, what slips, and where the sliders are.

#include "microslip/periodic/orbit_history.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/periodic/steady_vibration.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace orbit_history_test {

/// Ground, 1, 2 with an Iwan element and a Bouc-Wen joint.
System two_masses() {
  BoucWen<double>::Parameters bw;
  bw.k0 = 400.0, bw.alpha = 0.3, bw.beta = 40.0, bw.gamma = 10.0, bw.n = 1.0;
  return System(LinearStructure::lumped({2.0, 2.0}, {}, {{-1, 0, 800.0}, {0, 1, 800.0}}, {}, ModalDamping{{0.01}}),
                {testing::iwan_joint("iwan", 2, -1, 0, 30.0, 500.0, -0.4, 2.0),
                 {"wen", BoucWen<double>(bw), testing::between(2, 0, 1)}});
}

TEST(OrbitHistory, LoopsSlidersAndDisplacements) {
  const System system = two_masses();
  HarmonicLoad load;
  load.force = Eigen::Vector2cd(0.0, 4.0);
  const FrequencyResponse response =
      steady_vibration(system, load, AtFrequencies{.level = 1.0, .omegas = {11.0}}, {{0, 1}, -1});
  ASSERT_EQ(response.points.size(), 1U) << response.message;
  const ResponsePoint& point = response.points.front();
  const int intervals = 4096;
  const OrbitHistory history = orbit_history(system, load, point.orbit, {0, 1}, intervals, 12);
  ASSERT_EQ(history.time.size(), static_cast<std::size_t>(intervals) + 1);

  // Half-ranges; samples miss a peak by (pi/4096)^2/2 of the highest harmonic that matters: 1e-5 is far above it.
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(0.5 * (history.q.row(i).maxCoeff() - history.q.row(i).minCoeff()) / point.amplitude[i], 1.0, 1e-5);
  }
  // Loops close and enclose the dissipation; the trapezoidal rule errs by some 10/n^2 of the area.
  for (int j = 0; j < 2; ++j) {
    double area = 0.0;
    for (int n = 0; n < intervals; ++n) {
      area += 0.5 * (history.f(j, n) + history.f(j, n + 1)) * (history.u(j, n + 1) - history.u(j, n));
    }
    EXPECT_NEAR(area / point.dissipation[j], 1.0, 1e-5);
    EXPECT_NEAR(history.f(j, 0), history.f(j, intervals), 1e-6 * history.f.row(j).cwiseAbs().maxCoeff());
  }
  // A slider of strength phi slips if phi is below the half-range X of the joint, and then moves between -(X - phi) and
  // X - phi; else it stays at 0.
  const double x = 0.5 * (history.u.row(0).maxCoeff() - history.u.row(0).minCoeff());
  int slipping = 0;
  ASSERT_EQ(history.sliders.size(), 12U);  // Bouc-Wen has none
  for (const SliderTrace& slider : history.sliders) {
    EXPECT_EQ(slider.joint, 0);
    EXPECT_EQ(slider.slips(), slider.strength < x);
    slipping += slider.slips() ? 1 : 0;
    const auto [low, high] = std::minmax_element(slider.position.begin(), slider.position.end());
    EXPECT_NEAR(*high, std::max(0.0, x - slider.strength), 1e-6 * x);
    EXPECT_NEAR(*low, -std::max(0.0, x - slider.strength), 1e-6 * x);
  }
  EXPECT_GT(slipping, 2);
  EXPECT_LT(slipping, 12);
  // At its tip everything below X slips: 1 - F0'(X)/K_T; right behind it nothing.
  const auto iwan = Iwan4Backbone<double>::from_physical(30.0, 500.0, -0.4, 2.0);
  EXPECT_NEAR(history.slipped.row(0).maxCoeff(), 1.0 - iwan.at(x).slope / 500.0, 1e-3);
  EXPECT_LT(history.slipped.row(0).minCoeff(), 0.02);
  EXPECT_TRUE(std::isnan(history.slipped(1, 0)));
  EXPECT_NEAR(history.tangent.row(0).maxCoeff(), 500.0, 10.0);
}

}  // namespace orbit_history_test
}  // namespace microslip
