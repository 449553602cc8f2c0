// Curves of a law by itself.

#include "microslip/results/law_curves.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/system/sink.hpp"

namespace microslip {
namespace law_curves_test {

// Bouc-Wen, beta = gamma = 1/2, n = 1: slope 1 while |z| falls, 1 - |z| while it grows. In the steady loop
//   Z = 1 - exp(-(2 X - Z)),   D = 4 X - 4 Z - Z^2,
// which small loops take thousands of cycles to find.
TEST(LawCurves, LoopOfBoucWenIsSteady) {
  BoucWen<double>::Parameters p;
  p.k0 = 1.0;
  p.alpha = 0.0;
  p.beta = p.gamma = 0.5;
  p.n = 1.0;
  for (const double amplitude : {0.02, 0.1, 1.0, 5.0}) {
    double z = 0.5 * amplitude;
    for (int i = 0; i < 500; ++i) z = 1.0 - std::exp(-(2.0 * amplitude - z));
    for (int i = 0; i < 5; ++i) {  // Newton, where the iteration is slow
      const double e = std::exp(-(2.0 * amplitude - z));
      z -= (z - 1.0 + e) / (1.0 + e);
    }
    MemorySink sink;
    const LoopNumbers numbers = write_loop(BoucWen<double>(p), amplitude, 100, sink);
    EXPECT_NEAR(numbers.secant_stiffness * amplitude / z, 1.0, 1e-9) << amplitude;
    EXPECT_NEAR(numbers.dissipation, 4.0 * amplitude - 4.0 * z - z * z, 1e-9 * amplitude) << amplitude;
  }
}

}  // namespace law_curves_test
}  // namespace microslip
