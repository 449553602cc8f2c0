#include "microslip/report/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace microslip {
namespace number_text_test {

using Labels = std::vector<std::string>;

TEST(Engineering, Numbers) {
  EXPECT_EQ(engineering(0.0), "0");
  EXPECT_EQ(engineering(-0.0), "0");
  EXPECT_EQ(engineering(1.0), "1");
  EXPECT_EQ(engineering(0.0676), "0.0676");
  EXPECT_EQ(engineering(12345.0), "12345");
  EXPECT_EQ(engineering(-12345.678), "−12.35×10³") << "no digits that are not there";
  EXPECT_EQ(engineering(12345.678, 6), "12345.7");
  EXPECT_EQ(engineering(123456.0), "123.5×10³");
  EXPECT_EQ(engineering(-4.2e-9), "−4.2×10⁻⁹");
  EXPECT_EQ(engineering(2.5e-5), "25×10⁻⁶");
  EXPECT_EQ(engineering(0.001), "0.001");
  EXPECT_EQ(engineering(99999.96, 6), "100×10³") << "the rounded number decides";
  EXPECT_EQ(engineering(1e300), "1×10³⁰⁰");
  EXPECT_EQ(engineering(5e-324, 2), "4.9×10⁻³²⁴") << "the least positive double is 4.94e-324";
  EXPECT_EQ(engineering(std::nan("")), "–");
  EXPECT_EQ(engineering(-std::numeric_limits<double>::infinity()), "−∞");
}

TEST(Engineering, AllDigits) {
  EXPECT_EQ(engineering_in_full(2.0, 4), "2.000");
  EXPECT_EQ(engineering_in_full(1.34e5, 4), "134.0×10³");
  EXPECT_EQ(engineering_in_full(-0.515, 4), "−0.5150");
  EXPECT_EQ(engineering_in_full(1345.0, 4), "1345");
}

TEST(LinearTicks, AreRoundNumbers) {
  const Ticks ticks = linear_ticks(-0.5L, 10.2L, 5);
  EXPECT_EQ(ticks.labels, (Labels{"0", "2", "4", "6", "8", "10"}));
  EXPECT_TRUE(ticks.note.empty());
  EXPECT_EQ(linear_ticks(0.0L, 1.0L, 5).labels, (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
}

TEST(LinearTicks, ShareAnExponent) {
  const Ticks ticks = linear_ticks(-2.1e-5L, 2.1e-5L, 4);
  EXPECT_EQ(ticks.labels, (Labels{"−20", "−10", "0", "10", "20"}));
  EXPECT_EQ(ticks.note, "×10⁻⁶");
}

TEST(LinearTicks, ShareAnOffset) {
  const Ticks ticks = linear_ticks(1e6L, 1e6L + 0.004L, 4);
  EXPECT_EQ(ticks.labels, (Labels{"0.000", "0.001", "0.002", "0.003", "0.004"}));
  EXPECT_EQ(ticks.note, "+1×10⁶");
}

TEST(LinearTicks, TheWholeRangeOfDoubles) {
  const Ticks huge = linear_ticks(-1.7e308L, 1.7e308L, 5);
  EXPECT_EQ(huge.note, "×10³⁰⁶");
  EXPECT_GE(huge.values.size(), 3U);
  const Ticks tiny = linear_ticks(0.0L, 1e-322L, 5);
  EXPECT_GE(tiny.values.size(), 3U);
  EXPECT_EQ(tiny.labels.front(), "0");
}

TEST(LogTicks, Decades) {
  EXPECT_EQ(log_ticks(0.01L, 100.0L, 6).labels, (Labels{"0.01", "0.1", "1", "10", "100"}));
  EXPECT_EQ(log_ticks(1e-8L, 1e-5L, 6).labels, (Labels{"10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵"}));
  const Ticks many = log_ticks(1e-300L, 1e300L, 6);
  EXPECT_LE(many.values.size(), 7U);
  EXPECT_GE(many.values.size(), 3U);
}

TEST(LogTicks, LessThanADecade) {
  EXPECT_EQ(log_ticks(1.5L, 25.0L, 6).labels, (Labels{"2", "5", "10", "20"}));
  EXPECT_EQ(log_ticks(3.01L, 3.32L, 3).labels, (Labels{"3.1", "3.2", "3.3"})) << "as on a linear axis";
}

TEST(Ticks, EveryRangeGetsAtLeastTwoLabelsInsideIt) {
  for (const long double low : {1e-320L, 1e-12L, 3e-5L, 0.7L, 12.0L, 99.9L, 1e7L, 2e300L}) {
    for (const long double ratio : {1.01L, 1.3L, 2.0L, 7.0L, 40.0L, 1e5L}) {
      for (const int wanted : {3, 5, 9}) {
        for (const Ticks& ticks : {linear_ticks(low, low * ratio, wanted), log_ticks(low, low * ratio, wanted)}) {
          EXPECT_GE(ticks.values.size(), 2U) << static_cast<double>(low) << " " << static_cast<double>(ratio);
          EXPECT_LE(ticks.values.size(), 2U * wanted + 2U);
          ASSERT_EQ(ticks.values.size(), ticks.labels.size());
          for (const long double value : ticks.values) {
            EXPECT_GE(value, low * (1.0L - 1e-6L));
            EXPECT_LE(value, low * ratio * (1.0L + 1e-6L));
          }
        }
      }
    }
  }
}

}  // namespace number_text_test
}  // namespace microslip
