#pragma once
// Gaussian elimination with partial pivoting for the few unknowns of joint space; in place, no allocation.

#include <algorithm>
#include <cmath>
#include <utility>

namespace microslip {

/// Solves a x = b for an n x n matrix, row by row; both are overwritten, b with x. False when a is singular to
/// rounding: a pivot below 1e-14 of the largest entry or of `scale`, the size of the terms that the entries sum.
inline bool solve_in_place(double* a, double* b, int n, double scale = 0.0) {
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
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = b[k];
    for (int j = k + 1; j < n; ++j) sum -= a[k * n + j] * b[j];
    b[k] = sum / a[k * n + k];
  }
  return true;
}

}  // namespace microslip
