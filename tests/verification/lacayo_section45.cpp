// Lacayo, thesis, 4.5: an oscillator of unit mass on a spring and a five-parameter element, forced and free.
//
// chi = -0.6, phi_max = 6e-4, R = 7e5, k_inf = 5e5. The printed S = 9e3 gives omega(1e-4) = 753.4; S = 9e4 gives the
// printed 805.4 and every other number of the section (docs/verification.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "microslip/joints/iwan5.hpp"
#include "microslip/modal/ringdown.hpp"
#include "microslip/transient/transient.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double r_ = 7e5, s_ = 9e4, phi_max_ = 6e-4, chi_ = -0.6, k_inf = 5e5;
constexpr double target = 1e-4;  ///< y0 of 4.5.1
const double k_t = r_ * std::pow(phi_max_, chi_ + 1.0) / (chi_ + 1.0) + s_;

System oscillator(double theta) {
  const auto distribution = Iwan4Backbone<>::from_distribution(r_, s_, phi_max_, chi_);
  return System(LinearStructure::lumped({1.0}, {}, {{-1, 0, k_inf}}, {}, ModalDamping{{0.0}}),
                {{"joint", Iwan5<>(distribution, theta), testing::between(1, -1, 0)}});
}

/// (4.35): secant of the loop of amplitude u0 in an element that has been at u_max.
double secant(double theta, double u0, double u_max) {
  if (u0 < 0.5 * (1.0 + theta) * u_max)
    return k_t - r_ * ((1.0 - theta) * chi_ + 2.0) / ((chi_ + 2.0) * (chi_ + 1.0) * (1.0 + theta)) *
                     std::pow(2.0 * u0 / (1.0 + theta), chi_ + 1.0);
  return theta * r_ * std::pow(u_max, chi_ + 2.0) / ((chi_ + 2.0) * u0) + k_t -
         r_ * std::pow(u_max, chi_ + 1.0) / (chi_ + 1.0);
}
/// (4.36): its area.
double area(double theta, double u0, double u_max) {
  if (u0 < 0.5 * (1.0 + theta) * u_max)
    return r_ * ((1.0 - theta) * chi_ + 2.0) * std::pow(2.0 * u0, chi_ + 3.0) /
           ((chi_ + 3.0) * (chi_ + 2.0) * std::pow(1.0 + theta, chi_ + 2.0));
  return (1.0 + theta) * (1.0 - 3.0 * theta) * r_ * std::pow(u_max, chi_ + 3.0) / (chi_ + 3.0) +
         4.0 * theta * r_ * std::pow(u_max, chi_ + 2.0) / (chi_ + 2.0) * u0;
}
double resonance(double theta, double u0, double u_max) {
  return std::sqrt(k_inf + secant(theta, u0, u_max));  // (4.38)
}

/// Displacements at every step.
std::vector<double> displacement(const System& system, const Load& load, double duration, double step,
                                 std::vector<double>* velocity = nullptr) {
  TransientOptions options;
  options.scheme = Scheme::modal_exact;
  options.duration = duration;
  options.step = step;
  MemorySink sink;
  const auto result = simulate(system, std::vector{load}, {}, record_everything(system), sink, options);
  EXPECT_EQ(result.ending, Ending::completed) << result.message;
  if (velocity) *velocity = sink.column("v[1]");
  return sink.column("q[1]");
}

Load at_the_mass(Signal::Kind signal) {
  return {"force", Eigen::VectorXd::Ones(1), Signal(std::move(signal)), false};
}

/// Loops of amplitude X < (1+theta) u_max/2 in an element that has been at u_max are those of a Masing element with
///   R_bar = R [(1-theta) chi + 2] 2^(chi+1)/(1+theta)^(chi+2),
/// as (4.34) shows; theta = 1 gives R. One harmonic of such an oscillator:
struct MasingOscillator {
  double r_bar;

  explicit MasingOscillator(double theta)
      : r_bar(r_ * ((1.0 - theta) * chi_ + 2.0) * std::pow(2.0, chi_ + 1.0) / std::pow(1.0 + theta, chi_ + 2.0)) {}

  [[nodiscard]] double loss(double x) const { return r_bar * std::pow(x, chi_ + 1.0) / (chi_ + 1.0); }
  [[nodiscard]] double tangent(double x) const { return k_inf + k_t - loss(x); }
  [[nodiscard]] double first_harmonic(double x) const {
    return k_inf + k_t -
           loss(x) * 4.0 * std::tgamma(chi_ + 2.5) / (std::sqrt(pi) * (chi_ + 3.0) * std::tgamma(chi_ + 3.0));
  }
  [[nodiscard]] double dissipation(double x) const {
    return 4.0 * r_bar * std::pow(x, chi_ + 3.0) / ((chi_ + 2.0) * (chi_ + 3.0));
  }
  /// Amplitude of the third harmonic of the motion over that of the first, when the first is forced or free at omega:
  /// the loop's third harmonic over the dynamic stiffness there, at least 8 omega^2 (m = 1).
  [[nodiscard]] double third_harmonic(double x) const {
    constexpr int n = 500;
    double cosine = 0.0, sine = 0.0;
    for (int i = 0; i < n; ++i) {  // down the upper branch; the lower one adds as much to odd harmonics
      const double t = pi * (i + 0.5) / n, d = 0.5 * x * (1.0 - std::cos(t));
      const double force = -2.0 * (k_t * d - r_bar * std::pow(d, chi_ + 2.0) / ((chi_ + 1.0) * (chi_ + 2.0)));
      cosine += force * std::cos(3.0 * t) * 2.0 / n;
      sine += force * std::sin(3.0 * t) * 2.0 / n;
    }
    // The branch starts at the tip force, a constant over half a period: its odd sine harmonics are 4/(3 pi) of it.
    sine += 4.0 / (3.0 * pi) * (k_t * x - r_bar * std::pow(x, chi_ + 2.0) / ((chi_ + 1.0) * (chi_ + 2.0)));
    return std::hypot(cosine, sine) / (8.0 * first_harmonic(x) * x);
  }
  /// Steady amplitude under f sin(omega t): [(K1 - omega^2) X]^2 + [D/(pi X)]^2 = f^2, which rises with X here.
  [[nodiscard]] double forced_amplitude(double f, double omega) const {
    double low = 0.0, high = 2.0 * target;
    for (int i = 0; i < 60; ++i) {
      const double x = 0.5 * (low + high);
      (std::hypot((first_harmonic(x) - omega * omega) * x, dissipation(x) / (pi * x)) < f ? low : high) = x;
    }
    return low;
  }
  /// What one harmonic leaves out of a forced amplitude, relative: the half-range contains the third harmonic, and the
  /// joint answers it with at most K_T - K1, against the force that balances damping.
  [[nodiscard]] double forced_error(double x, double f) const {
    const double third = third_harmonic(x);
    return third + (k_inf + k_t - first_harmonic(x)) * third * x / f;
  }
};

TEST(LacayoSection45, FrequencyAndForceOfTheTargetAmplitude) {
  EXPECT_NEAR(resonance(1.0, target, target), 805.4, 0.05);
  EXPECT_NEAR(resonance(0.5, target, target), 801.5, 0.05);
  EXPECT_NEAR(area(1.0, target, target) / (pi * target), 0.6663, 0.00005);  // (4.41)
  EXPECT_NEAR(area(0.5, target, target) / (pi * target), 0.6247, 0.00005);
}

// (4.43): half a sine of 100 over 1/200. Samples miss a peak by at most (omega h)^2/8 = 8e-6 of it.
TEST(LacayoSection45, PeakAfterThePulse) {
  struct Row {
    double theta, peak;
  };
  for (const Row row : {Row{1.0, 2.676e-4}, Row{0.5, 2.704e-4}, Row{0.2, 2.721e-4}}) {
    const auto y = displacement(oscillator(row.theta), at_the_mass(HalfSine{100.0, 0.005}), 0.02, 1e-5);
    EXPECT_NEAR(*std::max_element(y.begin(), y.end()), row.peak, 0.0005e-4) << "theta " << row.theta;
  }
}

double half_range_of_last(const std::vector<double>& y, int samples) {
  const auto [low, high] = std::minmax_element(y.end() - samples - 1, y.end());
  return 0.5 * (*high - *low);
}

// 4.5.1: the same force in the end, from rest and from above (6 N falling over 2 s).
TEST(LacayoSection45Slow, RingUpAndRingDown) {
  constexpr int samples = 400;
  const double sampling = std::pow(pi / samples, 2);  // twice the part of a peak that samples may miss
  for (const double theta : {1.0, 0.5}) {
    const double omega = resonance(theta, target, target), force = area(theta, target, target) / (pi * target);
    const double step = 2.0 * pi / (omega * samples);
    const auto up = displacement(oscillator(theta), at_the_mass(Sine{force, omega, 0.0}), 6.0, step);
    const auto down = displacement(oscillator(theta), at_the_mass(RampedSine{6.0, force, 2.0, omega}), 8.0, step);
    const double rung_up = half_range_of_last(up, samples), rung_down = half_range_of_last(down, samples);
    const MasingOscillator masing(theta);
    const double expected = masing.forced_amplitude(force, omega);
    const double error = masing.forced_error(expected, force) + sampling;
    EXPECT_NEAR(rung_down, expected, error * expected) << "theta " << theta;
    if (theta == 1.0) {
      EXPECT_NEAR(rung_up, rung_down, sampling * rung_down);
    } else {
      EXPECT_LT(rung_down, (1.0 - 5.0 * error) * rung_up);  // more damping, off resonance: far outside the error
    }
  }
}

// 4.5.2: frequency and damping of the free decay, by turning points, against the closed forms of the loops the joint
// goes through. Turning points know nothing of the waveform, so that the energy balance errs by the square of the
// decrement only, (pi zeta)^2; the frequency by the joint's answer to the third harmonic, half of (K_T - K1) y3 over K1
// y1; both by the step, (omega h)^2.
TEST(LacayoSection45Slow, FreeDecay) {
  constexpr double h = 1e-5, pulse = 0.005;
  for (const double theta : {1.0, 0.5, 0.2}) {
    std::vector<double> velocity;
    const auto y = displacement(oscillator(theta), at_the_mass(HalfSine{100.0, pulse}), 6.0, h, &velocity);
    const double y_max = *std::max_element(y.begin(), y.end());
    const long first = std::lround(pulse / h) + 1;
    const auto curve = turning_point_ringdown(
        {h * static_cast<double>(first), h, Quantity::velocity, {velocity.begin() + first, velocity.end()}});
    const MasingOscillator masing(theta);
    int compared = 0;
    for (const RingdownPoint& point : curve.points) {
      if (point.q > 0.9 * 0.5 * (1.0 + theta) * y_max) continue;
      const double k1 = masing.first_harmonic(point.q), sampling = std::pow(point.omega * h, 2);
      const double answer = 0.5 * (k_inf + k_t - k1) / k1 * masing.third_harmonic(point.q);
      EXPECT_NEAR(point.omega / std::sqrt(k1), 1.0, answer + sampling) << "theta " << theta << ", q " << point.q;
      const double zeta = masing.dissipation(point.q) / (2.0 * pi * point.q * point.q * masing.tangent(point.q));
      EXPECT_NEAR(point.zeta / zeta, 1.0, std::pow(pi * zeta, 2) + sampling) << "theta " << theta << ", q " << point.q;
      EXPECT_NEAR(masing.dissipation(point.q), area(theta, point.q, y_max), 1e-12 * area(theta, point.q, y_max));
      // The secant forms (4.38), (4.39) lie on the sides that the thesis reports.
      EXPECT_GT(resonance(theta, point.q, y_max), point.omega);
      EXPECT_LT(area(theta, point.q, y_max) / (2.0 * pi * std::pow(resonance(theta, point.q, y_max) * point.q, 2)),
                point.zeta);
      compared++;
    }
    EXPECT_GT(compared, 1000);
  }
}

}  // namespace
}  // namespace microslip
