#include "microslip/io/dmig.hpp"

#include <gtest/gtest.h>

#include "corruption.hpp"

namespace microslip {
namespace dmig_test {

// Symmetric, rows 4.x, 4.z, 11.x, the scalar point 20:
//   4.x  2  -1   0   0
//   4.z     3   0.5  0
//  11.x          4   0
//    20              7
const std::string wide_text =
    "$TITLE   = REDUCED\n"
    "DMIG    KAAX           0       6       2       0                            \n"
    "DMIG*   KAAX                           4               1                           1\n"
    "*                      4               1 2.000000000D+00                           2\n"
    "DMIG*   KAAX                           4               3                           3\n"
    "*                      4               1-1.000000000D+00                           4\n"
    "*                      4               3 3.000000000D+00                           5\n"
    "DMIG*   KAAX                          11               1                           6\n"
    "*                      4               3 5.000000000D-01                           7\n"
    "*                     11               1 4.000000000D+00                           8\n"
    "DMIG*   KAAX                          20               0                           9\n"
    "*                     20               0 7.000000000D+00                          10\n";

const std::string narrow_text =
    "DMIG    STIF    0       6       1\n"
    "DMIG    STIF    4       1               4       1       2.\n"
    "        4       3       -1.0+0\n"
    "DMIG    STIF    4       3               4       3       3.0             +A\n"
    "+A      11      1       .5\n"
    "DMIG    STIF    11      1               11      1       4.+0\n"
    "GRID    11              0.0     1.0     2.0\n"
    "DMIG    STIF    20                      20              70.-1\n";

const std::string free_text =
    "dmig,k,0,6,1\n"
    "GRID,4,,0.,0.,0.\n"
    "dmig,k,4,1,,4,1,2.0,,\n"
    ",4,3,-1.0\n"
    "DMIG*,K,4,3,\n"
    "*,4,3,3.0\n"
    "*,11,1,5.0E-1\n"
    "DMIG,K,11,1,,11,1,4.0 $ a comment\n"
    "DMIG,K,20,,,20,,7.0\n";

Eigen::MatrixXd expected_matrix() {
  return (Eigen::MatrixXd(4, 4) << 2, -1, 0, 0, -1, 3, 0.5, 0, 0, 0.5, 4, 0, 0, 0, 0, 7).finished();
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

TEST(Dmig, FieldsOfEveryWidthAreRead) {
  for (const std::string& text : {wide_text, narrow_text, free_text}) {
    const MatrixFile matrix = parse_dmig(text, "run.pch");
    EXPECT_EQ(matrix.dense(), expected_matrix());
    EXPECT_EQ(matrix.labels, (std::vector<std::string>{"4.x", "4.z", "11.x", "20"}));
  }
}

TEST(Dmig, OneMatrixOfSeveralMustBeNamed) {
  const std::string both = wide_text + narrow_text;
  EXPECT_EQ(parse_dmig(both, "a", "stif").dense(), expected_matrix());
  EXPECT_EQ(parse_dmig(both, "a", "KAAX").dense(), expected_matrix());
  try {
    (void)parse_dmig(both, "run.pch");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "run.pch: holds several matrices: write one of KAAX, STIF behind a colon");
  }
}

TEST(Dmig, BothImagesOfASymmetricEntryMayStandThere) {
  const std::string both = free_text + "DMIG,K,4,3,,4,1,-1.0\n";
  EXPECT_EQ(parse_dmig(both, "a").dense(), expected_matrix());
  const MatrixFile other = parse_dmig(replaced(both, "4,1,-1.0\n", "4,1,-1.5\n"), "a");
  EXPECT_THROW(require_square_symmetric(other, "stiffness"), InputError);
}

TEST(Dmig, ASquareMatrixIsNotMirrored) {
  const Eigen::MatrixXd matrix = parse_dmig("DMIG,B,0,1,1\nDMIG,B,1,1,,2,1,5.\nDMIG,B,2,1,,2,1,1.\n", "a").dense();
  EXPECT_EQ(matrix, (Eigen::Matrix2d() << 0, 0, 5, 1).finished());
}

TEST(Dmig, WrittenMatricesAreReadAgainAsFarAsTheirDigitsGo) {
  MatrixFile matrix = parse_dmig(wide_text, "a");
  for (auto& entry : matrix.entries) entry.value /= 3.0;
  const Eigen::MatrixXd values = matrix.dense();
  struct Case {
    DmigFields fields;
    double rounding;  // half a unit of the last of the fewest digits
  };
  // Eight columns: "-3.333-1", four digits; sixteen: "-3.33333333333-1", twelve.
  for (const auto& [fields, rounding] :
       {Case{DmigFields::narrow, 0.5e-3}, Case{DmigFields::wide, 0.5e-11}, Case{DmigFields::commas, 0.0}}) {
    const MatrixFile read = parse_dmig(format_dmig(matrix, "KAAX", fields), "b");
    EXPECT_EQ(read.labels, matrix.labels);
    EXPECT_TRUE(((read.dense() - values).array().abs() <= rounding * values.array().abs()).all());
  }
}

struct Mistake {
  std::string text;
  std::string message;
};

TEST(Dmig, MistakesAreReportedWithTheirPlace) {
  const Mistake mistakes[] = {
      {"", "F: holds no DMIG entry"},
      {"GRID,1\n", "F: holds no DMIG entry"},
      {"DMIG,,0,6,1\n", "F:1:1: the DMIG entry names no matrix"},
      {"DMIG,K,4,1,,4,1,2.0\n", "F:1:8: matrix K has no header, an entry \"DMIG, K, 0, ...\""},
      {"DMIG,K,0,6,1\n", "F:1:8: matrix K has no column"},
      {"DMIG,K,0,6,1\nDMIG,K,0,6,1\n", "F:2:8: matrix K has a second header, the first is on line 1"},
      {"DMIG,K,0,2,1\nDMIG,K,4,1,,4,1,2.0\n", "F:1:8: matrix K must be square or symmetric, IFO 1 or 6, got 2"},
      {"DMIG,K,0,6,3\nDMIG,K,4,1,,4,1,2.0\n", "F:1:8: matrix K is complex; only real ones are read"},
      {"DMIG,K,0,x,1\n", "F:1:10: the form (IFO) must be an integer from 1 to 9, got \"x\""},
      {"DMIG,K,0,6,1\nDMIG,K,4,9,,4,1,2.0\n", "F:2:10: the component must be an integer from 0 to 6, got \"9\""},
      {"DMIG,K,0,6,1\nDMIG,K,4,1,7,4,1,2.0\n", "F:2:12: the field behind the component must be empty, got \"7\""},
      {"DMIG,K,0,6,1\nDMIG,K,4,1,,-4,1,2.0\n",
       "F:2:13: the point must be an integer from 1 to 999999999999, got \"-4\""},
      {"DMIG,K,0,6,1\nDMIG,K,4,1,,4,1,two\n", "F:2:17: a value must be a number, got \"two\""},
      {"DMIG,K,0,6,1\nDMIG,K,4,1,,4,1,nan\n", "F:2:17: a value must be finite, got \"nan\""},
      {"DMIG,K,0,6,1\nDMIG,K,4,1,,4,1,2.0,1.0\n", "F:2:21: a real matrix has no imaginary part, got \"1.0\""},
      {"DMIG,K,0,6,1\nDMIG,K,4,1\n", "F:2:8: the column has no row"},
      {"DMIG,K,0,6,1\nDMIG,K,4,1,,4,1,2.0\nDMIG,K,4,1,,4,1,2.0\n",
       "F:3:17: entry (1,1) is given twice, first on line 2"},
  };
  for (const auto& mistake : mistakes) {
    try {
      (void)parse_dmig(mistake.text, "F");
      ADD_FAILURE() << "accepted:\n" << mistake.text;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), mistake.message);
    }
  }
}

TEST(Dmig, AnyBytesEndInAMatrixOrAComplaint) {
  const auto read = [](const std::string& bytes) { (void)parse_dmig(bytes, "F"); };
  for (const std::string& text : {wide_text, narrow_text, free_text}) test::survives<InputError>(text, read);
}

}  // namespace dmig_test
}  // namespace microslip
