#include "microslip/joints/steady_cycle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace microslip {
namespace steady_cycle_test {

using std::numbers::pi;

/// First harmonic of the force over the second cycle u = X cos(t), by the trapezoidal rule in `points` steps.
template <class L>
SteadyCycle by_the_law_itself(const L& law, double amplitude, int points) {
  typename L::State state{};
  double in_phase = 0.0, out_of_phase = 0.0, tip = 0.0;
  for (int i = 0; i <= 2 * points; ++i) {
    const double t = 2.0 * pi * i / points;
    const auto trial = law.evaluate(state, {amplitude * std::cos(t), 0.0, 0.0, 0.0});
    law.commit(state, trial);
    if (i <= points) continue;
    in_phase += trial.force * std::cos(t);
    out_of_phase -= trial.force * std::sin(t);
    tip = trial.force;
  }
  const double scale = 2.0 / (points * amplitude);
  return {tip / amplitude, scale * in_phase, law.backbone(amplitude).slope, scale * out_of_phase};
}

/// Corners of the force, whose slope over t jumps by J in all, put the rule off by h^2 J/12: with J <= 4 k X (a slider
/// starts and stops twice in a cycle) the coefficients are off by less than h^2 k/9.
template <class L>
void expect_closed_forms(const L& law, std::initializer_list<double> amplitudes) {
  constexpr int points = 1 << 14;
  const double tolerance = std::pow(2.0 * pi / points, 2) * law.stuck_stiffness();
  const auto closed = SteadyCycleLaw::of(Law(law));
  ASSERT_TRUE(closed.has_value());
  for (const double amplitude : amplitudes) {
    const SteadyCycle expected = by_the_law_itself(law, amplitude, points);
    const SteadyCycle cycle = closed->at(amplitude);
    EXPECT_NEAR(cycle.secant, expected.secant, 1e-12 * law.stuck_stiffness()) << amplitude;
    EXPECT_NEAR(cycle.harmonic, expected.harmonic, tolerance) << amplitude;
    EXPECT_NEAR(cycle.energy, expected.energy, 1e-12 * law.stuck_stiffness()) << amplitude;
    EXPECT_NEAR(cycle.loss, expected.loss, tolerance) << amplitude;
    EXPECT_NEAR(cycle.loss * pi * amplitude * amplitude, law.dissipation(amplitude), 1e-12 * law.stuck_stiffness());
  }
  const SteadyCycle rest = closed->at(0.0);
  for (const double stiffness : {rest.secant, rest.harmonic, rest.energy}) {
    EXPECT_NEAR(stiffness, law.stuck_stiffness(), 1e-14 * law.stuck_stiffness());
  }
  EXPECT_EQ(rest.loss, 0.0);
}

TEST(SteadyCycle, IwanInMicroslipAndMacroslip) {
  for (const double chi : {-0.75, -0.2, 0.0, 0.7}) {
    const auto backbone = Iwan4Backbone<double>::from_physical(3.0, 2.0, chi, 0.6);
    const double phi = backbone.phi_max();
    expect_closed_forms(Iwan4<double>(backbone, 0.4),
                        {0.01 * phi, 0.5 * phi, 0.999 * phi, 1.001 * phi, 1.4 * phi, 1.9 * phi, 2.1 * phi, 10.0 * phi});
    EXPECT_EQ(SteadyCycleLaw::of(Law(Iwan4<double>(backbone)))->macroslip(), phi);
  }
}

TEST(SteadyCycle, OtherFrictionLaws) {
  expect_closed_forms(iwan_uniform(2.0, 3.0, 0.1), {0.1, 2.9, 3.1, 7.0});
  expect_closed_forms(Jenkins<double>(2.0, 3.0), {1.0, 1.6, 3.0, 20.0});
  const auto grid = slider_grid(Iwan4Backbone<double>::from_physical(3.0, 2.0, -0.5, 0.6), 20);
  expect_closed_forms(IwanSliders<double>(grid, 0.3), {0.1, 1.0, 2.0, 5.0});
  const std::vector<double> u{0.5, 1.0, 2.0, 4.0}, f{1.0, 1.8, 2.8, 3.4};
  expect_closed_forms(masing_table(u, f, Interpolation::smooth, 0.2), {0.2, 0.7, 1.5, 3.9, 6.0});
  expect_closed_forms(masing_table(u, f, Interpolation::linear, 0.2), {0.2, 0.7, 1.5, 3.9, 6.0});
}

// A cubic spring: 3/4 k_3 X^2; a quintic: 5/8. Its energy has the derivative F.
TEST(SteadyCycle, Springs) {
  const auto spring = SteadyCycleLaw::of(Law(Polynomial<double>({2.0, 0.0, 3.0, 0.0, 7.0})));
  const SteadyCycle cycle = spring->at(0.5);
  EXPECT_DOUBLE_EQ(cycle.harmonic, 2.0 + 0.75 * 3.0 * 0.25 + 0.625 * 7.0 * 0.0625);
  EXPECT_DOUBLE_EQ(cycle.secant, 2.0 + 3.0 * 0.25 + 7.0 * 0.0625);
  EXPECT_DOUBLE_EQ(cycle.energy, cycle.secant);
  EXPECT_EQ(cycle.loss, 0.0);
  EXPECT_EQ(SteadyCycleLaw::of(Law(Linear<double>(4.0)))->at(3.0).harmonic, 4.0);
}

TEST(SteadyCycle, LawsWithout) {
  EXPECT_FALSE(SteadyCycleLaw::of(Law(Polynomial<double>({2.0, 1.0}))));
  EXPECT_FALSE(SteadyCycleLaw::of(Law(Gap<double>(2.0, 0.1))));
}

}  // namespace steady_cycle_test
}  // namespace microslip
