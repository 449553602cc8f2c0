// Stated errors of ring-downs against those made, over many records with noise: both methods, every quantity, with and
// without a band.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "microslip/modal/band_signal.hpp"
#include "microslip/modal/hilbert.hpp"
#include "microslip/modal/ringdown.hpp"
#include "microslip/modal/velocity_noise.hpp"
#include "microslip/numerics/uniform_samples.hpp"
#include "ringdown_signals.hpp"

namespace microslip {
namespace ringdown_errors_test {

using testing::linear_decay;
using testing::with_noise;

struct Records {
  Quantity quantity;
  bool hilbert;
  double zeta, noise, periods;
  int seeds;
  double low = 0.0, high = 0.0;  ///< of the frequency; 0: no band
  int half_cycles = 0;
};

/// Mean squares of errors over stated variances.
struct Calibration {
  double omega = 0.0, zeta = 0.0;
  double independent = 0.0;  ///< rows that share no half-cycle
};

RingdownCurve curve_of(const Records& records, unsigned seed) {
  const double cycle = 1.0 / (2.0 * std::numbers::pi);
  std::vector<SampledMotion> signals = {
      with_noise(linear_decay(records.zeta, 50.0, records.periods, records.quantity), seed, records.noise)};
  RingdownOptions points;
  HilbertOptions hilbert;
  points.half_cycles = records.half_cycles;
  if (records.high > 0.0) {
    const BandNoise noise = keep_band(signals, 0, records.low * cycle, records.high * cycle);
    points.noise = hilbert.noise = noise.white;
    points.noise_filter = hilbert.noise_filter = noise.filter;
  }
  return records.hilbert ? hilbert_ringdown(signals[0], hilbert) : turning_point_ringdown(signals[0], points);
}

Calibration calibration(const Records& records) {
  Calibration sums;
  double rows = 0.0;
  for (int seed = 1; seed <= records.seeds; ++seed) {
    for (const RingdownPoint& p : curve_of(records, static_cast<unsigned>(seed)).points) {
      sums.omega += std::pow((p.omega - std::sqrt(1.0 - records.zeta * records.zeta)) / p.omega_error, 2);
      sums.zeta += std::pow((p.zeta - records.zeta) / p.zeta_error, 2);
      sums.independent += records.hilbert ? 1.0 : 1.0 / p.half_cycles;
      rows += 1.0;
    }
  }
  return {sums.omega / rows, sums.zeta / rows, sums.independent};
}

/// 1 within 4 standard deviations of the mean of n squares, sqrt(2/n), and 15 % for what is left out: amplitudes vary
/// over a window, accelerations have less to take their drift from at the ends. Zeros of unfiltered noise, from the
/// polynomial through eight samples, jitter by between sqrt(0.745) and 1 of it; in steeper noise by less.
void expect_calibrated(const Records& records) {
  const Calibration found = calibration(records);
  ASSERT_GT(found.independent, 128.0);
  const double spread = 4.0 * std::sqrt(2.0 / found.independent);
  const bool unfiltered_zeros = !records.hilbert && records.high == 0.0;
  EXPECT_LT(found.zeta, 1.15 + spread);
  EXPECT_GT(found.zeta, 0.85 - spread);
  EXPECT_LT(found.omega, 1.15 + spread);
  EXPECT_GT(found.omega, (unfiltered_zeros ? 0.7 : 0.85) - spread);
}

class RingdownErrorsOf : public ::testing::TestWithParam<Quantity> {};
INSTANTIATE_TEST_SUITE_P(Quantities, RingdownErrorsOf,
                         ::testing::Values(Quantity::displacement, Quantity::velocity, Quantity::acceleration));

// Differentiation leaves half-cycles that share their turning points; integration, noise that wanders over the seven
// half-cycles that the drift is taken from. Displacements need noise 60 dB below to be seen without a band.
TEST_P(RingdownErrorsOf, WholeSignals) {
  for (const double noise : {0.01, 0.001}) {
    if (GetParam() == Quantity::displacement && noise > 0.005) continue;
    for (const int half_cycles : {0, 3, 11}) {
      SCOPED_TRACE(::testing::Message() << "noise " << noise << ", " << half_cycles);
      expect_calibrated({GetParam(), false, 5e-3, noise, 160.0, 25, 0.0, 0.0, half_cycles});
    }
    SCOPED_TRACE(::testing::Message() << "noise " << noise << ", Hilbert");
    expect_calibrated({GetParam(), true, 5e-3, noise, 160.0, 30});
  }
}

// A band-pass leaves the density of the noise at the frequency as it is, however little noise is left, and makes
// half-cycles err together over 1/bandwidth. Rows at the ends do not see the kinks of the record's ends.
TEST_P(RingdownErrorsOf, Bands) {
  const std::pair<double, double> bands[] = {{0.4, 3.0}, {0.7, 1.33}, {0.9, 1.1}, {0.97, 1.03}};
  for (const auto& [low, high] : bands) {
    for (const bool hilbert : {false, true}) {
      SCOPED_TRACE(::testing::Message() << low << " to " << high << ", Hilbert " << hilbert);
      expect_calibrated({GetParam(), hilbert, 6e-4, 1e-3, 500.0, 6, low, high});
    }
  }
}

// The first and the last row of accelerations: their drift is that of the fourth half-cycle, from which the integrated
// noise wanders off by more than it does amid the record. 200 rows, bounds as above.
TEST(RingdownErrors, BesideTheEndsOfAccelerations) {
  const Records records{Quantity::acceleration, false, 5e-3, 1e-3, 25.0, 100, 0.0, 0.0, 3};
  double sum = 0.0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const auto points = curve_of(records, seed).points;
    ASSERT_GT(points.size(), 40U);
    for (const RingdownPoint& p : {points.front(), points.back()}) {
      sum += std::pow((p.zeta - records.zeta) / p.zeta_error, 2) / 200.0;
    }
  }
  EXPECT_NEAR(sum, 1.0, 0.15 + 4.0 * std::sqrt(2.0 / 200.0));
}

// Against the double sum.
TEST(RingdownErrors, SlopesOfErrorsThatGoTogether) {
  const std::vector<double> covariances = {2.0, 0.8, -0.3, 0.1};
  for (const std::size_t count : {2U, 3U, 8U, 31U}) {
    const double centre = 0.5 * static_cast<double>(count - 1);
    double sum = 0.0, alone = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        const std::size_t lag = i > j ? i - j : j - i;
        const double weight = (static_cast<double>(i) - centre) * (static_cast<double>(j) - centre);
        sum += lag < covariances.size() ? weight * covariances[lag] : 0.0;
        alone += lag == 0 ? weight * covariances[0] : 0.0;
      }
    }
    EXPECT_NEAR(slope_variance_factor(covariances, count), sum / alone, 1e-12);
  }
}

// White noise in a velocity: areas of half-cycles of 25 samples have the variance sigma^2 h T, but for their ends, and
// nothing in common. In a displacement, differentiated and integrated again, that of what a sample weighs in the end,
// half of it in common with the next. Differences of eighth order have 2 sum w^2 = 1.3630 times the variance over h^2.
TEST(RingdownErrors, OfHalfCycles) {
  const double sigma = 0.3, step = 0.04, half_period = 25.0 * step;
  const auto covariances = [&](Quantity quantity) {
    return VelocityNoise(quantity, sigma, {}, step, half_period).half_cycles(100);
  };
  const auto velocity = covariances(Quantity::velocity), displacement = covariances(Quantity::displacement);
  EXPECT_NEAR(velocity.area[0] / (sigma * sigma * step * half_period), 1.0, 0.04);
  EXPECT_NEAR(velocity.area[1] / velocity.area[0], 0.0, 0.04);
  EXPECT_NEAR(velocity.zero[0], sigma * sigma, 1e-12);
  EXPECT_NEAR(velocity.zero[1], 0.0, 1e-12);
  double weights = 0.0;
  for (std::size_t i = 0; i < 60; ++i) {
    std::vector<double> unit(60, 0.0);
    unit[i] = 1.0;
    const std::vector<double> slope = differentiate_samples(unit);
    const SampleIntegral integral(slope);
    weights += std::pow(integral.at_sample(38) - integral.at_sample(13), 2);
  }
  EXPECT_NEAR(displacement.area[0] / (weights * sigma * sigma), 1.0, 1e-3);
  EXPECT_NEAR(displacement.area[1] / displacement.area[0], 0.5, 0.01);
  EXPECT_NEAR(displacement.area[2] / displacement.area[0], 0.0, 0.01);
  EXPECT_NEAR(displacement.zero[0] * step * step / (sigma * sigma), 1.3630, 1e-3);
}

// What is left of the noise is what the filter says: 2 (high - low) h of 20000 samples count, 1.1 % of the deviation.
// Nothing is left of a record shorter than its ends.
TEST(RingdownErrors, BandOfASignal) {
  std::vector<SampledMotion> noise = {with_noise({0.0, 0.1, Quantity::velocity, std::vector<double>(20000, 0.0)}, 1)};
  const BandNoise left = keep_band(noise, 0, 1.0, 2.0);
  EXPECT_NEAR(left.white, 0.01, 6e-4);
  double square = 0.0;
  for (const double value : noise[0].values) square += value * value;
  const double deviation = VelocityNoise(Quantity::velocity, 0.01, left.filter, 0.1, 1.0).deviation();
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(noise[0].values.size())) / deviation, 1.0, 0.045);
  std::vector<SampledMotion> brief = {linear_decay(0.01, 50.0, 4.0)};
  static_cast<void>(keep_band(brief, 0, 0.12, 0.2));
  EXPECT_LT(brief[0].values.size(), 16U);
}

// Where a quarter of the record is less than the filter needs, that is told: 33 cycles and a band of 27 % of the
// frequency. With ten times the record, or three times the record and the band, nothing of the ends is left.
TEST(RingdownErrors, EndsOfTheBandThatShowAreTold) {
  const auto ends_show = [](double cycles, double width) {
    SampledMotion motion{0.0, 0.02, Quantity::velocity, {}};
    const double zeta = 0.66 / cycles, omega = 2.0 * std::numbers::pi;  // the same decay over the record
    for (int i = 0; i < static_cast<int>(cycles * 50.0); ++i) {
      motion.values.push_back(std::exp(-zeta * omega * i * 0.02) * std::cos(omega * i * 0.02));
    }
    std::vector<SampledMotion> signals = {with_noise(motion, 1)};
    return keep_band(signals, 0, 1.0 - 0.5 * width, 1.0 + 0.5 * width).ends_show;
  };
  EXPECT_TRUE(ends_show(33.0, 0.27));
  EXPECT_FALSE(ends_show(330.0, 0.27));
  EXPECT_FALSE(ends_show(100.0, 0.8));
}

}  // namespace ringdown_errors_test
}  // namespace microslip
