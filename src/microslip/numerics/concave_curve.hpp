#pragma once
// A concave, non-decreasing curve through (0,0) and given points, constant beyond the last of them.
//
//   smooth   Schumaker's shape-preserving quadratic spline. Between two points the slope is the broken line
//            (x_i, s_i) - (xi_i, d_i) - (x_{i+1}, s_{i+1}) with the chord d_i and the knot
//              xi_i = x_i + (x_{i+1} - x_i) (d_i - s_{i+1}) / (s_i - s_{i+1}),
//            so the curve is C1, passes through the points and is concave whenever s_i > d_i > s_{i+1}. Slopes at inner
//            points are those of the parabola through three points, an average of the neighbouring chords; end slopes
//            continue the first and the last parabola, the last one not below 0. Quadratic data give the quadratic.
//            Three points on a line force a straight piece between them; where two such lines meet the data force a
//            kink. What slope is left at the last point drops to 0 there, as it does with straight lines.
//   linear   straight lines.
//
// Every piece is a parabola, so force, slope, work and cycle dissipation are closed forms:
//   f = f_j + t (s_j + c_j t/2),   work = w_j + t (f_j + t (s_j/2 + c_j t/6)),   t = x - x_j
//   D = 8 work - 4 x f = D_j + 4 m_j t - 2 c_j t^2 (x_j + t/3),   m = f - x f' at x_j (right of it)
// the last without cancellation (m >= 0, c <= 0).
//
// Ref: Schumaker 1983, On shape preserving quadratic spline interpolation, SIAM J. Numer. Anal. 20, 854-864.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "microslip/numerics/dual.hpp"
#include "microslip/numerics/points_error.hpp"

namespace microslip {

enum class Interpolation { smooth, linear };

template <class T = double>
class ConcaveCurve {
 public:
  struct Point {
    T value{};
    T slope{};
  };

  /// Points (u, f - residual u) with u increasing; a first point (0,0) may be given or not. Slopes of f must not
  /// increase and not fall below the residual, up to rounding of the data (1e-12 of the first slope). Throws
  /// PointsError that names the first offending point, counted from 1.
  ConcaveCurve(std::span<const T> u, std::span<const T> f, Interpolation interpolation, T residual = T(0.0));
  ConcaveCurve(const std::vector<T>& u, const std::vector<T>& f, Interpolation interpolation, T residual = T(0.0))
      : ConcaveCurve(std::span<const T>(u), std::span<const T>(f), interpolation, residual) {}

  /// Value and slope at x >= 0; at a kink the slope to its right.
  [[nodiscard]] Point at(const T& x) const {
    if (x >= end_) return {end_value_, T(0.0)};
    const Piece& p = piece(x);
    const T t = x - p.x;
    return {p.value + t * (p.slope + 0.5 * p.curvature * t), p.slope + p.curvature * t};
  }
  /// Integral from 0 to x.
  [[nodiscard]] T integral(const T& x) const {
    if (x >= end_) return end_work_ + end_value_ * (x - end_);
    const Piece& p = piece(x);
    const T t = x - p.x;
    return p.work + t * (p.value + t * (0.5 * p.slope + p.curvature * t / 6.0));
  }
  /// 8 integral(x) - 4 x value(x): dissipation of a Masing cycle of amplitude x.
  [[nodiscard]] T dissipation(const T& x) const {
    if (x >= end_) return end_dissipation_ + 4.0 * end_value_ * (x - end_);
    const Piece& p = piece(x);
    const T t = x - p.x;
    return p.dissipation + 4.0 * p.moment * t - 2.0 * p.curvature * t * t * (p.x + t / 3.0);
  }
  [[nodiscard]] T initial_slope() const { return pieces_.front().slope; }
  [[nodiscard]] T end() const { return end_; }              ///< constant beyond
  [[nodiscard]] T end_value() const { return end_value_; }  ///< the constant

  /// A parabola: value, slope and curvature at its left end x.
  struct Piece {
    T x{}, value{}, slope{}, curvature{};
    T length{};
    T work{};         ///< integral up to x
    T dissipation{};  ///< D at x
    T moment{};       ///< f - x f' right of x
  };
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  [[nodiscard]] const Piece& piece(const T& x) const {
    const auto it =
        std::upper_bound(pieces_.begin() + 1, pieces_.end(), x, [](const T& a, const Piece& b) { return a < b.x; });
    return *(it - 1);
  }

  /// A piece of length `length` with these slopes at its ends.
  void append(const T& length, const T& slope, const T& end_slope);

  std::vector<Piece> pieces_;
  T end_{}, end_value_{}, end_work_{}, end_dissipation_{};
  T end_slope_{}, end_moment_{};  ///< left of the end
};

template <class T>
void ConcaveCurve<T>::append(const T& length, const T& slope, const T& end_slope) {
  Piece p;
  p.x = end_;
  p.value = end_value_;
  p.slope = slope;
  p.curvature = (end_slope - slope) / length;
  p.length = length;
  p.work = end_work_;
  p.dissipation = end_dissipation_;
  p.moment = end_moment_ + (pieces_.empty() ? T(0.0) : end_ * (end_slope_ - slope));  // sliders that give way at x
  pieces_.push_back(p);
  end_ += length;
  end_slope_ = end_slope;
  end_value_ += 0.5 * length * (slope + end_slope);
  end_work_ += length * (p.value + length * (0.5 * p.slope + p.curvature * length / 6.0));
  end_dissipation_ += 4.0 * p.moment * length - 2.0 * p.curvature * length * length * (p.x + length / 3.0);
  end_moment_ = p.moment - p.curvature * length * (p.x + 0.5 * length);
}

template <class T>
ConcaveCurve<T>::ConcaveCurve(std::span<const T> u, std::span<const T> f, Interpolation interpolation, T residual) {
  const auto fail = [](std::size_t index, const std::string& what, bool in_u) {
    throw PointsError("backbone point " + std::to_string(index + 1) + ": " + what, in_u);
  };
  const auto text = [](double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%g", value);
    return std::string(buffer);
  };
  if (u.size() != f.size()) {
    throw PointsError("u has " + std::to_string(u.size()) + " points, f has " + std::to_string(f.size()), false);
  }
  if (!std::isfinite(value_of(residual))) throw PointsError("residual must be a finite number", false);
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (!std::isfinite(value_of(u[i]))) fail(i, "u must be a finite number, got " + text(value_of(u[i])), true);
    if (!std::isfinite(value_of(f[i]))) fail(i, "f must be a finite number, got " + text(value_of(f[i])), false);
  }
  const bool origin_given = !u.empty() && value_of(u[0]) == 0.0;
  if (origin_given && value_of(f[0]) != 0.0)
    fail(0, "the curve must pass through (0, 0), got f = " + text(value_of(f[0])), false);
  const std::size_t first = origin_given ? 1 : 0;
  const std::size_t n = u.size() - first;
  if (n == 0) throw PointsError("a backbone needs at least one point besides (0, 0)", true);

  // Chords, with rounding of the data taken out: never increasing, never below 0.
  std::vector<T> length(n), chord(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t point = i + first;
    const T u0 = point > 0 ? u[point - 1] : T(0.0);
    const T f0 = point > 0 ? f[point - 1] : T(0.0);
    length[i] = u[point] - u0;
    if (!(length[i] > T(0.0))) {
      fail(point, "u must increase, got " + text(value_of(u[point])) + " after " + text(value_of(u0)), true);
    }
    chord[i] = (f[point] - f0) / length[i] - residual;
    const double rounding = 4.0 * std::numeric_limits<double>::epsilon() *
                            (std::abs(value_of(f[point])) + std::abs(value_of(f0))) / value_of(length[i]);
    const double tolerance = 1e-12 * std::abs(value_of(chord[0])) + rounding;
    if (value_of(chord[i]) < -tolerance) {
      fail(point,
           "slope " + text(value_of(chord[i] + residual)) + " up to it is below the residual slope " +
               text(value_of(residual)),
           false);
    }
    if (i > 0 && value_of(chord[i]) > value_of(chord[i - 1]) + tolerance) {
      fail(point - 1,
           "not concave, the slope grows from " + text(value_of(chord[i - 1] + residual)) + " to " +
               text(value_of(chord[i] + residual)),
           false);
    }
    if (i > 0 && value_of(chord[i]) >= value_of(chord[i - 1]) - tolerance) chord[i] = chord[i - 1];
    if (i > 0 && value_of(chord[i]) <= tolerance) chord[i] = T(0.0);
  }
  if (!(chord[0] > T(0.0))) fail(first, "the first slope must exceed the residual", false);
  std::size_t count = n;
  while (chord[count - 1] == T(0.0)) --count;  // a flat tail carries no sliders

  if (interpolation == Interpolation::linear) {
    pieces_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) append(length[i], chord[i], chord[i]);
    return;
  }
  // Slopes at the points, left and right of each.
  const auto straight = [&](std::size_t i) {
    return (i > 0 && chord[i - 1] == chord[i]) || (i + 1 < count && chord[i + 1] == chord[i]);
  };
  const auto inner_slope = [&](std::size_t i) {  // at the point between intervals i - 1 and i
    return (length[i] * chord[i - 1] + length[i - 1] * chord[i]) / (length[i - 1] + length[i]);
  };
  const bool flat_tail = count < n;
  const auto left_end = [&](std::size_t i) {  // slope at the start of interval i > 0
    return straight(i - 1) ? chord[i - 1] : inner_slope(i);
  };
  const auto right_end = [&](std::size_t i) {  // slope at the end of interval i < count - 1
    return straight(i + 1) ? chord[i + 1] : inner_slope(i + 1);
  };
  pieces_.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    T start = chord[i];
    T finish = chord[i];
    if (!straight(i)) {
      if (i > 0) start = left_end(i);
      if (i + 1 < count) {
        finish = right_end(i);
      } else if (flat_tail) {
        finish = T(0.0);
      } else if (i > 0) {
        finish = 2.0 * chord[i] - start;
        if (finish < T(0.0)) finish = T(0.0);
      }
      if (i == 0) start = 2.0 * chord[i] - finish;
    }
    const T share = start > finish ? (chord[i] - finish) / (start - finish) : T(0.0);
    if (share > T(0.0) && share < T(1.0)) {
      append(share * length[i], start, chord[i]);
      append((1.0 - share) * length[i], chord[i], finish);
    } else {
      append(length[i], chord[i], chord[i]);
    }
  }
}

}  // namespace microslip
