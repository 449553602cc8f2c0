#include "microslip/joints/iwan_uniform.hpp"

#include <gtest/gtest.h>

#include "unit/joints/law_suite.hpp"

namespace microslip {
namespace iwan_uniform_test {

using law_suite::step;

// docs/verification.md, W (20), normalised form k = f_q = 1: the backbone saturates at y = 2, loop areas y0^3/3 in
// microslip and 4 y0 - 16/3 in macroslip.
TEST(IwanUniform, LoopAreasOfTheNormalisedElement) {
  const auto law = iwan_uniform(1.0, 1.0, 0.0);
  EXPECT_DOUBLE_EQ(law.max_slider_strength(), 2.0);
  EXPECT_DOUBLE_EQ(law.backbone(2.0).force, 1.0);
  EXPECT_DOUBLE_EQ(law.backbone(5.0).force, 1.0);
  for (const double y0 : {0.3, 1.0, 1.9}) EXPECT_NEAR(law.dissipation(y0), y0 * y0 * y0 / 3.0, 1e-14);
  for (const double y0 : {2.0, 3.0, 10.0}) EXPECT_NEAR(law.dissipation(y0), 4.0 * y0 - 16.0 / 3.0, 1e-13);
}

// docs/verification.md, W (19): unloading from (y0, f0) follows f0 - 2 [d/2 - (d/2)^2/4], d = y0 - y.
TEST(IwanUniform, UnloadingBranch) {
  const auto law = iwan_uniform(1.0, 1.0, 0.0);
  IwanUniform<>::State state;
  const double f0 = step(law, state, 1.5).force;
  EXPECT_DOUBLE_EQ(f0, 1.5 - 1.5 * 1.5 / 4.0);
  for (const double y : {1.2, 0.0, -1.0, -1.5}) {
    const double d = 1.5 - y;
    EXPECT_NEAR(step(law, state, y).force, f0 - 2.0 * (d / 2.0 - d * d / 16.0), 1e-15);
  }
}

// study-file.md: alpha k u + k u - k^2 u^2/(4 fq) up to 2 fq/k, alpha k u + fq beyond.
TEST(IwanUniform, BackboneOfTheStudyFile) {
  const double k = 3.0, fq = 0.7, alpha = 0.2;
  const auto law = iwan_uniform(k, fq, alpha);
  for (const double u : {0.1, 0.3, 0.46}) {
    EXPECT_NEAR(law.backbone(u).force, alpha * k * u + k * u - k * k * u * u / (4.0 * fq), 1e-15);
    EXPECT_NEAR(law.backbone(-u).force, -law.backbone(u).force, 1e-16);
  }
  EXPECT_NEAR(law.backbone(2.0).force, alpha * k * 2.0 + fq, 1e-15);
  EXPECT_NEAR(law.stuck_stiffness(), (1.0 + alpha) * k, 1e-15);
  EXPECT_NEAR(law.slipped_stiffness(), alpha * k, 1e-15);
}

}  // namespace iwan_uniform_test
}  // namespace microslip
