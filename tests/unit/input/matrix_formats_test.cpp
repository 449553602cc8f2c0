// Matrices of finite-element programs as the structure of a study.

#include <gtest/gtest.h>

#include "microslip/io/dmig.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/io/op4.hpp"
#include "support/study_folder.hpp"

namespace microslip {
namespace matrix_formats_test {

using test::marked_at;
using test::replaced;

class MatrixFormats : public test::StudyFolder {
 protected:
  [[nodiscard]] static std::string matrices(const std::string& mass, const std::string& stiffness,
                                            const std::string& more = "") {
    return R"(
[structure]
kind = "matrices"
mass = ")" +
           mass + R"("
stiffness = ")" +
           stiffness + "\"\n" + more;
  }
};

const std::string mass_text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 4\n";
const std::string stiffness_text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 5\n";

TEST_F(MatrixFormats, MembersOfOneFile) {
  const MatrixFile mass = parse_matrix_market(mass_text, "M");
  const MatrixFile stiffness = parse_matrix_market(stiffness_text, "K");
  write("model.op4", format_op4(mass, "MAA") + format_op4(stiffness, "KAA"));
  const Study study = parse(matrices("model.op4:MAA", "model.op4:KAA"));
  EXPECT_EQ(Eigen::MatrixXd(study.system.structure().stiffness()), stiffness.dense());
  EXPECT_EQ(Eigen::MatrixXd(study.system.structure().mass()), mass.dense());
  EXPECT_EQ(study.system.structure().labels(), (std::vector<std::string>{"1", "2"}));
  expect_complaint(marked_at(matrices("model.op4", "model.op4:KAA"), R"("model.op4")"),
                   R"(structure: mass: "model.op4" holds several matrices: write one of MAA, KAA behind a colon)");
}

TEST_F(MatrixFormats, LabelsOfTheFileNameDegreesOfFreedom) {
  write("run.pch",
        "DMIG,K,0,6,1\nDMIG,K,4,1,,4,1,2.,\n,9,3,-1.\nDMIG,K,9,3,,9,3,5.\n"
        "DMIG,M,0,6,1\nDMIG,M,9,3,,9,3,4.\nDMIG,M,4,1,,4,1,1.\n");
  const std::string text = matrices("run.pch:M", "run.pch:K");
  const Study study = parse(text + R"(
[[load]]
name = "p"
at = "9.z"
signal = { kind = "constant", amplitude = 1 }
)");
  EXPECT_EQ(study.system.structure().labels(), (std::vector<std::string>{"4.x", "9.z"}));
  EXPECT_EQ(study.loads[0].direction, Eigen::Vector2d(0, 1));
  // The study's own labels come first.
  EXPECT_EQ(parse(text + R"(labels = ["a", "b"])").system.structure().labels(), (std::vector<std::string>{"a", "b"}));
}

// Mass and damping know other rows than the stiffness, in another order; row 3.y is held, in the stiffness alone.
TEST_F(MatrixFormats, RowsAreBroughtTogetherAndHeldOnesTakenOut) {
  write("job_STIF1.mtx", "2,1, 2,1, 5.0\n3,1, 2,1, -1.0\n3,1, 3,1, 2.0\n3,2, 3,1, 7.0\n3,2, 3,2, 1e36\n");
  write("job_MASS1.mtx", "3,1, 3,1, 1.0\n3,2, 3,2, 1.0\n2,1, 2,1, 4.0\n");
  write("job_DMPV1.mtx", "3,1, 3,1, 0.5\n");
  const std::string other = write_marked("other_DMPV1.mtx", "»8,1, 8,1, 0.5\n");
  const std::string text = matrices("job_MASS1.mtx", "job_STIF1.mtx");
  const Study study = parse(text + R"(damping = { matrix = "job_DMPV1.mtx" })");
  const LinearStructure& structure = study.system.structure();
  EXPECT_EQ(structure.labels(), (std::vector<std::string>{"2.x", "3.x"}));
  EXPECT_EQ(Eigen::MatrixXd(structure.stiffness()), (Eigen::Matrix2d() << 5, -1, -1, 2).finished());
  EXPECT_EQ(Eigen::MatrixXd(structure.mass()), (Eigen::Matrix2d() << 4, 0, 0, 1).finished());
  EXPECT_EQ(std::get<MatrixDamping>(structure.damping()).matrix, (Eigen::Matrix2d() << 0, 0, 0, 0.5).finished());
  expect_complaint(text + R"(damping = { matrix = "other_DMPV1.mtx" })",
                   other + R"(the damping matrix has the row "8.x", which mass and stiffness lack)");
  write("held.mtx", "2,1, 2,1, 1e36\n");
  expect_complaint(replaced(matrices("held.mtx", "held.mtx"), "stiffness = ", "stiffness = »"),
                   "structure: stiffness: every row of the matrix is held fixed");
}

}  // namespace matrix_formats_test
}  // namespace microslip
