// Nonlinear modes against closed forms, quasi-static modal analysis and ring-downs.

#include "microslip/modal/nonlinear_mode.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "microslip/modal/quasi_static_modal.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace {

constexpr double pi = std::numbers::pi;

/// Complete elliptic integral of the first kind, by the arithmetic-geometric mean: K(m) = pi/(2 agm(1, sqrt(1 - m))).
double elliptic_k(double m) {
  double a = 1.0, b = std::sqrt(1.0 - m);
  while (std::abs(a - b) > 1e-15 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return pi / (2.0 * a);
}

// x'' + k x + c x^3 = 0 with the amplitude X: omega = pi sqrt(k + c X^2)/(2 K(m)), m = c X^2/(2 (k + c X^2)).
TEST(NonlinearMode, DuffingBackbone) {
  const double k = 3.0, c = 0.7;
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, k}}, {}, ModalDamping{{0.0}}),
                      {{"cubic", Polynomial<double>({0.0, 0.0, c}), testing::between(1, -1, 0)}});
  std::vector<double> amplitudes;
  for (int i = 0; i <= 40; ++i) amplitudes.push_back(0.01 * std::pow(1e4, i / 40.0));
  NonlinearModeOptions options;
  options.tolerance = 1e-11;
  const NonlinearModeCurve curve = nonlinear_mode(system, 0, amplitudes, options);
  ASSERT_EQ(curve.ending, Ending::completed) << curve.message;
  for (const NonlinearModePoint& point : curve.points) {
    const double stiff = k + c * point.q * point.q;
    const double exact = pi * std::sqrt(stiff) / (2.0 * elliptic_k(c * point.q * point.q / (2.0 * stiff)));
    EXPECT_NEAR(point.omega / exact, 1.0, 1e-8) << point.q;
    EXPECT_NEAR(point.zeta_secant, 0.0, 1e-10);
    const double energy = 0.5 * k * point.q * point.q + 0.25 * c * std::pow(point.q, 4);
    EXPECT_NEAR(point.energy / energy, 1.0, 1e-8);
  }
}

TEST(NonlinearMode, PrintP) {
  const System system = testing::three_masses();
  for (int mode = 0; mode < 3; ++mode) {
    const double onset[] = {267.98, 41.536, 31.519};
    std::vector<double> amplitudes;
    for (int i = 0; i <= 20; ++i) amplitudes.push_back(0.01 * onset[mode] * std::pow(200.0, i / 20.0));
    const NonlinearModeCurve curve = nonlinear_mode(system, mode, amplitudes);
    std::printf("mode %d %s\n", mode, curve.message.c_str());
    QsmaOptions options;
    options.other_modes = OtherModes::vibrating;
    const double w = system.stuck_modes().omega(mode);
    const ModalCurve q = quasi_static_modal_analysis(
        system, mode, {0.001 * onset[mode] * w * w, 3 * onset[mode] * w * w, 3000}, options);
    for (const auto& p : curve.points) {
      const auto next = std::find_if(q.points.begin(), q.points.end(), [&](const auto& x) { return x.q >= p.q; });
      const auto &b = *next, &a = *(next - 1);
      const double t = std::log(p.q / a.q) / std::log(b.q / a.q);
      const auto at = [&](double ModalPoint::*v) { return a.*v + t * (b.*v - a.*v); };
      std::printf(
          " q/onset %.4f a %.6g q %.6g H %d it %d trunc %.1e omega %.8f (%.1e) zeta %.6e (%.1e) sec %.6e (%.1e) D "
          "(%.1e) coupling %.3e\n",
          p.q / onset[mode], p.amplitude, p.q, p.harmonics, p.iterations, p.truncation, p.omega,
          p.omega / at(&ModalPoint::omega_ringdown) - 1, p.zeta, p.zeta / at(&ModalPoint::zeta) - 1, p.zeta_secant,
          p.zeta_secant / at(&ModalPoint::zeta_secant) - 1, p.dissipation / at(&ModalPoint::dissipation) - 1,
          p.coupling);
    }
  }
}

}  // namespace
}  // namespace microslip
