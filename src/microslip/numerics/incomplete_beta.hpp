#pragma once
// The incomplete beta function with a half: what the first harmonic of a hysteresis loop is made of.
//
//   b(x, a) = integral from 0 to x of t^(a-1) (1-t)^(1/2) dt,   0 <= x <= 1, a > 0
//
// Up to x = 1/2 by its power series; beyond, with t = 1 - s^2, the integrand 2 s^2 (1-s^2)^(a-1) is smooth and
// Gauss-Legendre takes it to rounding. Both give the derivative in a by the way.

#include "microslip/numerics/dual.hpp"

namespace microslip {

struct IncompleteBeta {
  double value = 0.0;
  double by_x = 0.0;  ///< derivatives
  double by_a = 0.0;
};

/// To 1e-14, relative, for 0.5 <= a <= 20.
[[nodiscard]] IncompleteBeta incomplete_beta_with_derivatives(double x, double a);

inline double incomplete_beta(double x, double a) {
  return incomplete_beta_with_derivatives(x, a).value;
}
template <int N>
Dual<N> incomplete_beta(const Dual<N>& x, const Dual<N>& a) {
  const IncompleteBeta b = incomplete_beta_with_derivatives(x.value, a.value);
  Dual<N> result(b.value);
  result.derivative = b.by_x * x.derivative + b.by_a * a.derivative;
  return result;
}

}  // namespace microslip
