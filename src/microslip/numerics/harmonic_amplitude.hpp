#pragma once
// Complex amplitudes of a Fourier series a_0, a_1, b_1, a_2, b_2, ... (fourier_series.hpp): u_h = a_h - i b_h.

#include <complex>

namespace microslip {

inline std::complex<double> amplitude_of(const double* series, int h) {
  return h == 0 ? std::complex<double>(series[0], 0.0) : std::complex<double>(series[2 * h - 1], -series[2 * h]);
}

inline void add_amplitude(std::complex<double> value, int h, double* series) {
  if (h == 0) {
    series[0] += value.real();
  } else {
    series[2 * h - 1] += value.real();
    series[2 * h] -= value.imag();
  }
}

}  // namespace microslip
