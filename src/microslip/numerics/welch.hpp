#pragma once
// Power spectral density by Welch's method, sample by sample: the mean over segments that overlap by half, each under a
// Hann window. One-sided; times the width of its bins it sums to the mean square of the windowed signal over that of
// the window (Parseval). Holds one segment, however long the record.
//   S_k = c_k h |sum_j w_j x_j exp(-2 pi i j k/n)|^2 / sum_j w_j^2,   c_k = 2, but 1 at 0 and at half the sampling rate
// Ref: Welch 1967; Harris 1978.

#include <complex>
#include <cstddef>
#include <vector>

#include "microslip/numerics/fft.hpp"

namespace microslip {

class WelchPsd {
 public:
  /// `segment` samples, >= 4, even; `step` apart [time].
  WelchPsd(std::size_t segment, double step);

  void add(double sample);
  /// Segments that counted. Samples at the end that do not fill one do not count.
  [[nodiscard]] long segments() const { return segments_; }
  [[nodiscard]] double bin() const { return bin_; }  ///< distance of the frequencies [1/time]
  /// At 0, bin, 2 bin, ... half the sampling rate [signal^2 time]; zeros without a segment.
  [[nodiscard]] std::vector<double> psd() const;

 private:
  void count_segment();

  double step_, bin_;
  std::vector<double> window_, samples_;
  std::size_t filled_ = 0;
  double window_power_ = 0.0;
  Fft fft_;
  std::vector<std::complex<double>> work_;
  std::vector<double> sum_;
  long segments_ = 0;
};

}  // namespace microslip
