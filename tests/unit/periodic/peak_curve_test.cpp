// Peaks followed over the level of the load or a number of the model.

#include "microslip/periodic/peak_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "microslip/numerics/constants.hpp"
#include "microslip/periodic/steady_vibration.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace peak_curve_test {

using testing::between;

HarmonicLoad pushing(std::vector<double> force) {
  HarmonicLoad load;
  load.force =
      Eigen::Map<Eigen::VectorXd>(force.data(), static_cast<Eigen::Index>(force.size())).cast<std::complex<double>>();
  return load;
}

/// x'' + 2 zeta x' + x + gamma x^3 = F cos(omega t).
std::shared_ptr<const System> duffing(double zeta, double gamma) {
  return std::make_shared<const System>(
      LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{zeta}}),
      std::vector<Joint>{{"cubic", Polynomial<double>({0.0, 0.0, gamma}), between(1, -1, 0)}});
}

// One harmonic: A^2 [(1 + 3/4 gamma A^2 - omega^2)^2 + 4 zeta^2 omega^2] = F^2, and dA/d omega = 0 where omega^2 = 1 +
// 3/4 gamma A^2 - 2 zeta^2; there F^2 = 4 zeta^2 A^2 (omega^2 + zeta^2).
struct DuffingPeak {
  double zeta, gamma;
  [[nodiscard]] double omega(double a) const { return std::sqrt(1.0 + 0.75 * gamma * a * a - 2.0 * zeta * zeta); }
  [[nodiscard]] double level(double a) const { return 2.0 * zeta * a * std::hypot(omega(a), zeta); }
};

TEST(PeakCurve, OfDuffingWithOneHarmonic) {
  constexpr double zeta = 0.05, gamma = 0.5;
  const auto system = duffing(zeta, gamma);
  PeakRequest request{.values = {0.02, 1.0}, .from = 0.7, .to = 1.3};
  FrequencyResponseOptions options;
  options.harmonics = 1;
  const PeakCurve curve = peak_curve(*system, pushing({1.0}), request, {{0}, 0}, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  ASSERT_GT(curve.points.size(), 10U);
  EXPECT_EQ(curve.points.front().value, 0.02);
  EXPECT_EQ(curve.points.back().value, 1.0);
  EXPECT_TRUE(curve.folds.empty());
  const DuffingPeak expected{zeta, gamma};
  for (const PeakPoint& peak : curve.points) {
    const double a = peak.point.amplitude.front();
    EXPECT_NEAR(peak.value, expected.level(a), 1e-9 * peak.value);
    EXPECT_NEAR(peak.point.orbit.omega, expected.omega(a), 1e-9);
    EXPECT_NEAR(peak.damping_ratio, zeta / peak.point.orbit.omega, 1e-9);  // c/(2 m omega)
    EXPECT_TRUE(peak.maximum);
  }
}

// Softening: F is largest at A^2 = 2 (1 - zeta^2)/(3 |gamma|), where dF/dA = dF/d omega = 0: two responses meet. Behind
// it the amplitude is a minimum along the response, and the level falls.
TEST(PeakCurve, TurnsBackWhereResponsesMeet) {
  constexpr double zeta = 0.05, gamma = -1.0;
  const double a_fold = std::sqrt(2.0 * (1.0 - zeta * zeta) / (3.0 * std::abs(gamma)));
  const DuffingPeak expected{zeta, gamma};
  const PeakRequest request{.values = {0.02, 0.1}, .from = 0.7, .to = 1.1};
  FrequencyResponseOptions options;
  options.harmonics = 1;
  const PeakCurve curve = peak_curve(*duffing(zeta, gamma), pushing({1.0}), request, {{0}, 0}, options);
  EXPECT_EQ(curve.ending, Ending::completed) << curve.message;
  EXPECT_NE(curve.message.find("turned back"), std::string::npos) << curve.message;
  ASSERT_EQ(curve.folds.size(), 1U);
  EXPECT_TRUE(curve.folds.front().responses_meet);
  EXPECT_NEAR(curve.folds.front().at.value, expected.level(a_fold), 1e-9);
  EXPECT_NEAR(curve.folds.front().at.amplitude, a_fold, 1e-6);
  for (const PeakPoint& peak : curve.points) {
    EXPECT_NEAR(peak.value, expected.level(peak.amplitude), 1e-9);
    EXPECT_EQ(peak.maximum, peak.amplitude < a_fold) << peak.amplitude;
  }
  EXPECT_EQ(curve.points.back().value, 0.02);
  EXPECT_FALSE(curve.points.back().maximum);
}

TEST(PeakCurve, OverANumberOfTheModel) {
  constexpr double zeta = 0.05, level = 0.2;
  PeakRequest request{.values = {0.1, 0.5, 2.0}, .from = 0.7, .to = 2.0, .name = "gamma", .level = level};
  request.model = [&](double gamma) { return LoadedSystem{duffing(zeta, gamma), pushing({1.0})}; };
  FrequencyResponseOptions options;
  options.harmonics = 1;
  const PeakCurve curve = peak_curve(*duffing(zeta, 0.1), pushing({1.0}), request, {{0}, 0}, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  EXPECT_EQ(std::ranges::count(curve.points, 0.5, &PeakPoint::value), 1);
  for (const PeakPoint& peak : curve.points) {
    const DuffingPeak expected{zeta, peak.value};
    const double a = peak.point.amplitude.front();
    EXPECT_NEAR(expected.level(a), level, 1e-9);
    EXPECT_NEAR(peak.point.orbit.omega, expected.omega(a), 1e-9);
  }
}

TEST(PeakCurve, AgreesWithPeaksOfResponses) {
  const System system = testing::zare_masses();
  const HarmonicLoad load = pushing({1.0, 2.0, -1.0});
  const ResponseRecord record{{0, 1, 2}, 0};
  FrequencyResponseOptions options;
  options.stability = false;
  const PeakRequest request{.values = {0.1, 0.5, 1.0, 2.0, 3.0}, .from = 4.0 * two_pi, .to = 6.0 * two_pi};
  const PeakCurve curve = peak_curve(system, load, request, record, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const double level : request.values) {
    const FrequencyResponse response = steady_vibration(
        system, load, OverFrequency{.level = level, .from = request.from, .to = request.to}, record, options);
    const auto located = std::ranges::find(response.special, SpecialKind::peak, &SpecialPoint::kind);
    const auto peak = std::ranges::find(curve.points, level, &PeakPoint::value);
    ASSERT_NE(located, response.special.end());
    ASSERT_NE(peak, curve.points.end());
    const double error = located->point.errors.distance() + peak->point.errors.distance();
    EXPECT_LE(peak->point.errors.distance(), 2.0 * options.tolerance);
    const double a = located->point.amplitude[0];
    EXPECT_NEAR(peak->point.amplitude[0], a, error * a) << level;
    // 1 % of omega counts as much as all of the motion.
    EXPECT_NEAR(peak->point.orbit.omega, located->point.orbit.omega, 0.01 * error * peak->point.orbit.omega) << level;
  }
}

TEST(PeakCurve, TellsThatThereIsNone) {
  const auto system = duffing(0.05, 0.5);
  const PeakRequest request{.values = {0.02, 1.0}, .from = 2.0, .to = 3.0};
  const PeakCurve curve = peak_curve(*system, pushing({1.0}), request, {{0}, 0});
  EXPECT_EQ(curve.ending, Ending::no_convergence);
  EXPECT_TRUE(curve.points.empty());
  EXPECT_NE(curve.message.find("no peak"), std::string::npos) << curve.message;
}

}  // namespace peak_curve_test
}  // namespace microslip
