// Universal files written by hand from the definitions of the datasets, round trips, and mistakes.

#include "microslip/io/universal_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numbers>

#include "corruption.hpp"

namespace microslip {
namespace universal_file_test {

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(parse_universal_file(text, "t.unv"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Columns as in the definition: 2(I5,I10),2(1X,10A1,I10,I4); 3I10,3E13.5; I10,3I5,2(1X,20A1).
const std::string ids = "run 7\n-1\n12-Nov-25 10:00:00\nNONE\nNONE\n";  // a line of words may be anything
std::string record_6(int type, int node, int direction) {
  return fmt::format("{:5d}{:10d}{:5d}{:10d} {:<10}{:10d}{:4d} {:<10}{:10d}{:4d}\n", type, 1, 1, 0, "BEAM 2", node,
                     direction, "NONE", 5, -1);
}
std::string axes(int abscissa, int ordinate) {
  return fmt::format("{:10d}    0    0    0 {:<20} {:<20}\n{:10d}    0    0    0 {:<20} {:<20}\n", abscissa, "Time",
                     "s", ordinate, "Acceleration", "m/s^2") +
         fmt::format("{0:10d}    0    0    0 {1:<20} {1:<20}\n{0:10d}    0    0    0 {1:<20} {1:<20}\n", 0, "NONE");
}
std::string record_7(int type, int count, int even, const std::string& numbers) {
  return fmt::format("{:10d}{:10d}{:10d}{}\n", type, count, even, numbers);
}
const std::string start_and_step = "  1.00000E+00  5.00000E-01  0.00000E+00";

std::string text_58(int type, int count, int even, const std::string& numbers, const std::string& data) {
  return "    -1\n    58\n" + ids + record_6(1, 12, -3) + record_7(type, count, even, numbers) + axes(17, 12) + data +
         "    -1\n";
}

TEST(UniversalFile, TimeHistoryInSinglePrecision) {
  // 6E13.5; the last two numbers of the first line have no blank between them.
  const UniversalFile file = parse_universal_file(
      std::string("\n") + text_58(2, 7, 1, start_and_step,
                                  "  1.00000E+00 -2.00000E+00  3.00000D+00  4.00000e-01-5.00000E-101-6.00000E+00\n"
                                  "  7.00000-001\n"),
      "t.unv");
  ASSERT_EQ(file.functions.size(), 1U);
  const UniversalFunction& function = file.functions[0];
  EXPECT_EQ(function.line, 3);
  EXPECT_EQ(function.type, 1);
  EXPECT_EQ(to_string(function.response), "12.-z");
  EXPECT_EQ(to_string(function.reference), "5.-x");
  EXPECT_EQ(function.abscissa_kind, UniversalKind::time);
  EXPECT_EQ(function.ordinate_kind, UniversalKind::acceleration);
  EXPECT_EQ(function.values, (std::vector<double>{1.0, -2.0, 3.0, 0.4, -5e-101, -6.0, 0.7}));
  EXPECT_EQ(function.abscissa, (std::vector<double>{1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0}));
  EXPECT_FALSE(function.is_complex());
}

TEST(UniversalFile, EveryFormOfText) {
  const std::string none = "  0.00000E+00  0.00000E+00  0.00000E+00";
  struct Case {
    int type, even;
    std::string data;
    bool is_complex;
  };
  // Two values at 1 and 1.5: 0.1 (+ 0.2 i), 0.3 (+ 0.4 i).
  const Case cases[] = {
      {2, 1, "  1.00000E-01  3.00000E-01\n", false},
      {2, 0, "  1.00000E+00  1.00000E-01  1.50000E+00  3.00000E-01\n", false},
      {5, 1, "  1.00000E-01  2.00000E-01  3.00000E-01  4.00000E-01\n", true},
      {5, 0, "  1.00000E+00  1.00000E-01  2.00000E-01  1.50000E+00  3.00000E-01  4.00000E-01\n", true},
      {4, 1, "  1.000000000000E-01  3.000000000000E-01\n", false},
      {4, 0, "  1.00000E+00  1.000000000000E-01  1.50000E+00  3.000000000000E-01\n", false},
      {6, 1, "  1.000000000000E-01  2.000000000000E-01  3.000000000000E-01  4.000000000000E-01\n", true},
      {6, 0,
       "  1.00000E+00  1.000000000000E-01  2.000000000000E-01\n  1.50000E+00  3.000000000000E-01  "
       "4.000000000000E-01\n",
       true}};
  for (const Case& each : cases) {
    const UniversalFile file = parse_universal_file(
        text_58(each.type, 2, each.even, each.even == 1 ? start_and_step : none, each.data), "t.unv");
    ASSERT_EQ(file.functions.size(), 1U);
    EXPECT_EQ(file.functions[0].abscissa, (std::vector<double>{1.0, 1.5}));
    EXPECT_EQ(file.functions[0].values, (std::vector<double>{0.1, 0.3}));
    EXPECT_EQ(file.functions[0].imaginary, each.is_complex ? (std::vector<double>{0.2, 0.4}) : std::vector<double>{});
  }
}

template <class T>
std::string raw(std::initializer_list<T> values, bool big) {
  std::string bytes;
  for (const T value : values) {
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &value, sizeof(T));
    if (big) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

std::string binary_58(int type, int count, int even, bool big, const std::string& bytes, int announced = -1) {
  return fmt::format("    -1\n    58b{:6d}     2          11{:12d}     0     0           0           0\n", big ? 2 : 1,
                     announced < 0 ? static_cast<int>(bytes.size()) : announced) +
         ids + record_6(4, 12, 3) + record_7(type, count, even, start_and_step) + axes(18, 12) + bytes + "    -1\n";
}

TEST(UniversalFile, EveryFormOfBytes) {
  for (const bool big : {false, true}) {
    const std::string forms[] = {
        binary_58(5, 2, 1, big, raw({0.5F, 0.25F, -1.0F, 2.0F}, big)),
        binary_58(5, 2, 0, big, raw({1.0F, 0.5F, 0.25F, 1.5F, -1.0F, 2.0F}, big)),
        binary_58(6, 2, 1, big, raw({0.5, 0.25, -1.0, 2.0}, big)),
        binary_58(6, 2, 0, big, raw({1.0, 0.5, 0.25, 1.5, -1.0, 2.0}, big)),
        // abscissas in single precision, as in the text form
        binary_58(6, 2, 0, big, raw({1.0F}, big) + raw({0.5, 0.25}, big) + raw({1.5F}, big) + raw({-1.0, 2.0}, big))};
    for (const std::string& form : forms) {
      // A dataset follows: bytes may hold line ends, so its place in the file shows that they were counted.
      const UniversalFile file = parse_universal_file(form + text_58(2, 1, 1, start_and_step, " 1.0\n"), "t.unv");
      ASSERT_EQ(file.functions.size(), 2U);
      EXPECT_EQ(file.functions[0].abscissa, (std::vector<double>{1.0, 1.5}));
      EXPECT_EQ(file.functions[0].values, (std::vector<double>{0.5, -1.0}));
      EXPECT_EQ(file.functions[0].imaginary, (std::vector<double>{0.25, 2.0}));
      EXPECT_EQ(to_string(file.functions[0].response), "12.z");
    }
    const UniversalFile real = parse_universal_file(binary_58(2, 3, 1, big, raw({0.5F, 0.25F, -1.0F}, big)), "t.unv");
    EXPECT_EQ(real.functions[0].values, (std::vector<double>{0.5, 0.25, -1.0}));
    EXPECT_TRUE(real.functions[0].imaginary.empty());
  }
}

TEST(UniversalFile, NodesOfBothDatasets) {
  const UniversalFile file = parse_universal_file(
      "    -1\n    15\n"
      "         1         0         0        11  1.00000E-01 -2.00000E-01  3.00000E+00\n"
      "        12         0         0        11  0.00000E+00  5.00000E-01  0.00000E+00\n"
      "    -1\n    -1\n  2411\n"
      "        77         1         1        11\n"
      "   1.0000000000000000D-01  -2.5000000000000000D+00   0.0000000000000000D+00\n"
      "    -1\n",
      "t.unv");
  ASSERT_EQ(file.nodes.size(), 3U);
  EXPECT_EQ(file.nodes[0].position, (std::array<double, 3>{0.1, -0.2, 3.0}));
  EXPECT_EQ(file.nodes[1].label, 12);
  EXPECT_EQ(file.nodes[2].label, 77);
  EXPECT_EQ(file.nodes[2].position, (std::array<double, 3>{0.1, -2.5, 0.0}));
}

const std::string shape_55 =
    "    -1\n    55\nNONE\nNONE\nNONE\nNONE\nNONE\n"
    "         1         2         2         8         2         3\n"
    "         2         4         0         7\n"
    "  1.25000E+02  1.00000E+00  2.00000E-02  0.00000E+00\n"
    "        12\n  0.00000E+00  0.00000E+00  1.00000E+00\n"
    "        13\n  0.00000E+00  0.00000E+00 -5.00000E-01\n"
    "    -1\n";
const std::string shape_2414 =
    "    -1\n  2414\n         1\nmode 3\n         1\nNONE\nNONE\nNONE\nNONE\nNONE\n"
    "         1         7         3         8         5         6\n"
    "         0         0         0         0         0         3         0         0\n"
    "         0         0\n"
    "  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00\n"
    " -3.00000E+00  4.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00\n"
    "        12\n"
    "  1.00000E+00  2.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00\n"
    "  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  3.00000E+00 -4.00000E+00\n"
    "    -1\n";

TEST(UniversalFile, ShapesOfBothDatasets) {
  // Another dataset and an element result between them are skipped.
  const std::string unknown = "    -1\n   164\n         1SI                          2\n        -1\n    -1\n";
  std::string elements = shape_2414;
  elements.replace(elements.find("mode 3\n") + 7, 10, "         2");
  const UniversalFile file = parse_universal_file(shape_55 + unknown + elements + shape_2414, "t.unv");
  ASSERT_EQ(file.shapes.size(), 2U);
  const UniversalShape& real = file.shapes[0];
  EXPECT_EQ(real.mode, 7);
  EXPECT_EQ(real.frequency_hz, 125.0);
  EXPECT_EQ(real.damping_ratio, 0.02);
  EXPECT_EQ(real.nodes, (std::vector<int>{12, 13}));
  EXPECT_EQ(real.values, (std::vector<double>{0, 0, 1, 0, 0, -0.5}));
  EXPECT_TRUE(real.imaginary.empty());
  const UniversalShape& complex = file.shapes[1];
  EXPECT_EQ(complex.mode, 3);
  EXPECT_DOUBLE_EQ(complex.frequency_hz, 5.0 / (2.0 * std::numbers::pi));  // |-3 + 4i|
  EXPECT_DOUBLE_EQ(complex.damping_ratio, 0.6);
  EXPECT_EQ(complex.values, (std::vector<double>{1, 0, 0, 0, 0, 3}));
  EXPECT_EQ(complex.imaginary, (std::vector<double>{2, 0, 0, 0, 0, -4}));
}

// What is written is read back: bytes to the last bit, text to its digits.
TEST(UniversalFile, RoundTrips) {
  UniversalFile content;
  UniversalFunction even;
  even.type = 1;
  even.response = {12, -6};
  even.abscissa_kind = UniversalKind::time;
  even.ordinate_kind = UniversalKind::velocity;
  UniversalFunction uneven;
  uneven.type = 4;
  uneven.response = {3, 2};
  uneven.reference = {4, 1};
  uneven.abscissa_kind = UniversalKind::frequency;
  uneven.ordinate_kind = UniversalKind::acceleration;
  uneven.denominator_kind = UniversalKind::excitation;
  for (int i = 0; i < 25; ++i) {
    even.abscissa.push_back(0.25 * i - 1.0);
    even.values.push_back(1.0 / (i + 3.0));
    uneven.abscissa.push_back(1.0 / (30.0 - i));
    uneven.values.push_back(std::sin(i));
    uneven.imaginary.push_back(1e100 * std::cos(i));
  }
  content.functions = {even, uneven};
  content.nodes = {{12, {0.5, -0.25, 4.0}}, {2'000'000'000, {1.0, 2.0, 3.0}}};
  UniversalShape shape;
  shape.mode = 4;
  shape.frequency_hz = 12.5;
  shape.damping_ratio = 0.01;
  shape.values_a_node = 6;
  shape.nodes = {12, 13};
  for (int k = 0; k < 12; ++k) shape.values.push_back(0.125 * k);
  content.shapes = {shape, shape};
  content.shapes[1].imaginary = shape.values;
  for (const UniversalForm form : {UniversalForm::text, UniversalForm::little_endian, UniversalForm::big_endian}) {
    const UniversalFile back = parse_universal_file(universal_text(content, form), "t.unv");
    ASSERT_EQ(back.functions.size(), 2U);
    for (std::size_t f = 0; f < 2; ++f) {
      const UniversalFunction& a = content.functions[f];
      const UniversalFunction& b = back.functions[f];
      EXPECT_EQ(a.type, b.type);
      EXPECT_EQ(to_string(a.response), to_string(b.response));
      EXPECT_EQ(to_string(a.reference), to_string(b.reference));
      EXPECT_EQ(a.abscissa_kind, b.abscissa_kind);
      EXPECT_EQ(a.ordinate_kind, b.ordinate_kind);
      EXPECT_EQ(a.denominator_kind, b.denominator_kind);
      ASSERT_EQ(a.values.size(), b.values.size());
      ASSERT_EQ(a.imaginary.size(), b.imaginary.size());
      const bool text = form == UniversalForm::text;
      for (std::size_t i = 0; i < a.values.size(); ++i) {
        // Half a unit of the last of 6 (abscissa) and 13 digits.
        EXPECT_NEAR(a.abscissa[i], b.abscissa[i], text ? 5e-6 * std::abs(a.abscissa[i]) : 0.0);
        EXPECT_NEAR(a.values[i], b.values[i], text ? 5e-13 * std::abs(a.values[i]) : 0.0);
        if (a.is_complex()) {
          EXPECT_NEAR(a.imaginary[i], b.imaginary[i], text ? 5e-13 * std::abs(a.imaginary[i]) : 0.0);
        }
      }
    }
    ASSERT_EQ(back.nodes.size(), 2U);
    EXPECT_EQ(back.nodes[1].label, 2'000'000'000);
    EXPECT_EQ(back.nodes[0].position, content.nodes[0].position);
    ASSERT_EQ(back.shapes.size(), 2U);
    EXPECT_EQ(back.shapes[1].values, shape.values);
    EXPECT_EQ(back.shapes[1].imaginary, shape.values);
    EXPECT_EQ(back.shapes[0].damping_ratio, 0.01);
    EXPECT_NEAR(back.shapes[1].frequency_hz, 12.5, 1e-4);  // of an eigenvalue with six digits
    EXPECT_NEAR(back.shapes[1].damping_ratio, 0.01, 1e-7);
  }
}

// Analysis type (2 normal, 3 complex) is the second number of the form, modal mass the second of the numbers: 0 where
// it is not known. lambda = 10 (-0.6 + 0.8 i), A = 2 i m Im lambda = 16 m i, B = -lambda A = (128 + 96 i) m.
TEST(UniversalFile, WritesModalMass) {
  UniversalShape shape;
  shape.mode = 1;
  shape.frequency_hz = 10.0 / (2.0 * std::numbers::pi);
  shape.damping_ratio = 0.6;
  shape.values_a_node = 3;
  shape.nodes = {1};
  shape.values = {1.0, 0.0, 0.0};
  const auto text_of = [&](UniversalShapes form) {
    UniversalFile content;
    content.shapes = {shape};
    return universal_text(content, UniversalForm::text, form);
  };
  const auto holds = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  };
  const std::string normal = "         1         2         2         8         2         3\n";
  holds(text_of(UniversalShapes::dataset_55), normal);
  holds(text_of(UniversalShapes::dataset_55), "  1.59155E+00  0.00000E+00  6.00000E-01");
  shape.modal_mass = 2.0;
  holds(text_of(UniversalShapes::dataset_55), "  1.59155E+00  2.00000E+00  6.00000E-01");
  holds(text_of(UniversalShapes::dataset_2414), "  1.59155E+00  1.00000E+02  2.00000E+00  6.00000E-01");
  shape.imaginary = {0.1, 0.0, 0.0};
  for (const UniversalShapes form : {UniversalShapes::dataset_55, UniversalShapes::dataset_2414}) {
    holds(text_of(form), "         1         3         2         8         5         3\n");
    holds(text_of(form), " -6.00000E+00  8.00000E+00  0.00000E+00  3.20000E+01  2.56000E+02  1.92000E+02\n");
  }
}

TEST(UniversalFile, MistakesAreReportedWithTheirPlace) {
  const auto form = [](const std::string& record, const std::string& data) {
    return "    -1\n    58\n" + ids + record_6(1, 12, 3) + record + axes(17, 12) + data + "    -1\n";
  };
  const std::string two = "  1.0 2.0\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "t.unv:1:1: the file holds no dataset: it must begin with a line \"    -1\""},
      {"time,a\n", "t.unv:1:1: a dataset of a universal file begins with a line \"    -1\", got \"time,a\""},
      {"    -1\nabc\n", "t.unv:2:1: the number of a dataset must follow \"    -1\", got \"abc\""},
      {"    -1\n    58\nNONE\n", "t.unv:3:1: the file ends inside dataset 58 that begins on line 2"},
      {"    -1\n   999\nNONE\n", "t.unv:3:1: the file ends inside dataset 999 that begins on line 2"},
      {form(record_7(3, 2, 1, start_and_step), two),
       "t.unv:9:1: the data type of dataset 58 must be 2, 4 (real), 5 or 6 (complex), got 3"},
      {form(record_7(2, 0, 1, start_and_step), two), "t.unv:9:11: dataset 58 must have 1 value or more, got 0"},
      {form(record_7(2, 2, 2, start_and_step), two), "t.unv:9:21: the spacing must be 0 (uneven) or 1 (even), got 2"},
      {form(record_7(2, 2, 1, "  0.00000E+00 -1.00000E+00"), two),
       "t.unv:9:44: the increment of an even spacing must be > 0, got -1"},
      {form("         2         x         1\n", two),
       "t.unv:9:20: record 7 of dataset 58 must have an integer here, got \"x\""},
      {form(record_7(2, 3, 1, start_and_step), two),
       "t.unv:15:1: dataset 58 that begins on line 2 ends after 2 of 3 values"},
      {form(record_7(2, 1, 1, start_and_step), two),
       "t.unv:14:7: dataset 58 that begins on line 2 has more values than the 1 that it announces"},
      {form(record_7(2, 2, 1, start_and_step), two + two),
       "t.unv:15:1: dataset 58 that begins on line 2 must end here with a line \"    -1\", got \"  1.0 2.0\""},
      {form(record_7(2, 2, 1, start_and_step), "  1.0  nan\n"),
       "t.unv:14:8: a value must be a finite number, got \"nan\""},
      {form(record_7(2, 2, 1, start_and_step), "  1.0  1e999\n"),
       "t.unv:14:8: a value must be a finite number, got \"1e999\""},
      {form(record_7(2, 2, 1, start_and_step), "  1.0 **********\n"),
       "t.unv:14:7: a value must be a finite number, got \"**********\""},
      {form(record_7(2, 2'000'000'000, 1, start_and_step), two),
       "t.unv:13:1: dataset 58 announces 2000000000 values, more than the 17 bytes that follow can hold"},
      {binary_58(2, 3, 1, false, raw({0.5F, 0.25F}, false)),
       "t.unv:13:1: dataset 58b that begins on line 2 must have 12 bytes of values, it announces 8"},
      {binary_58(2, 2, 1, false, raw({0.5F, 0.25F}, false), 4096),
       "t.unv:13:1: dataset 58b that begins on line 2 announces 4096 bytes, 15 are left"},
      {"    -1\n    58b     3     2          11           8\n",
       "t.unv:2:1: the byte order must be 1 (little) or 2 (big), got 3"},
      {"    -1\n    58b     1     1          11           8\n",
       "t.unv:2:1: the floating-point format must be 2 (IEEE 754), got 1"},
      {"    -1\n    15\n         1         0         0        11  1.0\n  one\n    -1\n",
       "t.unv:4:3: a node of dataset 15 must have an integer here, got \"one\""},
      {shape_55.substr(0, shape_55.size() - 20) + "\n    -1\n",
       "t.unv:15:1: dataset 55 that begins on line 2 ends after 2 of 3 values"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(complaint(text), expected) << text;
}

TEST(UniversalFile, SurvivesAnyBytes) {
  const std::string files[] = {text_58(2, 2, 1, start_and_step, "  1.0 2.0\n"),
                               binary_58(5, 2, 0, false, raw({1.0F, 0.5F, 0.25F, 1.5F, -1.0F, 2.0F}, false)), shape_55,
                               shape_2414,
                               "    -1\n  2411\n        77         1         1        11\n  1.0 2.0 3.0\n    -1\n"};
  for (const std::string& file : files) {
    test::survives<InputError>(file, [](const std::string& text) {
      const UniversalFile content = parse_universal_file(text, "t.unv");
      for (const UniversalFunction& function : content.functions) {
        EXPECT_EQ(function.values.size(), function.abscissa.size());
      }
    });
  }
}

}  // namespace universal_file_test
}  // namespace microslip
