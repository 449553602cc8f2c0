#pragma once
// A damped oscillator under a load that is a straight line, exactly.

#include <cmath>

namespace microslip {

/// x'' + c x' + K x = g, g from g0 to g1 along a straight line: exact over a step h.
///   y = x - offset, w = v - slope of the particular solution;   d = c/2, w_d^2 = K - d^2
class LinearStep {
 public:
  LinearStep(double stiffness, double damping, double h) : damping_(damping), h_(h) {
    const double d = 0.5 * damping;
    const double z = (stiffness - d * d) * h * h;
    double cosine = 0.0, sine = 0.0;  // cos(w_d h), sin(w_d h)/w_d
    if (std::abs(z) < 0.11) {         // the rest of the series is below rounding
      constexpr double c2 = 1.0 / 2, c4 = 1.0 / 24, c6 = 1.0 / 720, c8 = 1.0 / 40320, c10 = 1.0 / 3628800,
                       c12 = 1.0 / 479001600;
      constexpr double s3 = 1.0 / 6, s5 = 1.0 / 120, s7 = 1.0 / 5040, s9 = 1.0 / 362880, s11 = 1.0 / 39916800;
      cosine = 1.0 - z * (c2 - z * (c4 - z * (c6 - z * (c8 - z * (c10 - z * c12)))));
      sine = h * (1.0 - z * (s3 - z * (s5 - z * (s7 - z * (s9 - z * s11)))));
    } else if (z > 0.0) {
      const double angle = std::sqrt(z);
      cosine = std::cos(angle);
      sine = h * std::sin(angle) / angle;
    } else {
      const double angle = std::sqrt(-z);
      cosine = std::cosh(angle);
      sine = h * std::sinh(angle) / angle;
    }
    const double decay = std::exp(-d * h);
    xx_ = decay * (cosine + d * sine);
    xv_ = decay * sine;
    vx_ = -decay * stiffness * sine;
    vv_ = decay * (cosine - d * sine);
    compliance_ = 1.0 / stiffness;
  }

  void apply(double g0, double g1, double& x, double& v) const {
    const double rate = (g1 - g0) * compliance_ / h_;
    const double offset = g0 * compliance_ - damping_ * compliance_ * rate;
    const double y = x - offset, w = v - rate;
    x = xx_ * y + xv_ * w + offset + rate * h_;
    v = vx_ * y + vv_ * w + rate;
  }

 private:
  double damping_, h_, xx_, xv_, vx_, vv_, compliance_;
};

}  // namespace microslip
