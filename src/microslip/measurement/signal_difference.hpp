#pragma once
// How far a simulated signal is from a measured one, s and m, over a stretch of time.
//
// With the analytic signals z = x + i H(x), A = |z|, and sums over the samples of the stretch:
//   normalised error   sqrt(sum (s - m)^2/sum m^2): 0 for equal signals; sqrt 2 for two of equal size that have nothing
//                      to do with each other, 2 for opposite ones
//   assurance          (sum s m)^2/(sum s^2 sum m^2), time-response assurance: 1 for equal shapes of any size
//   size ratio         sqrt(sum s^2/sum m^2)
//   envelope           d = A_s/A_m - 1: mean, root mean square, largest size
//   phase              angle of z_s conj(z_m), continued from the start of the stretch without jumps of 2 pi, > 0 where
//                      the simulated signal is ahead: means over a tenth of the samples at both ends, largest size
// Envelope and phase are those of the samples where A_m is at least ten standard deviations of the noise. There noise
// alone makes d of 10 % in root mean square, and less where the signal is larger. What noise alone would make of the
// normalised error is told beside it.
//
// Ref: time-response assurance criterion: Avitabile, Pingle, Shock Vib. 19 (2012) 765.

#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

struct SignalDifference {
  double normalised_error = 0.0;
  double noise_error = 0.0;  ///< of the normalised error what the noise of the measured signal alone would make
  double assurance = 0.0;
  double size_ratio = 0.0;
  double envelope_mean = 0.0, envelope_rms = 0.0, envelope_largest = 0.0;
  double phase_first = 0.0, phase_last = 0.0, phase_largest = 0.0;  ///< [rad]
  double used = 0.0;  ///< share of the stretch where the measured envelope stands out of its noise; 0: envelope and
                      ///< phase are not known (nan)
};

/// Two signals at the same times, with what is asked of them for every sample.
class SignalPair {
 public:
  /// `noise`: standard deviation of the noise in the measured signal. Of equal length, >= 2.
  SignalPair(std::span<const double> simulated, std::span<const double> measured, double noise);

  [[nodiscard]] const std::vector<double>& simulated_envelope() const { return simulated_envelope_; }
  [[nodiscard]] const std::vector<double>& measured_envelope() const { return measured_envelope_; }
  /// Is the measured envelope well above its noise?
  [[nodiscard]] bool stands_out(std::size_t i) const { return measured_envelope_[i] > least_; }
  /// From `begin` on, nan where it is not known; continuous.
  [[nodiscard]] std::vector<double> phase(std::size_t begin, std::size_t end) const;
  /// Over the samples [begin, end), at least one.
  [[nodiscard]] SignalDifference over(std::size_t begin, std::size_t end) const;

 private:
  std::span<const double> simulated_, measured_;
  std::vector<double> simulated_envelope_, measured_envelope_, turned_;  ///< turned: angle of z_s conj(z_m)
  double noise_, least_;
};

}  // namespace microslip
