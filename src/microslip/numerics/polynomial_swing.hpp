#pragma once
// Free motion of m x'' + P(x) = 0, P = k_1 x + k_2 x^2 + ... + k_n x^n, about x = 0: its turning points and exact
// period.
//
// A swing of half-range q runs between c - q and c + q, c from equal potential at both ends,
//   integral from c - q to c + q of P dx = 0.
// With x = c + q z the work from the upper end down to z is (1 - z^2) g(z): it vanishes at both turning points, and the
// polynomial division by 1 - z^2 is exact and from the highest power down without cancellation. z = cos(phi) then takes
// both singularities out of the time of a swing,
//   T/2 = integral of dx/sqrt(2 W/m) = q sqrt(m/2) integral from 0 to pi of dphi/sqrt(g(cos phi)),
// a mean of an analytic function (cosine_mean.hpp). g <= 0 somewhere: there is no such swing (a softening spring beyond
// its summit, another well).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "microslip/numerics/cosine_mean.hpp"

namespace microslip {

class PolynomialSwing {
 public:
  /// k_1 .. k_n, k_1 > 0.
  explicit PolynomialSwing(std::span<const double> coefficients)
      : k_(coefficients.begin(), coefficients.end()),
        shifted_(k_.size() + 1),
        quotient_(std::max<std::size_t>(k_.size(), 1)) {
    for (std::size_t j = 1; j < k_.size(); j += 2) symmetric_ = symmetric_ && k_[j] == 0.0;
  }

  /// The swing of half-range q, sought from the centre of the last one: in steps from 0 it stays in the well around
  /// x = 0. False where Newton finds none; the centre is then the last one still.
  bool move_to(double q) {
    return move_to(q, [](double) { return MeanForce{}; });
  }
  /// The same beside a constant force h that depends on the centre: mean_force(c) returns h and dh/dc. h counts in the
  /// forces below.
  struct MeanForce {
    double force = 0.0, slope = 0.0;
  };
  template <class Mean>
  bool move_to(double q, Mean&& mean_force);

  [[nodiscard]] bool symmetric() const { return symmetric_; }
  [[nodiscard]] double centre() const { return centre_; }
  [[nodiscard]] double upper_force() const { return upper_force_; }  ///< P(c + q) + h
  [[nodiscard]] double lower_force() const { return lower_force_; }  ///< -P(c - q) - h
  /// g(z): work from the upper turning point over 1 - z^2 [energy].
  [[nodiscard]] double shape(double z) const {
    double sum = 0.0;
    for (std::size_t j = quotient_.size(); j > 0; --j) sum = sum * z + quotient_[j - 1];
    return sum;
  }

 private:
  /// P(c + t) = sum of shifted_[j] t^j.
  void shift(double c) {
    shifted_[0] = 0.0;
    std::copy(k_.begin(), k_.end(), shifted_.begin() + 1);
    if (c == 0.0) return;
    for (std::size_t i = 0; i < k_.size(); ++i) {
      for (std::size_t j = k_.size(); j > i; --j) shifted_[j - 1] += c * shifted_[j];
    }
  }
  /// Sum of shifted_[j] q^j over every second j, each over j + 1 where it belongs to an integral.
  [[nodiscard]] double half_sum(std::size_t first, double q, bool integrated) const {
    double sum = 0.0;
    double power = first == 0 ? 1.0 : q;
    for (std::size_t j = first; j < shifted_.size(); j += 2, power *= q * q) {
      sum += shifted_[j] * power / (integrated ? static_cast<double>(j + 1) : 1.0);
    }
    return sum;
  }

  std::vector<double> k_, shifted_, quotient_;
  bool symmetric_ = true;
  double centre_ = 0.0, upper_force_ = 0.0, lower_force_ = 0.0;
};

template <class Mean>
bool PolynomialSwing::move_to(double q, Mean&& mean_force) {
  double c = symmetric_ ? 0.0 : centre_;
  shift(c);
  for (int iteration = 0; !symmetric_; ++iteration) {
    // Mean of P over the swing, and its derivative by c: [P(c + q) - P(c - q)]/(2 q).
    const MeanForce beside = mean_force(c);
    const double mean = half_sum(0, q, true) + beside.force;
    const double slope = half_sum(1, q, false) / q + beside.slope;
    if (!(slope > 0.0) || iteration == 50) return false;
    const double step = mean / slope;
    c -= step;
    shift(c);
    if (std::abs(step) <= 4.0 * std::numeric_limits<double>::epsilon() * q) break;
  }
  centre_ = c;
  if (!symmetric_) shifted_[0] += mean_force(c).force;
  const double even = half_sum(0, q, false), odd = half_sum(1, q, false);
  upper_force_ = odd + even;
  lower_force_ = odd - even;
  // V(c + q) - V(c + q z) has the coefficients -shifted[j-1] q^j/j of z^j, j > 0. Over 1 - z^2, from the top.
  const std::size_t n = k_.size();
  double power = q;
  for (std::size_t j = 2; j <= n + 1; ++j) {
    power *= q;
    quotient_[j - 2] = shifted_[j - 1] * power / static_cast<double>(j);
  }
  for (std::size_t j = n; j-- > 2;) quotient_[j - 2] += quotient_[j];
  return true;
}

struct PolynomialPeriod {
  double omega = std::numeric_limits<double>::quiet_NaN();  ///< 2 pi/T [rad/time]; NaN: no such swing
  double centre = 0.0;                                      ///< c [length]
  bool converged = false;
};

/// Frequency of the swing that `swing` stands at, half-range q.
inline PolynomialPeriod polynomial_period(const PolynomialSwing& swing, double q, double mass,
                                          double tolerance = 1e-13) {
  const auto mean = cosine_mean<1>(
      [&](double z) {
        const double g = swing.shape(z);
        return std::array<double, 1>{g > 0.0 ? 1.0 / std::sqrt(g) : std::numeric_limits<double>::quiet_NaN()};
      },
      tolerance);
  return {1.0 / (q * std::sqrt(0.5 * mass) * mean.value[0]), swing.centre(), mean.converged};
}

/// The same from the coefficients k_1 .. k_n. mass, q > 0.
inline PolynomialPeriod polynomial_period(std::span<const double> coefficients, double mass, double q,
                                          double tolerance = 1e-13) {
  PolynomialSwing swing(coefficients);
  const int steps = swing.symmetric() ? 1 : 16;
  for (int i = 1; i <= steps; ++i) {
    if (!swing.move_to(q * i / steps)) return {};
  }
  return polynomial_period(swing, q, mass, tolerance);
}

}  // namespace microslip
