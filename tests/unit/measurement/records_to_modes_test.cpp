// From noisy records of hits to modes: stated errors of frequencies, damping and shapes against 200 runs of systems
// that are known. z = (found - true)/stated error must be a standard normal number: of N runs the mean of z is within
// 4/sqrt(N) of 0 and that of z^2 within 4 sqrt(2/N) of 1 but for a chance of 6e-5 each.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "microslip/measurement/hit_responses.hpp"
#include "microslip/measurement/modal_fit.hpp"
#include "microslip/measurement/modal_spread.hpp"
#include "microslip/measurement/random_responses.hpp"
#include "microslip/numerics/random.hpp"
#include "unit/measurement/known_system.hpp"

namespace microslip {
namespace records_to_modes_test {

constexpr double step = 1.0 / 1024.0;
constexpr int runs = 200;

struct Moments {
  double count = 0.0, sum = 0.0, squares = 0.0;
  void add(double z) { count += 1.0, sum += z, squares += z * z; }
  void expect_standard_normal(const std::string& what) const {
    EXPECT_LT(std::abs(sum / count), 4.0 / std::sqrt(count)) << what;
    EXPECT_LT(std::abs(squares / count - 1.0), 4.0 * std::sqrt(2.0 / count)) << what;
  }
};

struct RecordCase {
  const char* name;
  std::vector<double> frequency_hz, zeta;
  double noise;         ///< of every response, over the root mean square of all of them in their first second
  double window_end;    ///< of the exponential window; 1: none
  std::size_t samples;  ///< of a record
  Quantity quantity = Quantity::displacement;
};

/// Shapes at four channels, the force at the first.
double shape(std::size_t channel, std::size_t mode) {
  return std::cos(std::numbers::pi * static_cast<double>((2 * channel + 1) * (mode + 1)) / 9.0);
}

test::KnownSystem system_of(const std::vector<double>& frequency_hz, const std::vector<double>& zeta, double step) {
  test::KnownSystem system{step, {}};
  for (std::size_t m = 0; m < zeta.size(); ++m) {
    test::KnownMode mode{frequency_hz[m], zeta[m], {}};
    for (std::size_t c = 0; c < 4; ++c) {  // the force acts as impulses of its value times the step
      mode.participation.push_back(step * shape(c, m) * shape(0, m));
    }
    system.modes.push_back(std::move(mode));
  }
  return system;
}

/// Two hits of different strength, without noise.
MeasuredTest exact_test(const RecordCase& of) {
  MeasuredTest test{{"s", "b", "c", "d"}, {}};
  const test::KnownSystem system = system_of(of.frequency_hz, of.zeta, step);
  for (const double peak : {1.0, 1.6}) {
    MeasuredRecord record{"r", 0.0, step, "s", std::vector<double>(of.samples, 0.0), {}};
    test::add_pulse(record.force, 256, 4, peak);
    for (std::size_t c = 0; c < 4; ++c)
      record.responses.push_back(system.response(record.force, c, static_cast<int>(of.quantity)));
    test.records.push_back(std::move(record));
  }
  return test;
}

double first_second(const MeasuredTest& test) {
  double sum = 0.0;
  for (const auto& channel : test.records.front().responses) {
    for (std::size_t i = 256; i < 1280; ++i) sum += channel[i] * channel[i] / (4.0 * 1024.0);
  }
  return std::sqrt(sum);
}

const RecordCase record_cases[] = {
    {"heavy, 10 %", {20.0, 33.0, 47.0}, {0.05, 0.02, 0.01}, 0.1, 1.0, 2304},
    {"light, cut off, 1 %", {20.0, 33.0, 47.0}, {1e-4, 5e-4, 1e-3}, 0.01, 1.0, 4352},
    {"window, 1 %", {20.0, 33.0, 47.0}, {0.002, 0.005, 0.003}, 0.01, 0.01, 2304},
    // exp(-0.02 2 pi 17 1) = 0.12 of the first mode is left at the end
    {"accelerations, cut off, 1 %", {17.0, 33.0, 47.0}, {0.02, 0.01, 0.005}, 0.01, 1.0, 1280, Quantity::acceleration},
    {"velocities, cut off, 1 %", {17.0, 33.0, 47.0}, {0.02, 0.01, 0.005}, 0.01, 1.0, 1280, Quantity::velocity},
};

// Noise under a window has peaks as broad as modes: 60 Hz of it above five modes. (Judged as if lines were independent,
// three of these forty tests had a mode too many.)
TEST(RecordsToModes, NoiseUnderAWindowIsNoMode) {
  constexpr std::size_t channels = 5, samples = 4096;
  const double frequency_hz[] = {14.8, 28.1, 44.7, 49.8, 58.0}, zeta[] = {0.0023, 0.0018, 0.00096, 0.001, 0.0015};
  test::KnownSystem system{step, {}};
  const auto sine = [](std::size_t channel, std::size_t mode) {
    return std::sin(std::numbers::pi * static_cast<double>((channel + 1) * (mode + 1)) / 6.0);
  };
  for (std::size_t m = 0; m < 5; ++m) {
    system.modes.push_back({frequency_hz[m], zeta[m], {}});
    for (std::size_t c = 0; c < channels; ++c)
      system.modes.back().participation.push_back(step * sine(c, m) * sine(0, m));
  }
  MeasuredTest exact{{"1", "2", "3", "4", "5"}, {}};
  for (const double peak : {1.0, 1.2, 0.8}) {
    MeasuredRecord record{"r", 0.0, step, "1", std::vector<double>(samples, 0.0), {}};
    test::add_pulse(record.force, 252, 8, peak);
    for (std::size_t c = 0; c < channels; ++c) record.responses.push_back(system.response(record.force, c, 2));
    exact.records.push_back(std::move(record));
  }
  int more = 0;
  for (int run = 0; run < 40; ++run) {
    MeasuredTest test = exact;
    Normal normal(6000 + static_cast<std::uint64_t>(run));
    for (MeasuredRecord& record : test.records) {
      for (double& value : record.force) value += 1e-4 * normal();
      for (std::size_t c = 0; c < channels; ++c) {
        double squares = 0.0;
        for (const double value : exact.records.front().responses[c]) squares += value * value;
        const double deviation = 0.01 * std::sqrt(squares / static_cast<double>(samples));
        for (double& value : record.responses[c]) value += deviation * normal();
      }
    }
    HitOptions hits;
    hits.window_end = 0.01;
    hits.band_low = 5.0;
    hits.band_high = 120.0;
    HitEstimate estimate = responses_of_hits(test, Quantity::acceleration, hits);
    estimate.responses.parts.clear();
    more += fit_modes(estimate.responses, {}).modes.zeta.size() == 5 ? 0 : 1;
  }
  EXPECT_EQ(more, 0);
}

/// Where noise alone explains the parts of a number with a chance of less than a twentieth.
bool parts_differ(const ModalFit& fit, Eigen::Index mode, bool zeta) {
  std::vector<PartNumber> numbers;
  for (const ModalPart& part : fit.parts) {
    numbers.push_back({zeta ? part.zeta(mode) : part.frequency_hz(mode),
                       zeta ? part.zeta_error(mode) : part.frequency_error(mode), part.of_all});
  }
  return spread_beyond_noise(zeta ? fit.modes.zeta(mode) : fit.modes.frequency_hz(mode),
                             zeta ? fit.zeta_noise(mode) : fit.frequency_noise(mode), numbers, 0.05,
                             fit.parts.front().noise_freedom) > 0.0;
}

TEST(RecordsToModesSlow, StatedErrorsAreThoseOfTwoHundredRuns) {
  for (const RecordCase& each : record_cases) {
    SCOPED_TRACE(each.name);
    const MeasuredTest exact = exact_test(each);
    const double deviation = each.noise * first_second(exact);
    std::vector<Moments> frequency(3), zeta(3), shapes(3);
    double differ[] = {0.0, 0.0};
    int nonlinear = 0;
    for (int run = 0; run < runs; ++run) {
      MeasuredTest test = exact;
      Normal normal(4000 + static_cast<std::uint64_t>(run));
      for (MeasuredRecord& record : test.records) {
        for (double& value : record.force) value += 1e-4 * normal();
        for (auto& channel : record.responses) {
          for (double& value : channel) value += deviation * normal();
        }
      }
      HitOptions hits;
      hits.window_end = each.window_end;
      hits.band_low = 8.0;
      hits.band_high = 70.0;
      const HitEstimate estimate = responses_of_hits(test, each.quantity, hits);
      ModalFitOptions options;
      options.highest_order = 24;
      const ModalFit fit = fit_modes(estimate.responses, options);
      ASSERT_EQ(fit.modes.zeta.size(), 3) << run;
      ASSERT_EQ(fit.parts.size(), 3U) << run;  // two hits and the first part
      nonlinear += fit.frequency_spread.norm() + fit.zeta_spread.norm() + fit.shape_spread.norm() > 0.0 ? 1 : 0;
      for (Eigen::Index m = 0; m < 3; ++m) {
        differ[0] += parts_differ(fit, m, false) ? 1.0 / (3.0 * runs) : 0.0;
        differ[1] += parts_differ(fit, m, true) ? 1.0 / (3.0 * runs) : 0.0;
        const auto i = static_cast<std::size_t>(m);
        frequency[i].add((fit.modes.frequency_hz(m) - each.frequency_hz[i]) / fit.modes.frequency_error(m));
        zeta[i].add((fit.modes.zeta(m) - each.zeta[i]) / fit.modes.zeta_error(m));
        shapes[i].add((fit.modes.shapes(2, m).real() - shape(2, i)) / fit.modes.shape_error(2, m));
      }
    }
    // Of a linear structure a twentieth differ at most, of 600; and one test in a thousand, more than two of 200 by a
    // chance of 1e-3.
    for (const double share : differ) EXPECT_LT(share, 0.05 + 4.0 * std::sqrt(0.05 / (3.0 * runs)));
    EXPECT_LE(nonlinear, 2);
    for (std::size_t m = 0; m < 3; ++m) {
      frequency[m].expect_standard_normal("frequency " + std::to_string(m));
      zeta[m].expect_standard_normal("zeta " + std::to_string(m));
      shapes[m].expect_standard_normal("shape " + std::to_string(m));
    }
  }
}

// White noise of 256 s as the force, 31 segments of 16 s under Hann windows: n = 29 averages as good as independent
// ones. Noise of 1e-4 at every sensor beside peaks of the modes of 1/(2 zeta omega^2) = 6e-4 times the shapes. z over
// 40 runs and three modes, which are far from each other. Variances of lines that are known by nu = 2 (n - 1) degrees
// of freedom are too small by 2/nu in the mean of their weights, and weights that differ by chance make the numbers
// worse by as much again. Leakage raises the damping by 4/(3 N^2) at most, N lines within its half-power width: by
// nothing to all of it, as lines are weighted.
TEST(RecordsToModesSlow, StatedErrorsOfRandomTests) {
  constexpr double fast = 1.0 / 256.0, length = 256.0, segment = 16.0, noise = 1e-4;
  constexpr int tests = 40;
  const std::vector<double> frequency_hz = {20.0, 33.0, 47.0}, damping = {0.05, 0.02, 0.01};
  const test::KnownSystem system = system_of(frequency_hz, damping, fast);
  Moments frequency, zeta, shapes;
  double leakage = 0.0, leakage_squared = 0.0, freedom = 0.0;
  for (int run = 0; run < tests; ++run) {
    Normal normal(8000 + static_cast<std::uint64_t>(run));
    MeasuredRecord record{"r", 0.0, fast, "s", std::vector<double>(static_cast<std::size_t>(length / fast)), {}};
    for (double& value : record.force) value = normal();
    for (std::size_t c = 0; c < 4; ++c) {
      record.responses.push_back(system.response(record.force, c));
      for (double& value : record.responses.back()) value += noise * normal();
    }
    RandomOptions options;
    options.segment = static_cast<std::size_t>(segment / fast);
    options.band_low = 8.0;
    options.band_high = 70.0;
    const RandomEstimate estimate =
        responses_of_random({{"s", "b", "c", "d"}, {record}}, Quantity::displacement, options);
    freedom = 2.0 * (estimate.averages - 1.0);
    ModalFitOptions fit_options;
    fit_options.highest_order = 24;
    const ModalFit fit = fit_modes(estimate.responses, fit_options);
    ASSERT_EQ(fit.modes.zeta.size(), 3) << run;
    for (Eigen::Index m = 0; m < 3; ++m) {
      const auto i = static_cast<std::size_t>(m);
      frequency.add((fit.modes.frequency_hz(m) - frequency_hz[i]) / fit.modes.frequency_error(m));
      zeta.add((fit.modes.zeta(m) - damping[i]) / fit.modes.zeta_error(m));
      shapes.add((fit.modes.shapes(2, m).real() - shape(2, i)) / fit.modes.shape_error(2, m));
      const double lines = 2.0 * damping[i] * frequency_hz[i] * segment;
      const double most = 4.0 / (3.0 * lines * lines) * damping[i] / fit.modes.zeta_error(m);
      leakage += most / (3.0 * tests);
      leakage_squared += most * most / (3.0 * tests);
    }
  }
  const double by_chance = 4.0 / std::sqrt(3.0 * tests), of_squares = 4.0 * std::sqrt(2.0 / (3.0 * tests));
  for (const Moments* each : {&frequency, &zeta, &shapes}) {
    const bool leaks = each == &zeta;
    const double mean = each->sum / each->count, square = each->squares / each->count;
    EXPECT_GT(mean, -by_chance);
    EXPECT_LT(mean, by_chance + (leaks ? leakage : 0.0));
    EXPECT_GT(square, 1.0 - of_squares);
    EXPECT_LT(square, 1.0 + of_squares + 4.0 / freedom + (leaks ? leakage_squared : 0.0));
  }
}

}  // namespace records_to_modes_test
}  // namespace microslip
