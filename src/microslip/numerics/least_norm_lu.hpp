#pragma once
// LU factors of a square matrix; where it is singular to rounding, the solution of least norm instead. A joint that
// slips all around its cycle and is held by nothing else leaves the mean position open: then the one nearest to where
// we are.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace microslip {

class LeastNormLu {
 public:
  void compute(const Eigen::MatrixXd& matrix) {
    lu_.compute(matrix);
    const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
    const bool finite = matrix.allFinite();
    singular_ = finite && matrix.size() > 0 && !(pivots.minCoeff() > rounding * pivots.maxCoeff());
    if (!singular_) return;
    decomposition_.setThreshold(rounding);
    decomposition_.compute(matrix);
  }
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    if (singular_) return decomposition_.solve(right);
    return lu_.solve(right);
  }
  [[nodiscard]] bool singular() const { return singular_; }
  /// Of the determinant; 0 for a singular matrix.
  [[nodiscard]] int sign() const {
    if (singular_) return 0;
    int result = static_cast<int>(lu_.permutationP().determinant());
    for (Eigen::Index i = 0; i < lu_.matrixLU().rows(); ++i) {
      if (lu_.matrixLU()(i, i) < 0.0) result = -result;
    }
    return result;
  }

 private:
  static constexpr double rounding = 1e-13;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition_;
  bool singular_ = false;
};

}  // namespace microslip
