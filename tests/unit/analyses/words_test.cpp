// Numbers in sentences for people.

#include "microslip/analyses/words.hpp"

#include <gtest/gtest.h>

namespace microslip {
namespace words_test {

TEST(Words, NumbersHaveAsManyDigitsAsTheirErrorLeaves) {
  EXPECT_EQ(words::with_error(173.0612, 0.01762), "173.061 ± 0.018");
  EXPECT_EQ(words::with_error(1642.97712, 0.00061), "1642.97712 ± 0.00061");
  EXPECT_EQ(words::with_error(617.44e-6, 28.89e-6), "(617 ± 29)×10⁻⁶");
  EXPECT_EQ(words::with_error(0.99996e-6, 0.02e-6), "(1.00 ± 0.02)×10⁻⁶");
  EXPECT_EQ(words::with_error(12.0, 100.0), "12 ± 100");
  EXPECT_EQ(words::with_error(12.0, 0.0), "12 ± 0");
  UnitLabels seconds;
  seconds.time = "s";
  EXPECT_EQ(words::frequency_text(587.0481, 0.0087, seconds), "587.0481 ± 0.0087 Hz");
}

}  // namespace words_test
}  // namespace microslip
