#pragma once
// Covariance of fitted coordinates from the Jacobian J of the residuals at the minimum, H = J^T J,
//   C = H^-1 S H^-1,   S = J^T cov(residuals) J
// taken in directions whose H is 1: J = U s V^T, C = V s^-1 [U^T cov U] s^-1 V^T. Directions with a singular value
// below 1e-7 of the largest do not move the residuals: what lies along them is undetermined.

#include <Eigen/Core>
#include <span>
#include <vector>

namespace microslip {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct ParameterCovariance {
  Eigen::MatrixXd matrix;   ///< of all coordinates, zero for those that are not free
  Eigen::MatrixXd nowhere;  ///< undetermined directions, orthonormal columns

  /// Standard error of a quantity with this gradient; infinite where it has a share in undetermined directions.
  [[nodiscard]] double error(const Eigen::VectorXd& gradient) const;
};

class DeterminedDirections {
 public:
  /// Columns of the Jacobian that are free; at least one.
  DeterminedDirections(const Eigen::Ref<const RowMatrix>& jacobian, std::span<const bool> free);

  /// U: orthonormal columns, one for each determined direction.
  [[nodiscard]] const RowMatrix& basis() const { return basis_; }
  /// C of `spread` = U^T cov(residuals) U.
  [[nodiscard]] ParameterCovariance covariance(const Eigen::MatrixXd& spread) const;

 private:
  Eigen::Index size_;
  std::vector<Eigen::Index> free_;
  Eigen::MatrixXd unscaled_;  ///< V s^-1 of the free coordinates
  Eigen::MatrixXd nowhere_;
  RowMatrix basis_;
};

/// sum over i, k of c^|i-k| r_i r_k^T of the rows.
[[nodiscard]] Eigen::MatrixXd correlated_squares(const RowMatrix& rows, double correlation);

}  // namespace microslip
