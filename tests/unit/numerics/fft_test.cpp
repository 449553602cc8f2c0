#include "microslip/numerics/fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace microslip {
namespace fft_test {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

std::vector<Complex> some_signal(std::size_t n) {
  std::vector<Complex> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto t = static_cast<double>(i);
    x[i] = {std::sin(1.7 * t * t) + 0.3, std::cos(0.9 * t * t + t)};
  }
  return x;
}

// The definition, summed directly; lengths of every radix, of mixed ones, primes and products of primes.
TEST(Fft, AgreesWithTheSum) {
  for (const std::size_t n :
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 25, 27, 30, 49, 60, 64, 97, 120, 143, 360}) {
    const auto x = some_signal(n);
    auto transform = x;
    Fft(n).forward(transform);
    for (std::size_t k = 0; k < n; ++k) {
      Complex sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        sum += x[j] * std::polar(1.0, -2.0 * pi * static_cast<double>(j * k % n) / static_cast<double>(n));
      }
      EXPECT_LT(std::abs(transform[k] - sum), 1e-13 * static_cast<double>(n + 10)) << n << " " << k;
    }
  }
}

TEST(Fft, InverseGivesTheSignalBack) {
  for (const std::size_t n : {1, 7, 1000, 1009, 4096, 6000}) {
    const auto x = some_signal(n);
    auto y = x;
    Fft fft(n);
    fft.forward(y);
    fft.inverse(y);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LT(std::abs(y[i] - x[i]), 1e-13) << n << " " << i;
  }
}

TEST(Fft, FastLengths) {
  EXPECT_EQ(fast_length_above(1), 1U);
  EXPECT_EQ(fast_length_above(7), 8U);
  EXPECT_EQ(fast_length_above(1000000), 1000000U);
  EXPECT_EQ(fast_length_above(1000003), 1012500U);
}

// A mean and sines over whole periods: cos -> sin, sin -> -cos, the mean and the highest frequency vanish. Even and odd
// lengths, halves even and odd.
TEST(HilbertTransform, TurnsEveryFrequency) {
  for (const std::size_t n : {64, 66, 75, 77, 154, 4}) {
    std::vector<double> x(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = 0.7 + (n % 2 == 0 ? (i % 2 == 0 ? 0.3 : -0.3) : 0.0);
      for (std::size_t k = 1; 2 * k < n; ++k) {
        const double turn = 2.0 * pi * static_cast<double>(k * i % n) / static_cast<double>(n);
        const double a = 1.0 / static_cast<double>(k), b = 0.2 * static_cast<double>(k % 3);
        x[i] += a * std::cos(turn) + b * std::sin(turn);
        expected[i] += a * std::sin(turn) - b * std::cos(turn);
      }
    }
    const auto h = hilbert_transform(x);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(h[i], expected[i], 1e-12) << n << " " << i;
  }
}

// Amplitude of a sine on a bin; Parseval: the PSD sums to the mean square, for even and odd lengths.
TEST(Spectrum, AmplitudeAndPower) {
  for (const std::size_t n : {200, 201}) {
    const double step = 0.01;
    std::vector<double> x(n);
    double square = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double turn = 2.0 * pi * static_cast<double>(i) / static_cast<double>(n);
      x[i] = 0.5 + 3.0 * std::sin(20.0 * turn + 0.4) + 0.2 * std::cos(37.0 * turn);
      square += x[i] * x[i] / static_cast<double>(n);
    }
    const Spectrum result = spectrum(x, step);
    EXPECT_NEAR(result.bin, 1.0 / (static_cast<double>(n) * step), 1e-15);
    EXPECT_NEAR(result.amplitude[0], 0.5, 1e-13);
    EXPECT_NEAR(result.amplitude[20], 3.0, 1e-13);
    EXPECT_NEAR(result.amplitude[37], 0.2, 1e-13);
    double power = 0.0;
    for (const double psd : result.psd) power += psd * result.bin;
    EXPECT_NEAR(power, square, 1e-12);
  }
}

}  // namespace fft_test
}  // namespace microslip
