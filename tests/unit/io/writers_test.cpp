#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "microslip/io/csv_table.hpp"
#include "microslip/io/csv_writer.hpp"
#include "microslip/io/hdf5_writer.hpp"
#include "microslip/io/text_file.hpp"
#include "support/folder_test.hpp"

namespace microslip {
namespace writers_test {

class Writers : public test::FolderTest {};

TEST_F(Writers, CsvNumbersComeBackBitForBit) {
  const std::vector<std::string> names = {"time", "q[3]"};
  const double values[][2] = {{0.0, 1.0 / 3.0},
                              {-std::numbers::pi * 1e-300, std::numeric_limits<double>::max()},
                              {std::numeric_limits<double>::denorm_min(), 1e5}};
  CsvWriter writer(path("a.csv"), names);
  for (const auto& row : values) writer.row(row);
  EXPECT_FALSE(std::filesystem::exists(path("a.csv")));  // not whole yet
  EXPECT_TRUE(std::filesystem::exists(path("a.csv.part")));
  writer.close();
  EXPECT_FALSE(std::filesystem::exists(path("a.csv.part")));
  const CsvTable table = read_csv_table(path("a.csv"));
  EXPECT_EQ(table.names, names);
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(table.columns[c][r], values[r][c]);
  }
}

TEST_F(Writers, CsvStreamsManyRows) {
  const std::vector<std::string> names = {"a", "b", "c"};
  CsvWriter writer(path("a.csv"), names);
  for (int i = 0; i < 20000; ++i) {
    const double row[] = {i * 1.1, -i / 7.0, 1e-5 * i};
    writer.row(row);
  }
  writer.close();
  const CsvTable table = read_csv_table(path("a.csv"));
  ASSERT_EQ(table.rows(), 20000U);
  EXPECT_EQ(table.columns[1][12345], -12345 / 7.0);
}

TEST_F(Writers, CsvSaysWhyItCannotWrite) {
  const std::vector<std::string> names = {"a"};
  EXPECT_THROW(CsvWriter(path("no/such/directory.csv"), names), OutputError);
}

TEST_F(Writers, Hdf5FileIsWholeOnlyAfterClose) {
  Hdf5Writer file(path("r.h5"));
  file.attribute("/", "study", "title = \"x\"");
  file.group("ring");
  file.attribute("ring", "step", 1e-3);
  // More column names than an attribute of the old format holds.
  std::vector<std::string> names;
  for (int i = 0; i < 20000; ++i) names.push_back("q[" + std::to_string(i) + "]");
  {
    Hdf5Table table = file.table("ring/table", names, names);
    const std::vector<double> row(names.size(), 1.5);
    for (int i = 0; i < 10; ++i) table.row(row);
    table.flush();
  }
  file.text("notes", std::string(200000, 'x'));
  EXPECT_FALSE(std::filesystem::exists(path("r.h5")));
  file.close();
  EXPECT_GT(std::filesystem::file_size(path("r.h5")), 10U * 20000U * 8U);
  EXPECT_EQ(read_text_file(path("r.h5")).substr(1, 3), "HDF");
}

TEST_F(Writers, Hdf5SaysWhyItCannotWrite) {
  EXPECT_THROW(Hdf5Writer(path("no/such/directory.h5")), OutputError);
}

TEST_F(Writers, TextFilesOutOfBoundsAreRefused) {
  EXPECT_THROW(static_cast<void>(read_text_file(path("missing"))), InputError);
  EXPECT_THROW(static_cast<void>(read_text_file(folder_.string())), InputError);
  EXPECT_THROW(static_cast<void>(read_text_file("/dev/zero")), InputError);
  const std::vector<std::string> names = {"long_name"};
  CsvWriter writer(path("a.csv"), names);
  writer.close();
  EXPECT_THROW(static_cast<void>(read_text_file(path("a.csv"), 5)), InputError);
  EXPECT_EQ(read_text_file(path("a.csv"), 10), "long_name\n");
}

}  // namespace writers_test
}  // namespace microslip
