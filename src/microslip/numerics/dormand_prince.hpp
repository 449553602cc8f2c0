#pragma once
// One step of the Runge-Kutta pair of Dormand and Prince, order 5 with an embedded error estimate of order 4 and a
// continuous solution of order 4 over the step; the last stage is the first of the next step.
// Ref: Dormand and Prince 1980; Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.4 and II.6.

#include <array>
#include <cstddef>

namespace microslip {

template <std::size_t n>
class DormandPrinceStep {
 public:
  using Vector = std::array<double, n>;

  /// Tries a step of length h from (t, y) where y' = `slope`; `rhs(t, y)` gives y'.
  template <class Rhs>
  void attempt(Rhs&& rhs, double t, const Vector& y, const Vector& slope, double h) {
    constexpr double a21 = 1.0 / 5.0;
    constexpr double a31 = 3.0 / 40.0, a32 = 9.0 / 40.0;
    constexpr double a41 = 44.0 / 45.0, a42 = -56.0 / 15.0, a43 = 32.0 / 9.0;
    constexpr double a51 = 19372.0 / 6561.0, a52 = -25360.0 / 2187.0, a53 = 64448.0 / 6561.0, a54 = -212.0 / 729.0;
    constexpr double a61 = 9017.0 / 3168.0, a62 = -355.0 / 33.0, a63 = 46732.0 / 5247.0, a64 = 49.0 / 176.0,
                     a65 = -5103.0 / 18656.0;
    constexpr double b1 = 35.0 / 384.0, b3 = 500.0 / 1113.0, b4 = 125.0 / 192.0, b5 = -2187.0 / 6784.0,
                     b6 = 11.0 / 84.0;
    constexpr double e1 = 71.0 / 57600.0, e3 = -71.0 / 16695.0, e4 = 71.0 / 1920.0, e5 = -17253.0 / 339200.0,
                     e6 = 22.0 / 525.0, e7 = -1.0 / 40.0;
    constexpr double d1 = -12715105075.0 / 11282082432.0, d3 = 87487479700.0 / 32700410799.0,
                     d4 = -10690763975.0 / 1880347072.0, d5 = 701980252875.0 / 199316789632.0,
                     d6 = -1453857185.0 / 822651844.0, d7 = 69997945.0 / 29380423.0;
    const auto at = [&](auto&& increment) {
      Vector z;
      for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h * increment(i);
      return z;
    };
    const Vector& k1 = slope;
    const Vector k2 = rhs(t + 0.2 * h, at([&](std::size_t i) { return a21 * k1[i]; }));
    const Vector k3 = rhs(t + 0.3 * h, at([&](std::size_t i) { return a31 * k1[i] + a32 * k2[i]; }));
    const Vector k4 = rhs(t + 0.8 * h, at([&](std::size_t i) { return a41 * k1[i] + a42 * k2[i] + a43 * k3[i]; }));
    const Vector k5 = rhs(t + 8.0 / 9.0 * h,
                          at([&](std::size_t i) { return a51 * k1[i] + a52 * k2[i] + a53 * k3[i] + a54 * k4[i]; }));
    const Vector k6 = rhs(
        t + h, at([&](std::size_t i) { return a61 * k1[i] + a62 * k2[i] + a63 * k3[i] + a64 * k4[i] + a65 * k5[i]; }));
    end_ = at([&](std::size_t i) { return b1 * k1[i] + b3 * k3[i] + b4 * k4[i] + b5 * k5[i] + b6 * k6[i]; });
    end_slope_ = rhs(t + h, end_);
    const Vector& k7 = end_slope_;
    for (std::size_t i = 0; i < n; ++i) {
      error_[i] = h * (e1 * k1[i] + e3 * k3[i] + e4 * k4[i] + e5 * k5[i] + e6 * k6[i] + e7 * k7[i]);
      const double change = end_[i] - y[i];
      c_[0][i] = y[i];
      c_[1][i] = change;
      c_[2][i] = h * k1[i] - change;
      c_[3][i] = change - h * k7[i] - c_[2][i];
      c_[4][i] = h * (d1 * k1[i] + d3 * k3[i] + d4 * k4[i] + d5 * k5[i] + d6 * k6[i] + d7 * k7[i]);
    }
    start_time_ = t;
    length_ = h;
  }

  [[nodiscard]] const Vector& end() const { return end_; }
  [[nodiscard]] const Vector& end_slope() const { return end_slope_; }
  [[nodiscard]] const Vector& error() const { return error_; }  ///< estimate, of the solution of order 4

  /// Anywhere in the step.
  [[nodiscard]] Vector at(double t) const {
    const double s = (t - start_time_) / length_, r = 1.0 - s;
    Vector y;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = c_[0][i] + s * (c_[1][i] + r * (c_[2][i] + s * (c_[3][i] + r * c_[4][i])));
    }
    return y;
  }

 private:
  Vector end_{}, end_slope_{}, error_{};
  std::array<Vector, 5> c_{};
  double start_time_ = 0.0, length_ = 1.0;
};

}  // namespace microslip
