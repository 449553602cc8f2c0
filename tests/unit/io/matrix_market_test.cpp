#include "microslip/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include "corruption.hpp"

namespace microslip {
namespace matrix_market_test {

const std::string symmetric_text =
    "%%MatrixMarket matrix coordinate real symmetric\n% comment\n\n3 3 4\n1 1 2.5\n2 1 -1\n2 2 3e0\n3 3 +4.0\n";

TEST(MatrixMarket, SymmetricCoordinatesAreMirrored) {
  const MatrixFile file = parse_matrix_market(symmetric_text, "M.mtx");
  Eigen::Matrix3d expected;
  expected << 2.5, -1, 0, -1, 3, 0, 0, 0, 4;
  EXPECT_EQ(file.dense(), expected);
  EXPECT_EQ(file.size_line, 4);
  ASSERT_NE(file.find(1, 0), nullptr);
  EXPECT_EQ(file.find(1, 0)->line, 6);
  EXPECT_EQ(file.find(1, 0)->text_column, 5);
  EXPECT_EQ(file.find(2, 0), nullptr);
}

TEST(MatrixMarket, GeneralArrayGoesDownTheColumns) {
  const MatrixFile file = parse_matrix_market("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6", "A");
  Eigen::MatrixXd expected(2, 3);
  expected << 1, 3, 5, 2, 4, 6;
  EXPECT_EQ(file.dense(), expected);
}

TEST(MatrixMarket, SymmetricArrayHoldsTheLowerTriangle) {
  const MatrixFile file =
      parse_matrix_market("%%matrixmarket MATRIX Array Integer Symmetric\r\n2 2\r\n1\r\n2\r\n3", "A");
  Eigen::Matrix2d expected;
  expected << 1, 2, 2, 3;
  EXPECT_EQ(file.dense(), expected);
}

TEST(MatrixMarket, TinyNumbersAreRoundedToZero) {
  EXPECT_EQ(parse_matrix_market("%%MatrixMarket matrix array real general\n1 1\n1e-999", "A").dense()(0, 0), 0.0);
}

struct Mistake {
  std::string text;
  std::string message;
};

TEST(MatrixMarket, MistakesAreReportedWithTheirPlace) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  const Mistake mistakes[] = {
      {"", "M:1:1: the file is empty; its first line must be like \"%%MatrixMarket matrix coordinate real symmetric\""},
      {"1 2 3\n",
       "M:1:1: the first line must be like \"%%MatrixMarket matrix coordinate real symmetric\", got \"1 2 3\""},
      {"%%MatrixMarket matrix coordinate complex general\n1 1 0\n",
       "M:1:34: the field must be \"real\" or \"integer\", got \"complex\""},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 0\n",
       "M:1:39: the symmetry must be \"general\" or \"symmetric\", got \"skew-symmetric\""},
      {head, "M:1:1: the line of sizes is missing"},
      {head + "2 2\n", "M:2:1: the line of sizes must be \"rows columns entries\", got \"2 2\""},
      {head + "0 2 1\n", "M:2:1: the number of rows must be an integer from 1 to 2147483646, got \"0\""},
      {head + "2 2 99999999\n1 1 1\n",
       "M:2:5: the header announces 99999999 entries, more than a file of 65 bytes can hold"},
      {head + "2 2 2\n1 1 1\n", "M:3:1: the file ends after 1 of 2 entries"},
      {head + "2 2 1\n1 1\n", "M:3:1: an entry must be \"row column value\", got \"1 1\""},
      {head + "2 2 1\n1 3 1.0\n", "M:3:3: the column must be an integer from 1 to 2, got \"3\""},
      {head + "2 2 1\n1 1 1e999\n", "M:3:5: an entry must be finite, got \"1e999\""},
      {head + "2 2 1\n1 1 nan\n", "M:3:5: an entry must be finite, got \"nan\""},
      {head + "2 2 1\n1 1 1.0x\n", "M:3:5: an entry must be a number, got \"1.0x\""},
      {head + "2 2 1\n1 1 1.0\n2 2 1.0\n", "M:4:1: nothing may follow the last entry, got \"2\""},
      {head + "2 2 2\n1 1 1.0\n1 1 2.0\n", "M:4:5: entry (1,1) is given twice, first on line 3"},
      {"%%MatrixMarket matrix array real general\n40000 40000\n1\n",
       "M:2:1: the header announces 1600000000 entries, more than a file of 55 bytes can hold"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
       "M:2:3: a symmetric matrix must be square, got 2 x 3"},
  };
  for (const Mistake& mistake : mistakes) {
    try {
      static_cast<void>(parse_matrix_market(mistake.text, "M"));
      ADD_FAILURE() << "no complaint: " << mistake.message;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), mistake.message);
    }
  }
}

TEST(MatrixMarket, SymmetryIsCheckedEntryByEntry) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      require_square_symmetric(parse_matrix_market(text, "K"), "stiffness");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(complaint(head + "2 3 0\n"), "K:2:1: the stiffness matrix must be square, got 2 x 3");
  EXPECT_EQ(complaint(head + "2 2 2\n1 2 1.0\n2 1 1.1\n"),
            "K:3:5: the stiffness matrix must be symmetric: entry (1,2) is 1, entry (2,1) is 1.1");
  EXPECT_EQ(complaint(head + "2 2 1\n2 1 1.1\n"),
            "K:3:5: the stiffness matrix must be symmetric: entry (2,1) is 1.1, entry (1,2) is 0");
  EXPECT_EQ(complaint(head + "2 2 2\n1 2 1.0\n2 1 1.0000000000001\n"), "");
}

TEST(MatrixMarket, SurvivesAnyBytes) {
  test::survives<InputError>(symmetric_text, [](const std::string& text) {
    const MatrixFile file = parse_matrix_market(text, "M");
    if (file.rows < 100 && file.columns < 100) static_cast<void>(file.dense());
  });
  test::survives<InputError>("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n",
                             [](const std::string& text) { static_cast<void>(parse_matrix_market(text, "M")); });
}

TEST(MatrixMarket, SurvivesAVeryLongLine) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 " + std::string(1 << 22, '7');
  EXPECT_THROW(static_cast<void>(parse_matrix_market(text, "M")), InputError);
}

}  // namespace matrix_market_test
}  // namespace microslip
