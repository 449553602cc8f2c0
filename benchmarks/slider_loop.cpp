#include "slider_loop.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace microslip::benchmarks {

namespace {

struct ForceAndTangent {
  double force, tangent;
};

ForceAndTangent sum_sliders(const double* __restrict k, const double* __restrict phi, const double* __restrict at,
                            int n, double x) {
  double force = 0.0, tangent = 0.0;
  for (int i = 0; i < n; ++i) {
    const double stretch = x - at[i];
    const double held = std::min(std::max(stretch, -phi[i]), phi[i]);
    force += k[i] * held;
    tangent += held == stretch ? k[i] : 0.0;
  }
  return {force, tangent};
}

}  // namespace

SliderOscillator::SliderOscillator(double mass, double damping, double stiffness, std::vector<double> slider_stiffness,
                                   std::vector<double> slider_strength, double step)
    : m_(mass),
      c_(damping),
      k_(stiffness),
      h_(step),
      slider_k_(std::move(slider_stiffness)),
      slider_phi_(std::move(slider_strength)),
      slider_x_(slider_k_.size(), 0.0) {}

void SliderOscillator::set_state(double x, double v) {
  x_ = x;
  v_ = v;
  std::fill(slider_x_.begin(), slider_x_.end(), 0.0);
  a_ = (-c_ * v - k_ * x - force(x)) / m_;
}

double SliderOscillator::force(double x) const {
  return sum_sliders(slider_k_.data(), slider_phi_.data(), slider_x_.data(), static_cast<int>(slider_k_.size()), x)
      .force;
}

double SliderOscillator::run(int steps) {
  const int n = static_cast<int>(slider_k_.size());
  const double* __restrict k = slider_k_.data();
  const double* __restrict phi = slider_phi_.data();
  double* __restrict at = slider_x_.data();
  const double h = h_;
  for (int step = 0; step < steps; ++step) {
    // Average acceleration: unknown a[n+1], first guess a[n].
    const double x0 = x_ + h * v_ + 0.25 * h * h * a_;
    const double v0 = v_ + 0.5 * h * a_;
    double a = a_;
    double x = 0.0;
    for (int iteration = 0; iteration < 20; ++iteration) {
      x = x0 + 0.25 * h * h * a;
      const auto joint = sum_sliders(k, phi, at, n, x);
      const double residual = m_ * a + c_ * (v0 + 0.5 * h * a) + k_ * x + joint.force;
      iterations_++;
      if (std::abs(residual) <= 1e-10 * (std::abs(k_ * x) + std::abs(joint.force))) break;
      a -= residual / (m_ + 0.5 * h * c_ + 0.25 * h * h * (k_ + joint.tangent));
    }
    for (int i = 0; i < n; ++i) at[i] = std::min(std::max(at[i], x - phi[i]), x + phi[i]);
    x_ = x;
    v_ = v0 + 0.5 * h * a;
    a_ = a;
  }
  return x_;
}

}  // namespace microslip::benchmarks
