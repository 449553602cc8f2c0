#include "microslip/io/csv_table.hpp"

#include <gtest/gtest.h>

#include "corruption.hpp"

namespace microslip {
namespace csv_table_test {

TEST(CsvTable, ReadsNamedColumns) {
  const CsvTable table =
      parse_csv_table("\xEF\xBB\xBF# comment\r\n\"time\" , value\r\n0, 1\r\n\r\n 0.5,-2e3\r\n", "t.csv");
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "value"}));
  EXPECT_EQ(table.column("time"), (std::vector<double>{0.0, 0.5}));
  EXPECT_EQ(table.column("value"), (std::vector<double>{1.0, -2000.0}));
  EXPECT_EQ(table.lines, (std::vector<int>{3, 5}));
}

TEST(CsvTable, MistakesAreReportedWithTheirPlace) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      static_cast<void>(parse_csv_table(text, "t.csv").column("value"));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint("\n\n"), "t.csv:1:1: the file holds no header line");
  EXPECT_EQ(complaint("0,1\n1,2\n"), "t.csv:1:1: the first line must hold the names of the columns, got \"0\"");
  EXPECT_EQ(complaint("time,time\n"), "t.csv:1:6: column \"time\" is there twice");
  EXPECT_EQ(complaint("time,\n"), "t.csv:1:6: a column has no name");
  EXPECT_EQ(complaint("time,x\n0,1\n"), "t.csv:1:1: there is no column \"value\"; the header has \"time,x\"");
  EXPECT_EQ(complaint("time,value\n0,1\n1,2,3\n"), "t.csv:3:1: a row must have 2 numbers like the header, got 3");
  EXPECT_EQ(complaint("time,value\n0, inf\n"), "t.csv:2:4: column \"value\" must be finite, got \"inf\"");
  EXPECT_EQ(complaint("time,value\n0,\n"), "t.csv:2:3: column \"value\" must be a number, got \"\"");
}

TEST(CsvTable, SurvivesAnyBytes) {
  test::survives<InputError>("time,value\n0,1\n# c\n1.5,-2e-3\n",
                             [](const std::string& text) { static_cast<void>(parse_csv_table(text, "t.csv")); });
}

}  // namespace csv_table_test
}  // namespace microslip
