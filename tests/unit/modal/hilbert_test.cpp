#include "microslip/modal/hilbert.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ringdown_signals.hpp"

namespace microslip {
namespace hilbert_test {

using testing::linear_decay;
using testing::with_noise;

// The record is mirrored at samples that miss the extremum by up to phi = w h/2 = 0.063. The mean of that kink reaches
// into the record as e = 2 sin(phi)/(pi w t), 1.3e-3 of the amplitude at the fifth cycle, and oscillates with the
// signal; a line fitted over L cycles keeps a slope of 6 e/(2 pi L)^2, 2e-6 for ten. The fit is continuous, so that the
// outermost pieces pass some of it on.
TEST(Hilbert, LinearOscillatorWithinItsEndEffects) {
  for (const Quantity quantity : {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
    for (const double zeta : {1e-3, 5e-3}) {
      const auto curve = hilbert_ringdown(linear_decay(zeta, 50.0, 120.0, quantity));
      ASSERT_GE(curve.points.size(), 9U) << curve.message;
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const RingdownPoint& p = curve.points[i];
        const bool end = i == 0 || i + 2 >= curve.points.size();
        EXPECT_NEAR(p.omega, std::sqrt(1.0 - zeta * zeta), end ? 1e-5 : 1e-6) << i;
        EXPECT_NEAR(p.zeta, zeta, end ? 1e-5 : 1e-6) << i;
        EXPECT_NEAR(p.v / std::exp(-zeta * (p.time - 3.0)), 1.0, 1e-4);
        EXPECT_NEAR(p.q, p.v / p.omega, 1e-12);
      }
    }
  }
}

TEST(Hilbert, SurvivesNoise) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto curve = hilbert_ringdown(with_noise(linear_decay(5e-3, 50.0, 150.0), seed));
    ASSERT_GE(curve.points.size(), 3U) << curve.message;
    for (const RingdownPoint& p : curve.points) {
      EXPECT_NEAR(p.omega, 1.0, 2e-3);
      EXPECT_NEAR(p.zeta, 5e-3, 1e-3);
    }
  }
}

TEST(Hilbert, TooShort) {
  EXPECT_EQ(hilbert_ringdown(linear_decay(0.01, 50.0, 8.0)).message.substr(0, 14), "too few cycles");
  const SampledMotion flat{0.0, 0.1, Quantity::velocity, std::vector<double>(100, 0.0)};
  EXPECT_TRUE(hilbert_ringdown(flat).points.empty());
}

}  // namespace hilbert_test
}  // namespace microslip
