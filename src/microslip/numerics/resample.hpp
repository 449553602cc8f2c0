#pragma once
// Band-limited values between evenly spaced samples: a sinc under a Kaiser window.
//
//   y(x) = sum_k y_k h(x - k),   h(d) = c sinc(c d) w(d c/lobes),   |d| <= lobes/c       [x, d in steps of the samples]
//
// c: cut-off over half the sampling rate; below 1 it is the low-pass that fewer samples need. With `lobes` lobes to
// either side, A = 100 dB and beta = 0.1102 (A - 8.7) the transition is (A - 7.95)/(2 pi 2.285 2 lobes) c of the
// sampling rate wide: with 32, frequencies up to 0.45 c of the sampling rate pass, to 1e-5 of their amplitude, and from
// 0.55 c on there is as little left. Straight lines between samples instead would take (pi f)^2/3 of a sine off. Ref:
// Kaiser, Schafer, On the use of the I0-sinh window for spectrum analysis, IEEE Trans. ASSP 28 (1980) 105; Oppenheim,
// Schafer, Discrete-time signal processing, 7.5.3.

#include <cstddef>
#include <span>
#include <vector>

namespace microslip {

class Resampler {
 public:
  /// 0 < cutoff <= 1; lobes >= 4.
  explicit Resampler(double cutoff = 1.0, int lobes = 32);

  /// Samples to either side that a value is made of.
  [[nodiscard]] double reach() const { return static_cast<double>(lobes_) / cutoff_; }
  /// At x steps after the first sample; beyond the ends there is nothing but zeros.
  [[nodiscard]] double at(std::span<const double> y, double x) const;
  /// At first, first + step, ...: `count` values.
  [[nodiscard]] std::vector<double> at(std::span<const double> y, double first, double step, std::size_t count) const;

 private:
  double cutoff_;
  int lobes_;
  std::vector<double> kernel_;  ///< of c d, from 0, points_a_lobe each
};

}  // namespace microslip
