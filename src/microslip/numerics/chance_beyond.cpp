#include "microslip/numerics/chance_beyond.hpp"

#include <cmath>
#include <limits>

namespace microslip {
namespace {

/// DLMF 8.17.22 by Lentz's method, as quick as y is below (p + 1)/(p + q + 2).
double beta_fraction(double y, double p, double q) {
  constexpr double tiny = 1e-300, settled = 4.0 * std::numeric_limits<double>::epsilon();
  constexpr int most = 10'000;
  const auto away = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1.0, d = 1.0 / away(1.0 - (p + q) * y / (p + 1.0)), result = d;
  for (int m = 1; m < most; ++m) {
    const double even = m * (q - m) * y / ((p + 2.0 * m - 1.0) * (p + 2.0 * m));
    const double odd = -(p + m) * (p + q + m) * y / ((p + 2.0 * m) * (p + 2.0 * m + 1.0));
    double step = 1.0;
    for (const double term : {even, odd}) {
      d = 1.0 / away(1.0 + term * d);
      c = away(1.0 + term / c);
      step = c * d;
      result *= step;
    }
    if (std::abs(step - 1.0) < settled) break;
  }
  return result;
}

}  // namespace

double chance_of_chi_squared(double x, int degrees) {
  if (!(x > 0.0)) return 1.0;
  const double half = 0.5 * x, log_half = std::log(half);
  const bool odd = degrees % 2 != 0;
  double chance = odd ? std::erfc(std::sqrt(half)) : 0.0;
  for (double i = odd ? 0.5 : 0.0; i < 0.5 * degrees - 0.25; i += 1.0) {
    chance += std::exp(i * log_half - half - std::lgamma(i + 1.0));
  }
  return chance;
}

double chance_of_variance_ratio(double ratio, double a, double b) {
  if (!(ratio > 0.0)) return 1.0;
  const double p = 0.5 * b, q = 0.5 * a, y = b / (b + a * ratio), rest = a * ratio / (b + a * ratio);
  const double front =
      std::exp(std::lgamma(p + q) - std::lgamma(p) - std::lgamma(q) + p * std::log(y) + q * std::log(rest));
  if (y < (p + 1.0) / (p + q + 2.0)) return front * beta_fraction(y, p, q) / p;
  return 1.0 - front * beta_fraction(rest, q, p) / q;
}

}  // namespace microslip
