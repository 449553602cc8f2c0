#pragma once
// Exact flow of   dm/dx = g(m) = a - b m^n,   m >= 0, a > 0, real n > 0,   to rounding, for any step x of either sign.
//
// With w = b m^n/a there are three ways forward:
//   near zero, |w| <= 1/2   x = G(m) = integral of dm/g = (m/a) sum_k w^k/(1 + k n), inverted by Newton (G is convex or
//                           concave: monotone); m^n need not be smooth at 0
//   elsewhere               Taylor series of m(x), with p = m^n from
//                             k m_0 p_k = sum_{j=1..k} (n j - (k-j)) m_j p_{k-j},
//                           summed until the terms fall below rounding; long steps are cut to the radius of convergence
//   at the fixed point      w = 1 to rounding: m - Z decays as exp(-n a x/Z), Z = (a/b)^(1/n)
// A step x < 0 that reaches m = 0 stops there exactly and returns what is left of it.
//
// The integral of m^(n+1) and the gain dm_1/dm_0 = g(m_1)/g(m_0) come from the same series; neither cancels near the
// fixed point. With T = Dual<N> every step carries derivatives: cuts of a step are constants, the last piece takes the
// rest.
//
// Ref: n-th power of a series: Euler; Knuth, TAOCP vol. 2, 4.7 (9).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "microslip/numerics/dual.hpp"

namespace microslip {

template <class T = double>
class PowerFlow {
 public:
  struct Result {
    T m{};                      ///< m after the step, or 0
    T left{};                   ///< what is left of a step that reached 0 (<= 0)
    T integral{};               ///< of m^(n+1) dx along the step; negative for x < 0
    T gain = T(1.0);            ///< dm_1/dm_0
    bool reached_zero = false;  ///< stopped at m = 0
  };

  PowerFlow(T a, T b, T n) : a_(a), b_(b), n_(n) {}

  [[nodiscard]] T slope(const T& m) const {
    using std::pow;
    return a_ - b_ * pow(m, n_);
  }

  /// The step x from m >= 0, below the fixed point if x < 0. NaN if it does not end (b < 0 with x > 0 may have no end).
  [[nodiscard]] Result advance(T m, T x) const;

 private:
  template <class>
  friend class PowerFlow;

  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static constexpr int max_order = 40;
  static constexpr int max_pieces = 5000;
  /// Terms added after the values have converged, for derivatives.
  static constexpr int extra_terms = std::is_same_v<T, double> ? 0 : 6;

  /// sum_k w^k/(first + k n), |w| <= 1/2.
  [[nodiscard]] T sum(const T& w, const T& first) const {
    T power(1.0), denominator = first, total = 1.0 / first;
    for (int k = 1, extra = extra_terms; k < 80 && extra >= 0; ++k) {
      power *= w;
      denominator += n_;
      total += power / denominator;
      if (std::abs(value_of(power)) < 0.25 * epsilon) --extra;
    }
    return total;
  }
  /// G, with p = m^n.
  [[nodiscard]] T distance(const T& m, const T& p) const { return m / a_ * sum(b_ * p / a_, T(1.0)); }
  /// Integral of m^(n+1) dx from 0.
  [[nodiscard]] T moment(const T& m, const T& p) const { return m * m * p / a_ * sum(b_ * p / a_, 2.0 + n_); }

  /// (G(m) - x)/G'(m).
  [[nodiscard]] T newton_change(const T& m, const T& x) const {
    using std::pow;
    const T p = pow(m, n_);
    return (distance(m, p) - x) * (a_ - b_ * p);
  }
  /// G(m) = x for x >= 0 in |w| <= 1/2, m <= limit.
  [[nodiscard]] T invert(const T& x, double limit) const;
  /// One Taylor step from m > 0 with p = m^n; cuts the step until the series converges and returns what it took.
  T taylor(Result& result, const T& p, T step) const;

  T a_, b_, n_;
};

template <class T>
auto PowerFlow<T>::advance(T m, T x) const -> Result {
  using std::exp;
  using std::pow;
  const double a = value_of(a_);
  const double b = value_of(b_);
  const double n = value_of(n_);
  const double half = b != 0.0 ? std::pow(0.5 * a / std::abs(b), 1.0 / n) : std::numeric_limits<double>::infinity();

  Result result;
  result.m = m;
  for (int piece = 0; piece < max_pieces; ++piece) {
    const T p = pow(result.m, n_);
    const double w = b * value_of(p) / a;
    const double mv = value_of(result.m);
    const double xv = value_of(x);
    // m, m^n and g change by a fraction of themselves over a fraction of it: the smallest of m/|g|, m/(n |g|), 1/|g'|.
    const double scale = mv / (std::max(n, 1.0) * a * (std::abs(w) + std::abs(1.0 - w)));
    const bool near_zero = xv > 0.0 ? std::abs(w) < 0.499 : std::abs(w) <= 0.5;

    if (std::abs(xv) < 0.25 * scale || !near_zero) {
      if (xv > scale && std::abs(1.0 - w) <= 4.0 * (2.0 + n) * epsilon) {
        const T fixed = pow(a_ / b_, 1.0 / n_);
        const T rate = n_ * a_ / fixed;
        const T decay = exp(-rate * x);
        const T p_fixed = a_ / b_;
        result.integral += p_fixed * (fixed * x + (n_ + 1.0) * (result.m - fixed) * (1.0 - decay) / rate);
        result.m = fixed + (result.m - fixed) * decay;
        result.gain *= decay;
        return result;
      }
      const bool whole = std::abs(xv) <= 0.5 * scale;
      const T step = whole ? x : T(std::copysign(0.5 * scale, xv));
      const T taken = taylor(result, p, step);
      if (whole && taken == step) return result;
      x -= taken;
      continue;
    }

    const T target = distance(result.m, p) + x;
    const T from_zero = moment(result.m, p);
    const T remaining = 1.0 - b_ * p / a_;  // g/a
    if (!(value_of(target) > 0.0) && xv < 0.0) {
      result.m = T(0.0);
      result.left = target;
      result.integral -= from_zero;
      result.gain /= remaining;
      result.reached_zero = true;
      return result;
    }
    const double limit = xv > 0.0 ? half : mv;
    if (xv > 0.0 && mv + a * xv > half) {
      const T m_half(half);
      const T p_half = pow(m_half, n_);
      const T x_half = distance(m_half, p_half);
      if (target > x_half) {
        result.integral += moment(m_half, p_half) - from_zero;
        result.gain *= (1.0 - b_ * p_half / a_) / remaining;
        result.m = m_half;
        x = target - x_half;
        continue;
      }
    }
    result.m = invert(target, limit);
    const T p_end = pow(result.m, n_);
    result.integral += moment(result.m, p_end) - from_zero;
    result.gain *= (1.0 - b_ * p_end / a_) / remaining;
    return result;
  }
  result.m = T(std::numeric_limits<double>::quiet_NaN());
  return result;
}

template <class T>
T PowerFlow<T>::invert(const T& x, double limit) const {
  using std::pow;
  const PowerFlow<double> plain(value_of(a_), value_of(b_), value_of(n_));
  // a x bounds m from the side on which Newton is monotone.
  double m = std::min(value_of(a_) * value_of(x), limit);
  for (int i = 0; i < 100; ++i) {
    const double change = plain.newton_change(m, value_of(x));
    m -= change;
    if (!(std::abs(change) > 2.0 * epsilon * m)) break;
  }
  return T(m) - newton_change(T(m), x);  // the last step carries the derivatives
}

template <class T>
T PowerFlow<T>::taylor(Result& result, const T& p0, T step) const {
  using std::exp;
  std::array<T, max_order + 2> m, p, q;  // m, m^n, n m^(n-1): coefficients times step^k
  const T inverse = 1.0 / result.m;
  for (int cut = 0; cut < 60; ++cut, step *= T(0.5)) {
    m[0] = result.m;
    p[0] = p0;
    q[0] = n_ * p0 * inverse;
    m[1] = step * (a_ - b_ * p0);
    const double small = 0.1 * epsilon * value_of(m[0]);
    const double small_p = 16.0 * epsilon * value_of(p0);  // m may be straight long before the integral is
    int order = 1;
    for (int extra = extra_terms; order < max_order; ++order) {
      const int k = order;
      T sum_p(0.0), sum_q(0.0);
      for (int j = 1; j <= k; ++j)
        sum_p += (n_ * static_cast<double>(j) - static_cast<double>(k - j)) * m[j] * p[k - j];
      p[k] = sum_p * inverse / static_cast<double>(k);
      for (int j = 1; j <= k; ++j) sum_q += m[j] * q[k - j];
      q[k] = (n_ * p[k] - sum_q) * inverse;
      m[k + 1] = -step * b_ * p[k] / static_cast<double>(k + 1);
      const bool converged = std::abs(value_of(m[k + 1])) <= small && std::abs(value_of(m[k])) <= small &&
                             std::abs(value_of(p[k])) <= small_p;
      if (converged && extra-- <= 0) break;
    }
    if (order == max_order) continue;
    T next(0.0), integral(0.0), exponent(0.0);
    for (int k = order; k >= 0; --k) {
      const double weight = 1.0 / static_cast<double>(k + 1);
      T product(0.0);
      for (int j = 0; j <= k; ++j) product += m[j] * p[k - j];
      next += m[k];
      integral += product * weight;
      exponent += q[k] * weight;
    }
    if (!(next > T(0.0))) continue;
    result.m = next;
    result.integral += step * integral;
    result.gain *= exp(-b_ * step * exponent);
    return step;
  }
  result.m = T(std::numeric_limits<double>::quiet_NaN());
  return step;
}

extern template class PowerFlow<double>;

}  // namespace microslip
