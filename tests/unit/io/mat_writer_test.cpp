// MATLAB files that we write, read by matio and by ourselves.

#include "microslip/io/mat_writer.hpp"

#include <gtest/gtest.h>
#include <matio.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "microslip/io/data_table.hpp"
#include "microslip/io/mat_file.hpp"

namespace microslip {
namespace mat_writer_test {

TEST(MatWriter, IdentifiersAreValidAndDifferent) {
  std::vector<std::string> used;
  EXPECT_EQ(mat_identifier("time", used), "time");
  EXPECT_EQ(mat_identifier("q[3]", used), "q_3");
  EXPECT_EQ(mat_identifier("q 3", used), "q_3_2");
  EXPECT_EQ(mat_identifier("q.3", used), "q_3_3");
  EXPECT_EQ(mat_identifier("a[12.-z]", used), "a_12_minus_z");
  EXPECT_EQ(mat_identifier("ring-energy", used), "ring_energy");
  EXPECT_EQ(mat_identifier("3", used), "x3");
  EXPECT_EQ(mat_identifier("\xC3\xA4", used), "x");
  EXPECT_EQ(mat_identifier("_a_", used), "a");
  const std::string long_name = mat_identifier(std::string(200, 'n'), used);
  EXPECT_EQ(long_name, std::string(60, 'n'));
  EXPECT_EQ(mat_identifier(std::string(300, 'n'), used), std::string(60, 'n') + "_2");
  for (int i = 3; i < 101; ++i) EXPECT_LE(mat_identifier(std::string(300, 'n'), used).size(), 63U);
}

/// Our file, gone after the test.
struct File {
  std::string path =
      (std::filesystem::temp_directory_path() / ("microslip_writer_" + std::to_string(getpid()) + ".mat")).string();
  ~File() { std::filesystem::remove(path); }
};

void write(const std::string& path) {
  MatWriter writer(path);
  writer.texts("microslip", {{"version", "1.2.3"}, {"study", "title = \"gr\xC3\xB6\xC3\x9F\x65\"\n"}, {"empty", ""}});
  MatWriter::Table table{"ring-energy", {"time", "q[3]", "names"}, {"s", "m", ""}, {"", "displacement of 3", ""}, 3};
  const std::vector<std::vector<double>> columns{
      {0.0, 0.5, 1.0}, {1.0 / 3.0, -1e300, std::numeric_limits<double>::denorm_min()}, {7.0, 8.0, 9.0}};
  writer.table(table, [&](std::size_t k) { return columns[k]; });
  writer.table({"none", {"time"}, {"s"}, {""}, 0}, [](std::size_t) { return std::vector<double>{}; });
  EXPECT_FALSE(std::filesystem::exists(path));
  writer.close();
  EXPECT_TRUE(std::filesystem::exists(path));
}

std::string text_of(const matvar_t* variable) {
  std::string text;
  const auto* units = static_cast<const std::uint16_t*>(variable->data);
  for (std::size_t i = 0; i < variable->dims[1]; ++i) text += static_cast<char>(units[i]);
  return text;
}

TEST(MatWriter, MatioReadsIt) {
  const File file;
  write(file.path);
  mat_t* mat = Mat_Open(file.path.c_str(), MAT_ACC_RDONLY);
  ASSERT_NE(mat, nullptr);
  matvar_t* table = Mat_VarRead(mat, "ring_energy");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(Mat_VarGetNumberOfFields(table), 6U);
  const matvar_t* q = Mat_VarGetStructFieldByName(table, "q_3", 0);
  ASSERT_NE(q, nullptr);
  EXPECT_EQ(q->class_type, MAT_C_DOUBLE);
  EXPECT_EQ(q->dims[0], 3U);
  EXPECT_EQ(q->dims[1], 1U);
  EXPECT_EQ(static_cast<const double*>(q->data)[0], 1.0 / 3.0);
  EXPECT_EQ(static_cast<const double*>(q->data)[2], std::numeric_limits<double>::denorm_min());
  matvar_t* names = Mat_VarGetStructFieldByName(table, "names", 0);
  ASSERT_NE(names, nullptr);
  EXPECT_EQ(names->class_type, MAT_C_CELL);
  EXPECT_EQ(text_of(Mat_VarGetCell(names, 1)), "q[3]");
  EXPECT_NE(Mat_VarGetStructFieldByName(table, "names_2", 0), nullptr);
  Mat_VarFree(table);
  matvar_t* about = Mat_VarRead(mat, "microslip");
  ASSERT_NE(about, nullptr);
  EXPECT_EQ(text_of(Mat_VarGetStructFieldByName(about, "version", 0)), "1.2.3");
  Mat_VarFree(about);
  matvar_t* none = Mat_VarRead(mat, "none");
  ASSERT_NE(none, nullptr);
  EXPECT_EQ(Mat_VarGetStructFieldByName(none, "time", 0)->dims[0], 0U);
  Mat_VarFree(none);
  Mat_Close(mat);
}

// Read by ourselves: the names of the columns come back, and letters beyond ASCII.
TEST(MatWriter, RoundTrip) {
  const File file;
  write(file.path);
  const CsvTable table = read_data_table(file.path + ":ring_energy");
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "q[3]", "names"}));
  EXPECT_EQ(table.column("q[3]"), (std::vector<double>{1.0 / 3.0, -1e300, std::numeric_limits<double>::denorm_min()}));
  EXPECT_EQ(read_mat_arrays(file.path, "microslip.study").at(0).text, "title = \"gr\xC3\xB6\xC3\x9F\x65\"\n");
}

TEST(MatWriter, RefusesMoreThanTwoGigabytes) {
  const File file;
  MatWriter writer(file.path);
  EXPECT_THROW(writer.table({"long", {"time", "q"}, {"", ""}, {"", ""}, std::size_t{1} << 27U},
                            [](std::size_t) { return std::vector<double>{}; }),
               OutputError);
  std::filesystem::remove(part_name(file.path));
}

}  // namespace mat_writer_test
}  // namespace microslip
