#include "microslip/io/input_error.hpp"

#include <gtest/gtest.h>

#include "microslip/io/csv_table.hpp"

namespace microslip {
namespace input_error_test {

TEST(InputErrors, QuoteTextAndEscapeWhatIsNone) {
  EXPECT_EQ(in_quotes("a\"b\\c\n"), R"("a\"b\\c\x0a")");
  EXPECT_EQ(in_quotes("\xc2\xb5m \xe2\x82\xac \xf0\x9f\x94\xa9"), "\"\xc2\xb5m \xe2\x82\xac \xf0\x9f\x94\xa9\"");
  EXPECT_EQ(in_quotes("\x80 \xb5m \xff"), R"("\x80 \xb5m \xff")");
  EXPECT_EQ(in_quotes("\xc2\x9b"), R"("\xc2\x9b")");                  // a control character of terminals
  EXPECT_EQ(in_quotes("\xc0\xaf"), R"("\xc0\xaf")");                  // too long for its character
  EXPECT_EQ(in_quotes("\xed\xa0\x80"), R"("\xed\xa0\x80")");          // half of a pair
  EXPECT_EQ(in_quotes("\xf4\x90\x80\x80"), R"("\xf4\x90\x80\x80")");  // beyond U+10FFFF
  EXPECT_EQ(in_quotes("a\xe2\x82"), R"("a\xe2\x82")");                // cut off by its file
}

TEST(InputErrors, CutLongTextBetweenCharacters) {
  const std::string text = std::string(59, 'a') + "\xc2\xb5" + std::string(9, 'b');
  EXPECT_EQ(in_quotes(text), "\"" + std::string(59, 'a') + "...\"");
  EXPECT_EQ(in_quotes(text.substr(1)), "\"" + std::string(58, 'a') + "\xc2\xb5...\"");
}

// Wherever a message comes from.
TEST(InputErrors, HoldNoRawBytes) {
  const InputError error({"a\xff.csv", 2, 3}, "column \xe4 is \xc3\xa4");
  EXPECT_STREQ(error.what(), "a\\xff.csv:2:3: column \\xe4 is \xc3\xa4");
  EXPECT_EQ(error.message(), "column \\xe4 is \xc3\xa4");
  try {
    static_cast<void>(parse_csv_table("time,\xe4\n0,\x9b\n", "t.csv"));
    FAIL();
  } catch (const InputError& complaint) {
    for (const char c : std::string(complaint.what())) EXPECT_LT(static_cast<unsigned char>(c), 0x80);
  }
}

}  // namespace input_error_test
}  // namespace microslip
