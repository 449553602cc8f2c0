#include "microslip/io/op4.hpp"

#include <gtest/gtest.h>

#include "corruption.hpp"

namespace microslip {
namespace op4_test {

// Written by hand from the definition of the format: 3 columns, 4 rows, strings of one and two values.
//   column 1: (2) = 1.5, (3) = -2     column 3: (1) = 4, (4) = 0.25
const std::string sparse_text =
    "       3       4       2       2STIF    1P,3E23.16\n"
    "       1       0       5\n"
    "      327682\n"  // 2 + 65536 (4 + 1)
    " 1.5000000000000000E+00-2.0000000000000000E+00\n"
    "       3       0       6\n"
    "      196609\n"  // 1 + 65536 (2 + 1)
    " 4.0000000000000000E+00\n"
    "      196612\n"  // 4 + 65536 (2 + 1)
    " 2.5000000000000000E-01\n"
    "       4       1       1\n"
    " 1.0000000000000000E+00\n";

const std::string bigmat_text =
    "       3      -4       2       2STIF    1P,3E23.16\n"
    "       1       0       6\n"
    "       5       2\n"
    " 1.5000000000000000E+00-2.0000000000000000E+00\n"
    "       3       0       8\n"
    "       3       1\n"
    " 4.0000000000000000E+00\n"
    "       3       4\n"
    " 2.5000000000000000E-01\n"
    "       4       1       1\n"
    " 1.0000000000000000E+00\n";

const std::string dense_text =
    "       3       4       2       2STIF    1P,5E16.9\n"
    "       1       2       2\n"
    " 1.500000000E+00-2.000000000E+00\n"
    "       3       1       4\n"
    " 4.000000000E+00 0.000000000E+00 0.000000000E+00 2.500000000E-01\n"
    "       4       1       1\n"
    " 1.000000000E+00\n";

Eigen::MatrixXd expected_matrix() {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(4, 3);
  matrix(1, 0) = 1.5;
  matrix(2, 0) = -2.0;
  matrix(0, 2) = 4.0;
  matrix(3, 2) = 0.25;
  return matrix;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

std::string big_endian(std::initializer_list<unsigned> words) {
  std::string bytes;
  for (const unsigned word : words) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((word >> shift) & 0xffU);
  }
  return bytes;
}

TEST(Op4, TextOfEveryStorageIsRead) {
  EXPECT_EQ(parse_op4(sparse_text, "a.op4").dense(), expected_matrix());
  EXPECT_EQ(parse_op4(bigmat_text, "a.op4").dense(), expected_matrix());
  EXPECT_EQ(parse_op4(dense_text, "a.op4").dense(), expected_matrix());
}

TEST(Op4, OtherSpellingsOfTheSameTextAreRead) {
  // Exponents with D; sizes of 16 columns; words instead of values in a dense column, as some programs count.
  std::string with_d = sparse_text;
  for (std::size_t at = 0; (at = with_d.find("E+", at)) != std::string::npos;) with_d[at] = 'D';
  EXPECT_EQ(parse_op4(replaced(with_d, "3E23", "3D23"), "a").dense(), expected_matrix());
  EXPECT_EQ(parse_op4(replaced(bigmat_text, "       3      -4       2       2STIF    1P,3E23.16",
                               "               3              -4       2       2STIF    1P,3E23.16|I16"),
                      "a")
                .dense(),
            expected_matrix());
  EXPECT_EQ(parse_op4(replaced(replaced(dense_text, "1       2       2\n", "1       2       4\n"),
                               "3       1       4\n", "3       1       8\n"),
                      "a")
                .dense(),
            expected_matrix());
}

// The same 2 x 1 matrix (1; -2) as bytes, written by hand: header, column, end.
TEST(Op4, BinaryRecordsAreRead) {
  // 1.0f = 3f800000, -2.0f = c0000000; 1.0 = 3ff00000 00000000, -2.0 = c0000000 00000000
  const std::string single = big_endian({24, 1, 2, 2, 1}) + "VEC     " +
                             big_endian({24, 20, 1, 1, 2, 0x3f800000, 0xc0000000, 20}) +
                             big_endian({16, 2, 1, 1, 0x3f800000, 16});
  const std::string with_double = big_endian({24, 1, 2, 2, 2}) + "VEC     " +
                                  big_endian({24, 28, 1, 1, 4, 0x3ff00000, 0, 0xc0000000, 0, 28}) +
                                  big_endian({20, 2, 1, 2, 0x3ff00000, 0, 20});
  // sparse: 1 + 65536 (2 + 1) = 196609
  const std::string sparse = big_endian({24, 1, 2, 2, 1}) + "VEC     " +
                             big_endian({24, 24, 1, 0, 3, 196609, 0x3f800000, 0xc0000000, 24}) +
                             big_endian({16, 2, 1, 1, 0x3f800000, 16});
  // 8-byte words: both lengths and values
  const std::string words = big_endian({48, 0, 1, 0, 2, 0, 2, 0, 1}) + "VEC             " +
                            big_endian({48, 40, 0, 1, 0, 1, 0, 2, 0x3ff00000, 0, 0xc0000000, 0, 40}) +
                            big_endian({32, 0, 2, 0, 1, 0, 1, 0x3ff00000, 0, 32});
  for (const std::string& bytes : {single, with_double, sparse, words}) {
    const MatrixFile matrix = parse_op4(bytes, "a.op4", "vec");
    EXPECT_EQ(matrix.dense(), (Eigen::MatrixXd(2, 1) << 1.0, -2.0).finished());
  }
}

MatrixFile symmetric_matrix() {
  MatrixFile matrix;
  matrix.rows = matrix.columns = 5;
  const double values[5][5] = {{1.0 / 3.0, 0.1, 0, 0, -1e-300},
                               {0.1, 2e18, 0, 7, 0},
                               {0, 0, 0, 0, 0},
                               {0, 7, 0, -5.5, 1e-7},
                               {-1e-300, 0, 0, 1e-7, 3.0}};
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      if (values[i][j] != 0.0) matrix.entries.push_back({i, j, values[i][j], 0, 0, false});
    }
  }
  return matrix;
}

TEST(Op4, WrittenMatricesAreReadAgainToTheLastBit) {
  const MatrixFile matrix = symmetric_matrix();
  for (const auto encoding : {Op4Encoding::text, Op4Encoding::little_endian, Op4Encoding::big_endian}) {
    for (const auto storage : {Op4Storage::dense, Op4Storage::sparse, Op4Storage::bigmat}) {
      const std::string both =
          format_op4(matrix, "MAA", {encoding, storage, false}) + format_op4(matrix, "KAA", {encoding, storage, false});
      EXPECT_EQ(parse_op4(both, "a", "kaa").dense(), matrix.dense());
    }
  }
}

TEST(Op4, SinglePrecisionKeepsSevenDigits) {
  const MatrixFile matrix = symmetric_matrix();
  for (const auto encoding : {Op4Encoding::little_endian, Op4Encoding::big_endian}) {
    const Eigen::MatrixXd read = parse_op4(format_op4(matrix, "M", {encoding, Op4Storage::sparse, true}), "a").dense();
    // rounding to 24 bits; 1e-300 is below the smallest float
    EXPECT_TRUE(((read - matrix.dense()).array().abs() <= matrix.dense().array().abs() * 0x1p-24 + 1e-45).all());
  }
}

TEST(Op4, OneMatrixOfSeveralMustBeNamed) {
  const std::string two = sparse_text + replaced(dense_text, "STIF", "MASS");
  EXPECT_EQ(parse_op4(two, "a", "Mass").dense(), expected_matrix());
  const auto message = [&](const std::string& name) {
    try {
      (void)parse_op4(two, "a.op4", name);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(message(""), "a.op4: holds several matrices: write one of STIF, MASS behind a colon");
  EXPECT_EQ(message("kaa"), "a.op4: holds no matrix \"kaa\"; it has STIF, MASS");
}

TEST(Op4, AComplexMatrixIsPassedOverUnlessItIsTheOne) {
  const std::string complex =
      "       1       1       1       4CPLX    1P,3E23.16\n"
      "       1       0       5\n"
      "      327681\n"
      " 1.0000000000000000E+00 2.0000000000000000E+00\n"
      "       2       1       1\n"
      " 1.0000000000000000E+00\n";
  EXPECT_EQ(parse_op4(complex + sparse_text, "a", "stif").dense(), expected_matrix());
  EXPECT_THROW((void)parse_op4(complex + sparse_text, "a", "cplx"), InputError);
}

struct Mistake {
  std::string text;
  std::string message;
};

TEST(Op4, MistakesAreReportedWithTheirPlace) {
  const Mistake mistakes[] = {
      {"", "F:1:1: the file is empty"},
      {replaced(sparse_text, "       3       4", "       3       0"),
       "F:1:1: the number of rows must be from 1 to 2147483646, got 0"},
      {replaced(sparse_text, "       2STIF", "       7STIF"),
       "F:1:1: the type must be 1 or 2 (real; 3 and 4 are complex), got 7"},
      {replaced(sparse_text, "4       2       2STIF", "4       3       2STIF"),
       "F:1:1: matrix STIF must have the form 1, 2 or 6 (square, rectangular, symmetric), got 3"},
      {replaced(sparse_text, "1P,3E23.16", "1P,3X23.16"),
       "F:1:41: the format must be like \"1P,3E23.16\", got \"1P,3X23.16\""},
      {replaced(sparse_text, "       1       0       5", "       9       0       5"),
       "F:2:8: the column must be an integer from 1 to 4, got \"9\""},
      {replaced(sparse_text, "327682", "327685"), "F:3:1: the string 327685 means row 5 and 4 words, which cannot be"},
      {replaced(sparse_text, "       1       0       5", "       1       0       4"),
       "F:3:1: the strings of the column have more words than its first line says"},
      {replaced(sparse_text, " 1.5000000000000000E+00", " 1.5000000000000000X+00"),
       "F:4:2: a value must be a number, got \"1.5000000000000000X+00\""},
      {replaced(sparse_text, "-2.0000000000000000E+00", "-2.000000000000000E+400"),
       "F:4:24: a value must be finite, got \"-2.000000000000000E+400\""},
      {replaced(dense_text, "       1       2       2", "       1       4       2"),
       "F:3:17: column 1 has values below the last row, 4"},
      {replaced(dense_text, "       1       2       2", "       1       2       3"),
       "F:4:1: column 1 must have 3 values, got 2"},
      {sparse_text.substr(0, sparse_text.find("       4       1")),
       "F:9:1: the file ends where a column should follow"},
      {big_endian({24, 1, 2, 2, 1}) + "VEC     " + big_endian({25}),
       "F: record 1 (byte 0): the record starts with the length 24 and ends with 25"},
      {big_endian({24, 1, 2, 2, 1}) + "VEC     " + big_endian({24, 4000, 1, 1}),
       "F: record 2 (byte 32): the record claims 4000 bytes, the file has 4 more"},
      {big_endian({24, 1, 2, 2, 1}) + "VEC     " + big_endian({24, 16, 1, 1, 2, 0, 16}),
       "F: record 2 (byte 32): column 1 claims 2 words, its record has 1"},
      {big_endian({24, 1, 2, 2, 1}) + "VEC     " + big_endian({24, 16, 1, 1, 1, 0x7f800000, 16}),
       "F: record 2 (byte 32): entry (1,1) must be finite, got inf"},
      {big_endian({24, 1, 2, 2, 1}) + "VEC     " + big_endian({24}),
       "F: record 2 (byte 32): the file ends before the last column of VEC"},
      {big_endian({24, 1, 2000000000, 2, 1}) + "VEC     " + big_endian({24, 16, 1, 2000000001, 1, 0, 16}),
       "F: record 2 (byte 32): the first row must be from 0 to 2000000000, got 2000000001"},
  };
  for (const auto& mistake : mistakes) {
    try {
      (void)parse_op4(mistake.text, "F");
      ADD_FAILURE() << "accepted:\n" << mistake.text;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), mistake.message);
    }
  }
}

TEST(Op4, AnyBytesEndInAMatrixOrAComplaint) {
  const auto read = [](const std::string& bytes) { (void)parse_op4(bytes, "F"); };
  for (const std::string& text : {sparse_text, bigmat_text, dense_text}) test::survives<InputError>(text, read);
  for (const auto encoding : {Op4Encoding::little_endian, Op4Encoding::big_endian}) {
    for (const auto storage : {Op4Storage::dense, Op4Storage::sparse, Op4Storage::bigmat}) {
      test::survives<InputError>(format_op4(symmetric_matrix(), "M", {encoding, storage, false}), read);
    }
  }
}

}  // namespace op4_test
}  // namespace microslip
