// MATLAB files: those of matio in every version and form, bytes written by hand from the format's definition, and
// broken ones.

#include "microslip/io/mat_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "microslip/io/text_file.hpp"
#include "support/folder_test.hpp"
#include "support/matio_files.hpp"

namespace microslip {
namespace mat_file_test {

using test::MatioFile;

class MatFileTest : public test::FolderTest {};

template <class Run>
std::string complaint_of(const Run& run) {
  try {
    run();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Eigen::MatrixXd sample() {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3, 4);
  matrix(0, 0) = 1.0 / 3.0;
  matrix(2, 0) = -2e300;
  matrix(1, 3) = 5e-300;
  return matrix;
}

// Every version, full and sparse, compressed or not, as a variable and as a member: the same bits.
TEST_F(MatFileTest, ReadsWhatMatioWrites) {
  const Eigen::MatrixXd expected = sample();
  int number = 0;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    for (const bool compressed : {false, true}) {
      const std::string file = path(std::to_string(number++) + ".mat");
      {
        MatioFile mat(file, version, compressed);
        mat.write(MatioFile::text("title", "a beam"));
        mat.write(MatioFile::full("M", expected));
        mat.write(MatioFile::sparse("K", expected));
        const char* fields[] = {"M", "K", "note"};
        std::size_t one[2] = {1, 1};
        matvar_t* structure = Mat_VarCreateStruct("S", 2, one, fields, 3);
        Mat_VarSetStructFieldByName(structure, "M", 0, MatioFile::full(nullptr, 2.0 * expected));
        Mat_VarSetStructFieldByName(structure, "K", 0, MatioFile::sparse(nullptr, 3.0 * expected));
        Mat_VarSetStructFieldByName(structure, "note", 0, MatioFile::text(nullptr, "no numbers"));
        mat.write(structure);
        std::size_t two[2] = {1, 2};
        matvar_t* several = Mat_VarCreateStruct("P", 2, two, fields, 1);
        Mat_VarSetStructFieldByName(several, "M", 0, MatioFile::full(nullptr, 4.0 * expected));
        Mat_VarSetStructFieldByName(several, "M", 1, MatioFile::full(nullptr, 5.0 * expected));
        mat.write(several);
      }
      const auto read = [&](const std::string& member) { return read_mat_matrix(file, member).dense(); };
      EXPECT_EQ(read("M"), expected) << file;
      EXPECT_EQ(read("K"), expected) << file;
      EXPECT_EQ(read("S.M"), 2.0 * expected) << file;
      EXPECT_EQ(read("S(1).M"), 2.0 * expected) << file;
      EXPECT_EQ(read("S.K"), 3.0 * expected) << file;
      EXPECT_EQ(read("P(1).M"), 4.0 * expected) << file;
      EXPECT_EQ(read("P(2).M"), 5.0 * expected) << file;
      std::vector<std::string> names = mat_variables(file);
      std::sort(names.begin(), names.end());  // version 7.3 has them by name
      EXPECT_EQ(names, (std::vector<std::string>{"K", "M", "P(1).M", "P(2).M", "S.K", "S.M"}));
      EXPECT_EQ(read_mat_arrays(file, "S").size(), 3U);
      EXPECT_EQ(read_mat_arrays(file, "title").at(0).text, "a beam");
      // The same from memory.
      const std::string bytes = read_text_file(file);
      EXPECT_EQ(parse_mat_matrix(bytes, file, "S.K").dense(), 3.0 * expected) << file;
      const std::string unknown = complaint_of([&] { static_cast<void>(read("M.S")); });
      EXPECT_NE(unknown.find("has no numeric array \"M.S\"; it holds \""), std::string::npos) << unknown;
      const std::string which = complaint_of([&] { static_cast<void>(read("")); });
      EXPECT_NE(which.find("must hold one matrix, or its name must follow a colon"), std::string::npos) << which;
    }
  }
}

// One triangle of a square matrix is all of it, full and sparse; where an entry has its mirror image, nothing is added.
TEST_F(MatFileTest, EitherTriangle) {
  Eigen::MatrixXd whole(3, 3), both(3, 3);
  whole << 4.0, -1.0, 0.0, -1.0, 5.0, 2.0, 0.0, 2.0, 6.0;
  both << 1.0, 2.0, 3.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0;
  const Eigen::MatrixXd lower = whole.triangularView<Eigen::Lower>(), upper = whole.triangularView<Eigen::Upper>();
  const std::string file = path("triangles.mat");
  {
    MatioFile mat(file, MAT_FT_MAT5, false);
    mat.write(MatioFile::full("L", lower));
    mat.write(MatioFile::sparse("U", upper));
    mat.write(MatioFile::sparse("W", whole));
    mat.write(MatioFile::full("B", both));
  }
  for (const char* name : {"L", "U", "W"}) EXPECT_EQ(read_mat_matrix(file, name).dense(), whole) << name;
  EXPECT_EQ(read_mat_matrix(file, "B").dense(), both);
  require_square_symmetric(read_mat_matrix(file, "L"), "stiffness");
}

// A stray entry in the other triangle, without its mirror image, is not made symmetric in silence.
TEST_F(MatFileTest, TriangleWithAStrayEntry) {
  Eigen::MatrixXd stray(3, 3);
  stray << 4.0, -1.0, 0.0, 0.0, 5.0, 2.0, 0.5, 0.0, 6.0;
  const std::string file = path("stray.mat");
  {
    MatioFile mat(file, MAT_FT_MAT5, false);
    mat.write(MatioFile::full("F", stray));
    mat.write(MatioFile::sparse("S", stray));
  }
  for (const char* name : {"F", "S"}) {
    const std::string complaint = complaint_of([&] { static_cast<void>(read_mat_matrix(file, name)); });
    EXPECT_NE(complaint.find("neither symmetric nor a triangle: entry (3,1) is 0.5 and entry (1,2) is -1"),
              std::string::npos)
        << complaint;
  }
}

// Integers, logical and single arrays of every class.
TEST_F(MatFileTest, ConvertsEveryClass) {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    const std::string file = path("classes.mat");
    std::size_t sizes[2] = {1, 2};
    {
      MatioFile mat(file, version);
      const auto add = [&](const char* name, matio_classes array_class, matio_types type, auto value, int flags = 0) {
        decltype(value) values[2] = {value, 1};
        mat.write(Mat_VarCreate(name, array_class, type, 2, sizes, values, flags));
      };
      add("f", MAT_C_SINGLE, MAT_T_SINGLE, -0.5F);
      add("i8", MAT_C_INT8, MAT_T_INT8, std::int8_t{-7});
      add("u8", MAT_C_UINT8, MAT_T_UINT8, std::uint8_t{200});
      add("i16", MAT_C_INT16, MAT_T_INT16, std::int16_t{-700});
      add("u16", MAT_C_UINT16, MAT_T_UINT16, std::uint16_t{60000});
      add("i32", MAT_C_INT32, MAT_T_INT32, std::int32_t{-70000});
      add("u32", MAT_C_UINT32, MAT_T_UINT32, std::uint32_t{4000000000U});
      add("i64", MAT_C_INT64, MAT_T_INT64, std::int64_t{-5000000000});
      add("u64", MAT_C_UINT64, MAT_T_UINT64, std::uint64_t{5000000000});
      add("yes", MAT_C_UINT8, MAT_T_UINT8, std::uint8_t{1}, MAT_F_LOGICAL);
    }
    const std::pair<const char*, double> expected[] = {
        {"f", -0.5},   {"i8", -7.0},          {"u8", 200.0}, {"i16", -700.0}, {"u16", 6e4},
        {"i32", -7e4}, {"u32", 4000000000.0}, {"i64", -5e9}, {"u64", 5e9},    {"yes", 1.0}};
    for (const auto& [name, value] : expected) {
      const Eigen::MatrixXd matrix = read_mat_matrix(file, name).dense();
      EXPECT_EQ(matrix, (Eigen::MatrixXd(1, 2) << value, 1.0).finished()) << name;
    }
  }
}

TEST_F(MatFileTest, RefusesWhatIsNoMatrix) {
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    const std::string file = path("odd.mat");
    {
      MatioFile mat(file, version);
      std::size_t cube[3] = {2, 2, 2};
      double eight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
      mat.write(Mat_VarCreate("cube", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, cube, eight, 0));
      mat_complex_split_t parts{eight, eight};
      std::size_t square[2] = {2, 2};
      mat.write(Mat_VarCreate("wave", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, square, &parts, MAT_F_COMPLEX));
      Eigen::MatrixXd gap = Eigen::MatrixXd::Ones(2, 3);
      gap(1, 2) = std::numeric_limits<double>::quiet_NaN();
      mat.write(MatioFile::full("gap", gap));
      mat.write(MatioFile::sparse("thin", gap));
      std::size_t none[2] = {0, 0};
      mat.write(Mat_VarCreate("none", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, none, nullptr, 0));
    }
    const auto complaint = [&](const char* name) {
      return complaint_of([&] { static_cast<void>(read_mat_matrix(file, name)); });
    };
    EXPECT_NE(complaint("cube").find("must have two dimensions, it has 3"), std::string::npos) << complaint("cube");
    EXPECT_NE(complaint("wave").find("must be real, it is complex"), std::string::npos) << complaint("wave");
    EXPECT_NE(complaint("gap").find("entry (2,3) must be finite, got nan"), std::string::npos) << complaint("gap");
    EXPECT_NE(complaint("thin").find("entry (2,3) must be finite, got nan"), std::string::npos) << complaint("thin");
    EXPECT_NE(complaint("none").find("is empty"), std::string::npos) << complaint("none");
    const std::vector<MatArray> wave = read_mat_arrays(file, "wave");
    ASSERT_EQ(wave.size(), 1U);
    EXPECT_EQ(wave[0].values, (std::vector<double>{1, 2, 3, 4}));
    EXPECT_EQ(wave[0].imaginary, (std::vector<double>{1, 2, 3, 4}));
  }
}

/// Data elements by hand, in either byte order.
class Bytes {
 public:
  explicit Bytes(bool big) : big_(big) {}
  template <class T>
  Bytes& number(T value) {
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    if (big_) std::reverse(raw.begin(), raw.end());
    text_ += raw;
    return *this;
  }
  Bytes& element(std::uint32_t type, const Bytes& data) {
    number(type).number(static_cast<std::uint32_t>(data.text_.size()));
    text_ += data.text_;
    text_.resize((text_.size() + 7) / 8 * 8, '\0');
    return *this;
  }
  Bytes& raw(const std::string& text) {
    text_ += text;
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  bool big_;
  std::string text_;
};

std::string header(bool big) {
  std::string text = "MATLAB 5.0 MAT-file, by hand";
  text.resize(124, ' ');
  return text + (big ? std::string("\x01\x00MI", 4) : std::string("\x00\x01IM", 4));
}

/// A 2 x 2 array "M" of class double whose values are stored in fewer bytes, as MATLAB does; its name in a small
/// element.
std::string by_hand(bool big, std::uint32_t type = 2) {
  Bytes flags(big), sizes(big), values(big), inside(big), file(big);
  flags.number<std::uint32_t>(6).number<std::uint32_t>(0);
  sizes.number<std::int32_t>(2).number<std::int32_t>(2);
  for (int i = 1; i <= 4; ++i) values.number(static_cast<std::uint8_t>(i * 60));
  inside.element(6, flags).element(5, sizes);
  inside.number<std::uint32_t>((1U << 16U) | 1U).raw(std::string("M\0\0\0", 4));
  inside.element(type, values);
  file.raw(header(big)).element(14, inside);
  return file.text();
}

TEST(MatBytes, BothByteOrdersByHand) {
  for (const bool big : {false, true}) {
    const MatrixFile matrix = parse_mat_matrix(by_hand(big), "hand.mat", "");
    EXPECT_EQ(matrix.dense(), (Eigen::Matrix2d() << 60, 180, 120, 240).finished());
    ASSERT_EQ(matrix.entries.size(), 4U);
    EXPECT_EQ(matrix.entries[1].column, 1);  // by rows
  }
}

TEST(MatBytes, BrokenFilesSayWhere) {
  const auto complaint = [](const std::string& bytes) {
    return complaint_of([&] { static_cast<void>(parse_mat_matrix(bytes, "b.mat", "M")); });
  };
  const std::string good = by_hand(false);
  EXPECT_EQ(
      complaint("short"),
      "b.mat: is not a MATLAB file of version 5 or 7.3: write it with save -v6, -v7 or -v7.3 (a file of version 4 "
      "must be saved again)");
  EXPECT_EQ(complaint(good.substr(0, 132)), "b.mat: file (byte 128): the tag of an element needs 8 bytes, 4 are left");
  EXPECT_EQ(complaint(good.substr(0, 140)), "b.mat: file (byte 128): an element of 56 bytes is announced, 4 are left");
  EXPECT_EQ(complaint(by_hand(false, 4)), "b.mat: variable 1 (byte 176): array \"M\" must have 4 values, there are 2");
  EXPECT_EQ(complaint(by_hand(false, 99)),
            "b.mat: variable 1 (byte 184): an element of numbers must have a type from 1 to 13, got 99");
  std::string changed = good;
  changed[128] = 9;
  EXPECT_EQ(complaint(changed),
            "b.mat: file (byte 128): variable 1 must be an array (type 14) or compressed (15), got type 9");
  changed[128] = 15;
  EXPECT_EQ(complaint(changed), "b.mat: file (byte 128): variable 1: its compressed data are broken");
  // 2^31 - 1 rows are announced and refused before memory is asked for.
  changed = good;
  std::memcpy(changed.data() + 160, "\xff\xff\xff\x7f", 4);
  EXPECT_NE(complaint(changed).find("array \"M\" must have 4294967294 values, there are 4"), std::string::npos)
      << complaint(changed);
}

/// A sparse 2 x 2 array "M" with an entry in row `row` of both columns.
std::string sparse_by_hand(std::int32_t rows, std::int32_t row, std::int32_t last) {
  Bytes flags(false), sizes(false), ir(false), jc(false), values(false), name(false), inside(false), file(false);
  flags.number<std::uint32_t>(5).number<std::uint32_t>(3);
  sizes.number<std::int32_t>(rows).number<std::int32_t>(2);
  ir.number(row).number(row).number<std::int32_t>(0);  // room for three
  jc.number<std::int32_t>(0).number<std::int32_t>(1).number(last);
  values.number(1.5).number(2.5).number(0.0);
  name.raw("M");
  inside.element(6, flags).element(5, sizes).element(1, name).element(5, ir).element(5, jc).element(9, values);
  file.raw(header(false)).element(14, inside);
  return file.text();
}

TEST(MatBytes, SparseIndicesAreChecked) {
  const auto complaint = [](const std::string& bytes) {
    return complaint_of([&] { static_cast<void>(parse_mat_matrix(bytes, "b.mat", "M")); });
  };
  const MatrixFile matrix = parse_mat_matrix(sparse_by_hand(2, 1, 2), "b.mat", "M");
  EXPECT_EQ(matrix.dense(), (Eigen::Matrix2d() << 0, 1.5, 1.5, 2.5).finished());  // one triangle given
  EXPECT_EQ(complaint(sparse_by_hand(2, 2, 2)), "b.mat: array \"M\": column 1 has an entry in row 3 of 2");
  EXPECT_EQ(complaint(sparse_by_hand(2, -1, 2)), "b.mat: array \"M\": column 1 has an entry in row 0 of 2");
  EXPECT_EQ(complaint(sparse_by_hand(2, 1, 0)),
            "b.mat: array \"M\": the index of a sparse matrix does not fit its values");
  EXPECT_EQ(complaint(sparse_by_hand(2, 1, 3)), "b.mat: array \"M\": the rows of column 2 must increase");
  EXPECT_EQ(complaint(sparse_by_hand(2, 1, 7)),
            "b.mat: array \"M\": the index of a sparse matrix does not fit its values");
  // 2^31 - 1 rows and two entries: no memory for the rows.
  const MatrixFile tall = parse_mat_matrix(sparse_by_hand(std::numeric_limits<int>::max(), 7, 2), "b.mat", "M");
  EXPECT_EQ(tall.rows, std::numeric_limits<int>::max());
  EXPECT_EQ(tall.entries.size(), 2U);
}

// Every cut and every changed byte of a file of version 5, compressed and not.
TEST_F(MatFileTest, SurvivesAnyBytes) {
  for (const bool compressed : {false, true}) {
    const std::string file = path("any.mat");
    {
      MatioFile mat(file, MAT_FT_MAT5, compressed);
      const char* fields[] = {"M", "K"};
      std::size_t one[2] = {1, 1};
      matvar_t* structure = Mat_VarCreateStruct("S", 2, one, fields, 2);
      Mat_VarSetStructFieldByName(structure, "M", 0, MatioFile::full(nullptr, sample()));
      Mat_VarSetStructFieldByName(structure, "K", 0, MatioFile::sparse(nullptr, sample()));
      mat.write(structure);
    }
    const std::string bytes = read_text_file(file);
    const auto attempt = [](const std::string& changed) {
      try {
        static_cast<void>(parse_mat_arrays(changed, "any.mat", ""));
      } catch (const InputError&) {
      }
    };
    for (std::size_t length = 0; length <= bytes.size(); ++length) attempt(bytes.substr(0, length));
    for (std::size_t at = 126; at < bytes.size(); ++at) {
      for (int value = 0; value < 256; value += at < 200 ? 1 : 15) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(value);
        attempt(changed);
      }
    }
  }
}

}  // namespace mat_file_test
}  // namespace microslip
