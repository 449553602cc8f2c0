#pragma once
// Forward-mode automatic differentiation: a value and its derivatives along N directions.
//
// A law templated on its scalar and run with Dual<N> carries exact derivatives through its whole history:
// seed the direction of a parameter or of an input with 1 and read the derivative of the force. Comparisons look at
// the value only, so a dual run takes the same branches as the run in double.

#include <bit>
#include <cmath>

namespace microslip {

namespace detail {
/// So many numbers that the processor takes at once, to be read and written like an array. A power of two: the last
/// ones may be idle.
// NOLINTBEGIN(modernize-use-using): `using` loses the attribute
template <unsigned Count>
struct Packed;
template <>
struct Packed<2> {
  typedef double Type __attribute__((vector_size(16), aligned(8)));
};
template <>
struct Packed<4> {
  typedef double Type __attribute__((vector_size(32), aligned(8)));
};
template <>
struct Packed<8> {
  typedef double Type __attribute__((vector_size(64), aligned(8)));
};
template <>
struct Packed<16> {
  typedef double Type __attribute__((vector_size(128), aligned(8)));
};
// NOLINTEND(modernize-use-using)
}  // namespace detail

template <int N>
struct Dual {
  double value = 0.0;
  typename detail::Packed<std::bit_ceil(N < 2 ? 2u : static_cast<unsigned>(N))>::Type derivative = {};

  Dual() = default;
  Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): constants mix with duals

  /// The independent variable of direction `index`.
  static Dual variable(double v, int index) {
    Dual x(v);
    x.derivative[index] = 1.0;
    return x;
  }

  /// The N derivatives in memory; compilers let a vector be read as its elements.
  [[nodiscard]] const double* gradient() const { return reinterpret_cast<const double*>(&derivative); }

  Dual& operator+=(const Dual& o) {
    value += o.value;
    derivative += o.derivative;
    return *this;
  }
  Dual& operator-=(const Dual& o) {
    value -= o.value;
    derivative -= o.derivative;
    return *this;
  }
  Dual& operator*=(const Dual& o) {
    derivative = derivative * o.value + value * o.derivative;
    value *= o.value;
    return *this;
  }
  Dual& operator/=(const Dual& o) {
    const double quotient = value / o.value;
    derivative = (derivative - quotient * o.derivative) / o.value;
    value = quotient;
    return *this;
  }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator-(Dual a) {
    a.value = -a.value;
    a.derivative = -a.derivative;
    return a;
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
};

namespace detail {
/// g(x) from its value and slope at x.value.
template <int N>
Dual<N> chain(const Dual<N>& x, double value, double slope) {
  Dual<N> result(value);
  result.derivative = slope * x.derivative;
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
  result.derivative = slope_x * x.derivative + slope_p * p.derivative;
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
