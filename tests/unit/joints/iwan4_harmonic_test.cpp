#include "microslip/joints/iwan4_harmonic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace microslip {
namespace iwan4_harmonic_test {

/// Cosine coefficient of the force on the loop of amplitude X, over X: midpoint rule along the unloading branch.
double loop_harmonic(const Iwan4Backbone<double>& backbone, double amplitude) {
  constexpr int n = 20000;
  const double top = backbone.at(amplitude).force;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const double t = std::numbers::pi * (i + 0.5) / n;
    sum += (top - 2.0 * backbone.at(0.5 * amplitude * (1.0 - std::cos(t))).force) * std::cos(t);
  }
  return 2.0 * sum / (n * amplitude);
}

// The kink at phi_max costs the midpoint rule (pi/n)^2 times the jump of slope: 1e-7 of K_T.
TEST(Iwan4Harmonic, IsTheCosineCoefficientOfTheLoop) {
  for (const auto& [chi, beta] :
       {std::pair{-0.5, 5.0}, std::pair{-0.1, 0.0}, std::pair{-0.9, 0.4}, std::pair{0.0, 1.0}}) {
    const auto backbone = Iwan4Backbone<double>::from_physical(10.0, 2.0, chi, beta);
    const Iwan4Harmonic<double> harmonic(backbone);
    for (const double share : {1e-3, 0.3, 0.999, 1.001, 1.4, 2.5, 30.0}) {
      const double amplitude = share * backbone.phi_max();
      EXPECT_NEAR(harmonic.stiffness(amplitude), loop_harmonic(backbone, amplitude), 2e-7 * 2.0) << chi << " " << share;
    }
  }
}

// In microslip: K_T - R X^(chi+1)/(chi+1) 4 Gamma(chi+5/2)/(sqrt(pi) (chi+3) Gamma(chi+3)).
TEST(Iwan4Harmonic, MicroslipHasItsGammaForm) {
  const double chi = -0.75;
  const auto backbone = Iwan4Backbone<double>::from_physical(100.0, 6.32e4, chi, 5.0);
  const double x = 1e-4;
  const double factor =
      4.0 * std::tgamma(chi + 2.5) / (std::sqrt(std::numbers::pi) * (chi + 3.0) * std::tgamma(chi + 3.0));
  EXPECT_NEAR(Iwan4Harmonic<double>(backbone).stiffness(x),
              6.32e4 - backbone.r() * std::pow(x, chi + 1.0) / (chi + 1.0) * factor, 1e-9);
}

}  // namespace iwan4_harmonic_test
}  // namespace microslip
