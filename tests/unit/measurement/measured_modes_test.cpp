#include "microslip/measurement/measured_modes.hpp"

#include <gtest/gtest.h>

namespace microslip {
namespace measured_modes_test {

TEST(MeasuredModes, AssuranceOfTurnedAndMixedShapes) {
  const std::complex<double> i(0.0, 1.0);
  Eigen::MatrixXcd a(2, 2);
  a << 3.0, 0.0, 4.0, 0.0;  // the second is zero
  Eigen::MatrixXcd b(2, 3);
  b << 6.0 * i, 1.0, 4.0, 8.0 * i, 0.0, -3.0;  // a turned by 90 degrees; at an angle of cosine 3/5; at right angles
  const Eigen::MatrixXd values = modal_assurance(a, b);
  EXPECT_NEAR(values(0, 0), 1.0, 1e-15);
  EXPECT_NEAR(values(0, 1), 0.36, 1e-15);
  EXPECT_NEAR(values(0, 2), 0.0, 1e-15);
  EXPECT_EQ(values.row(1).norm(), 0.0);
}

}  // namespace measured_modes_test
}  // namespace microslip
