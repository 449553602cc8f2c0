// Random excitation against closed forms.

#include "microslip/measurement/random_responses.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "microslip/numerics/random.hpp"

namespace microslip {
namespace random_responses_test {

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

// Of 400 records: mean of the stated variances against the scatter about the mean, by estimator; and the correlation of
// errors of neighbours, 4/9 and 1/36. Over 400 x 40 numbers a variance is known to sqrt(2/16000) = 1.1 %, correlated by
// overlap: three of these, and what the first order leaves, (1 - g)/n = 2 % at 16 averages.
TEST(RandomResponses, ErrorsOfAllEstimatorsAndOfNeighbours) {
  constexpr int records = 400, lines = 127;
  constexpr double step_of_lines = 1.0 / (256.0 * step);
  for (const FrfEstimator estimator : {FrfEstimator::H1, FrfEstimator::H2, FrfEstimator::Hv}) {
    RandomOptions options;
    options.segment = 256;
    options.overlap = 0.0;
    options.estimator = estimator;
    Eigen::MatrixXcd values(lines, records);
    Eigen::MatrixXd stated(lines, records);
    Eigen::VectorXcd correlation;
    for (int run = 0; run < records; ++run) {
      const RandomEstimate estimate =
          responses_of_random({{"a"}, {filtered_noise(256 * 16, 0.7, 900 + static_cast<std::uint64_t>(run))}},
                              Quantity::acceleration, options);
      values.col(run) = estimate.responses.references.at(0).values.col(0);
      stated.col(run) = estimate.responses.references.at(0).error.col(0);
      correlation = estimate.responses.references.at(0).line_correlation;
    }
    double turned = 0.0, along = 0.0, square = 0.0, neighbours = 0.0, second = 0.0, count = 0.0;
    const Eigen::VectorXcd mean = values.rowwise().mean();
    for (int run = 0; run < records; ++run) {
      const Eigen::VectorXcd e = (values.col(run) - mean).cwiseQuotient(mean);
      const Eigen::VectorXd s = stated.col(run).cwiseQuotient(mean.cwiseAbs());
      for (Eigen::Index k = 4; k + 4 < lines; k += 3) {
        if (std::abs(transfer(step_of_lines * static_cast<double>(k + 1))) < 0.8) continue;  // a coherence above 0.56
        along += e(k).real() * e(k).real();
        turned += e(k).imag() * e(k).imag();
        square += s(k) * s(k);
        neighbours += (e(k + 1) * std::conj(e(k))).real() / (s(k) * s(k + 1));
        second += (e(k + 2) * std::conj(e(k))).real() / (s(k) * s(k + 2));
        count += 1.0;
      }
    }
    EXPECT_NEAR(turned / square, 1.0, 0.08) << static_cast<int>(estimator);
    if (estimator == FrfEstimator::H1) {
      EXPECT_NEAR(along / square, 1.0, 0.08);
      EXPECT_NEAR(neighbours / (2.0 * count), correlation(0).real(), 0.05);
      EXPECT_NEAR(second / (2.0 * count), correlation(1).real(), 0.05);
    } else {  // nowhere too small
      EXPECT_LT(along / square, 1.08) << static_cast<int>(estimator);
    }
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

}  // namespace random_responses_test
}  // namespace microslip
