#include "microslip/numerics/normal_quantile.hpp"

#include "microslip/numerics/incomplete_beta.hpp"

namespace microslip {
namespace {

/// Chance of |T| > t up to a factor: B(x; a, 1/2), x = nu/(nu + t^2), a = nu/2, by parts from b = B(x; a, 3/2).
double student_beyond(double t, double nu) {
  const double a = 0.5 * nu, whole = nu + t * t, x = nu / whole;
  return (1.0 + nu) * incomplete_beta(x, a) - 2.0 * std::pow(x, a) * std::abs(t) / std::sqrt(whole);
}

}  // namespace

double student_reach(double confidence, double nu) {
  constexpr double most_beta = 40.0;  // incomplete_beta: a <= 20
  const double z = normal_reach(confidence);
  if (nu > most_beta) {
    const double z2 = z * z;
    const double first = z * (z2 + 1.0) / 4.0, second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
                 third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
                 fourth = z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
    return z + (first + (second + (third + fourth / nu) / nu) / nu) / nu;
  }
  const double all = student_beyond(0.0, nu), beyond = (1.0 - confidence) * all;
  double t = z;  // below the root, where the chance is convex: the iterates rise to it
  for (int i = 0; i < 200; ++i) {
    // -d/dt of B(x; a, 1/2) = 2 nu^a (nu + t^2)^(-a - 1/2)
    const double slope = 2.0 * std::pow(nu / (nu + t * t), 0.5 * nu) / std::sqrt(nu + t * t);
    const double step = (student_beyond(t, nu) - beyond) / slope;
    t += step;
    if (!(std::abs(step) > 1e-11 * (1.0 + t))) break;
  }
  return t;
}

}  // namespace microslip
