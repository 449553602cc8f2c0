#pragma once
// Butterworth filters as second-order sections (bilinear transform, cut-offs prewarped), and filtering without phase.
// Frequencies are given over the sampling rate, between 0 and 1/2.

#include <span>
#include <vector>

namespace microslip {

/// y_n = b0 x_n + b1 x_{n-1} + b2 x_{n-2} - a1 y_{n-1} - a2 y_{n-2}, transposed direct form II.
struct Biquad {
  double b0, b1, b2, a1, a2;
  double s1 = 0.0, s2 = 0.0;  ///< memory

  double operator()(double x) {
    const double y = b0 * x + s1;
    s1 = b1 * x - a1 * y + s2;
    s2 = b2 * x - a2 * y;
    return y;
  }
  /// As if the input had always been x; what comes out then.
  double settle(double x);
};

/// Low-pass section of quality Q: 1/(s^2 + s/Q + 1).
[[nodiscard]] Biquad low_pass_section(double cutoff, double quality);

/// Band-pass of an order (of the low-pass prototype: the slopes are those of that order on both sides, and there are
/// twice as many poles), gain 1 at its centre. Throws std::invalid_argument unless 0 < low < high < 1/2 and order >= 1.
[[nodiscard]] std::vector<Biquad> band_pass(double low, double high, int order = 4);

/// Forwards, then backwards: phase 0, gain squared. The ends are continued by their mirror image until the filter has
/// settled: best cut at an extremum of what is in the band, where that leaves hardly a kink. What does remain of it
/// falls by e every 0.8/(high - low) or so in a narrow band; twice as slowly where low is below half of high.
void filter_without_phase(std::span<double> x, std::span<const Biquad> sections);

/// |H|^2 at an angle a sample, 2 pi f over the sampling rate: the gain of a filter without phase.
[[nodiscard]] double power_gain(std::span<const Biquad> sections, double angle);

/// Samples after which the slowest pole has decayed to `left`.
[[nodiscard]] double settling_samples(std::span<const Biquad> sections, double left = 1e-4);

}  // namespace microslip
