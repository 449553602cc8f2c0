#include "microslip/modal/modal_filter.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ringdown_signals.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace modal_filter_test {

TEST(ModalFilter, MassOrthogonality) {
  const System system = testing::three_masses();
  const Eigen::MatrixXd& shapes = system.stuck_modes().shapes;
  const Eigen::MatrixXd filter = mass_filter(shapes, system.structure().mass());
  EXPECT_LT((filter * shapes - Eigen::MatrixXd::Identity(3, 3)).cwiseAbs().maxCoeff(), 1e-13);
}

// More channels than modes; two of three modes from two of three masses; shapes of any scale.
TEST(ModalFilter, PseudoInverseOfMeasuredShapes) {
  const Eigen::MatrixXd shapes = testing::three_masses().stuck_modes().shapes;
  const Eigen::Vector2d q(0.3, -1.2);
  const Eigen::MatrixXd measured = shapes.leftCols(2) * Eigen::Vector2d(1e2, 1e-2).asDiagonal();
  EXPECT_LT((pseudo_inverse_filter(measured) * (measured * q) - q).cwiseAbs().maxCoeff(), 1e-11);
  const Eigen::MatrixXd few = shapes.topLeftCorner(2, 2);
  EXPECT_LT((pseudo_inverse_filter(few) * (few * q) - q).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ModalFilter, RefusesShapesThatCannotBeToldApart) {
  EXPECT_THROW(static_cast<void>(pseudo_inverse_filter(Eigen::MatrixXd::Ones(2, 3))), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(pseudo_inverse_filter(Eigen::MatrixXd::Ones(3, 2))), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(pseudo_inverse_filter(Eigen::MatrixXd::Zero(3, 1))), std::invalid_argument);
}

// Two sines of amplitude 1 and 0.25: ratio of root mean squares over a cycle, 0.25 where the other is fast.
TEST(ModalFilter, StrongestOther) {
  std::vector<SampledMotion> signals(3, testing::linear_decay(0.0, 100.0, 10.0));
  for (std::size_t i = 0; i < signals[1].values.size(); ++i) {
    const double t = signals[1].step * static_cast<double>(i);
    signals[1].values[i] = 0.25 * std::sin(7.0 * t);
    signals[2].values[i] = 0.1 * std::sin(3.0 * t);
  }
  const auto points = turning_point_ringdown(signals[0]).points;
  ASSERT_FALSE(points.empty());
  for (const OtherMode& other : strongest_others(signals, 0, points)) {
    EXPECT_EQ(other.index, 1);
    EXPECT_NEAR(other.ratio, 0.25, 0.005);
  }
  EXPECT_EQ(dominant(signals), 0);
  EXPECT_EQ(strongest_others({signals.data(), 1}, 0, points)[0].index, -1);
}

}  // namespace modal_filter_test
}  // namespace microslip
