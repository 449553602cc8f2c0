#pragma once
// Discrete Fourier transform of any length.
//   X_k = sum_j x_j exp(-2 pi i j k/n)
// Stockham's self-sorting passes of radix 2, 3, 4 and 5; Bluestein's chirp for lengths with other factors.

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace microslip {

class Fft {
 public:
  explicit Fft(std::size_t length);  ///< >= 1
  [[nodiscard]] std::size_t length() const { return length_; }

  /// In place; `x` has `length()` elements. The inverse holds the factor 1/n.
  void forward(std::span<std::complex<double>> x);
  void inverse(std::span<std::complex<double>> x);

 private:
  void passes(std::span<std::complex<double>> x);
  void bluestein(std::span<std::complex<double>> x);

  std::size_t length_;
  std::vector<int> radices_;                 ///< of the passes; empty: Bluestein
  std::vector<std::complex<double>> roots_;  ///< exp(-2 pi i k/n)
  std::vector<std::complex<double>> work_;
  // Bluestein: exp(-i pi k^2/n) and the transform of its conjugate.
  std::unique_ptr<Fft> inner_;
  std::vector<std::complex<double>> chirp_, chirp_transform_;
};

/// The smallest length >= `length` with no factor but 2, 3 and 5; `length` >= 1.
[[nodiscard]] std::size_t fast_length_above(std::size_t length);

/// H(x) of a real signal: every frequency turned by -90 degrees; the mean and the highest one vanish. x + i H(x) is the
/// analytic signal. Even lengths take two complex transforms of half of it.
[[nodiscard]] std::vector<double> hilbert_transform(std::span<const double> x);

/// One-sided spectrum of a real signal: bins at k/(n step), k = 0 .. n/2.
struct Spectrum {
  double bin = 0.0;               ///< distance of the bins [1/time]
  std::vector<double> amplitude;  ///< of the sine at each bin
  std::vector<double> psd;        ///< its sum times `bin` is the mean square [signal^2 time]
};
[[nodiscard]] Spectrum spectrum(std::span<const double> x, double step);

}  // namespace microslip
