// The exact flow of small disturbances between straight lines, against Runge-Kutta steps.

#include "microslip/periodic/straight_flow.hpp"

#include <gtest/gtest.h>

namespace microslip {
namespace straight_flow_test {

// Steps of 5e-4 with frequencies up to 3 leave (1.5e-3)^4 of the motion a radian, 5e-12: times six radians 3e-11.
TEST(StraightFlow, FollowsRungeKutta) {
  const Eigen::VectorXd omega = Eigen::Vector3d(1.0, 1.0, 2.5), damping = Eigen::Vector3d(0.02, 0.02, 0.3);
  Rows directions(3, 2), rest(2, 4), d(3, 4), v(3, 4);
  directions << 1.0, 0.2, -0.5, 0.7, 0.3, -0.4;
  rest << 0.1, 0.0, -0.3, 0.2, 0.0, 0.4, 0.1, -0.2;
  d << 1.0, 0.0, 0.0, 0.3, 0.0, 1.0, 0.0, -0.2, 0.0, 0.0, 1.0, 0.1;
  v << 0.0, 0.2, 0.0, 0.5, 0.1, 0.0, 0.0, 0.4, 0.0, 0.0, 0.3, 0.6;
  Eigen::MatrixXd kappa(2, 2), gamma(2, 2);
  kappa << 1.5, 0.1, 0.1, -0.4;
  gamma << 0.05, 0.0, 0.0, 0.2;
  const auto acceleration = [&](const Rows& x, const Rows& y) -> Rows {
    return -(omega.cwiseAbs2().asDiagonal() * x) - damping.asDiagonal() * y -
           directions * (kappa * (directions.transpose() * x) + gamma * (directions.transpose() * y) + rest);
  };
  Rows x = d, y = v;
  constexpr double duration = 2.0, h = 5e-4;
  for (int i = 0; i < 4000; ++i) {
    const Rows k1 = acceleration(x, y), y2 = y + 0.5 * h * k1, k2 = acceleration(x + 0.5 * h * y, y2);
    const Rows y3 = y + 0.5 * h * k2, k3 = acceleration(x + 0.5 * h * y2, y3);
    const Rows y4 = y + h * k3, k4 = acceleration(x + h * y3, y4);
    x += h / 6.0 * (y + 2.0 * y2 + 2.0 * y3 + y4);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  StraightFlow flow(omega, damping, directions, kappa, gamma);
  ASSERT_TRUE(flow.holds());
  EXPECT_TRUE(flow.is_of(kappa, gamma));
  EXPECT_FALSE(flow.is_of(2.0 * kappa, gamma));
  flow.run(duration, rest, d, v);
  EXPECT_LT((d - x).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((v - y).cwiseAbs().maxCoeff(), 1e-10);
}

// A mass that nothing holds: d'' = 0 has one eigenvector for two eigenvalues.
TEST(StraightFlow, TellsThatEigenvectorsCoincide) {
  const Rows direction = Rows::Ones(1, 1);
  StraightFlow flow(Eigen::VectorXd::Ones(1), Eigen::VectorXd::Zero(1), direction,
                    Eigen::MatrixXd::Constant(1, 1, -1.0), Eigen::MatrixXd::Zero(1, 1));
  EXPECT_FALSE(flow.holds());
}

}  // namespace straight_flow_test
}  // namespace microslip
