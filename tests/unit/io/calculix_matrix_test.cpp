#include "microslip/io/calculix_matrix.hpp"

#include <gtest/gtest.h>

#include "corruption.hpp"
#include "microslip/io/text_file.hpp"

namespace microslip {
namespace calculix_matrix_test {

const std::string block = MICROSLIP_SOURCE_DIR "/tests/data/calculix_block/block";

const std::string upper_text =
    "1 1  2.0000000000000e+00\n1 2 -1.0000000000000e+00\n2 2  3.0000000000000e+00\n1 3  0.0\n3 3  0.0\n";

TEST(CalculixMatrix, EitherTriangleIsMirroredAndZerosAreAllowed) {
  const Eigen::Matrix3d expected = (Eigen::Matrix3d() << 2, -1, 0, -1, 3, 0, 0, 0, 0).finished();
  EXPECT_EQ(parse_calculix_matrix(upper_text, "a.sti").dense(), expected);
  EXPECT_EQ(parse_calculix_matrix("1 1 2\n2 1 -1\n2 2 3\n3 3 0\n", "a.sti").dense(), expected);
  EXPECT_EQ(parse_calculix_matrix("1 1 2\n2 1 -1\n1 2 -1\n2 2 3\n3 3 0\n", "a.sti").dense(), expected);
}

TEST(CalculixMatrix, LabelsOfRowsComeFromTheDofFile) {
  const auto labels = parse_calculix_dofs("7.1\n7.2\n9.3\n", "a.dof");
  EXPECT_EQ(labels, (std::vector<std::string>{"7.x", "7.y", "9.z"}));
  EXPECT_EQ(parse_calculix_matrix(upper_text, "a.sti", labels).labels, labels);
}

// The mass is density times volume, 7800 * 0.0508^2 * 0.00635 kg, shared among the 30 nodes of the mesh by the shape
// functions; the sum over a block of nodes in one direction gives it back. 14 digits are in the file.
TEST(CalculixMatrix, ABlockOfEightElements) {
  const MatrixFile mass = read_calculix_matrix(block + ".mas");
  const MatrixFile stiffness = read_calculix_matrix(block + ".sti");
  ASSERT_EQ(mass.rows, 162);
  ASSERT_EQ(stiffness.rows, 162);
  ASSERT_EQ(mass.labels, stiffness.labels);
  EXPECT_EQ(mass.labels[0], "1.x");
  EXPECT_EQ(mass.labels[89], "30.z");
  EXPECT_EQ(mass.labels[90], "31.x");  // the first hidden node
  EXPECT_EQ(mass.labels[161], "54.z");
  const Eigen::MatrixXd m = mass.dense();
  const Eigen::MatrixXd k = stiffness.dense();
  EXPECT_EQ(m, m.transpose());
  EXPECT_EQ(k, k.transpose());
  Eigen::VectorXd ones = Eigen::VectorXd::Zero(162);
  for (int i = 0; i < 90; i += 3) ones(i) = 1.0;
  const double expected = 7800.0 * 0.0508 * 0.0508 * 0.00635;
  EXPECT_NEAR(ones.dot(m * ones), expected, 1e-12 * expected);
  // A rigid shift costs no force, but for the rounding of the 14 digits of a row's entries and that of the sums of
  // CalculiX itself, one unit in the last place of the largest entry of the row.
  const Eigen::VectorXd rounding = 0.5e-13 * (k.cwiseAbs() * ones) + 0x1p-52 * k.cwiseAbs().rowwise().maxCoeff();
  EXPECT_TRUE(((k * ones).array().abs() <= rounding.array()).all());
}

struct Mistake {
  std::string text;
  std::string message;
};

TEST(CalculixMatrix, MistakesAreReportedWithTheirPlace) {
  const Mistake matrices[] = {
      {"", "F:1:1: the file holds no entry"},
      {"1 1\n", "F:1:1: a line must be \"row column value\", got \"1 1\""},
      {"0 1 2.0\n", "F:1:1: the row must be an integer from 1 to 2147483646, got \"0\""},
      {"1 4 2.0\n", "F:1:5: row 4 has no line in the .dof file, which has 3"},
      {"1 1 2.0\n1 2 nan\n", "F:2:5: the value must be finite, got \"nan\""},
  };
  for (const auto& mistake : matrices) {
    try {
      (void)parse_calculix_matrix(mistake.text, "F", {"1.x", "1.y", "1.z"});
      ADD_FAILURE() << "accepted:\n" << mistake.text;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), mistake.message);
    }
  }
  const Mistake dofs[] = {
      {"1\n", "F:1:1: a line must be \"node.direction\", got \"1\""},
      {"1.1 2.1\n", "F:1:1: a line must be \"node.direction\", got \"1.1 2.1\""},
      {"1.1\nx.2\n", "F:2:1: the node must be an integer from 1 to 2147483646, got \"x\""},
      {"1.x\n", "F:1:3: the direction must be an integer from 0 to 99, got \"x\""},
      {"1.1\n1.1\n", "F:2:1: \"1.1\" is there twice"},
  };
  for (const auto& mistake : dofs) {
    try {
      (void)parse_calculix_dofs(mistake.text, "F");
      ADD_FAILURE() << "accepted:\n" << mistake.text;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), mistake.message);
    }
  }
}

TEST(CalculixMatrix, AnyBytesEndInAMatrixOrAComplaint) {
  test::survives<InputError>(upper_text, [](const std::string& bytes) { (void)parse_calculix_matrix(bytes, "F"); });
  test::survives<InputError>("1.1\n1.2\n12.3\n",
                             [](const std::string& bytes) { (void)parse_calculix_dofs(bytes, "F"); });
}

}  // namespace calculix_matrix_test
}  // namespace microslip
