#pragma once
// A concave, non-decreasing curve through (0,0) and given points, constant beyond the last of them.
//
//   smooth   Schumaker's shape-preserving quadratic spline. Between two points the slope is the broken line
//            (x_i, s_i) - (xi_i, d_i) - (x_{i+1}, s_{i+1}) with the chord d_i and the knot
//              xi_i = x_i + (x_{i+1} - x_i) (d_i - s_{i+1}) / (s_i - s_{i+1}),
//            so the curve is C1, passes through the points and is concave whenever s_i >= d_i >= s_{i+1}. Slopes at
//            inner points are those of the parabola through three points, an average of the neighbouring chords; end
//            slopes continue the first and the last parabola, the last one not below 0. Quadratic data give the
//            quadratic. What slope is left at the last point drops to 0 there.
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
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "microslip/numerics/dual.hpp"

namespace microslip {

enum class Interpolation { smooth, linear };

/// Points that no such curve passes through; says which.
class ConcaveCurveError : public std::invalid_argument {
 public:
  ConcaveCurveError(const std::string& message, bool in_u) : std::invalid_argument(message), in_u_(in_u) {}
  /// The abscissa is at fault, not the ordinate.
  [[nodiscard]] bool in_u() const { return in_u_; }

 private:
  bool in_u_;
};

template <class T = double>
class ConcaveCurve {
 public:
  struct Point {
    T value{};
    T slope{};
  };

  /// Points (u, f - residual u) with u increasing; a first point (0,0) may be given or not. Slopes of f must not
  /// increase and not fall below the residual, up to rounding of the data (1e-12 of the first slope). Throws
  /// ConcaveCurveError that names the first offending point, counted from 1.
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

 private:
  struct Piece {
    T x{}, value{}, slope{}, curvature{};
    T work{};         ///< integral up to x
    T dissipation{};  ///< D at x
    T moment{};       ///< f - x f' right of x
  };

  [[nodiscard]] const Piece& piece(const T& x) const {
    const auto it =
        std::upper_bound(pieces_.begin() + 1, pieces_.end(), x, [](const T& a, const Piece& b) { return a < b.x; });
    return *(it - 1);
  }

  /// A piece of length `length` with these slopes at its ends.
  void append(const T& length, const T& slope, const T& end_slope);

  std::vector<Piece> pieces_;
  T end_{}, end_value_{}, end_work_{}, end_dissipation_{};
  T end_moment_{};
};

template <class T>
void ConcaveCurve<T>::append(const T& length, const T& slope, const T& end_slope) {
  Piece p;
  p.x = end_;
  p.value = end_value_;
  p.slope = slope;
  p.curvature = (end_slope - slope) / length;
  p.work = end_work_;
  p.dissipation = end_dissipation_;
  // A kink at x adds the sliders that give way there.
  p.moment = end_moment_;
  if (!pieces_.empty()) {
    const Piece& last = pieces_.back();
    p.moment += end_ * (last.slope + last.curvature * (end_ - last.x) - slope);
  }
  pieces_.push_back(p);
  end_ += length;
  end_value_ += 0.5 * length * (slope + end_slope);
  end_work_ += length * (p.value + length * (0.5 * p.slope + p.curvature * length / 6.0));
  end_dissipation_ += 4.0 * p.moment * length - 2.0 * p.curvature * length * length * (p.x + length / 3.0);
  end_moment_ = p.moment - p.curvature * length * (p.x + 0.5 * length);
}

template <class T>
ConcaveCurve<T>::ConcaveCurve(std::span<const T> u, std::span<const T> f, Interpolation interpolation, T residual) {
  const auto fail = [](std::size_t index, const std::string& what, bool in_u) {
    throw ConcaveCurveError("backbone point " + std::to_string(index + 1) + ": " + what, in_u);
  };
  const auto text = [](double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%g", value);
    return std::string(buffer);
  };
  if (u.size() != f.size()) {
    throw ConcaveCurveError("u has " + std::to_string(u.size()) + " points, f has " + std::to_string(f.size()), false);
  }
  if (!std::isfinite(value_of(residual))) throw ConcaveCurveError("residual must be a finite number", false);
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (!std::isfinite(value_of(u[i]))) fail(i, "u must be a finite number, got " + text(value_of(u[i])), true);
    if (!std::isfinite(value_of(f[i]))) fail(i, "f must be a finite number, got " + text(value_of(f[i])), false);
  }
  const bool origin_given = !u.empty() && value_of(u[0]) == 0.0;
  if (origin_given && value_of(f[0]) != 0.0)
    fail(0, "the curve must pass through (0, 0), got f = " + text(value_of(f[0])), false);
  const std::size_t first = origin_given ? 1 : 0;
  const std::size_t n = u.size() - first;
  if (n == 0) throw ConcaveCurveError("a backbone needs at least one point besides (0, 0)", true);

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
    if (i > 0 && chord[i - 1] < chord[i]) chord[i] = chord[i - 1];
    if (value_of(chord[i]) <= tolerance * (i > 0 ? 1.0 : 0.0)) chord[i] = T(0.0);
  }
  if (!(chord[0] > T(0.0))) fail(first, "the first slope must exceed the residual", false);
  std::size_t count = n;
  while (chord[count - 1] == T(0.0)) --count;  // a flat tail carries no sliders

  if (interpolation == Interpolation::linear) {
    pieces_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) append(length[i], chord[i], chord[i]);
    return;
  }
  // Slopes at the points.
  const bool flat_tail = count < n;
  std::vector<T> slope(count + 1);
  for (std::size_t i = 1; i < count; ++i) {
    slope[i] = (length[i] * chord[i - 1] + length[i - 1] * chord[i]) / (length[i - 1] + length[i]);
  }
  if (count == 1) {
    slope[0] = chord[0];
    slope[1] = chord[0];
  } else {
    slope[0] = 2.0 * chord[0] - slope[1];
    slope[count] = 2.0 * chord[count - 1] - slope[count - 1];
    if (flat_tail || slope[count] < T(0.0)) slope[count] = T(0.0);
  }
  pieces_.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const T drop = slope[i] - slope[i + 1];
    if (!(drop > T(0.0))) {
      append(length[i], chord[i], chord[i]);
      continue;
    }
    const T share = (chord[i] - slope[i + 1]) / drop;
    if (share > T(0.0) && share < T(1.0)) {
      append(share * length[i], slope[i], chord[i]);
      append((1.0 - share) * length[i], chord[i], slope[i + 1]);
    } else {
      append(length[i], slope[i], slope[i + 1]);
    }
  }
}

}  // namespace microslip
