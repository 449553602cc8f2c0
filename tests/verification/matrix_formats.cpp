// The matrices of two beams through every matrix format that is read: the same modes, as far as the digits of a format
// go. A format with d digits changes an entry by at most 0.5 10^(1-d) of itself, and so a frequency, to first order, by
//   |domega_i| / omega_i = |phi_i^T (dK - lambda_i dM) phi_i| / (2 lambda_i) <= 0.25 10^(1-d) A_i,
//   A_i = |phi_i|^T (|K| + lambda_i |M|) |phi_i| / lambda_i,
// where A_i, up to 400 for the Sumali beam and 4e4 for the Brake-Reuss beam, says how strongly the terms of the strain
// energy cancel. dK and dM are exact differences of what was read, so that no solver's rounding is in the way.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Core>

#include <cmath>
#include <filesystem>
#include <functional>

#include "microslip/io/dmig.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/io/op4.hpp"
#include "microslip/io/output_file.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

struct Format {
  std::string name;    ///< of the file; %: which matrix
  std::string member;  ///< behind it
  int digits;          ///< 17: every bit
  std::function<std::string(const MatrixFile&)> write;
};

/// Lines of one triangle, as CalculiX and Abaqus write them.
std::string triangle(const MatrixFile& matrix, bool upper, const std::function<std::string(int, int, double)>& line) {
  std::string text;
  for (const auto& entry : matrix.entries) {
    if (upper ? entry.row <= entry.column : entry.row >= entry.column) {
      text += line(entry.row + 1, entry.column + 1, entry.value);
    }
  }
  return text;
}

std::vector<Format> formats() {
  std::vector<Format> list;
  list.push_back({"%.mtx", "", 17, [](const MatrixFile& m) { return format_matrix_market(m, "copied"); }});
  for (const auto encoding : {Op4Encoding::text, Op4Encoding::little_endian, Op4Encoding::big_endian}) {
    for (const auto storage : {Op4Storage::dense, Op4Storage::sparse, Op4Storage::bigmat}) {
      list.push_back({"%.op4", ":AA", 17, [=](const MatrixFile& m) {
                        return format_op4(m, "AA", {encoding, storage, false});
                      }});
    }
  }
  list.push_back({"%.dmig", "", 17, [](const MatrixFile& m) { return format_dmig(m, "AAX", DmigFields::commas); }});
  // "-d.dddddddddd+dd": eleven digits where a negative number has an exponent of two
  list.push_back({"%.pch", ":AAX", 11, [](const MatrixFile& m) { return format_dmig(m, "AAX", DmigFields::wide); }});
  list.push_back({"%_coordinate.mtx", "", 16, [](const MatrixFile& m) {
                    return triangle(m, true,
                                    [](int i, int j, double v) { return fmt::format("{} {} {:.15e}\n", i, j, v); });
                  }});
  list.push_back({"%_input.mtx", "", 16, [](const MatrixFile& m) {
                    return triangle(m, false, [](int i, int j, double v) {
                      return fmt::format("{},{}, {},{}, {: .15e}\n", (i + 5) / 6, (i + 5) % 6 + 1, (j + 5) / 6,
                                         (j + 5) % 6 + 1, v);
                    });
                  }});
  list.push_back({"%.sti", "", 14, [](const MatrixFile& m) {
                    return triangle(m, true,
                                    [](int i, int j, double v) { return fmt::format("{} {} {:20.13e}\n", i, j, v); });
                  }});
  return list;
}

class MatrixFormats : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "matrix_formats_" + std::string(GetParam());
    std::filesystem::create_directories(folder_);
    mass_ = read_matrix_market(example("M.mtx"));
    stiffness_ = read_matrix_market(example("K.mtx"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string example(const std::string& name) {
    return std::string(MICROSLIP_SOURCE_DIR "/examples/") + GetParam() + "/" + name;
  }

  Eigen::MatrixXd copied(const Format& format, const MatrixFile& matrix, const std::string& which) const {
    std::string path = folder_ + "/" + format.name;
    path.replace(path.find('%'), 1, which);
    OutputFile file(path);
    file.write(format.write(matrix));
    file.close();
    return read_matrix_file(path + format.member).dense();
  }

  std::string folder_;
  MatrixFile mass_;
  MatrixFile stiffness_;
};

TEST_P(MatrixFormats, ModesStayTheSameAsFarAsTheDigitsGo) {
  const Eigen::MatrixXd m = mass_.dense();
  const Eigen::MatrixXd k = stiffness_.dense();
  const SymmetricEigen modes = symmetric_eigen(k, m);
  const Eigen::VectorXd& lambda = modes.values;
  constexpr int rigid = 6;  // both beams are free
  for (const Format& format : formats()) {
    const Eigen::MatrixXd dm = copied(format, mass_, "M") - m;
    const Eigen::MatrixXd dk = copied(format, stiffness_, "K") - k;
    if (format.digits == 17) {
      EXPECT_EQ(dm.cwiseAbs().maxCoeff(), 0.0) << format.name;
      EXPECT_EQ(dk.cwiseAbs().maxCoeff(), 0.0) << format.name;
      continue;
    }
    const double rounding = 0.25 * std::pow(10.0, 1 - format.digits);
    for (int i = rigid; i < lambda.size(); ++i) {
      const Eigen::VectorXd phi = modes.vectors.col(i);
      const Eigen::VectorXd size = phi.cwiseAbs();
      const double change = std::abs(phi.dot(dk * phi) - lambda(i) * phi.dot(dm * phi)) / (2.0 * lambda(i));
      const double cancellation =
          (size.dot(k.cwiseAbs() * size) + lambda(i) * size.dot(m.cwiseAbs() * size)) / lambda(i);
      EXPECT_LE(change, rounding * cancellation) << format.name << " mode " << i + 1;
      // Sixteen digits are enough for both beams, fourteen for the Sumali beam; sixteen columns of DMIG for neither.
      const bool enough = format.digits == 16 || (format.digits == 14 && std::string(GetParam()) == "03_sumali_beam");
      if (enough) {
        EXPECT_LT(rounding * cancellation, 1e-10) << format.name << " mode " << i + 1;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Beams, MatrixFormats, testing::Values("03_sumali_beam", "04_brake_reuss_beam"));

}  // namespace
}  // namespace microslip
