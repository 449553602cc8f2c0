#pragma once
// Forward-mode automatic differentiation: a value and its derivatives along N directions.
//
// A law templated on its scalar and run with Dual<N> carries exact derivatives through its whole history:
// seed the direction of a parameter or of an input with 1 and read the derivative of the force. Comparisons look at
// the value only, so a dual run takes the same branches as the run in double.

#include <array>
#include <cmath>

namespace microslip {

template <int N>
struct Dual {
  double value = 0.0;
  std::array<double, N> derivative{};

  constexpr Dual() = default;
  constexpr Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): constants mix with duals

  /// The independent variable of direction `index`.
  static constexpr Dual variable(double v, int index) {
    Dual x(v);
    x.derivative[index] = 1.0;
    return x;
  }

  constexpr Dual& operator+=(const Dual& o) {
    value += o.value;
    for (int i = 0; i < N; ++i) derivative[i] += o.derivative[i];
    return *this;
  }
  constexpr Dual& operator-=(const Dual& o) {
    value -= o.value;
    for (int i = 0; i < N; ++i) derivative[i] -= o.derivative[i];
    return *this;
  }
  constexpr Dual& operator*=(const Dual& o) {
    for (int i = 0; i < N; ++i) derivative[i] = derivative[i] * o.value + value * o.derivative[i];
    value *= o.value;
    return *this;
  }
  constexpr Dual& operator/=(const Dual& o) {
    const double quotient = value / o.value;
    for (int i = 0; i < N; ++i) derivative[i] = (derivative[i] - quotient * o.derivative[i]) / o.value;
    value = quotient;
    return *this;
  }

  friend constexpr Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend constexpr Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend constexpr Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend constexpr Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend constexpr Dual operator-(Dual a) {
    a.value = -a.value;
    for (double& d : a.derivative) d = -d;
    return a;
  }
  friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend constexpr bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend constexpr bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
};

namespace detail {
/// g(x) from its value and slope at x.value.
template <int N>
Dual<N> chain(const Dual<N>& x, double value, double slope) {
  Dual<N> result(value);
  for (int i = 0; i < N; ++i) result.derivative[i] = slope * x.derivative[i];
  return result;
}
}  // namespace detail

template <int N>
Dual<N> abs(const Dual<N>& x) {
  return x.value < 0.0 ? -x : x;
}
template <int N>
Dual<N> exp(const Dual<N>& x) {
  const double e = std::exp(x.value);
  return detail::chain(x, e, e);
}
template <int N>
Dual<N> log(const Dual<N>& x) {
  return detail::chain(x, std::log(x.value), 1.0 / x.value);
}
template <int N>
Dual<N> sqrt(const Dual<N>& x) {
  const double r = std::sqrt(x.value);
  return detail::chain(x, r, 0.5 / r);
}
/// x^p for x >= 0. At x = 0 with p > 0 the value is 0 and so is the derivative with respect to p.
template <int N>
Dual<N> pow(const Dual<N>& x, const Dual<N>& p) {
  const double value = std::pow(x.value, p.value);
  const double slope_x = x.value > 0.0 ? p.value * value / x.value : (p.value > 1.0 ? 0.0 : p.value);
  const double slope_p = x.value > 0.0 ? value * std::log(x.value) : 0.0;
  Dual<N> result(value);
  for (int i = 0; i < N; ++i) result.derivative[i] = slope_x * x.derivative[i] + slope_p * p.derivative[i];
  return result;
}

/// The plain number in a scalar, for decisions and messages.
inline double value_of(double x) {
  return x;
}
template <int N>
double value_of(const Dual<N>& x) {
  return x.value;
}

}  // namespace microslip
