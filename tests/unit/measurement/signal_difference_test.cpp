#include "microslip/measurement/signal_difference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/random.hpp"

namespace microslip {
namespace signal_difference_test {

constexpr double step = 1e-3;
constexpr std::size_t count = 4000;
constexpr std::size_t from = 1000, to = 3001;  // the span, 1 to 3
constexpr double omega = two_pi * 60.0;

/// 0 to 1 over 0.8 at both ends: the analytic signal of a slow amplitude times a cosine is that amplitude times the
/// phasor (Bedrosian), but for what both spectra have in common.
double ramp(double t) {
  const double end = step * static_cast<double>(count - 1), away = std::min(t, end - t);
  return away >= 0.8 ? 1.0 : std::pow(std::sin(0.5 * pi * away / 0.8), 4);
}

std::vector<double> samples(const std::function<double(double)>& of) {
  std::vector<double> y(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = step * static_cast<double>(i);
    y[i] = ramp(t) * of(t);
  }
  return y;
}

/// Of f over the samples of the span.
double mean(const std::function<double(double)>& f) {
  double sum = 0.0;
  for (std::size_t i = from; i < to; ++i) sum += f(step * static_cast<double>(i));
  return sum / static_cast<double>(to - from);
}

// Two decaying sines, 1.2 e^{-0.7 t} cos((omega + 0.5) t + 0.2) and e^{-t} cos(omega t):
//   d = 1.2 e^{0.3 t} - 1,   phase 0.5 t + 0.2.
// Squares and the product hold terms of twice the frequency. Of e^{-a t} from 1 on, whose sum is e^{-a}/a, these leave
// at most a/(2 omega) and, by the first sample of a sum, a/2 step: 3.7e-3 of sum m^2 (a = 2), 2.6e-3 of sum s^2 (1.4)
// and 3.2e-3 of sum s m (1.7). In the size ratio half of the first two, in the assurance and the error all of them.
TEST(SignalDifference, TwoDecayingSines) {
  const std::vector<double> m = samples([](double t) { return std::exp(-t) * std::cos(omega * t); });
  const std::vector<double> s =
      samples([](double t) { return 1.2 * std::exp(-0.7 * t) * std::cos((omega + 0.5) * t + 0.2); });
  const SignalDifference d = SignalPair(s, m, 0.0).over(from, to);
  const auto envelope = [](double t) { return 1.2 * std::exp(0.3 * t) - 1.0; };
  EXPECT_NEAR(d.envelope_mean, mean(envelope), 1e-5);
  EXPECT_NEAR(d.envelope_rms, std::sqrt(mean([&](double t) { return envelope(t) * envelope(t); })), 1e-5);
  EXPECT_NEAR(d.envelope_largest, envelope(3.0), 1e-5);
  EXPECT_NEAR(d.phase_first, 0.2 + 0.5 * 1.1, 1e-3) << "the middle of the first tenth, 1 to 1.2";
  EXPECT_NEAR(d.phase_last, 0.2 + 0.5 * 2.9, 1e-3);
  EXPECT_NEAR(d.phase_largest, 0.2 + 0.5 * 3.0, 1e-5);
  EXPECT_EQ(d.used, 1.0);
  EXPECT_EQ(d.noise_error, 0.0);
  const double mm = mean([](double t) { return 0.5 * std::exp(-2.0 * t); });
  const double ss = mean([](double t) { return 0.5 * 1.44 * std::exp(-1.4 * t); });
  const double sm = mean([](double t) { return 0.5 * 1.2 * std::exp(-1.7 * t) * std::cos(0.5 * t + 0.2); });
  EXPECT_NEAR(d.size_ratio / std::sqrt(ss / mm), 1.0, 3.2e-3);
  EXPECT_NEAR(d.assurance / (sm * sm / (ss * mm)), 1.0, 1.3e-2);
  EXPECT_NEAR(d.normalised_error / std::sqrt((ss - 2.0 * sm + mm) / mm), 1.0, 1e-2);
}

TEST(SignalDifference, EqualOppositeAndForeignSignals) {
  const std::vector<double> m = samples([](double t) { return std::cos(omega * t); });
  std::vector<double> opposite = m;
  for (double& value : opposite) value = -value;
  const SignalDifference equal = SignalPair(m, m, 0.0).over(from, to),
                         turned = SignalPair(opposite, m, 0.0).over(from, to);
  EXPECT_EQ(equal.normalised_error, 0.0);
  EXPECT_NEAR(equal.assurance, 1.0, 1e-14);
  EXPECT_EQ(equal.envelope_largest, 0.0);
  EXPECT_NEAR(equal.phase_largest, 0.0, 1e-14);
  EXPECT_NEAR(turned.normalised_error, 2.0, 1e-14);
  EXPECT_NEAR(turned.assurance, 1.0, 1e-14);
  EXPECT_NEAR(std::abs(turned.phase_last), pi, 1e-12);
  const std::vector<double> other = samples([](double t) { return std::cos(1.5 * omega * t); });  // 180 periods
  const SignalDifference foreign = SignalPair(other, m, 0.0).over(from, to - 1);
  EXPECT_NEAR(foreign.normalised_error, std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(foreign.assurance, 0.0, 1e-9);
}

// A phase that turns by ten rounds is told without jumps.
TEST(SignalDifference, PhaseGoesOn) {
  const std::vector<double> m = samples([](double t) { return std::cos(omega * t); });
  const std::vector<double> s = samples([](double t) { return std::cos((omega + 10.0 * pi) * t); });
  const SignalPair pair(s, m, 0.0);
  const std::vector<double> phase = pair.phase(from, to);
  // Between -pi and pi at the start of the span, where 10 pi t is five rounds.
  for (std::size_t i = 0; i < phase.size(); ++i) {
    EXPECT_NEAR(phase[i], 10.0 * pi * step * static_cast<double>(i), 1e-4) << i;
  }
}

// Noise of 1 % that fades into: the envelope of the signal e^{-2 t} is ten times the noise until t = ln(10)/2, so that
// (1.151 - 1)/2 of the span counts, but for samples that the noise lifts or lowers there. Noise alone makes
// sqrt(n noise^2/sum m^2) of normalised error, exactly what is told; equal signals with it: within 5 standard
// deviations of that, sqrt(1/(2 n)) = 1.6 %.
TEST(SignalDifference, NoiseIsToldAndDoesNotCount) {
  Uniform uniform(3);
  const std::vector<double> clean = samples([](double t) { return std::exp(-2.0 * t) * std::cos(omega * t); });
  std::vector<double> noisy = clean;
  constexpr double noise = 0.01;
  for (double& value : noisy) value += noise * std::sqrt(12.0) * 0.5 * uniform();
  const SignalDifference d = SignalPair(clean, noisy, noise).over(from, to);
  EXPECT_NEAR(d.used, 0.5 * (0.5 * std::log(10.0) - 1.0), 0.03);
  EXPECT_NEAR(d.normalised_error / d.noise_error, 1.0, 0.08);
  EXPECT_LT(std::abs(d.envelope_mean), 0.05);
  const SignalDifference lost = SignalPair(clean, noisy, 1.0).over(from, to);
  EXPECT_EQ(lost.used, 0.0);
  EXPECT_TRUE(std::isnan(lost.envelope_rms));
  EXPECT_TRUE(std::isnan(lost.phase_last));
}

}  // namespace signal_difference_test
}  // namespace microslip
