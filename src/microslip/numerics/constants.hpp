#pragma once
// Constants that many formulas share.

#include <complex>
#include <numbers>

namespace microslip {

inline constexpr double pi = std::numbers::pi;
inline constexpr double two_pi = 2.0 * std::numbers::pi;
inline constexpr std::complex<double> i_unit{0.0, 1.0};

}  // namespace microslip
