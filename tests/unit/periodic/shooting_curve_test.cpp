// The equations of curves by shooting, where a period cannot be run.

#include "microslip/periodic/shooting_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "support/by_shooting.hpp"
#include "support/paper_systems.hpp"

namespace microslip {
namespace shooting_curve_test {

// A slope of 0 would be a peak.
TEST(ShootingCurve, NoAmplitudeWithoutAPeriod) {
  const System system(LinearStructure::lumped({1.0}, {}, {{-1, 0, 1.0}}, {}, ModalDamping{{0.02}}),
                      {{"j", Jenkins<double>(0.8, 0.5), testing::between(1, -1, 0)}});
  HarmonicLoad load;
  load.force = Eigen::VectorXcd::Ones(1);
  const ResponseRecord record{{0}, 0};
  const FrequencyResponseOptions options = testing::by_shooting();
  ShootingCurve curve(system, load, record, options, 1.3);
  CurvePoint at;
  std::string message;
  ASSERT_TRUE(curve.start(1.3, 0.5, at.y, at.iterations, message)) << message;
  at.lambda = 1.3;
  at.lambda_tangent = 1.0;
  at.y_tangent = Eigen::VectorXd::Ones(at.y.size());
  const Sweep sweep = Sweep::over_frequency(0.5);
  EXPECT_TRUE(std::isfinite(curve.amplitude_slope(at, sweep)));
  at.y.setConstant(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(curve.amplitude_slope(at, sweep)));
}

}  // namespace shooting_curve_test
}  // namespace microslip
