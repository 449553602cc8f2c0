// Frequency responses from hits against a system whose sampled responses are known in closed form.

#include "microslip/measurement/hit_responses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "microslip/numerics/random.hpp"
#include "unit/measurement/known_system.hpp"

namespace microslip {
namespace hit_responses_test {

using test::KnownSystem;

constexpr double step = 1.0 / 1024.0;
constexpr std::size_t length = 2200, hit_at = 140;

KnownSystem two_modes() {
  return {step, {{60.0, 0.02, {1.0, 2.0}}, {150.0, 0.01, {3.0, -1.0}}}};
}

/// One record of one hit; the responses have died out at its end.
MeasuredRecord record_of(const KnownSystem& system, double peak) {
  MeasuredRecord record{"r", 0.0, step, "s", std::vector<double>(length, 0.0), {}};
  test::add_pulse(record.force, hit_at, 8, peak);
  for (std::size_t c = 0; c < 2; ++c) record.responses.push_back(system.response(record.force, c));
  return record;
}

MeasuredTest test_of(std::vector<MeasuredRecord> records) {
  return {{"a", "b"}, std::move(records)};
}

void add_noise(MeasuredRecord& record, double on_force, double on_responses, Normal& normal) {
  for (double& value : record.force) value += on_force * normal();
  for (auto& channel : record.responses) {
    for (double& value : channel) value += on_responses * normal();
  }
}

double largest_response(const FrequencyResponses& of) {
  return of.values.cwiseAbs().maxCoeff();
}

// Without noise nothing but what is cut off, exp(-0.02 2 pi 60 2) = 3e-7 of the slower mode, is wrong; it is divided by
// the force, which has its first zero at 1.5/(8 h) = 192 and 2 % of its size 4 away from it: 1.5e-5.
TEST(HitResponses, AreThoseOfTheSystem) {
  const KnownSystem system = two_modes();
  for (const FrfEstimator estimator : {FrfEstimator::H1, FrfEstimator::H2, FrfEstimator::Hv}) {
    HitOptions options;
    options.estimator = estimator;
    const HitEstimate estimate =
        responses_of_hits(test_of({record_of(system, 5.0), record_of(system, 3.0)}), Quantity::displacement, options);
    ASSERT_EQ(estimate.responses.references.size(), 1U);
    const FrequencyResponses& of = estimate.responses.references[0];
    EXPECT_EQ(of.averages, 2);
    EXPECT_NEAR(of.force_amplitude, 5.0, 1e-12);
    EXPECT_EQ(estimate.responses.parts.size(), 3U);  // two hits and the first part
    const double largest = largest_response(of);
    for (Eigen::Index k = 0; k < of.frequency.size(); ++k) {
      if (of.frequency(k) > 250.0) break;
      if (std::abs(of.frequency(k) - 192.0) < 4.0) continue;
      for (Eigen::Index c = 0; c < 2; ++c) {
        const std::complex<double> expected = system.transfer(of.frequency(k), static_cast<std::size_t>(c));
        EXPECT_LT(std::abs(of.values(k, c) - expected), 2e-5 * largest) << of.frequency(k);
        EXPECT_NEAR(of.coherence(k, c), 1.0, 1e-6) << of.frequency(k);
      }
    }
  }
}

// The noise of 200 tests of three hits against what is stated, over 40 lines that lie apart: with 16000 numbers the
// standard deviation of z is known to 1/sqrt(32000) if they were independent; they are in each test alike through the
// estimate of the noise, from 3 x 65 samples before the hits in one band (half as many degrees of freedom under a Hann
// window): 10 % in each test, which averages out to 0.7 % and adds 0.5 * 3 * 0.1^2 = 1.5 % to the standard deviation.
TEST(HitResponses, ErrorsAreThoseOfTheNoise) {
  const KnownSystem system = two_modes();
  for (const bool windowed : {false, true}) {
    HitOptions options;
    options.band_high = 180.0;
    if (windowed) options.window_end = 0.01;
    double sum = 0.0, squares = 0.0, count = 0.0;
    Normal normal(windowed ? 2 : 1);
    for (int run = 0; run < 200; ++run) {
      std::vector<MeasuredRecord> records;
      for (int hit = 0; hit < 3; ++hit) {
        records.push_back(record_of(system, 5.0));
        add_noise(records.back(), 0.05, 0.002, normal);
      }
      const HitEstimate estimate = responses_of_hits(test_of(records), Quantity::displacement, options);
      const FrequencyResponses& of = estimate.responses.references.at(0);
      for (Eigen::Index k = 5; k < of.frequency.size(); k += 9) {
        const std::complex<double> expected = system.transfer(of.frequency(k), 0, of.window_decay);
        const double error = std::hypot(of.error(k, 0), of.force_error(k) * std::abs(expected));
        const std::complex<double> z = (of.values(k, 0) - expected) / error;
        sum += z.real() + z.imag();
        squares += std::norm(z);
        count += 2.0;
      }
    }
    EXPECT_NEAR(std::sqrt(squares / count), 1.015, 0.05) << windowed;
    // The noise of the force is a smooth factor: all lines of a test share it, and 200 tests tell a mean to 0.07 of it.
    EXPECT_NEAR(sum / count, 0.0, 0.15) << windowed;
  }
}

// Without a force window its noise is in `error`, and a fit is told that channels share it.
TEST(HitResponses, NoiseOfTheForceThatAllChannelsShareIsTold) {
  Normal normal(7);
  const auto told = [&](double on_force, bool window) {
    MeasuredRecord record = record_of(two_modes(), 5.0);
    add_noise(record, on_force, 1e-4, normal);
    HitOptions options;
    options.force_window = window;
    options.band_high = 180.0;
    const HitEstimate estimate = responses_of_hits(test_of({record}), Quantity::displacement, options);
    return std::any_of(estimate.notes.begin(), estimate.notes.end(), [](const std::string& note) {
      return note.find("noise of the force is common to all channels") != std::string::npos;
    });
  };
  EXPECT_TRUE(told(0.01, false));
  EXPECT_FALSE(told(1e-7, false));
  EXPECT_FALSE(told(0.01, true));
}

double largest_deviation(const FrequencyResponses& of, const std::function<std::complex<double>(double)>& expected,
                         double up_to) {
  double largest = 0.0;
  for (Eigen::Index k = 0; k < of.frequency.size() && of.frequency(k) < up_to; ++k) {
    largest = std::max(largest, std::abs(of.values(k, 0) - expected(of.frequency(k))));
  }
  return largest / of.values.col(0).cwiseAbs().maxCoeff();
}

// Under the window the response is that of a system whose poles lie its decay further left: what is cut off is 0.001 of
// 3e-7, and the rest is rounding.
TEST(HitResponses, ExponentialWindowsShiftPoles) {
  const KnownSystem system = two_modes();
  HitOptions options;
  options.window_end = 1e-3;
  const HitEstimate estimate = responses_of_hits(test_of({record_of(system, 5.0)}), Quantity::displacement, options);
  const FrequencyResponses& of = estimate.responses.references.at(0);
  EXPECT_NEAR(of.window_decay, std::log(1e3) / of.block, 1e-9);
  const auto shifted = [&](double f) { return system.transfer(f, 0, of.window_decay); };
  EXPECT_LT(largest_deviation(of, shifted, 180.0), 1e-8);
  options.window_end = 1.0;
  options.window_decay = of.window_decay;
  const HitEstimate again = responses_of_hits(test_of({record_of(system, 5.0)}), Quantity::displacement, options);
  EXPECT_LT((again.responses.references.at(0).values - of.values).norm(), 1e-12 * of.values.norm());
  // The first part has a window of its own: exp(-12 t/T).
  const FrequencyResponses& first = estimate.responses.parts.at(0).references.at(0);
  EXPECT_NEAR(first.window_decay - of.window_decay, 12.0 / of.block, 1e-9);
  EXPECT_LT(largest_deviation(
                first, [&](double f) { return system.transfer(f, 0, first.window_decay); }, 180.0),
            1e-8);
}

// A motion that is cut off after T: at the lines k/T each mode has its poles and 1 - exp(pT) of its residue, exactly
// for a force of one sample. Here exp(-0.001 2 pi 60 2) = 0.47 of the mode is left at the end.
TEST(HitResponses, WhatIsCutOffKeepsItsPoles) {
  const KnownSystem system{step, {{60.2, 0.001, {1.0}}}};
  MeasuredRecord record{"r", 0.0, step, "s", std::vector<double>(length, 0.0), {}};
  record.force[hit_at] = 2.0;
  record.responses.push_back(system.response(record.force, 0));
  const HitEstimate estimate = responses_of_hits({{"a"}, {record}}, Quantity::displacement, {});
  const FrequencyResponses& of = estimate.responses.references.at(0);
  EXPECT_GT(estimate.tail, 0.3);
  const auto pole = KnownSystem::pole(system.modes[0]);
  const std::complex<double> left = 1.0 - std::exp(pole * of.block);
  for (Eigen::Index k = 0; k < of.frequency.size(); k += 7) {
    const std::complex<double> i(0.0, 1.0), z = std::exp(i * (2.0 * std::numbers::pi * of.frequency(k) * step));
    const std::complex<double> expected =
        left / (2.0 * i * pole.imag()) / (1.0 - std::exp(pole * step) / z) -
        std::conj(left) / (2.0 * i * pole.imag()) / (1.0 - std::exp(std::conj(pole) * step) / z);
    EXPECT_LT(std::abs(of.values(k, 0) - expected), 1e-9 * of.values.cwiseAbs().maxCoeff()) << of.frequency(k);
  }
}

// Without a force window noise of variance s^2 adds n s^2 to |F|^2: H1 is too small by its share, H2 is not touched, Hv
// by half of it. 300 hits of noise, averaged: their |F + M|^2 is known to 2 |F| sqrt(n/2) s/(|F|^2 sqrt(300)) = 1.3 %.
TEST(HitResponses, NoiseOfTheForceMakesH1TooSmall) {
  const KnownSystem system = two_modes();
  Normal normal(7);
  std::vector<MeasuredRecord> records;
  for (int hit = 0; hit < 300; ++hit) {
    records.push_back(record_of(system, 5.0));
    add_noise(records.back(), 0.1, 0.0, normal);
  }
  HitOptions options;
  options.force_window = false;
  options.band_low = 50.0;
  options.band_high = 55.0;
  for (const FrfEstimator estimator : {FrfEstimator::H1, FrfEstimator::H2, FrfEstimator::Hv}) {
    options.estimator = estimator;
    const HitEstimate estimate = responses_of_hits(test_of(records), Quantity::displacement, options);
    const FrequencyResponses& of = estimate.responses.references.at(0);
    // Sum of the pulse: cot(pi/16) = 5.03 times 5; less at 52 by the width of the pulse: see the closed form.
    std::complex<double> force = 0.0;
    for (int j = 1; j < 8; ++j) {
      force += 5.0 * std::sin(std::numbers::pi * j / 8.0) * std::polar(1.0, -2.0 * std::numbers::pi * 52.5 * step * j);
    }
    const double noise = 0.01 * static_cast<double>(estimate.samples + 48 + 3) / std::norm(force);
    const double h1 = 1.0 / (1.0 + noise);
    const double expected = estimator == FrfEstimator::H1 ? h1 : estimator == FrfEstimator::H2 ? 1.0 : std::sqrt(h1);
    double mean = 0.0;
    for (Eigen::Index k = 0; k < of.frequency.size(); ++k) {
      mean +=
          std::abs(of.values(k, 0) / system.transfer(of.frequency(k), 0)) / static_cast<double>(of.frequency.size());
    }
    EXPECT_NEAR(mean, expected, 0.01);
    EXPECT_NEAR(estimate.force_bias, noise / (1.0 + noise), 0.01);
  }
}

}  // namespace hit_responses_test
}  // namespace microslip
