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
namespace sensor_offset_test {

using testing::linear_decay;
using testing::with_noise;

SampledMotion with_offset(SampledMotion motion, double offset) {
  for (double& value : motion.values) value += offset;
  return motion;
}

// Half-cycles of e^{-zeta t} leave nothing; what there is comes from the interpolation, 1e-10 of the amplitude at 50
// samples a period, and from the squares of zeros that still are off. Offsets from small ones to ones without a single
// change of sign.
TEST(SensorOffset, OfADecay) {
  for (const Quantity quantity : {Quantity::velocity, Quantity::acceleration}) {
    for (const double zeta : {1e-3, 1e-2, 0.05, 0.2}) {
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
  EXPECT_EQ(sensor_offset(std::vector<double>(100, 2.0), 0.01, 10.0, false).value, 0.0);
}

// A record of one and a half periods has three half-cycles about the middle of its last half, and fewer about what
// these tell: nothing is taken off, but an offset is not known to be none. Its error holds what is there twice.
TEST(SensorOffset, ThatLeavesTooFewHalfCyclesIsNotKnown) {
  for (const double offset : {-0.2, 0.0, 0.1, 0.3}) {
    std::vector<double> signal;
    for (int i = 0; i < 75; ++i) {
      const double t = 2.0 * std::numbers::pi / 50.0 * i;
      signal.push_back(std::exp(-0.03 * t) * std::cos(t + 5.0) + offset);
    }
    for (const bool late : {false, true}) {
      const SensorOffset found = sensor_offset(signal, 1e-3, 10.0, late);
      EXPECT_EQ(found.value, 0.0);
      EXPECT_GT(2.0 * found.error, std::abs(offset));
    }
  }
}

// Three and four half-cycles without an offset or noise: none is taken off, and zeta is what it is. To the 1e-10 of the
// interpolation, of the last half-cycle, over pi.
TEST(SensorOffset, IsNotInvented) {
  for (const double zeta : {0.05, 0.1, 0.2}) {
    for (const double periods : {2.2, 2.7}) {
      const SampledMotion motion = linear_decay(zeta, 100.0, periods, Quantity::velocity, 0.0);
      const RingdownCurve curve = turning_point_ringdown(motion);
      ASSERT_FALSE(curve.points.empty());
      EXPECT_EQ(curve.offset.value, 0.0);
      EXPECT_LT(curve.offset.error, 1e-10);
      for (const RingdownPoint& point : curve.points) EXPECT_NEAR(point.zeta, zeta, 1e-9) << periods;
    }
  }
}

/// Mean squares, over records of one kind with noise, of what is wrong over what is stated.
struct MeanSquares {
  double offset = 0.0, zeta = 0.0;
  int rows = 0;
};

template <class Amplitude>
MeanSquares mean_squares(Amplitude&& amplitude, double zeta, double periods, double noise, double offset, int records) {
  MeanSquares sum;
  SampledMotion clean{0.0, 2.0 * std::numbers::pi / 100.0, Quantity::velocity, {}};
  const double damped = std::sqrt(1.0 - zeta * zeta);
  for (int i = 0; i < static_cast<int>(100.0 * periods / damped); ++i) {
    const double t = clean.step * i;
    clean.values.push_back(amplitude(t) * std::cos(damped * t - 1.2) + offset);
  }
  for (int seed = 1; seed <= records; ++seed) {
    const RingdownCurve curve = turning_point_ringdown(with_noise(clean, static_cast<unsigned>(seed), noise));
    if (curve.offset.error > 0.0) {  // else there are two half-cycles
      sum.offset += std::pow((curve.offset.value - offset) / curve.offset.error, 2) / records;
    } else {
      EXPECT_EQ(curve.offset.value, 0.0);
    }
    for (const RingdownPoint& point : curve.points) {
      sum.zeta += std::pow((point.zeta - zeta) / point.zeta_error, 2);
      ++sum.rows;
    }
  }
  sum.zeta /= std::max(sum.rows, 1);
  return sum;
}

// 40 squares scatter about their mean by sqrt(2/40) of it; the errors of the rows are right to 15 %. They may be less:
// a b within its error stays in, and is then 0, which it is; errors of zeta and b come from one noise.
TEST(SensorOffset, OfHeavyDampingIsAsStated) {
  constexpr int records = 40;
  const double most = 1.15 + 4.0 * std::sqrt(2.0 / records);
  for (const double zeta : {0.1, 0.2}) {
    for (const double periods : {2.2, 3.2, 10.0}) {
      for (const double noise : {1e-4, 0.01}) {
        for (const double offset : {0.0, 0.03}) {
          const auto decay = [&](double t) { return std::exp(-zeta * t); };
          const MeanSquares found = mean_squares(decay, zeta, periods, noise, offset, records);
          EXPECT_LT(found.offset, most) << zeta << ' ' << periods << ' ' << noise;
          EXPECT_LT(found.zeta, most) << zeta << ' ' << periods << ' ' << noise;
        }
      }
    }
  }
}

// As friction has it, 1/(1 + zeta t), and to an end, (1 - 0.3 zeta t)^(1/0.3).
TEST(SensorOffset, OfADecayThatIsNotExponential) {
  constexpr int records = 40;
  for (const double power : {1.0, -0.3}) {
    for (const double zeta : {0.05, 0.1}) {
      for (const double periods : {2.2, 2.7, 5.0}) {
        for (const double offset : {0.0, 0.03}) {
          const auto decay = [&](double t) { return std::pow(std::max(1.0 + power * zeta * t, 0.0), -1.0 / power); };
          EXPECT_LT(mean_squares(decay, zeta, periods, 1e-3, offset, records).offset,
                    1.15 + 4.0 * std::sqrt(2.0 / records))
              << power << ' ' << zeta << ' ' << periods;
        }
      }
    }
  }
}

// A motion whose middle drifts, which may be an offset or not: the errors of rows of one cycle each hold the shift that
// so much of an offset makes; to first order in what it is of the amplitude, 0.01.
TEST(SensorOffset, CountsInTheErrorsOfHilbert) {
  HilbertOptions options;
  options.pieces = 20;
  options.noise = 1e-4;
  SampledMotion motion = linear_decay(0.005, 50.0, 30.0);
  for (std::size_t i = 0; i < motion.values.size(); ++i) {
    motion.values[i] -= 0.02 * std::exp(-0.03 * motion.step * static_cast<double>(i));
  }
  const RingdownCurve found = hilbert_ringdown(motion, options);
  ASSERT_EQ(found.points.size(), 20U) << found.message;
  EXPECT_EQ(found.offset.value, 0.0);
  EXPECT_GT(found.offset.error, 1e-4);
  options.remove_offset = false;
  const RingdownCurve without = hilbert_ringdown(motion, options);
  const RingdownCurve shifted = hilbert_ringdown(with_offset(motion, found.offset.error), options);
  ASSERT_EQ(without.points.size(), found.points.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < found.points.size(); ++k) {
    const RingdownPoint &point = found.points[k], &noise = without.points[k], &moved = shifted.points[k];
    EXPECT_NEAR(point.omega_error / std::hypot(noise.omega_error, moved.omega - noise.omega), 1.0, 0.01) << k;
    largest = std::max(largest, point.omega_error / noise.omega_error);
  }
  EXPECT_GT(largest, 1.1);
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

}  // namespace sensor_offset_test
}  // namespace microslip
