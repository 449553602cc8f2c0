#include "microslip/modal/mode_balance.hpp"

#include <gtest/gtest.h>

#include "support/paper_systems.hpp"

namespace microslip {
namespace mode_balance_test {

// A central difference leaves h^2 of the third derivative and rounding over h.
TEST(ModeBalance, DerivativeWithRespectToTheAmplitude) {
  const System system(
      LinearStructure::lumped({1.0, 2.0}, {}, {{-1, 0, 1.0}, {0, 1, 2.0}}, {}, ModalDamping{{0.01}}),
      {{"hard", Polynomial<double>({0.0, 0.0, 0.7}), testing::between(2, -1, 0)},
       {"slip", Iwan4<double>(Iwan4Backbone<double>::from_physical(0.6, 0.5, -0.4, 1.0)), testing::between(2, 0, 1)}});
  ModeBalance balance(system, 0, 3, 256);
  Eigen::VectorXd y = balance.linear();
  for (Eigen::Index i = 0; i < y.size(); ++i) y(i) += 0.05 * std::cos(2.3 * static_cast<double>(i));
  const double at = std::log(0.8), h = 1e-4;
  Eigen::VectorXd r, before, after, slope;
  Eigen::MatrixXd jacobian;
  ASSERT_TRUE(balance.residual(y, at, r, &jacobian, &slope));
  ASSERT_TRUE(balance.residual(y, at - h, before, nullptr));
  ASSERT_TRUE(balance.residual(y, at + h, after, nullptr));
  EXPECT_LT(((after - before) / (2.0 * h) - slope).norm(), 1e-6 * slope.norm());
}

}  // namespace mode_balance_test
}  // namespace microslip
