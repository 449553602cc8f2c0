#include "microslip/io/matrix_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "microslip/io/dmig.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/io/op4.hpp"
#include "microslip/io/output_file.hpp"

namespace microslip {
namespace matrix_file_test {

MatrixFile two_rows() {
  return parse_matrix_market("%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -0.1\n2 2 3\n", "M");
}

class MatrixFiles : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) const {
    OutputFile file(folder_ + "/" + name);
    file.write(bytes);
    file.close();
    return file.path();
  }

  static std::string message(const std::string& path) {
    try {
      (void)read_matrix_file(path);
    } catch (const InputError& error) {
      return error.message();
    }
    return "nothing";
  }

  std::string folder_ =
      testing::TempDir() + "matrix_files_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(MatrixFiles, TheEndingAndTheFirstBytesTellTheFormat) {
  const MatrixFile matrix = two_rows();
  const Eigen::MatrixXd expected = matrix.dense();
  const std::string paths[] = {
      write("M.mtx", format_matrix_market(matrix, "by hand\nor not")),
      write("job_STIF1.mtx", "1,1, 1,1, 2.0\n2,1, 1,1, -0.1\n2,1, 2,1, 3.0\n"),
      write("job_MASS1.mtx", "1 1 2.0\n2 1 -0.1\n2 2 3.0\n"),
      write("a.sti", "1 1 2.0\n1 2 -0.1\n2 2 3.0\n"),
      write("b.mas", "1 1 2.0\n1 2 -0.1\n2 2 3.0\n"),
      write("one.OP4", format_op4(matrix, "KAA")),
      write("run.pch", format_dmig(matrix, "KAAX", DmigFields::commas)),
      write("two.op4", format_op4(matrix, "KAA", {Op4Encoding::little_endian}) +
                           format_op4(matrix, "MAA", {Op4Encoding::little_endian})) +
          ":MAA",
      write("model.bdf", "GRID,1,,0.,0.,0.\n" + format_dmig(matrix, "K2", DmigFields::commas)) + ":k2",
      write("x.dat", format_dmig(matrix, "K2", DmigFields::commas)) + ":K2",
  };
  for (const std::string& path : paths) EXPECT_EQ(read_matrix_file(path).dense(), expected) << path;
}

TEST_F(MatrixFiles, WhatCannotBeReadIsSaid) {
  const MatrixFile matrix = two_rows();
  const std::string two = write("two.op4", format_op4(matrix, "KAA") + format_op4(matrix, "MAA"));
  EXPECT_EQ(message(two), "holds several matrices: write one of KAA, MAA behind a colon");
  EXPECT_EQ(message(two + ":M"), "holds no matrix \"M\"; it has KAA, MAA");
  EXPECT_EQ(message(folder_ + "/no.op4:M"), "cannot be read: there is no such file");
  EXPECT_EQ(message(folder_ + "/no.sti"), "cannot be read: there is no such file");
  EXPECT_EQ(message(write("empty.mtx", "")),
            "the file is empty; its first line must be like \"%%MatrixMarket matrix coordinate real symmetric\"");
}

TEST_F(MatrixFiles, AColonNamesAMatrixOnlyWhereAFileHoldsSeveral) {
  EXPECT_EQ(split_file_member("a:b.mtx").path, "a:b.mtx");
  EXPECT_EQ(split_file_member("M.mtx:x").path, "M.mtx:x");
  EXPECT_EQ(split_file_member("c:/a.mat").path, "c:/a.mat");
  EXPECT_EQ(split_file_member("c:/a.mat").member, "");
  EXPECT_EQ(split_file_member("c:/a.mat:S.M").path, "c:/a.mat");
  EXPECT_EQ(split_file_member("c:/a.mat:S.M").member, "S.M");
  EXPECT_EQ(file_ending("a.b/c"), "");
  EXPECT_EQ(file_ending("a.b/c.OP4"), "op4");
}

TEST_F(MatrixFiles, MatrixMarketKeepsEveryBit) {
  MatrixFile matrix = two_rows();
  for (auto& entry : matrix.entries) entry.value /= 3.0;
  const std::string path = folder_ + "/M.mtx";
  write_matrix_market(path, matrix, "thirds");
  EXPECT_EQ(read_matrix_market(path).dense(), matrix.dense());
  const Eigen::SparseMatrix<double> sparse = matrix.dense().sparseView();
  write_matrix_market(path, sparse, "thirds");
  EXPECT_EQ(read_matrix_market(path).dense(), matrix.dense());
}

TEST(MatrixRows, AreTakenOutWithTheirLabels) {
  MatrixFile matrix = parse_matrix_market(
      "%%MatrixMarket matrix array real general\n4 4\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n", "A");
  matrix.labels = {"a", "b", "c", "d"};
  matrix.constrained = {0, 2, 3};
  remove_rows(matrix, {0, 2});
  EXPECT_EQ(matrix.dense(), (Eigen::Matrix2d() << 6, 14, 8, 16).finished());
  EXPECT_EQ(matrix.labels, (std::vector<std::string>{"b", "d"}));
  EXPECT_EQ(matrix.constrained, std::vector<int>{1});
}

TEST(MatrixRows, OfTwoMatricesAreBroughtTogether) {
  MatrixFile stiffness = two_rows();
  stiffness.labels = {"1.x", "2.x"};
  MatrixFile mass = two_rows();
  mass.labels = {"3.x", "1.x"};
  mass.constrained = {0};
  align_rows(stiffness, mass);
  EXPECT_EQ(stiffness.labels, (std::vector<std::string>{"1.x", "2.x", "3.x"}));
  EXPECT_EQ(mass.labels, stiffness.labels);
  EXPECT_EQ(stiffness.dense(), (Eigen::Matrix3d() << 2, -0.1, 0, -0.1, 3, 0, 0, 0, 0).finished());
  EXPECT_EQ(mass.dense(), (Eigen::Matrix3d() << 3, 0, -0.1, 0, 0, 0, -0.1, 0, 2).finished());
  EXPECT_EQ(mass.constrained, std::vector<int>{2});
}

TEST(MatrixRows, AreNamedByNodeAndDirection) {
  EXPECT_EQ(row_label(12, 1), "12.x");
  EXPECT_EQ(row_label(12, 6), "12.rz");
  EXPECT_EQ(row_label(12, 11), "12.11");
  EXPECT_EQ(row_label(12, 0), "12");
  EXPECT_EQ(row_label(-3, 2), "-3.y");
}

// Entries (1,2), (2,3) and (3,1), none with its mirror image, are no half of a symmetric matrix, in whatever order of
// the rows. Complaints have the line of the lower entry.
TEST_F(MatrixFiles, StrayEntriesAreRefused) {
  const std::string lines = "1 1 4\n2 2 5\n3 3 6\n1 2 -1\n2 3 2\n3 1 0.5\n";
  const std::pair<std::string, std::string> files[] = {
      {"a.sti", lines},
      {"b.mtx", lines},  // Abaqus, COORDINATE
      {"c.mtx", "7,1,7,1,4\n8,1,8,1,5\n9,1,9,1,6\n7,1,8,1,-1\n8,1,9,1,2\n9,1,7,1,0.5\n"},
      {"d.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 6\n" + lines},
      {"e.op4",
       "       3       3       6       2K       1P,5E16.9\n"
       "       1       1       3\n 4.000000000E+00 0.000000000E+00 5.000000000E-01\n"
       "       2       1       2\n-1.000000000E+00 5.000000000E+00\n"
       "       3       2       2\n 2.000000000E+00 6.000000000E+00\n"
       "       4       1       1\n 1.000000000E+00\n"}};
  for (const auto& [name, text] : files) {
    const std::string file = write(name, text);
    try {
      static_cast<void>(read_matrix_file(file));
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      const std::string complaint = error.what();
      EXPECT_TRUE(complaint.starts_with(file + ":")) << complaint;
      EXPECT_NE(complaint.find("neither symmetric nor a triangle: entry (3,1) is 0.5 and entry (1,2) is -1, neither"),
                std::string::npos)
          << complaint;
    }
  }
}

// The lower triangle of nodes in the order 9, 7, 8 lies in both triangles of the order 7, 8, 9. DMIG may give either of
// a pair.
TEST_F(MatrixFiles, HalvesOfAnotherOrder) {
  const Eigen::MatrixXd whole = (Eigen::Matrix3d() << 4.0, -1.0, 0.5, -1.0, 5.0, 2.0, 0.5, 2.0, 6.0).finished();
  EXPECT_EQ(
      read_matrix_file(write("c.mtx", "7,1,7,1,4\n8,1,8,1,5\n9,1,9,1,6\n8,1,7,1,-1\n8,1,9,1,2\n7,1,9,1,0.5\n")).dense(),
      whole);
  MatrixFile cycle;
  cycle.rows = cycle.columns = 3;
  cycle.entries = {{0, 1, -1.0, 0, 0, false}, {1, 2, 2.0, 0, 0, false}, {2, 0, 0.5, 0, 0, false}};
  mirror_entries(cycle, Half::pairs);
  Eigen::MatrixXd expected = whole;
  expected.diagonal().setZero();
  EXPECT_EQ(cycle.dense(), expected);
}

}  // namespace matrix_file_test
}  // namespace microslip
