#include "microslip/joints/bouc_wen.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "unit/joints/law_suite.hpp"

namespace microslip {
namespace bouc_wen_test {

using law_suite::look;
using law_suite::random_history;
using law_suite::step;

BoucWen<> pure(double a, double beta, double gamma, double n) {
  return BoucWen<>({1.0, 0.0, a, beta, gamma, n});
}

// n = 1, dz/du = A - b z: z = (A/b)(1 - exp(-b u)), integral of z = (A/b)(u - (1 - exp(-b u))/b).
TEST(BoucWen, LinearRelaxationLoads) {
  const double a = 1.3, b = 1.0;
  const auto law = pure(a, 0.7, 0.3, 1.0);
  for (double u = 1e-9; u < 1e7; u *= 1.37) {
    const auto point = law.backbone(u);
    EXPECT_NEAR(point.force, -a / b * std::expm1(-b * u), 1e-15 * a * std::min(u, 1.0)) << u;
    EXPECT_NEAR(point.slope, a * std::exp(-b * u), 4e-16 * a) << u;
    if (u > 0.1) {  // the closed form cancels below
      EXPECT_NEAR(point.work, a / b * (u + std::expm1(-b * u) / b), 1e-14 * point.work) << u;
    }
  }
}

// n = 1 unloading, b = gamma - beta = -0.4: from z0 back to 0, z = (A/b)(1 - exp(-b u')) with u' measured from z = 0.
TEST(BoucWen, LinearRelaxationUnloads) {
  const auto law = pure(1.0, 0.7, 0.3, 1.0);
  BoucWen<>::State state;
  const double z0 = step(law, state, 2.0).z;
  const double b = -0.4;
  const double to_zero = -std::log1p(-b * z0) / b;  // distance to z = 0
  for (const double part : {0.1, 0.5, 0.9, 0.999}) {
    const auto trial = look(law, state, 2.0 - part * to_zero);
    EXPECT_NEAR(trial.z, -std::expm1(-b * (1.0 - part) * to_zero) / b, 4e-16) << part;
  }
  // Past zero it loads the other way with b = 1.
  EXPECT_NEAR(look(law, state, 2.0 - to_zero - 0.8).z, std::expm1(-0.8), 4e-16);
}

// n = 2: z = z_max tanh(u A/z_max), z_max = sqrt(A/b).
TEST(BoucWen, SquareLoadsAsTanh) {
  const double a = 0.8;
  const auto law = pure(a, 0.5, 0.1, 2.0);
  const double z_max = std::sqrt(a / 0.6);
  EXPECT_NEAR(law.saturation(), z_max, 1e-15);
  for (double u = 1e-9; u < 1e7; u *= 1.37) {
    const double x = u * a / z_max;
    const double z = z_max * std::tanh(x);
    const auto point = law.backbone(u);
    EXPECT_NEAR(point.force, z, 1e-15 * z) << u;
    EXPECT_NEAR(point.slope, x < 300.0 ? a / (std::cosh(x) * std::cosh(x)) : 0.0, 1e-15 * a) << u;
    // integral of tanh = ln cosh
    if (u > 0.1) {
      EXPECT_NEAR(point.work, z_max * z_max / a * (x + std::log1p(std::exp(-2.0 * x)) - std::log(2.0)),
                  1e-14 * point.work);
    }
  }
}

// n = 2 unloading with b = gamma - beta = -0.4: z = sqrt(A/0.4) tan(sqrt(0.4 A) u').
TEST(BoucWen, SquareUnloadsAsTan) {
  const double a = 0.8;
  const auto law = pure(a, 0.5, 0.1, 2.0);
  BoucWen<>::State state;
  const double z0 = step(law, state, 1.7).z;
  const double size = std::sqrt(a / 0.4), rate = std::sqrt(0.4 * a);
  const double to_zero = std::atan(z0 / size) / rate;
  for (const double part : {0.05, 0.5, 0.9, 0.9999}) {
    EXPECT_NEAR(look(law, state, 1.7 - part * to_zero).z, size * std::tan(rate * (1.0 - part) * to_zero), 5e-16)
        << part;
  }
}

// gamma = beta: unloading is straight, dz/du = A.
TEST(BoucWen, UnloadsStraightIfBetaIsGamma) {
  const auto law = pure(1.0, 0.5, 0.5, 1.7);
  BoucWen<>::State state;
  const double z0 = step(law, state, 3.0).z;
  EXPECT_NEAR(look(law, state, 3.0 - 0.6 * z0).z, 0.4 * z0, 4e-16);
  EXPECT_DOUBLE_EQ(look(law, state, 3.0 - 0.6 * z0).stiffness, 1.0);
}

// z_max = (A/(beta+gamma))^(1/n), for roots and sharp knees.
TEST(BoucWen, Saturates) {
  for (const double n : {0.05, 0.3, 0.5, 1.0, 2.0, 5.1, 30.0, 1000.0}) {
    const auto law = pure(1.2, 0.7, 0.3, n);
    const double z_max = std::pow(1.2, 1.0 / n);
    BoucWen<>::State state;
    EXPECT_NEAR(step(law, state, 1e6 * z_max).z, z_max, 2e-15 * z_max) << n;
    EXPECT_NEAR(step(law, state, -1e6 * z_max).z, -z_max, 2e-15 * z_max) << n;
  }
}

// The differential equation itself, by the classical Runge-Kutta method with 20000 steps a unit in long double.
TEST(BoucWenSlow, AgreesWithRungeKutta) {
  struct Case {
    double beta, gamma, n;
  };
  for (const Case& c : {Case{0.7, 0.3, 1.6}, Case{0.3, 0.9, 2.5}, Case{0.9, -0.4, 3.3}, Case{0.4, 0.2, 5.1}}) {
    const auto law = pure(1.0, c.beta, c.gamma, c.n);
    BoucWen<>::State state;
    long double z = 0.0L, u = 0.0L, work = 0.0L;
    for (const double target : {0.9, -0.4, 0.7, 0.65, -1.6}) {
      const long double s = target > u ? 1.0L : -1.0L;
      const auto slope = [&](long double y) {
        return 1.0L - (c.gamma + c.beta * s * (y < 0.0L ? -1.0L : 1.0L)) *
                          std::pow(std::abs(y), static_cast<long double>(c.n));
      };
      constexpr int steps = 20000;
      const long double h = (target - u) / steps;
      for (int i = 0; i < steps; ++i) {
        const long double k1 = slope(z), k2 = slope(z + 0.5L * h * k1), k3 = slope(z + 0.5L * h * k2),
                          k4 = slope(z + h * k3);
        const long double next = z + h * (k1 + 2.0L * k2 + 2.0L * k3 + k4) / 6.0L;
        work += 0.5L * h * (z + next) + h * h * (k1 - k4) / 12.0L;  // Hermite
        z = next;
      }
      u = target;
      EXPECT_NEAR(step(law, state, target).z, static_cast<double>(z), 1e-12) << c.n;
      EXPECT_NEAR(law.stored_energy(state) + law.dissipated_energy(state), static_cast<double>(work), 1e-12) << c.n;
    }
  }
}

// dz_1/dz_0 = g(z_1)/g(z_0) against differences, also at saturation where that ratio would be 0/0: there exp(-n A
// u/z_max).
TEST(BoucWen, GainCarriesTheState) {
  const auto law = pure(1.0, 0.7, 0.3, 1.6);
  for (const double z0 : {-0.9, -0.4, -0.01, 0.0, 0.02, 0.5, 0.95}) {
    for (const double u : {-1.4, -0.3, -0.001, 0.001, 0.2, 1.5}) {
      const auto z_after = [&](double z) {
        BoucWen<>::State state;
        state.z = z;
        return look(law, state, u).z;
      };
      BoucWen<>::State state;
      state.z = z0;
      const double h = 1e-6;
      EXPECT_NEAR(look(law, state, u).gain, (z_after(z0 + h) - z_after(z0 - h)) / (2.0 * h), 1e-8) << z0 << ' ' << u;
    }
  }
  BoucWen<>::State saturated;
  step(law, saturated, 1000.0);
  for (const double u : {0.1, 1.0, 10.0}) {
    EXPECT_NEAR(look(law, saturated, 1000.0 + u).gain, std::exp(-1.6 * u), 1e-13) << u;
  }
}

// docs/theory.md, "Bouc-Wen from hysteresis data": n = 1+chi, beta = R/((chi+2) K_T), gamma = R/((chi+1) K_T) follows
// the microslip of an Iwan element. To first order in w = R X^n/K_T its loss is that of the element; w is 1e-5 here,
// and the tolerance 10 w.
TEST(BoucWen, FollowsThePowerLawOfMicroslip) {
  const double chi = -0.5, k = 2.0, r = 1.0;
  const BoucWen<> law({k, 0.0, 1.0, r / ((chi + 2.0) * k), r / ((chi + 1.0) * k), 1.0 + chi});
  const double amplitude = 4e-10;
  BoucWen<>::State state;
  for (int i = 0; i < 4; ++i) {
    step(law, state, amplitude);
    step(law, state, -amplitude);
  }
  const double before = law.dissipated_energy(state);
  step(law, state, amplitude);
  step(law, state, -amplitude);
  const double expected = 4.0 * r * std::pow(amplitude, chi + 3.0) / ((chi + 2.0) * (chi + 3.0));
  EXPECT_NEAR(law.dissipated_energy(state) - before, expected, 1e-4 * expected);
}

TEST(BoucWen, RefusesUnboundedParameters) {
  EXPECT_THROW(pure(1.0, 0.0, 1.0, 1.0), std::invalid_argument);
  EXPECT_THROW(pure(1.0, 0.5, -0.5, 1.0), std::invalid_argument);
  EXPECT_THROW(pure(0.0, 0.5, 0.5, 1.0), std::invalid_argument);
  EXPECT_THROW(pure(1.0, 0.5, 0.5, 0.0), std::invalid_argument);
  EXPECT_THROW(pure(1.0, std::nan(""), 0.5, 1.0), std::invalid_argument);
  EXPECT_THROW(BoucWen<>({1.0, 1.1, 1.0, 0.5, 0.5, 1.0}), std::invalid_argument);
  EXPECT_THROW(BoucWen<>({-1.0, 0.1, 1.0, 0.5, 0.5, 1.0}), std::invalid_argument);
}

}  // namespace bouc_wen_test
}  // namespace microslip
