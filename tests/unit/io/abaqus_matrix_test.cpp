#include "microslip/io/abaqus_matrix.hpp"

#include <gtest/gtest.h>

#include "corruption.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace abaqus_matrix_test {

// Nodes 1 and 3, directions 1 and 2, an internal node -1; row 1.y is held. Lower triangle, as Abaqus orders it.
const std::string input_text =
    "** Assembled stiffness matrix\n"
    "*MATRIX INPUT, NAME=stiff\n"
    "-1,1, -1,1,  5.000000000000000e+00\n"
    "1,1, -1,1, -1.000000000000000e+00\n"
    "1,1, 1,1,  2.000000000000000e+00\n"
    "1,2, 1,2,  1.000000000000000e+36\n"
    "3,1, 1,2, -3.000000000000000e+02\n"
    "3,1, 3,1,  4.000000000000000e+00\n"
    "3,1, 1,1, -5.000000000000000e-01\n"
    "3,2, 3,2,  6.000000000000000e+00\n";

// The same rows as numbers: 1.x 1.y 3.x 3.y and the internal one.
const std::string coordinate_text =
    "1 1 2.0\n2 2 1e36\n3 3 4.0\n4 4 6.0\n5 5 5.0\n1 3 -0.5\n3 1 -0.5\n1 5 -1.0\n5 1 -1.0\n2 3 -300.0\n3 2 -300.0\n";

Eigen::MatrixXd free_rows() {
  return (Eigen::MatrixXd(4, 4) << 2, -0.5, 0, -1, -0.5, 4, 0, 0, 0, 0, 6, 0, -1, 0, 0, 5).finished();
}

TEST(AbaqusMatrix, NodesAndDirectionsBecomeRows) {
  MatrixFile matrix = parse_abaqus_matrix(input_text, "job_STIF1.mtx");
  EXPECT_EQ(matrix.labels, (std::vector<std::string>{"1.x", "1.y", "3.x", "3.y", "-1.x"}));
  EXPECT_EQ(matrix.constrained, std::vector<int>{1});
  remove_rows(matrix, matrix.constrained);
  EXPECT_EQ(matrix.dense(), free_rows());
  EXPECT_EQ(matrix.labels, (std::vector<std::string>{"1.x", "3.x", "3.y", "-1.x"}));
  EXPECT_TRUE(matrix.constrained.empty());
}

TEST(AbaqusMatrix, CoordinatesAreReadWithEitherTriangleOrBoth) {
  const auto only = [](bool upper) {
    std::string text;
    LineReader lines(coordinate_text);
    std::vector<Token> tokens;
    while (lines.next()) {
      lines.split(tokens);
      if (upper ? tokens[0].text <= tokens[1].text : tokens[0].text >= tokens[1].text) {
        text += std::string(lines.line()) + "\n";
      }
    }
    return text;
  };
  for (const std::string& text : {coordinate_text, only(true), only(false)}) {
    MatrixFile matrix = parse_abaqus_matrix(text, "job_STIF1.mtx");
    EXPECT_EQ(matrix.constrained, std::vector<int>{1});
    EXPECT_TRUE(matrix.labels.empty());
    remove_rows(matrix, matrix.constrained);
    EXPECT_EQ(matrix.dense(), free_rows());
  }
}

struct Mistake {
  std::string text;
  std::string message;
};

TEST(AbaqusMatrix, MistakesAreReportedWithTheirPlace) {
  const Mistake mistakes[] = {
      {"", "F:1:1: the file holds no entry"},
      {"*CLOAD, REAL\n2,3, 5.4e4\n",
       "F:1:1: the file must be one of *MATRIX OUTPUT, FORMAT=COORDINATE or MATRIX INPUT, got \"*CLOAD, REAL\""},
      {"1,1,1,1,2.0\n*MATRIX INPUT, NAME=B\n",
       "F:2:1: one matrix must stand in a file, a second keyword follows its entries"},
      {"1,1,1,2.0\n",
       "F:1:1: a line must be \"row, column, value\" or \"node, direction, node, direction, value\", got "
       "\"1,1,1,2.0\""},
      {"1,1,1,1,2.0\n1 1 2.0\n",
       "F:2:1: a line must be \"node, direction, node, direction, value\" like the first, got \"1 1 2.0\""},
      {"1 1 2.0\n1,1,1,1,2.0\n", "F:2:1: a line must be \"row, column, value\" like the first, got \"1,1,1,1,2.0\""},
      {"0,1,1,1,2.0\n", "F:1:1: the node must not be 0"},
      {"1,0,1,1,2.0\n", "F:1:3: the direction must be an integer from 1 to 999, got \"0\""},
      {"-1 1 2.0\n", "F:1:1: the row must be an integer from 1 to 2147483646, got \"-1\""},
      {"1 1 2.0x\n", "F:1:5: the value must be a number, got \"2.0x\""},
      {"1 1 inf\n", "F:1:5: the value must be finite, got \"inf\""},
      {"1 1 2.0\n1 1 2.0\n", "F:2:5: entry (1,1) is given twice, first on line 1"},
      {"1 1 2.0\n1 2 3.0\n2 1 3.5\n",
       "F:2:5: the file's matrix must be symmetric: entry (1,2) is 3, entry (2,1) is 3.5"},
      {"1 1 1e36\n2 2 2.0\n1 3 1.0\n3 1 1.0\n2 3 3.0\n3 2 3.5\n",
       "F:5:5: the file's matrix must be symmetric: entry (2,3) is 3, entry (3,2) is 3.5"},
  };
  for (const auto& mistake : mistakes) {
    try {
      (void)parse_abaqus_matrix(mistake.text, "F");
      ADD_FAILURE() << "accepted:\n" << mistake.text;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), mistake.message);
    }
  }
}

TEST(AbaqusMatrix, AnyBytesEndInAMatrixOrAComplaint) {
  for (const std::string& text : {input_text, coordinate_text}) {
    test::survives<InputError>(text, [](const std::string& bytes) { (void)parse_abaqus_matrix(bytes, "F"); });
  }
}

}  // namespace abaqus_matrix_test
}  // namespace microslip
