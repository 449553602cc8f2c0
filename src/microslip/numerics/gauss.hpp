#pragma once
// Gaussian elimination with partial pivoting for the few unknowns of joint space; in place, no allocation.

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace microslip {

/// Solves a x = b for an n x n matrix, row by row; both are overwritten, b with x. False when a is singular to
/// rounding: a pivot below 1e-14 of the largest entry or of `scale`, the size of the terms that the entries sum.
/// `n` is an int, or a std::integral_constant for loops that the compiler unrolls.
template <class Size>
bool solve_in_place(double* a, double* b, Size n, double scale = 0.0) {
  double largest = scale;
  for (int i = 0; i < n * n; ++i) largest = std::max(largest, std::abs(a[i]));
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    if (!(std::abs(a[pivot * n + k]) > 1e-14 * largest)) return false;
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(b[k], b[pivot]);
    }
    const double inverse = 1.0 / a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] * inverse;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
    a[k * n + k] = inverse;  // its reciprocal, for the way back
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = b[k];
    for (int j = k + 1; j < n; ++j) sum -= a[k * n + j] * b[j];
    b[k] = sum * a[k * n + k];
  }
  return true;
}

/// Whether the determinant of an n x n matrix, row by row and overwritten, is > 0.
inline bool has_positive_determinant(double* a, int n) {
  bool positive = true;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    if (pivot != k) {
      std::swap_ranges(a + k * n, a + (k + 1) * n, a + pivot * n);
      positive = !positive;
    }
    const double leading = a[k * n + k];
    if (!(std::abs(leading) > 0.0)) return false;  // singular, or no number
    if (leading < 0.0) positive = !positive;
    for (int i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / leading;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return positive;
}

/// `visitor(std::integral_constant<int, n>)` for n up to 8, `visitor(n)` beyond.
template <class Visitor>
decltype(auto) with_static_size(int n, Visitor&& visitor) {
  switch (n) {
    case 1:
      return visitor(std::integral_constant<int, 1>());
    case 2:
      return visitor(std::integral_constant<int, 2>());
    case 3:
      return visitor(std::integral_constant<int, 3>());
    case 4:
      return visitor(std::integral_constant<int, 4>());
    case 5:
      return visitor(std::integral_constant<int, 5>());
    case 6:
      return visitor(std::integral_constant<int, 6>());
    case 7:
      return visitor(std::integral_constant<int, 7>());
    case 8:
      return visitor(std::integral_constant<int, 8>());
    default:
      return visitor(n);
  }
}

}  // namespace microslip
