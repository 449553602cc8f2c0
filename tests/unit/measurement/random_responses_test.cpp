// Random excitation against closed forms.

#include "microslip/measurement/random_responses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "microslip/numerics/random.hpp"

namespace microslip {
namespace {

constexpr double step = 0.01;

/// y_j = f_j + 0.5 f_{j-1} - 0.25 f_{j-2}, and noise: three samples of memory against segments of 256.
MeasuredRecord filtered_noise(std::size_t samples, double noise, std::uint64_t seed) {
  Normal normal(seed);
  MeasuredRecord record{"r", 0.0, step, "s", {}, {{}}};
  for (std::size_t j = 0; j < samples; ++j) record.force.push_back(normal());
  const auto f = [&](std::size_t j, std::size_t back) { return j >= back ? record.force[j - back] : 0.0; };
  for (std::size_t j = 0; j < samples; ++j) {
    record.responses[0].push_back(f(j, 0) + 0.5 * f(j, 1) - 0.25 * f(j, 2) + noise * normal());
  }
  return record;
}

std::complex<double> transfer(double frequency) {
  const std::complex<double> back = std::polar(1.0, -2.0 * std::numbers::pi * frequency * step);
  return 1.0 + 0.5 * back - 0.25 * back * back;
}

// Hann's window and its shift by half: 1/6; by three quarters overlap: 0.6592, 1/6, 0.0075 (Harris 1978).
TEST(RandomResponses, OverlappingSegments) {
  EXPECT_NEAR(independent_segments(1024, 512, 1000), 1000.0 / (1.0 + 2.0 * 0.999 / 36.0), 0.02);
  EXPECT_NEAR(independent_segments(1024, 256, 1000) / 1000.0,
              1.0 / (1.0 + 2.0 * (0.6592 * 0.6592 + 1.0 / 36.0 + 0.0075 * 0.0075)), 2e-3);
  EXPECT_EQ(independent_segments(1024, 1024, 7), 7.0);
}

// Coherence |H|^2/(|H|^2 + s^2) with noise s. Of n averages it is known to (1 - g) sqrt(2 g/n) and biased by
// (1 - g)^2/n (Bendat and Piersol), H1 to sqrt((1 - g)/(2 g n)) of itself in either part; five of these, the largest of
// 250 numbers. Segments are 256 samples, and 2 of them are memory: what leaks is below 1 %.
TEST(RandomResponses, ResponseAndCoherence) {
  constexpr double noise = 0.5;
  RandomOptions options;
  options.segment = 256;
  const RandomEstimate estimate =
      responses_of_random({{"a"}, {filtered_noise(100'000, noise, 5)}}, Quantity::acceleration, options);
  ASSERT_EQ(estimate.responses.references.size(), 1U);
  const FrequencyResponses& of = estimate.responses.references[0];
  EXPECT_EQ(of.averages, (100'000 - 256) / 128 + 1);
  ASSERT_EQ(of.frequency.size(), 127);
  EXPECT_NEAR(of.frequency(0), 1.0 / 2.56, 1e-12);
  for (Eigen::Index k = 0; k < of.frequency.size(); ++k) {
    const std::complex<double> h = transfer(of.frequency(k));
    const double coherence = std::norm(h) / (std::norm(h) + noise * noise);
    const double known = (1.0 - coherence) * std::sqrt(2.0 * coherence / estimate.averages);
    EXPECT_NEAR(of.coherence(k, 0), coherence, 5.0 * known + 0.005);
    const double error = std::abs(h) * std::sqrt((1.0 - coherence) / (2.0 * coherence * estimate.averages));
    EXPECT_NEAR(of.error(k, 0), error, 0.2 * error);
    EXPECT_LT(std::abs(of.values(k, 0) - h), 5.0 * std::sqrt(2.0) * error + 0.005);
  }
}

// 200 records, z of H1: with 20 averages or so it is Student's with 2 (n - 1) degrees of freedom, of standard deviation
// sqrt(m/(m - 2)) = 1.027 at m = 39; over 200 x 42 x 2 numbers, neighbours correlated, known to 1 %.
TEST(RandomResponses, ErrorsAreThoseOfTheScatter) {
  RandomOptions options;
  options.segment = 256;
  double squares = 0.0, count = 0.0, averages = 0.0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    const RandomEstimate estimate =
        responses_of_random({{"a"}, {filtered_noise(256 * 11, 0.5, 100 + run)}}, Quantity::acceleration, options);
    const FrequencyResponses& of = estimate.responses.references.at(0);
    averages = estimate.averages;
    for (Eigen::Index k = 2; k < of.frequency.size(); k += 3) {
      squares += std::norm((of.values(k, 0) - transfer(of.frequency(k))) / of.error(k, 0));
      count += 2.0;
    }
  }
  const double freedom = 2.0 * (averages - 1.0);
  EXPECT_NEAR(std::sqrt(squares / count), std::sqrt(freedom / (freedom - 2.0)), 0.05);
}

TEST(RandomResponses, RecordsAloneAndDeadChannels) {
  MeasuredRecord first = filtered_noise(5000, 0.1, 1), second = filtered_noise(4000, 0.1, 2);
  for (MeasuredRecord* record : {&first, &second}) record->responses.emplace_back(record->force.size(), 1.0);
  first.name = "one";
  second.name = "two";
  const RandomEstimate estimate = responses_of_random({{"a", "dead"}, {first, second}}, Quantity::acceleration, {});
  EXPECT_EQ(estimate.responses.references.at(0).channels, std::vector<std::string>{"a"});
  ASSERT_EQ(estimate.responses.parts.size(), 2U);
  EXPECT_EQ(estimate.responses.parts[1].name, "two");
  ASSERT_EQ(estimate.notes.size(), 1U);
  EXPECT_NE(estimate.notes[0].find("channel dead is dead"), std::string::npos);
}

}  // namespace
}  // namespace microslip
