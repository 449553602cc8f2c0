// Chebyshev panels, Dormand-Prince steps.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "microslip/numerics/chebyshev.hpp"
#include "microslip/numerics/dormand_prince.hpp"

namespace microslip {
namespace quadrature_test {

// exp on (0.3, 1.3) by ten points: what is left out starts with 2 e^0.8 I_10(1/2), I_10(x) = (x/2)^10/10! nearly.
TEST(ChebyshevPanel, ValueAndIntegral) {
  using Panel = ChebyshevPanel<10>;
  const double low = 0.3, half = 0.5;
  std::array<double, 10> values{};
  for (std::size_t j = 0; j < 10; ++j) values[j] = std::exp(low + half * (1.0 + Panel::point(j)));
  const Panel panel(values, half);
  const double left_out = 1.1 * 2.0 * std::exp(0.8) * std::pow(0.25, 10) / 3628800.0;
  for (const double s : {-1.0, -0.3, 0.2, 1.0}) {
    const double y = low + half * (1.0 + s);
    EXPECT_NEAR(panel.value(s), std::exp(y), left_out);
    EXPECT_NEAR(panel.from_top(s), std::exp(1.3) - std::exp(y), left_out);
  }
  // The estimate is the last coefficient, 2 e^0.8 I_8(1/2) to 10 %, with I_8(x) = (x/2)^8/8! to first order.
  EXPECT_NEAR(panel.error() / (2.0 * half * 2.0 * std::exp(0.8) * std::pow(0.25, 8) / 40320.0), 1.0, 0.1);
}

// y' = (v, -x), a circle: global error of order 5, of order 4 inside the steps, and the estimate of order 5 a step.
TEST(DormandPrince, Orders) {
  const auto run = [](int steps) {
    DormandPrinceStep<2> step;
    const auto rhs = [](double, const std::array<double, 2>& y) { return std::array<double, 2>{y[1], -y[0]}; };
    std::array<double, 2> y{0.0, 1.0};
    const double h = 2.0 / steps;
    double inside = 0.0, estimate = 0.0;
    for (int i = 0; i < steps; ++i) {
      step.attempt(rhs, i * h, y, rhs(0.0, y), h);
      inside = std::max(inside, std::abs(step.at((i + 0.4) * h)[0] - std::sin((i + 0.4) * h)));
      estimate = std::max(estimate, std::abs(step.error()[0]));
      y = step.end();
    }
    return std::array<double, 3>{std::abs(y[0] - std::sin(2.0)), inside, estimate};
  };
  const auto coarse = run(40), fine = run(80);
  EXPECT_NEAR(std::log2(coarse[0] / fine[0]), 5.0, 0.2);
  EXPECT_NEAR(std::log2(coarse[1] / fine[1]), 5.0, 0.5);  // local order 5 dominates over few steps
  EXPECT_NEAR(std::log2(coarse[2] / fine[2]), 5.0, 0.2);
}

}  // namespace quadrature_test
}  // namespace microslip
