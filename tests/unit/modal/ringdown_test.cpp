#include "microslip/modal/ringdown.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "ringdown_signals.hpp"

namespace microslip {
namespace ringdown_test {

using testing::linear_decay;
using testing::with_noise;

// The damped oscillator: omega = sqrt(1 - zeta^2), zeta given. The drift of an integrated acceleration is taken out to
// (pi zeta)^6/64 of the amplitude, 2e-7 for zeta = 0.05, and with a bend beside the ends: some 1e-6 of zeta.
TEST(TurningPoints, LinearOscillatorToSixDigits) {
  for (const Quantity quantity : {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
    for (const double zeta : {1e-3, 1e-2, 0.05}) {
      const bool drift = quantity == Quantity::acceleration && zeta > 0.04;
      const auto curve = turning_point_ringdown(linear_decay(zeta, 50.0, 20.0, quantity));
      ASSERT_GT(curve.points.size(), 30U) << curve.message;
      for (const RingdownPoint& p : curve.points) {
        EXPECT_NEAR(p.omega / std::sqrt(1.0 - zeta * zeta), 1.0, 1e-6);
        EXPECT_NEAR(p.zeta / zeta, 1.0, drift ? 5e-6 : 1e-6) << zeta << " " << p.time;
        EXPECT_EQ(p.half_cycles, 3);
      }
    }
  }
}

// Turning points of e^{-zeta t} cos(w t + phase) lie on e^{-zeta t} sqrt(1 - zeta^2) (there the velocity is zero), the
// half-range at the middle of two of them is that times cosh(zeta pi/(2 w)).
TEST(TurningPoints, AmplitudeIsTheHalfRange) {
  const double zeta = 0.03, w = std::sqrt(1.0 - zeta * zeta);
  for (const RingdownPoint& p : turning_point_ringdown(linear_decay(zeta, 50.0, 15.0)).points) {
    const double expected = std::exp(-zeta * (p.time - 3.0)) * w * std::cosh(0.5 * std::numbers::pi * zeta / w);
    EXPECT_NEAR(p.q / expected, 1.0, 1e-7);
    EXPECT_NEAR(p.v, p.omega * p.q, 1e-12);
  }
}

// Samples a period and the error: eighth-order interpolation, see uniform_samples.hpp. At 10 samples its 3e-5 of the
// amplitude, over two half-cycles of damping, is 3e-5/(pi zeta) of zeta = 0.01.
TEST(TurningPoints, CoarseSampling) {
  for (const auto& [samples, error] : {std::pair{20.0, 2e-5}, std::pair{10.0, 5e-3}}) {
    const auto curve = turning_point_ringdown(linear_decay(0.01, samples, 20.0));
    ASSERT_GT(curve.points.size(), 20U);
    for (const RingdownPoint& p : curve.points) {
      EXPECT_NEAR(p.omega, std::sqrt(1.0 - 1e-4), error);
      EXPECT_NEAR(p.zeta / 0.01, 1.0, error) << samples;
    }
  }
}

// An amplitude that decays by a power law: d ln X/dt = -g X^p, X = (1 + p g t)^(-1/p), with constant frequency. Halving
// g, the change of amplitude a cycle, divides the error of zeta by four: second order.
TEST(TurningPoints, SecondOrderInTheDecayOfACycle) {
  const double p = 0.5;
  const auto error = [&](double g) {
    SampledMotion motion{0.0, 2.0 * std::numbers::pi / 100.0, Quantity::velocity, {}};
    for (int i = 0; i < 3000; ++i) {
      const double t = motion.step * i;
      motion.values.push_back(std::pow(1.0 + p * g * t, -1.0 / p) * std::sin(t + 0.3));
    }
    double worst = 0.0;
    for (const RingdownPoint& point : turning_point_ringdown(motion).points) {
      if (point.time < 10.0 || point.time > 40.0) continue;
      const double rate = g / (1.0 + p * g * point.time);
      worst = std::max(worst, std::abs(point.zeta / (rate / std::hypot(1.0, rate)) - 1.0));
    }
    return worst;
  };
  EXPECT_LT(error(0.02), 2e-3);
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 2.0, 0.2);
}

/// Errors over standard errors, mean squares over ring-downs with noise 40 dB below their start.
struct NormalisedErrors {
  double omega = 0.0, zeta = 0.0;
  double independent = 0.0;  ///< windows that do not overlap
};
NormalisedErrors normalised_errors(double zeta, RingdownOptions options, int seeds) {
  options.noise = 0.01;
  NormalisedErrors sums;
  double points = 0.0;
  for (int seed = 1; seed <= seeds; ++seed) {
    for (const RingdownPoint& p :
         turning_point_ringdown(with_noise(linear_decay(zeta, 50.0, 0.8 / zeta), static_cast<unsigned>(seed)), options)
             .points) {
      sums.omega += std::pow((p.omega - std::sqrt(1.0 - zeta * zeta)) / p.omega_error, 2);
      sums.zeta += std::pow((p.zeta - zeta) / p.zeta_error, 2);
      sums.independent += 1.0 / p.half_cycles;
      points += 1.0;
    }
  }
  return {sums.omega / points, sums.zeta / points, sums.independent};
}

// The errors are those that the rows state: their mean square over the stated variance is 1 within 4 standard
// deviations of a sum of n squares, sqrt(2/n). Systematically, an area of 25 samples loses up to one of them at its
// ends (4 % of the variance), and a zero from the polynomial through eight samples jitters by between sqrt(0.745)
// (amid two samples: the sum of the squares of Lagrange's weights) and 1 of the noise. So do windows that the noise has
// chosen.
TEST(TurningPoints, StatesItsErrors) {
  for (const double zeta : {2e-3, 5e-3, 2e-2}) {
    for (const int half_cycles : {3, 5, 11, 0}) {
      RingdownOptions options;
      options.half_cycles = half_cycles;
      const NormalisedErrors errors = normalised_errors(zeta, options, 50);
      ASSERT_GT(errors.independent, 100.0);
      const double spread = 4.0 * std::sqrt(2.0 / errors.independent);
      EXPECT_LT(errors.zeta, 1.0 + spread) << zeta << ", " << half_cycles;
      EXPECT_GT(errors.zeta, 0.96 - spread) << zeta << ", " << half_cycles;
      EXPECT_LT(errors.omega, 1.0 + spread) << zeta << ", " << half_cycles;
      EXPECT_GT(errors.omega, 0.745 - spread) << zeta << ", " << half_cycles;
    }
  }
}

// White noise 40 dB below the start, which the program finds itself (its variance from some 5000 samples or more, each
// counting about a third in eighth differences: 5 %), and the windows with it: they grow until 2 % of zeta are left, or
// to e^0.7 in amplitude.
TEST(TurningPoints, SurvivesNoise) {
  for (const double zeta : {2e-3, 5e-3, 2e-2}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const auto curve = turning_point_ringdown(with_noise(linear_decay(zeta, 50.0, 0.8 / zeta), seed));
      ASSERT_GT(curve.points.size(), 10U) << zeta << curve.message;
      EXPECT_NEAR(curve.noise, 0.01, 0.001);
      for (const RingdownPoint& p : curve.points) {  // some 5000 rows in all: 5 standard errors
        EXPECT_NEAR(p.omega, std::sqrt(1.0 - zeta * zeta), 5.0 * p.omega_error) << zeta << " " << seed;
        EXPECT_NEAR(p.zeta, zeta, 5.0 * p.zeta_error) << zeta << " " << seed;
      }
      const RingdownPoint& start = curve.points[curve.points.size() / 8];
      EXPECT_LT(start.zeta_error, 0.025 * zeta);
    }
  }
}

// A velocity beside the motion makes half-cycles alternate; the full cycle does not see it but for the decay: zeta is
// off by pi/2 of what it is of the amplitude, here 0.01/0.62.
TEST(TurningPoints, HalfCyclesThatAlternate) {
  SampledMotion motion = linear_decay(0.005, 50.0, 15.0);
  for (double& value : motion.values) value += 0.01;
  RingdownOptions options;
  options.remove_offset = false;
  for (const RingdownPoint& p : turning_point_ringdown(motion, options).points) {
    EXPECT_NEAR(p.omega, 1.0, 3e-4);
    EXPECT_NEAR(p.zeta / 0.005, 1.0, 0.05);
  }
}

// An offset of the displacement does nothing at all.
TEST(TurningPoints, OffsetOfTheDisplacement) {
  SampledMotion motion = linear_decay(0.01, 50.0, 15.0, Quantity::displacement);
  for (double& value : motion.values) value += 20.0;
  for (const RingdownPoint& p : turning_point_ringdown(motion).points) EXPECT_NEAR(p.zeta / 0.01, 1.0, 1e-6);
}

// The amplitude does not depend on the window.
TEST(TurningPoints, GivenNumberOfHalfCycles) {
  RingdownOptions options;
  options.half_cycles = 9;
  const SampledMotion motion = linear_decay(0.01, 50.0, 20.0);
  const auto three = turning_point_ringdown(motion).points;
  const auto nine = turning_point_ringdown(motion, options).points;
  ASSERT_EQ(nine.size() + 6, three.size());
  for (std::size_t i = 0; i < nine.size(); ++i) {
    EXPECT_EQ(nine[i].half_cycles, 9);
    EXPECT_NEAR(nine[i].zeta / 0.01, 1.0, 1e-6);
    EXPECT_NEAR(nine[i].q / three[i + 3].q, 1.0, 1e-7);
  }
}

TEST(TurningPoints, NothingToSee) {
  const SampledMotion flat{0.0, 0.1, Quantity::velocity, std::vector<double>(100, 0.0)};
  EXPECT_TRUE(turning_point_ringdown(flat).points.empty());
  EXPECT_EQ(turning_point_ringdown(flat).message, "only 0 half-cycles above the noise");
  SampledMotion noise{0.0, 0.1, Quantity::velocity, std::vector<double>(5000, 0.0)};
  EXPECT_TRUE(turning_point_ringdown(with_noise(noise, 1)).points.empty());
}

TEST(TurningPoints, RefusesWhatIsNoSignal) {
  SampledMotion motion = linear_decay(0.01, 50.0, 5.0);
  motion.values[20] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(static_cast<void>(turning_point_ringdown(motion)), std::invalid_argument);
  motion.values.resize(15);
  EXPECT_THROW(static_cast<void>(turning_point_ringdown(motion)), std::invalid_argument);
  motion = linear_decay(0.01, 50.0, 5.0);
  motion.step = 0.0;
  EXPECT_THROW(static_cast<void>(turning_point_ringdown(motion)), std::invalid_argument);
}

}  // namespace ringdown_test
}  // namespace microslip
