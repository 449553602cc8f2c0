#pragma once
// A function on an interval by its values at Chebyshev points inside it (never at the ends, where it may have a
// corner), and its integral from the upper end.
//   f(y) = sum b_k T_k(s),   s = (2 y - low - high)/(high - low)

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace microslip {

template <std::size_t n>
class ChebyshevPanel {
 public:
  /// s of point j, from the upper end down.
  static double point(std::size_t j) { return table().cosine[1][j]; }

  /// From the values at the points; `half` is half the width of the interval.
  ChebyshevPanel() = default;
  ChebyshevPanel(const std::array<double, n>& values, double half) : half_(half) {
    const Table& t = table();
    for (std::size_t k = 0; k < n; ++k) {
      double sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) sum += values[j] * t.cosine[k][j];
      b_[k] = sum * (k == 0 ? 1.0 : 2.0) / static_cast<double>(n);
    }
    // Integral of T_k: T_{k+1}/(2(k+1)) - T_{k-1}/(2(k-1)).
    const auto b = [&](std::size_t k) { return k < n ? b_[k] : 0.0; };
    integral_[0] = 0.0;
    double at_top = 0.0;
    for (std::size_t k = 1; k <= n; ++k) {
      integral_[k] = half * ((k == 1 ? 2.0 : 1.0) * b(k - 1) - b(k + 1)) / (2.0 * static_cast<double>(k));
      at_top += integral_[k];
    }
    integral_[0] = -at_top;
  }

  [[nodiscard]] double value(double s) const { return sum(b_, s); }
  /// Integral from y down to the upper end, >= 0 for a positive function.
  [[nodiscard]] double from_top(double s) const { return -sum(integral_, s); }
  [[nodiscard]] double whole() const { return from_top(-1.0); }
  [[nodiscard]] double half() const { return half_; }
  /// What the integral may be off by: the last two coefficients that were kept.
  [[nodiscard]] double error() const { return 2.0 * half_ * (std::abs(b_[n - 1]) + std::abs(b_[n - 2])); }

 private:
  struct Table {
    double cosine[n][n];  ///< T_k at point j
    Table() {
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) {
          cosine[k][j] = std::cos(static_cast<double>(k * (2 * j + 1)) * std::numbers::pi / (2.0 * n));
        }
      }
    }
  };
  static const Table& table() {
    static const Table t;
    return t;
  }
  /// Clenshaw.
  template <std::size_t m>
  static double sum(const std::array<double, m>& c, double s) {
    double b1 = 0.0, b2 = 0.0;
    for (std::size_t k = m - 1; k > 0; --k) {
      const double b0 = c[k] + 2.0 * s * b1 - b2;
      b2 = b1;
      b1 = b0;
    }
    return c[0] + s * b1 - b2;
  }

  std::array<double, n> b_{};
  std::array<double, n + 1> integral_{};
  double half_ = 0.0;
};

}  // namespace microslip
