// Tables of measured data from MATLAB and universal files: names of columns, signs of channels, mistakes.

#include "microslip/io/data_table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>

#include "support/folder_test.hpp"
#include "support/matio_files.hpp"

namespace microslip {
namespace data_table_test {

using test::MatioFile;

class DataTableTest : public test::FolderTest {
 protected:
  /// The complaint, without the folder.
  template <class Run>
  [[nodiscard]] std::string complaint(const Run& run) const {
    try {
      run();
    } catch (const InputError& error) {
      return without_folder(error.what());
    }
    return "";
  }
};

using Names = std::vector<std::string>;
using Values = std::vector<double>;

matvar_t* cells(const char* name, const std::vector<std::string>& texts) {
  std::size_t sizes[2] = {1, texts.size()};
  matvar_t* cell = Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, sizes, nullptr, 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Mat_VarSetCell(cell, static_cast<int>(i), MatioFile::text(nullptr, texts[i]));
  }
  return cell;
}

TEST_F(DataTableTest, VectorsAndMatricesOfMatlab) {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    const std::string file = path("test.mat");
    Eigen::MatrixXd both(3, 2);
    both << 1, 4, 2, 5, 3, 6;
    {
      MatioFile mat(file, version);
      mat.write(MatioFile::full("time", Eigen::RowVector3d(0, 1, 2)));  // a row is as good as a column
      mat.write(MatioFile::full("force", Eigen::Vector3d(7, 8, 9)));
      mat.write(MatioFile::full("acc", both));
      mat.write(MatioFile::full("wide", both.transpose()));
      mat.write(MatioFile::full("rate", Eigen::MatrixXd::Ones(1, 1)));            // a number beside the columns
      mat.write(MatioFile::full("window", Eigen::VectorXd::LinSpaced(5, 0, 1)));  // of another length than time
      const char* fields[] = {"data", "names"};
      std::size_t one[2] = {1, 1};
      matvar_t* named = Mat_VarCreateStruct("run", 2, one, fields, 2);
      Mat_VarSetStructFieldByName(named, "data", 0, MatioFile::full(nullptr, both));
      Mat_VarSetStructFieldByName(named, "names", 0, cells(nullptr, {"time", "12.-z"}));
      mat.write(named);
    }
    const CsvTable run = read_data_table(file + ":run");
    EXPECT_EQ(run.names, (Names{"time", "12.-z"}));
    EXPECT_EQ(run.column("time"), (Values{1, 2, 3}));
    EXPECT_EQ(data_column(run, "12.-z"), (Values{4, 5, 6}));
    EXPECT_EQ(data_column(run, "12.z"), (Values{-4, -5, -6}));
    EXPECT_EQ(run.rows(), 3U);
    const CsvTable acc = read_data_table(file + ":acc");
    EXPECT_EQ(acc.names, (Names{"acc(1)", "acc(2)"}));
    EXPECT_EQ(acc.column("acc(2)"), (Values{4, 5, 6}));
    const CsvTable data = read_data_table(file + ":run.data");
    EXPECT_EQ(data.names, (Names{"data(1)", "data(2)"}));
    EXPECT_EQ(complaint([&] { static_cast<void>(read_data_table(file + ":walk")); }).substr(0, 44),
              "test.mat: has no numeric array \"walk\"; it ho");
  }
}

// Everything of a file at once: those of the length of `time`.
TEST_F(DataTableTest, WholeMatlabFile) {
  const std::string file = path("test.mat");
  const auto write_file = [&](bool time) {
    MatioFile mat(file, MAT_FT_MAT5);
    if (time) mat.write(MatioFile::full("time", Eigen::RowVector3d(0, 1, 2)));
    Eigen::MatrixXd wide(2, 3);
    wide << 1, 2, 3, 4, 5, 6;
    mat.write(MatioFile::full("wide", wide));
    mat.write(MatioFile::full("rate", Eigen::MatrixXd::Ones(1, 1)));
    mat.write(MatioFile::full("window", Eigen::VectorXd::LinSpaced(5, 0, 1)));
    double parts[3] = {1, 2, 3};
    mat_complex_split_t split{parts, parts};
    std::size_t sizes[2] = {3, 1};
    mat.write(Mat_VarCreate("h", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes, &split, MAT_F_COMPLEX));
  };
  write_file(true);
  const CsvTable table = read_data_table(file);
  EXPECT_EQ(table.names, (Names{"time", "wide(1)", "wide(2)", "re[h]", "im[h]"}));
  EXPECT_EQ(table.column("wide(2)"), (Values{4, 5, 6}));
  EXPECT_EQ(complaint([&] { static_cast<void>(table.column("window")); }),
            "test.mat: there is no column \"window\"; the header has \"time,wide(1),wide(2),re[h],im[h]\"");
  write_file(false);
  EXPECT_EQ(complaint([&] { static_cast<void>(read_data_table(file)); }),
            "test.mat: columns of a table must have the same length, \"wide\" has 2, \"window\" has 5; keep them in a "
            "struct of their own, or add a vector \"time\"");
}

UniversalFunction function(int node, int direction, UniversalKind kind, Values values) {
  UniversalFunction result;
  result.type = 1;
  result.response = {node, direction};
  result.abscissa_kind = UniversalKind::time;
  result.ordinate_kind = kind;
  for (std::size_t i = 0; i < values.size(); ++i) result.abscissa.push_back(0.5 * static_cast<double>(i));
  result.values = std::move(values);
  return result;
}

TEST_F(DataTableTest, ChannelsOfUniversalFiles) {
  UniversalFile content;
  content.functions = {
      function(12, -3, UniversalKind::acceleration, {1, 2, 3}), function(13, 1, UniversalKind::velocity, {4, 5, 6}),
      function(12, -3, UniversalKind::excitation, {7, 8, 9}), function(14, 0, UniversalKind::unknown, {1, 1, 1})};
  write("test.dat", universal_text(content, UniversalForm::little_endian));  // by its first bytes
  const CsvTable table = read_data_table(path("test.dat"));
  EXPECT_EQ(table.names, (Names{"time", "a[12.-z]", "v[13.x]", "f[12.-z]", "14"}));
  EXPECT_EQ(table.column("time"), (Values{0, 0.5, 1}));
  EXPECT_EQ(data_column(table, "12.-z", 'a'), (Values{1, 2, 3}));
  EXPECT_EQ(data_column(table, "12.z", 'a'), (Values{-1, -2, -3}));
  EXPECT_EQ(data_column(table, "a[12.z]", 'a'), (Values{-1, -2, -3}));
  EXPECT_EQ(data_column(table, "f[12.z]"), (Values{-7, -8, -9}));
  EXPECT_EQ(data_column(table, "13.x"), (Values{4, 5, 6}));
  EXPECT_EQ(data_column(table, "14", 'q'), (Values{1, 1, 1}));
  const auto asked = [&](const std::string& name, char letter) {
    return complaint([&] { static_cast<void>(data_column(table, name, letter)); });
  };
  EXPECT_EQ(asked("12.z", 'v'), "test.dat:2:1: column \"a[12.-z]\" holds accelerations, not velocities");
  EXPECT_EQ(asked("v[13.x]", 'q'), "test.dat:2:1: column \"v[13.x]\" holds velocities, not displacements");
  EXPECT_EQ(asked("12.z", '\0'),
            "test.dat:2:1: there is no column \"12.z\"; the header has \"time,a[12.-z],v[13.x],f[12.-z],14\"");  // two
  EXPECT_EQ(asked("12.y", 'a'),
            "test.dat:2:1: there is no column \"12.y\"; the header has \"time,a[12.-z],v[13.x],f[12.-z],14\"");
}

TEST_F(DataTableTest, KindsOfFunctions) {
  UniversalFile content;
  UniversalFunction response = function(3, 2, UniversalKind::acceleration, {1, 2, 3});
  response.type = 4;
  response.reference = {5, -1};
  response.abscissa_kind = UniversalKind::frequency;
  response.imaginary = {4, 5, 6};
  content.functions = {function(12, 3, UniversalKind::acceleration, {1, 2, 3}), response};
  write("test.unv", universal_text(content));
  EXPECT_EQ(read_data_table(path("test.unv:time")).names, (Names{"time", "a[12.z]"}));
  EXPECT_EQ(read_data_table(path("test.unv:frequency")).names, (Names{"frequency_hz", "re[3.y/5.-x]", "im[3.y/5.-x]"}));
  EXPECT_EQ(complaint([&] { static_cast<void>(read_data_table(path("test.unv"))); }),
            "test.unv:17:1: this function is over frequency_hz, the one on line 2 over time: name one kind behind a "
            "colon, file:time or file:frequency");
  EXPECT_EQ(complaint([&] { static_cast<void>(read_data_table(path("test.unv:times"))); }),
            "test.unv: of a universal file \"time\" or \"frequency\" may be asked for, got \"times\"");
  content.functions = {function(12, 3, UniversalKind::acceleration, {1, 2, 3}),
                       function(12, 3, UniversalKind::acceleration, {1, 2, 3})};
  write("test.unv", universal_text(content));
  EXPECT_EQ(complaint([&] { static_cast<void>(read_data_table(path("test.unv"))); }),
            "test.unv:17:1: column \"a[12.z]\" is there twice");
  content.functions[1] = function(13, 3, UniversalKind::acceleration, {1, 2, 3, 4});
  write("test.unv", universal_text(content));
  EXPECT_EQ(complaint([&] { static_cast<void>(read_data_table(path("test.unv"))); }),
            "test.unv:17:1: all functions must have the abscissa of the first, which begins on line 2: 3 values, here "
            "4, or other values");
  EXPECT_EQ(complaint([&] { static_cast<void>(read_shape_table(path("test.unv"))); }),
            "test.unv:1:1: the file holds no modes (datasets 55 and 2414)");
}

// A shape times e^{i 0.7} is the shape again, up to its sign; directions that never move are no channels.
TEST_F(DataTableTest, ShapesOfUniversalFiles) {
  UniversalFile content;
  const Values first{0, 0, 1, 0, 0, -0.5}, second{0, 0, 0.25, 0, 0, 1};
  UniversalShape shape;
  shape.mode = 7;
  shape.values_a_node = 3;
  shape.nodes = {12, 13};
  shape.values = first;
  content.shapes.push_back(shape);
  shape.mode = 9;
  shape.values.clear();
  for (const double value : second) {
    const std::complex<double> turned = std::polar(value, 0.7);
    shape.values.push_back(turned.real());
    shape.imaginary.push_back(turned.imag());
  }
  content.shapes.push_back(shape);
  const CsvTable table = universal_shape_table(content);
  EXPECT_EQ(table.names, (Names{"mode", "12.z", "13.z"}));
  EXPECT_EQ(table.column("mode"), (Values{7, 9}));
  EXPECT_EQ(table.column("12.z")[0], 1.0);
  EXPECT_EQ(table.column("13.z")[0], -0.5);
  const double sign = std::copysign(1.0, table.column("13.z")[1]);
  EXPECT_NEAR(sign * table.column("12.z")[1], 0.25, 1e-15);  // rounding
  EXPECT_NEAR(sign * table.column("13.z")[1], 1.0, 1e-15);
  content.shapes[1].nodes = {12, 14};
  content.file = "t.unv";
  content.shapes[1].line = 40;
  content.shapes[0].line = 20;
  EXPECT_EQ(complaint([&] { static_cast<void>(universal_shape_table(content)); }),
            "t.unv:40:1: all shapes must have the nodes of the first, which begins on line 20");
}

}  // namespace data_table_test
}  // namespace microslip
