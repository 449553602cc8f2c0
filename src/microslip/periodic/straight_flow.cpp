#include "microslip/periodic/straight_flow.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "microslip/numerics/dense.hpp"

namespace microslip {
namespace {

using Complex = std::complex<double>;

/// (e^z - 1)/z.
Complex mean_growth(Complex z) {
  if (std::abs(z) > 0.1) return (std::exp(z) - 1.0) / z;
  Complex term = 1.0, sum = 1.0;
  for (int k = 2; k < 12; ++k) sum += term *= z / static_cast<double>(k);
  return sum;
}

}  // namespace

StraightFlow::StraightFlow(const Eigen::VectorXd& omega, const Eigen::VectorXd& damping, const Rows& directions,
                           const Eigen::MatrixXd& kappa, const Eigen::MatrixXd& gamma)
    : kappa_(kappa), gamma_(gamma), scale_(omega.mean()) {
  const Eigen::Index n = omega.size();
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  a.topRightCorner(n, n).diagonal().setConstant(scale_);
  a.bottomLeftCorner(n, n) = -(directions * kappa * directions.transpose()) / scale_;
  a.bottomLeftCorner(n, n).diagonal() -= omega.cwiseAbs2() / scale_;
  a.bottomRightCorner(n, n) = -directions * gamma * directions.transpose();
  a.bottomRightCorner(n, n).diagonal() -= damping;
  const ComplexEigen eigen = complex_eigen(a);
  const Eigen::MatrixXcd inverse =
      LuFactors<Complex>(eigen.vectors).solve(Eigen::MatrixXcd(Eigen::MatrixXcd::Identity(2 * n, 2 * n)));
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < 2 * n; ++k) {
    if (eigen.values(k).imag() >= 0.0) kept.push_back(k);
  }
  const auto half = static_cast<Eigen::Index>(kept.size());
  values_.resize(half);
  left_.resize(2 * half, 2 * n);
  right_.resize(2 * n, 2 * half);
  for (Eigen::Index i = 0; i < half; ++i) {
    const Eigen::Index k = kept[static_cast<std::size_t>(i)];
    const double weight = eigen.values(k).imag() > 0.0 ? 2.0 : 1.0;
    values_(i) = eigen.values(k);
    left_.row(i) = inverse.row(k).real();
    left_.row(half + i) = inverse.row(k).imag();
    right_.col(i) = weight * eigen.vectors.col(k).real();
    right_.col(half + i) = -weight * eigen.vectors.col(k).imag();
  }
  forced_ = left_.rightCols(n) * directions / -scale_;
  if (!left_.allFinite()) return;
  const double apart = (right_ * left_ - Rows::Identity(2 * n, 2 * n)).norm();
  rounding_ = apart + std::numeric_limits<double>::epsilon() * left_.norm() * right_.norm();
}

void StraightFlow::run(double time, const Rows& rest, Rows& d, Rows& v) {
  const Eigen::Index n = d.rows(), half = values_.size();
  state_.resize(2 * n, d.cols());
  state_.topRows(n) = d;
  state_.bottomRows(n) = v / scale_;
  parts_.noalias() = left_ * state_;
  by_rest_.noalias() = forced_ * rest;
  for (Eigen::Index k = 0; k < half; ++k) {
    const Complex z = values_(k) * time, growth = std::exp(z), gain = time * mean_growth(z);
    for (Eigen::Index c = 0; c < d.cols(); ++c) {
      const Complex part =
          growth * Complex(parts_(k, c), parts_(half + k, c)) + gain * Complex(by_rest_(k, c), by_rest_(half + k, c));
      parts_(k, c) = part.real();
      parts_(half + k, c) = part.imag();
    }
  }
  state_.noalias() = right_ * parts_;
  d = state_.topRows(n);
  v = scale_ * state_.bottomRows(n);
}

}  // namespace microslip
