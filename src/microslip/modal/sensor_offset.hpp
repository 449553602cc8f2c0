#pragma once
// The constant that a sensor adds to a velocity or an acceleration that decays.
//
// With z_k the zeros and S the integral of the signal, in samples, half-cycles have areas that alternate, (-r)^k while
// r is constant, beside what the offset b adds. Binomial means over p + 1 zeros (binomial_mean.hpp) with the r of the
// areas there let the former drop out; from the first zeros to the last ones
//   b = (mean_last S - mean_first S)/(mean_last z - mean_first z)
// which is a mean of the samples by weights W that are 1 but for their smooth ends: variance of white noise
//   sigma_b^2 = sigma^2 sum_k W_k^2 (z_{k+1} - z_k)/(sum_k W_k (z_{k+1} - z_k))^2
// An s that is not r leaves ((r - s)/(1 + r))^p; the error holds more than that: what the order p - 1 would change, and
// one r for both ends, and the last round if it was not the end. Zeros and r that are off by what was not known of b
// change S by the square of it, so that a few rounds from a rough b will do. Any four areas are those of some b, size,
// r and change of r. What differs from half to half of the record, by more than the errors and a quarter of b, is no
// offset but a slow motion (of the middle of an unsymmetric one, of another mode). In both cases the error also holds b
// itself. A b that is not beyond twice its error stays in, the value is 0, and the error holds it; so does a b without
// which a later round has fewer than three half-cycles. See docs/theory.md, "Ring-down".

#include <span>

namespace microslip {

struct SensorOffset {
  double value = 0.0;
  double error = 0.0;  ///< standard error; 0: not known, there are fewer than three half-cycles
};

/// `late`: only from the last half of the half-cycles, or 16. An unsymmetric spring makes the middle of a motion drift
/// as it decays, in a velocity like an offset, most at its start; where amplitudes are small an offset does most.
[[nodiscard]] SensorOffset sensor_offset(std::span<const double> signal, double noise, double floor, bool late);

}  // namespace microslip
