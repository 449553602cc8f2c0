// The constant that a sensor adds: found, told with its error, and without a trace in what is read from a ring-down.
#include "microslip/modal/sensor_offset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "microslip/modal/hilbert.hpp"
#include "microslip/modal/ringdown.hpp"
#include "microslip/modal/zero_crossings.hpp"
#include "ringdown_signals.hpp"

namespace microslip {
namespace {

using testing::linear_decay;
using testing::with_noise;

SampledMotion with_offset(SampledMotion motion, double offset) {
  for (double& value : motion.values) value += offset;
  return motion;
}

// Half-cycles of e^{-zeta t} leave (pi zeta/2)^12 of their area in a binomial mean of order 12, 1e-13 at zeta = 0.05
// and over 16 of them far less; what is left is the interpolation, 1e-10 of the amplitude at 50 samples a period, and
// for zeros that still are off their squares. Offsets from small ones to ones without a single change of sign.
TEST(SensorOffset, OfADecay) {
  for (const Quantity quantity : {Quantity::velocity, Quantity::acceleration}) {
    for (const double zeta : {1e-3, 1e-2, 0.05}) {
      for (const double offset : {0.0, 1e-4, -0.01, 0.3, -5.0}) {
        const SampledMotion motion = with_offset(linear_decay(zeta, 50.0, 20.0, quantity), offset);
        for (const bool late : {false, true}) {
          EXPECT_NEAR(sensor_offset(motion.values, 1e-9, 10.0, late).value, offset, 1e-10) << zeta;
        }
      }
    }
  }
}

// Its error is the one it states: the mean square over the variance is 1 within 4 standard deviations of a mean of 100
// squares, and 4 % for areas that lose a sample at their ends. The weights are 1 over 100 half-cycles but for the ends,
// each of which loses sqrt(12/pi)/2 of a half-cycle to the square: the deviation is that of a mean over the record.
TEST(SensorOffset, StatesItsError) {
  for (const bool late : {false, true}) {
    double sum = 0.0, error = 0.0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
      const SampledMotion motion = with_noise(with_offset(linear_decay(2e-3, 30.0, 50.0), 0.2), seed);
      const SensorOffset found = sensor_offset(motion.values, 0.01, 10.0, late);
      sum += std::pow((found.value - 0.2) / found.error, 2) / 100.0;
      error = found.error;
    }
    EXPECT_NEAR(sum, 1.0, 4.0 * std::sqrt(2.0 / 100.0) + 0.04);
    EXPECT_NEAR(error / (0.01 / std::sqrt(late ? 750.0 : 1500.0)), 1.0, late ? 0.2 : 0.1);
  }
}

// The middle of an unsymmetric motion, x = A cos t + 0.05 A^2 with A = e^{-0.01 t}, drifts by -0.001 A^2 in the
// velocity: over four times as fast in the third quarter of 60 periods as in the last. That is no offset, and stays;
// beside an offset of 20 times it, it is within that.
TEST(SensorOffset, IsNoSlowMotion) {
  SampledMotion motion = linear_decay(0.01, 50.0, 60.0);
  for (std::size_t i = 0; i < motion.values.size(); ++i) {
    motion.values[i] -= 0.001 * std::exp(-0.02 * motion.step * static_cast<double>(i));
  }
  EXPECT_EQ(sensor_offset(motion.values, 1e-9, 10.0, true).value, 0.0);
  EXPECT_NEAR(sensor_offset(with_offset(motion, 0.001).values, 1e-9, 10.0, true).value, 0.001, 5e-5);
}

TEST(SensorOffset, OfTooFewHalfCycles) {
  EXPECT_EQ(sensor_offset(std::vector<double>(100, 2.0), 0.01, 10.0, false).error, 0.0);
  EXPECT_EQ(sensor_offset(std::vector<double>(100, 2.0), 0.01, 10.0, false).value, 2.0);
}

// As without an offset: TurningPoints.LinearOscillatorToSixDigits.
TEST(SensorOffset, LeavesTurningPointsAsTheyAre) {
  for (const Quantity quantity : {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
    for (const double offset : {0.01, 0.3, 5.0}) {
      const auto curve = turning_point_ringdown(with_offset(linear_decay(0.01, 50.0, 20.0, quantity), offset));
      ASSERT_GT(curve.points.size(), 30U) << curve.message;
      for (const RingdownPoint& p : curve.points) {
        EXPECT_NEAR(p.omega, std::sqrt(1.0 - 1e-4), 1e-6);
        EXPECT_NEAR(p.zeta / 0.01, 1.0, 1e-6) << p.time;
      }
    }
  }
}

/// Records with noise and an offset.
struct Records {
  Quantity quantity;
  bool hilbert;
  double zeta, noise, periods, offset;
  int half_cycles;
};

/// Mean squares of errors over the stated variances are 1 as RingdownErrors has it without an offset: within 4 standard
/// deviations of as many squares as rows share no half-cycle, and 15 %.
void expect_calibrated(const Records& of, int seeds) {
  double omega = 0.0, zeta = 0.0, independent = 0.0, rows = 0.0;
  RingdownOptions points;
  points.half_cycles = of.half_cycles;
  for (int seed = 1; seed <= seeds; ++seed) {
    const SampledMotion motion =
        with_noise(with_offset(linear_decay(of.zeta, 50.0, of.periods, of.quantity), of.offset),
                   static_cast<unsigned>(seed), of.noise);
    for (const RingdownPoint& p :
         (of.hilbert ? hilbert_ringdown(motion) : turning_point_ringdown(motion, points)).points) {
      omega += std::pow((p.omega - std::sqrt(1.0 - of.zeta * of.zeta)) / p.omega_error, 2);
      zeta += std::pow((p.zeta - of.zeta) / p.zeta_error, 2);
      independent += of.hilbert ? 1.0 : 1.0 / p.half_cycles;
      rows += 1.0;
    }
  }
  ASSERT_GT(independent, 64.0);
  const double spread = 4.0 * std::sqrt(2.0 / independent);
  EXPECT_LT(zeta / rows, 1.15 + spread);
  EXPECT_GT(zeta / rows, 0.85 - spread);
  EXPECT_LT(omega / rows, 1.15 + spread);
  EXPECT_GT(omega / rows, (of.hilbert ? 0.85 : 0.7) - spread);
}

TEST(SensorOffset, LeavesErrorsAsTheyAreStated) {
  for (const Quantity quantity : {Quantity::velocity, Quantity::acceleration}) {
    for (const double offset : {0.03, 2.0}) {
      SCOPED_TRACE(offset);
      expect_calibrated({quantity, false, 5e-3, 0.01, 100.0, offset, 3}, 5);
      expect_calibrated({quantity, false, 5e-3, 0.001, 100.0, offset, 0}, 5);
      expect_calibrated({quantity, true, 5e-3, 0.001, 160.0, offset, 0}, 8);
    }
  }
}

// Five periods: most rows of an acceleration lie within the three half-cycles of an end whose drift is that of the
// nearest that has one. What is not known of the offset grows there with time, and counts in the errors.
TEST(SensorOffset, OfShortRecordsCountsInTheErrors) {
  for (const Quantity quantity : {Quantity::velocity, Quantity::acceleration}) {
    for (const double offset : {0.0, 0.1}) {
      SCOPED_TRACE(offset);
      expect_calibrated({quantity, false, 0.02, 0.003, 5.0, offset, 3}, 60);
    }
  }
}

// A record that begins with the last of a half-cycle, 5 times the noise, has all the half-cycles after it; one that
// begins with noise has those of the motion after it.
TEST(ZeroCrossings, BeginWhereTheSignalIsAboveTheFloor) {
  std::vector<double> signal;
  for (int i = 0; i < 300; ++i) signal.push_back(std::cos(0.1 * i + 0.5 * std::numbers::pi - 0.05));
  const std::vector<double> zeros = zero_crossings(signal, 0.01, 10.0);
  ASSERT_EQ(zeros.size(), 10U);
  for (std::size_t k = 0; k < zeros.size(); ++k) {
    EXPECT_NEAR(zeros[k], 0.5 + 10.0 * std::numbers::pi * static_cast<double>(k), 1e-6);
  }
  std::vector<double> late;
  for (int i = 0; i < 200; ++i) late.push_back(0.05 * std::cos(0.1 * i));
  late.insert(late.end(), signal.begin(), signal.end());
  EXPECT_EQ(zero_crossings(late, 0.01, 10.0).size(), 10U);
}

}  // namespace
}  // namespace microslip
