#include "microslip/identify/parameter_covariance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

constexpr double unmoved = 1e-7;        // of the largest singular value: a direction that does not move the residuals
constexpr double unmoved_share = 1e-5;  // share of a quantity's gradient in such directions

}  // namespace

double ParameterCovariance::error(const Eigen::VectorXd& gradient) const {
  if ((nowhere.transpose() * gradient).norm() > unmoved_share * gradient.norm()) {
    return std::numeric_limits<double>::infinity();
  }
  return std::sqrt(std::max(0.0, gradient.dot(matrix * gradient)));
}

DeterminedDirections::DeterminedDirections(const Eigen::Ref<const RowMatrix>& jacobian, std::span<const bool> free)
    : size_(jacobian.cols()) {
  for (Eigen::Index k = 0; k < size_; ++k) {
    if (free[static_cast<std::size_t>(k)]) free_.push_back(k);
  }
  const auto count = static_cast<Eigen::Index>(free_.size());
  RowMatrix columns(jacobian.rows(), count);
  for (Eigen::Index k = 0; k < count; ++k) columns.col(k) = jacobian.col(free_[static_cast<std::size_t>(k)]);
  const RightSingular svd = right_singular(triangle_of(columns));
  const Eigen::Index kept = (svd.values.array() > unmoved * svd.values(0)).count();
  unscaled_ = svd.v.leftCols(kept) * svd.values.head(kept).cwiseInverse().asDiagonal();
  basis_ = columns * unscaled_;
  nowhere_ = Eigen::MatrixXd::Zero(size_, count - kept);
  for (Eigen::Index k = 0; k < count; ++k) {
    nowhere_.row(free_[static_cast<std::size_t>(k)]) = svd.v.row(k).tail(count - kept);
  }
}

ParameterCovariance DeterminedDirections::covariance(const Eigen::MatrixXd& spread) const {
  const Eigen::MatrixXd small = unscaled_ * spread * unscaled_.transpose();
  ParameterCovariance result{Eigen::MatrixXd::Zero(size_, size_), nowhere_};
  for (Eigen::Index k = 0; k < small.rows(); ++k) {
    for (Eigen::Index l = 0; l < small.cols(); ++l) {
      result.matrix(free_[static_cast<std::size_t>(k)], free_[static_cast<std::size_t>(l)]) = small(k, l);
    }
  }
  return result;
}

Eigen::MatrixXd correlated_squares(const RowMatrix& rows, double correlation) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(rows.cols(), rows.cols());
  Eigen::VectorXd row(rows.cols()), before = Eigen::VectorXd::Zero(rows.cols());  // rows before, each with its c^|i-k|
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    row = rows.row(i).transpose();
    before *= correlation;
    sum += row * row.transpose() + row * before.transpose() + before * row.transpose();
    before += row;
  }
  return sum;
}

}  // namespace microslip
