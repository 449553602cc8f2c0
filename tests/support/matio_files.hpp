#pragma once
// MATLAB files written by matio, a program that is not ours.

#include <matio.h>

#include <Eigen/Core>
#include <stdexcept>
#include <string>
#include <vector>

namespace microslip::test {

class MatioFile {
 public:
  MatioFile(const std::string& path, mat_ft version, bool compressed = false)
      : file_(Mat_CreateVer(path.c_str(), nullptr, version)),
        compression_(compressed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE) {
    if (file_ == nullptr) throw std::runtime_error("matio cannot make " + path);
  }
  MatioFile(const MatioFile&) = delete;
  MatioFile& operator=(const MatioFile&) = delete;
  ~MatioFile() { Mat_Close(file_); }

  /// matio frees what a struct holds with the struct.
  static matvar_t* full(const char* name, Eigen::MatrixXd matrix) {
    std::size_t sizes[2] = {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())};
    return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes, matrix.data(), 0);
  }
  static matvar_t* sparse(const char* name, const Eigen::MatrixXd& matrix) {
    std::vector<double> values;
    std::vector<mat_uint32_t> rows, starts{0};
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) {
      for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
        if (matrix(i, k) == 0.0) continue;
        values.push_back(matrix(i, k));
        rows.push_back(static_cast<mat_uint32_t>(i));
      }
      starts.push_back(static_cast<mat_uint32_t>(values.size()));
    }
    mat_sparse_t parts{};
    parts.nzmax = static_cast<mat_uint32_t>(values.size());
    parts.ir = rows.data();
    parts.nir = parts.nzmax;
    parts.jc = starts.data();
    parts.njc = static_cast<mat_uint32_t>(starts.size());
    parts.ndata = parts.nzmax;
    parts.data = values.data();
    std::size_t sizes[2] = {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())};
    return Mat_VarCreate(name, MAT_C_SPARSE, MAT_T_DOUBLE, 2, sizes, &parts, 0);
  }
  static matvar_t* text(const char* name, const std::string& text) {
    std::size_t sizes[2] = {1, text.size()};
    std::string copy = text;
    return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UINT8, 2, sizes, copy.data(), 0);
  }
  void write(matvar_t* variable) {
    if (variable == nullptr || Mat_VarWrite(file_, variable, compression_) != 0) {
      throw std::runtime_error("matio cannot write a variable");
    }
    Mat_VarFree(variable);
  }

 private:
  mat_t* file_;
  matio_compression compression_;
};

}  // namespace microslip::test
