#include "microslip/system/ending.hpp"

#include <gtest/gtest.h>

namespace microslip {
namespace ending_test {

// An interruption of a later curve is not hidden by a curve that was not found before it.
TEST(Ending, OfAWholeIsTheWorstOfItsParts) {
  constexpr Ending rising[] = {Ending::completed, Ending::limit_load, Ending::step_too_small, Ending::no_convergence,
                               Ending::interrupted};
  for (const Ending& a : rising) {
    for (const Ending& b : rising) {
      EXPECT_EQ(worse(a, b), &a < &b ? b : a) << to_string(a) << ", " << to_string(b);
    }
  }
}

}  // namespace ending_test
}  // namespace microslip
