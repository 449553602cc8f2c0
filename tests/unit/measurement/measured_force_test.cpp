#include "microslip/measurement/measured_force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip {
namespace measured_force_test {

constexpr double width = 1.1;     // of the pulse, in samples: exp(-(pi f)^2 2 width^2) is 1e-3 at 0.54 of the rate
constexpr double middle = 100.3;  // between samples
constexpr double offset = 0.25;

double pulse(double x) {
  return 40.0 * std::exp(-0.5 * std::pow((x - middle) / width, 2));
}

std::vector<double> record(double noise = 0.0) {
  Uniform uniform(1);
  std::vector<double> y(400);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = pulse(static_cast<double>(i)) + offset + noise * uniform();
  return y;
}

std::vector<double> less_rest(std::vector<double> y) {
  for (double& value : y) value -= offset;
  return y;
}

/// Transform of the straight lines between the points at a frequency over the sampling rate, by the rule of Simpson, to
/// 1e-9 for so short pieces.
std::complex<double> transform(const ForcePoints& points, double frequency) {
  std::complex<double> sum = 0.0;
  const auto at = [&](double x, double value) { return value * std::polar(1.0, -two_pi * frequency * x); };
  for (std::size_t i = 0; i + 1 < points.places.size(); ++i) {
    constexpr int pieces = 16;
    const double h = (points.places[i + 1] - points.places[i]) / pieces;
    const double slope = (points.values[i + 1] - points.values[i]) / (points.places[i + 1] - points.places[i]);
    for (int k = 0; k < pieces; ++k) {
      const double a = points.places[i] + h * k, v = points.values[i] + slope * h * k;
      sum += h / 6.0 * (at(a, v) + 4.0 * at(a + 0.5 * h, v + 0.5 * slope * h) + at(a + h, v + slope * h));
    }
  }
  return sum;
}

double transform_of_pulse(double frequency) {
  return 40.0 * width * std::sqrt(two_pi) * std::exp(-2.0 * std::pow(pi * frequency * width, 2));
}

TEST(MeasuredForce, FindsTheHitAndItsRest) {
  const std::vector<double> y = record(0.01);
  const ForceHits hits = force_hits({&y}, 16);
  const auto range = samples_of_hit(hits, y.size());
  ASSERT_TRUE(range.has_value());
  EXPECT_GT(range->first, 85U);
  EXPECT_LT(range->first, 97U);
  EXPECT_GT(range->second, 104U);
  EXPECT_LT(range->second, 116U);
  // Mean of some 90 uniform values of standard deviation 0.01/sqrt 3: 6e-4.
  EXPECT_NEAR(*force_at_rest(y, hits), offset, 3e-3);
  const std::vector<double> late(y.begin() + 92, y.end());
  EXPECT_FALSE(force_at_rest(late, force_hits({&late}, 16)).has_value());
  const std::vector<double> still(400, 1.0);
  EXPECT_FALSE(samples_of_hit(force_hits({&still}, 16), 400).has_value());
}

// A Gaussian pulse of two and a half samples is the sum of its samples' sincs but for what lies beyond half of the
// rate: the transform exp(-2 (pi f width)^2) is 2.5e-3 there, and what aliases into 0.3 comes from 0.7: 8e-6, 7e-5 of
// what is there.
TEST(MeasuredForce, IsBandLimitedBetweenItsSamples) {
  const std::vector<double> y = less_rest(record());
  const ForcePoints points = force_points(y, {80, 121}, true);
  ASSERT_EQ(points.places.size(), points.values.size());
  for (const double frequency : {0.0, 0.05, 0.1456, 0.3}) {
    const double lines = std::pow(pi * frequency / 32.0, 2) / 3.0;  // of straight lines between the points
    EXPECT_NEAR(std::abs(transform(points, frequency)) / transform_of_pulse(frequency), 1.0 - lines, 2e-4) << frequency;
  }
}

// Straight lines between the samples: (sin(pi f)/(pi f))^2 of the periodic transform of the samples, the first alias of
// which is at 1 - f: 3e-6 of it at 0.15.
TEST(MeasuredForce, StraightLinesLoseWhatIsFast) {
  const ForcePoints points = force_points(less_rest(record()), {80, 121}, false);
  for (const double frequency : {0.05, 0.1456}) {
    const double gain = std::pow(std::sin(pi * frequency) / (pi * frequency), 2);
    EXPECT_NEAR(std::abs(transform(points, frequency)) / transform_of_pulse(frequency), gain, 1e-4) << frequency;
  }
}

}  // namespace measured_force_test
}  // namespace microslip
