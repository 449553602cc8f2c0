// The matrices of two beams through MATLAB files of every version and form, written by matio: the same modes as from
// the Matrix Market files.

#include <gtest/gtest.h>
#include <unistd.h>
#include <Eigen/Core>

#include <filesystem>

#include "microslip/io/mat_file.hpp"
#include "microslip/numerics/dense.hpp"
#include "support/matio_files.hpp"

namespace microslip {
namespace {

using test::MatioFile;

struct Matrices {
  Eigen::MatrixXd mass, stiffness;
};

/// omega^2 and mass-normalised shapes.
SymmetricEigen modes(const Matrices& matrices) {
  return symmetric_eigen(matrices.stiffness, matrices.mass);
}

void expect_same_modes(const std::string& folder) {
  const std::string from = std::string(MICROSLIP_SOURCE_DIR) + "/examples/" + folder;
  const Matrices expected{read_matrix_market(from + "/M.mtx").dense(), read_matrix_market(from + "/K.mtx").dense()};
  const auto reference = modes(expected);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("microslip_modes_" + std::to_string(getpid()) + ".mat")).string();
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    for (const bool sparse : {false, true}) {
      {
        MatioFile file(path, version, version == MAT_FT_MAT5 && sparse);
        const auto array = [&](const Eigen::MatrixXd& matrix) {
          return sparse ? MatioFile::sparse(nullptr, matrix) : MatioFile::full(nullptr, matrix);
        };
        const char* fields[] = {"M", "K"};
        std::size_t one[2] = {1, 1};
        matvar_t* model = Mat_VarCreateStruct("model", 2, one, fields, 2);
        Mat_VarSetStructFieldByName(model, "M", 0, array(expected.mass));
        Mat_VarSetStructFieldByName(model, "K", 0, array(expected.stiffness));
        file.write(model);
      }
      const Matrices read{read_mat_matrix(path, "model.M").dense(), read_mat_matrix(path, "model.K").dense()};
      // MATLAB files hold doubles: nothing is rounded, so the matrices are the same to the bit, and with them the
      // modes.
      EXPECT_EQ(read.mass, expected.mass);
      EXPECT_EQ(read.stiffness, expected.stiffness);
      const auto found = modes(read);
      const double scale = reference.values.cwiseAbs().maxCoeff();
      EXPECT_LE((found.values - reference.values).cwiseAbs().maxCoeff(), 1e-10 * scale);
      EXPECT_LE((found.vectors - reference.vectors).cwiseAbs().maxCoeff(),
                1e-10 * reference.vectors.cwiseAbs().maxCoeff());
    }
  }
  std::filesystem::remove(path);
}

TEST(MatlabFiles, SumaliBeam) {
  expect_same_modes("03_sumali_beam");
}

TEST(MatlabFiles, BrakeReussBeam) {
  expect_same_modes("04_brake_reuss_beam");
}

TEST(MatlabFiles, BrakeReussTestModel) {
  expect_same_modes("10_brake_reuss_test_model");
}

}  // namespace
}  // namespace microslip
