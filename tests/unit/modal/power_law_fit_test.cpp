#include "microslip/modal/power_law_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace microslip {
namespace power_law_fit_test {

struct Curve {
  std::vector<double> q, zeta;
};

Curve curve(double c, double chi, double zeta_0, double from, double to, int points) {
  Curve result;
  for (int i = 0; i < points; ++i) {
    const double q = from * std::pow(to / from, i / (points - 1.0));
    result.q.push_back(q);
    result.zeta.push_back(c * std::pow(q, chi + 1.0) + zeta_0);
  }
  return result;
}

// Lacayo, Table 3.3: the parameters of four modes come back.
TEST(PowerLawFit, RecoversTheParametersOfTableThreeThree) {
  const double table[][3] = {
      {0.0621, -0.082, 5.37e-4}, {0.0388, -0.127, 2.99e-4}, {0.0065, -0.623, 4.46e-4}, {47.9, -0.075, 4.70e-4}};
  for (const auto& [c, chi, zeta_0] : table) {
    const Curve data = curve(c, chi, zeta_0, 1e-5, 1e-2, 60);
    const PowerLawFit fit = fit_power_law(data.q, data.zeta);
    EXPECT_TRUE(fit.found);
    EXPECT_NEAR(fit.chi, chi, 1e-5);
    EXPECT_NEAR(fit.c / c, 1.0, 1e-4);
    EXPECT_NEAR(fit.zeta_0 / zeta_0, 1.0, 1e-4);
    EXPECT_LT(fit.residual, 1e-6);
    EXPECT_NEAR(fit.from, 1e-5, 1e-12);
    EXPECT_NEAR(fit.to, 1e-2, 1e-9);
  }
}

TEST(PowerLawFit, BackgroundIsNeverNegative) {
  Curve data = curve(1.0, -0.5, 0.0, 1e-4, 1e-1, 30);
  for (std::size_t i = 0; i < data.q.size(); ++i) data.zeta[i] *= 1.0 - 0.02 * std::pow(1e-4 / data.q[i], 0.5);
  const PowerLawFit fit = fit_power_law(data.q, data.zeta);
  EXPECT_TRUE(fit.found);
  EXPECT_EQ(fit.zeta_0, 0.0);
  EXPECT_NEAR(fit.chi, -0.5, 0.01);
}

TEST(PowerLawFit, ConstantDampingIsNoPowerLaw) {
  const Curve data = curve(0.0, -0.5, 1e-3, 1e-4, 1e-1, 30);
  EXPECT_FALSE(fit_power_law(data.q, data.zeta).found);
  EXPECT_FALSE(fit_power_law(std::vector<double>{1.0, 2.0, 3.0}, std::vector<double>{1.0, 2.0, 3.0}).found);
  EXPECT_FALSE(fit_power_law(std::vector<double>(10, 1.0), std::vector<double>(10, 0.1)).found);
  EXPECT_FALSE(fit_power_law({}, {}).found);
}

}  // namespace power_law_fit_test
}  // namespace microslip
