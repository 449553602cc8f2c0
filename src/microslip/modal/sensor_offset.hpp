#pragma once
// The constant that a sensor adds to a velocity or an acceleration that decays.
//
// With z_k the zeros and S the integral of the signal, in samples, half-cycles have areas of alternating signs and
// smoothly falling sizes beside what the offset b adds. Binomial means over p + 1 zeros let the former drop out, but
// for (pi zeta/2)^p; from the first zeros to the last ones
//   b = (mean_last S - mean_first S)/(mean_last z - mean_first z)
// which is a mean of the samples by weights W that are 1 but for their smooth ends: variance of white noise
//   sigma_b^2 = sigma^2 sum_k W_k^2 (z_{k+1} - z_k)/(sum_k W_k (z_{k+1} - z_k))^2
// Zeros that are off by what was not known of b change S by the square of it, alike on both sides, so that a few rounds
// from a rough b will do. What differs from half to half of the record, by more than the noise and a quarter of b, is
// no offset but a slow motion (of the middle of an unsymmetric one, of another mode): then it is 0. See docs/theory.md,
// "Ring-down".

#include <cstddef>
#include <span>

namespace microslip {

struct SensorOffset {
  double value = 0.0;
  double error = 0.0;  ///< standard error from white noise; 0: not known, there are too few half-cycles
};

/// `late`: only from the last half of the half-cycles, or 16. An unsymmetric spring makes the middle of a motion drift
/// as it decays, in a velocity like an offset, most at its start; where amplitudes are small an offset does most.
[[nodiscard]] SensorOffset sensor_offset(std::span<const double> signal, double noise, double floor, bool late);

/// Binomial mean of order + 1 values from `first` on.
[[nodiscard]] double binomial_mean(std::span<const double> values, std::size_t first, std::size_t order);

}  // namespace microslip
