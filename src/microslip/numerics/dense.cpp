#include "microslip/numerics/dense.hpp"

#include <Eigen/Dense>
#include <cassert>
#include <utility>

#include "microslip/numerics/eigen_kernels.hpp"

namespace microslip {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

MatrixXd times(const MatrixXd& a, const MatrixXd& x) {
  return a * x;
}

MatrixXd transpose_times(const MatrixXd& a, const MatrixXd& x) {
  return a.transpose() * x;
}

VectorXd transpose_times(const MatrixXd& a, const VectorXd& x) {
  return a.transpose() * x;
}

MatrixXd congruent(const MatrixXd& k, const MatrixXd& a) {
  return transpose_times(a, k) * a;
}

VectorXcd times(const MatrixXd& a, const VectorXcd& x) {
  VectorXcd result = VectorXcd::Zero(a.rows());
  for (Eigen::Index c = 0; c < a.cols(); ++c) {
    for (Eigen::Index r = 0; r < a.rows(); ++r) result(r) += a(r, c) * x(c);
  }
  return result;
}

VectorXcd transpose_times(const MatrixXd& a, const VectorXcd& x) {
  VectorXcd result(a.cols());
  for (Eigen::Index c = 0; c < a.cols(); ++c) {
    std::complex<double> sum = 0.0;
    for (Eigen::Index r = 0; r < a.rows(); ++r) sum += a(r, c) * x(r);
    result(c) = sum;
  }
  return result;
}

MatrixXcd times(const MatrixXcd& a, const MatrixXcd& x) {
  return a * x;
}

MatrixXcd transpose_times(const MatrixXcd& a, const MatrixXcd& x) {
  return a.transpose() * x;
}

SymmetricEigen symmetric_eigen(const MatrixXd& a) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors(), solver.info() == Eigen::Success};
}

SymmetricEigen symmetric_eigen(const MatrixXd& a, const MatrixXd& b) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(a, b);
  return {solver.eigenvalues(), solver.eigenvectors(), solver.info() == Eigen::Success};
}

VectorXd symmetric_eigenvalues(const MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

ComplexEigen complex_eigen(const MatrixXd& a) {
  const Eigen::EigenSolver<MatrixXd> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXcd complex_eigenvalues(const MatrixXd& a) {
  return Eigen::EigenSolver<MatrixXd>(a, false).eigenvalues();
}

double spectral_radius(const MatrixXcd& a) {
  // The real matrix of twice the size has the eigenvalues of a and their conjugates.
  MatrixXd twice(2 * a.rows(), 2 * a.cols());
  twice << a.real(), -a.imag(), a.imag(), a.real();
  return complex_eigenvalues(twice).cwiseAbs().maxCoeff();
}

template <typename Scalar>
LuFactors<Scalar>::LuFactors() = default;
template <typename Scalar>
LuFactors<Scalar>::LuFactors(const Matrix& a) : factors_(std::make_unique<Eigen::PartialPivLU<Matrix>>(a)) {}
template <typename Scalar>
LuFactors<Scalar>::LuFactors(const LuFactors& other)
    : factors_(other.factors_ ? std::make_unique<Eigen::PartialPivLU<Matrix>>(*other.factors_) : nullptr) {}
template <typename Scalar>
LuFactors<Scalar>::LuFactors(LuFactors&& other) noexcept = default;
template <typename Scalar>
LuFactors<Scalar>& LuFactors<Scalar>::operator=(LuFactors other) noexcept {
  factors_.swap(other.factors_);
  return *this;
}
template <typename Scalar>
LuFactors<Scalar>::~LuFactors() = default;

template <typename Scalar>
void LuFactors<Scalar>::compute(const Matrix& a) {
  if (factors_) {
    factors_->compute(a);
  } else {
    factors_ = std::make_unique<Eigen::PartialPivLU<Matrix>>(a);
  }
}

template <typename Scalar>
auto LuFactors<Scalar>::solve(const Vector& right) const -> Vector {
  return factors_->solve(right);
}

template <typename Scalar>
auto LuFactors<Scalar>::solve(const Matrix& right) const -> Matrix {
  return factors_->solve(right);
}

template <typename Scalar>
auto LuFactors<Scalar>::solve(const Rows& right) const -> Rows requires std::is_floating_point_v<Scalar> {
  return factors_->solve(right);
}

template <typename Scalar>
auto LuFactors<Scalar>::solve_transposed(const Vector& right) const -> Vector {
  return factors_->transpose().solve(right);
}

template <typename Scalar>
double LuFactors<Scalar>::rcond() const requires std::is_floating_point_v<Scalar> {
  return factors_->rcond();
}

template <typename Scalar>
double LuFactors<Scalar>::pivot_ratio() const {
  const auto pivots = factors_->matrixLU().diagonal().cwiseAbs();
  return pivots.minCoeff() / pivots.maxCoeff();
}

template <typename Scalar>
double LuFactors<Scalar>::smallest_pivot() const {
  return factors_->matrixLU().diagonal().cwiseAbs().minCoeff();
}

template <typename Scalar>
int LuFactors<Scalar>::sign() const requires std::is_floating_point_v<Scalar> {
  int result = static_cast<int>(factors_->permutationP().determinant());
  for (Eigen::Index i = 0; i < factors_->rows(); ++i) {
    if (factors_->matrixLU()(i, i) < 0.0) result = -result;
  }
  return result;
}

template class LuFactors<double>;
template class LuFactors<std::complex<double>>;

MatrixXd inverse(const MatrixXd& a) {
  return a.inverse();
}

std::optional<VectorXd> solve_if_regular(const MatrixXd& a, const VectorXd& right) {
  const Eigen::FullPivLU<MatrixXd> lu(a);
  if (!lu.isInvertible()) return std::nullopt;
  return lu.solve(right);
}

CholeskyFactors::CholeskyFactors() : factors_(std::make_unique<Eigen::LLT<MatrixXd>>()) {}
CholeskyFactors::~CholeskyFactors() = default;

bool CholeskyFactors::compute(const MatrixXd& a) {
  factors_->compute(a);
  return factors_->info() == Eigen::Success;
}

bool CholeskyFactors::compute(const MatrixXd& a, const std::vector<int>& part) {
  factors_->compute(a(part, part));
  return factors_->info() == Eigen::Success;
}

void CholeskyFactors::solve_in_place(VectorXd& right) const {
  factors_->solveInPlace(right);
}

std::optional<MatrixXd> lower_factor(const MatrixXd& a) {
  const Eigen::LLT<MatrixXd> factors(a);
  if (factors.info() != Eigen::Success) return std::nullopt;
  return MatrixXd(factors.matrixL());
}

MatrixXd lower_solve(const MatrixXd& lower, const MatrixXd& right) {
  return lower.topLeftCorner(right.rows(), right.rows()).triangularView<Eigen::Lower>().solve(right);
}

MatrixXd lower_transposed_solve(const MatrixXd& lower, const MatrixXd& right) {
  return lower.topLeftCorner(right.rows(), right.rows()).transpose().triangularView<Eigen::Upper>().solve(right);
}

MatrixXd solve_positive(const MatrixXd& a, const MatrixXd& right) {
  return Eigen::LLT<MatrixXd>(a).solve(right);
}

double positive_rcond(const MatrixXd& a) {
  const Eigen::LLT<MatrixXd> factors(a);
  return factors.info() == Eigen::Success ? factors.rcond() : 0.0;
}

MatrixXd solve_symmetric(const MatrixXd& a, const MatrixXd& right) {
  return a.ldlt().solve(right);
}

VectorXd solve_symmetric(const MatrixXd& a, const VectorXd& right) {
  return a.ldlt().solve(right);
}

std::optional<MatrixXd> solve_if_positive(const MatrixXd& a, const MatrixXd& right, double least_rcond) {
  const Eigen::LDLT<MatrixXd> factors(a);
  if (factors.info() != Eigen::Success || !factors.isPositive() || !(factors.rcond() > least_rcond))
    return std::nullopt;
  return factors.solve(right);
}

VectorXd least_squares(const MatrixXd& a, const VectorXd& b) {
  return a.colPivHouseholderQr().solve(b);
}

MatrixXd orthogonal_columns(const MatrixXd& a, Eigen::Index count) {
  return a.householderQr().householderQ() * MatrixXd::Identity(a.rows(), count);
}

MatrixXd triangle_of(const MatrixXd& a) {
  assert(a.rows() >= a.cols());
  return a.householderQr().matrixQR().topRows(a.cols()).triangularView<Eigen::Upper>();
}

OrthogonalFit orthogonal_fit(const MatrixXd& a, const VectorXd& b) {
  const Eigen::HouseholderQR<MatrixXd> qr(a);
  return {qr.solve(b), qr.householderQ() * MatrixXd::Identity(a.rows(), a.cols())};
}

RightSingular right_singular(const MatrixXd& a) {
  assert(a.rows() == a.cols());
  const Eigen::JacobiSVD<MatrixXd, Eigen::NoQRPreconditioner> svd(a, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

PseudoInverse pseudo_inverse(const MatrixXd& a, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(threshold);
  decomposition.compute(a);
  return {decomposition.rank(), decomposition.pseudoInverse()};
}

LeastNormLu::LeastNormLu(double rounding) : rounding_(rounding) {}
LeastNormLu::~LeastNormLu() = default;

void LeastNormLu::compute(const MatrixXd& matrix) {
  lu_.compute(matrix);
  singular_ = matrix.allFinite() && matrix.size() > 0 && !(lu_.pivot_ratio() > rounding_);
  if (!singular_) return;
  if (!decomposition_) decomposition_ = std::make_unique<Eigen::CompleteOrthogonalDecomposition<MatrixXd>>();
  decomposition_->setThreshold(rounding_);
  decomposition_->compute(matrix);
}

VectorXd LeastNormLu::solve(const VectorXd& right) const {
  if (singular_) return decomposition_->solve(right);
  return lu_.solve(right);
}

VectorXd LeastNormLu::solve_transposed(const VectorXd& right) const {
  if (singular_) return decomposition_->transpose().solve(right);
  return lu_.solve_transposed(right);
}

}  // namespace microslip
