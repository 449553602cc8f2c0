#include "microslip/numerics/resample.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/numerics/constants.hpp"

namespace microslip {
namespace resample_test {

constexpr std::size_t count = 400;

std::vector<double> sine(double frequency, double phase) {
  std::vector<double> y(count);
  for (std::size_t i = 0; i < count; ++i) y[i] = std::sin(two_pi * frequency * static_cast<double>(i) + phase);
  return y;
}

/// Largest error against the sine itself, away from the ends.
double largest_error(const Resampler& by, double frequency, double wanted) {
  const std::vector<double> y = sine(frequency, 0.3);
  double largest = 0.0;
  for (double x = by.reach() + 1.0; x < count - by.reach() - 2.0; x += 0.137) {
    largest = std::max(largest, std::abs(by.at(y, x) - wanted * std::sin(two_pi * frequency * x + 0.3)));
  }
  return largest;
}

// The window is made for an attenuation of 100 dB, 1e-5 in each of pass and stop band: images and aliases of all bands
// together leave a few times that.
TEST(Resampler, PassesWhatIsWellBelowHalfTheRate) {
  for (const double frequency : {0.01, 0.1, 0.3, 0.44})
    EXPECT_LT(largest_error(Resampler(), frequency, 1.0), 3e-5) << frequency;
}

TEST(Resampler, IsALowPassForFewerSamples) {
  const Resampler by(0.25);  // for steps four times as long: half of that rate is at 0.125
  EXPECT_EQ(by.reach(), 128.0);
  for (const double frequency : {0.01, 0.1, 0.111}) EXPECT_LT(largest_error(by, frequency, 1.0), 3e-5) << frequency;
  for (const double frequency : {0.139, 0.2, 0.45}) EXPECT_LT(largest_error(by, frequency, 0.0), 3e-5) << frequency;
}

TEST(Resampler, KeepsTheSamples) {
  const std::vector<double> y = sine(0.37, 1.0);
  const std::vector<double> again = Resampler().at(y, 0.0, 1.0, y.size());
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(again[i], y[i], 1e-15);
}

TEST(Resampler, BeyondTheEndsThereIsNothing) {
  const std::vector<double> y(50, 1.0);
  const Resampler by;
  EXPECT_EQ(by.at(y, -by.reach() - 1.0), 0.0);
  EXPECT_EQ(by.at(y, 49.0 + by.reach() + 1.0), 0.0);
  EXPECT_NEAR(by.at(y, 24.5), 1.0, 0.02) << "a rectangle, fifty wide, rings";
}

}  // namespace resample_test
}  // namespace microslip
