#pragma once
// Dense linear algebra on MatrixXd and MatrixXcd: eigenvalues, LU, Cholesky, QR. Eigen's decompositions are compiled
// here once; everything else includes <Eigen/Core> only (tests/layers.cmake says so). Decompositions are Eigen's
// to the last bit.

#include <Eigen/Core>
#include <complex>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace microslip {

/// Products away from inner loops: a x, a^T x, and a^T k a as (a^T k) a. Written with operators, every pair of
/// expressions is a product of its own to compile.
[[nodiscard]] Eigen::MatrixXd times(const Eigen::MatrixXd& a, const Eigen::MatrixXd& x);
[[nodiscard]] Eigen::MatrixXd transpose_times(const Eigen::MatrixXd& a, const Eigen::MatrixXd& x);
[[nodiscard]] Eigen::VectorXd transpose_times(const Eigen::MatrixXd& a, const Eigen::VectorXd& x);
[[nodiscard]] Eigen::MatrixXd congruent(const Eigen::MatrixXd& k, const Eigen::MatrixXd& a);
[[nodiscard]] Eigen::VectorXcd times(const Eigen::MatrixXd& a, const Eigen::VectorXcd& x);
[[nodiscard]] Eigen::VectorXcd transpose_times(const Eigen::MatrixXd& a, const Eigen::VectorXcd& x);
[[nodiscard]] Eigen::MatrixXcd times(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& x);
[[nodiscard]] Eigen::MatrixXcd transpose_times(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& x);

/// a x = x lambda, or a x = b x lambda. Values rise; vectors are in columns, X^T X = I or X^T b X = I.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  bool converged = false;
};
[[nodiscard]] SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a);
[[nodiscard]] SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& a);

/// Of a matrix without symmetry, in no order; vectors have length one.
struct ComplexEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
[[nodiscard]] ComplexEigen complex_eigen(const Eigen::MatrixXd& a);
[[nodiscard]] Eigen::VectorXcd complex_eigenvalues(const Eigen::MatrixXd& a);
/// The largest magnitude of an eigenvalue.
[[nodiscard]] double spectral_radius(const Eigen::MatrixXcd& a);

/// P a = L U of a square matrix, rows exchanged. A singular matrix gives solutions that are not finite.
template <typename Scalar>
class LuFactors {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  LuFactors();
  explicit LuFactors(const Matrix& a);
  LuFactors(const LuFactors& other);
  LuFactors(LuFactors&& other) noexcept;
  LuFactors& operator=(LuFactors other) noexcept;
  ~LuFactors();

  void compute(const Matrix& a);
  [[nodiscard]] Vector solve(const Vector& right) const;
  [[nodiscard]] Matrix solve(const Matrix& right) const;
  [[nodiscard]] Rows solve(const Rows& right) const requires std::is_floating_point_v<Scalar>;
  /// Of the transposed matrix.
  [[nodiscard]] Vector solve_transposed(const Vector& right) const;

  /// Estimate of 1/(|a| |a^-1|) in the 1-norm.
  [[nodiscard]] double rcond() const requires std::is_floating_point_v<Scalar>;
  /// Smallest over largest magnitude on the diagonal of U, and the smallest.
  [[nodiscard]] double pivot_ratio() const;
  [[nodiscard]] double smallest_pivot() const;
  /// Of the determinant.
  [[nodiscard]] int sign() const requires std::is_floating_point_v<Scalar>;

 private:
  std::unique_ptr<Eigen::PartialPivLU<Matrix>> factors_;
};
extern template class LuFactors<double>;
extern template class LuFactors<std::complex<double>>;

[[nodiscard]] Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);

/// With rows and columns exchanged; nothing when a is singular to rounding.
[[nodiscard]] std::optional<Eigen::VectorXd> solve_if_regular(const Eigen::MatrixXd& a, const Eigen::VectorXd& right);

/// a = L L^T of a positive definite matrix.
class CholeskyFactors {
 public:
  CholeskyFactors();
  ~CholeskyFactors();
  /// False when a is not positive definite.
  bool compute(const Eigen::MatrixXd& a);
  /// Of the rows and columns `part` of a.
  bool compute(const Eigen::MatrixXd& a, const std::vector<int>& part);
  void solve_in_place(Eigen::VectorXd& right) const;

 private:
  std::unique_ptr<Eigen::LLT<Eigen::MatrixXd>> factors_;
};
/// L of a = L L^T; nothing when a is not positive definite. L^-1 right and L^-T right, with a leading block of L.
[[nodiscard]] std::optional<Eigen::MatrixXd> lower_factor(const Eigen::MatrixXd& a);
[[nodiscard]] Eigen::MatrixXd lower_solve(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& right);
[[nodiscard]] Eigen::MatrixXd lower_transposed_solve(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& right);
/// a^-1 right.
[[nodiscard]] Eigen::MatrixXd solve_positive(const Eigen::MatrixXd& a, const Eigen::MatrixXd& right);
/// Estimate of 1/(|a| |a^-1|); 0 when a is not positive definite.
[[nodiscard]] double positive_rcond(const Eigen::MatrixXd& a);

/// By L D L^T of a symmetric matrix.
[[nodiscard]] Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::MatrixXd& right);
[[nodiscard]] Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::VectorXd& right);
/// The same; nothing when a is not positive definite, or its reciprocal condition is not above `least_rcond`.
[[nodiscard]] std::optional<Eigen::MatrixXd> solve_if_positive(const Eigen::MatrixXd& a, const Eigen::MatrixXd& right,
                                                               double least_rcond);

/// min |a x - b|, by QR with columns exchanged.
[[nodiscard]] Eigen::VectorXd least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
/// The first columns of the orthogonal Q in a = Q R: as many as a has they span its columns, the rest is orthogonal to
/// them.
[[nodiscard]] Eigen::MatrixXd orthogonal_columns(const Eigen::MatrixXd& a, Eigen::Index count);
/// R of a = Q R, as many rows as columns.
[[nodiscard]] Eigen::MatrixXd triangle_of(const Eigen::MatrixXd& a);

/// The solution of min |a x - b| and an orthonormal basis of the columns of a.
struct OrthogonalFit {
  Eigen::VectorXd solution;
  Eigen::MatrixXd basis;
};
[[nodiscard]] OrthogonalFit orthogonal_fit(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// Of a square matrix. Values fall; the columns of v are the right singular vectors.
struct RightSingular {
  Eigen::VectorXd values;
  Eigen::MatrixXd v;
};
[[nodiscard]] RightSingular right_singular(const Eigen::MatrixXd& a);

/// Rank at a threshold relative to the largest pivot, and the pseudo-inverse at that rank.
struct PseudoInverse {
  Eigen::Index rank = 0;
  Eigen::MatrixXd matrix;
};
[[nodiscard]] PseudoInverse pseudo_inverse(const Eigen::MatrixXd& a, double threshold);

/// LU factors of a square matrix; where it is singular to rounding, the solution of least norm instead. A joint that
/// slips all around its cycle and is held by nothing else leaves the mean position open: then the one nearest to where
/// we are.
class LeastNormLu {
 public:
  /// `rounding`: of the matrix; a smaller ratio of pivots is singular.
  explicit LeastNormLu(double rounding = 1e-13);
  ~LeastNormLu();
  void compute(const Eigen::MatrixXd& matrix);
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  /// Of the transposed matrix.
  [[nodiscard]] Eigen::VectorXd solve_transposed(const Eigen::VectorXd& right) const;
  [[nodiscard]] bool singular() const { return singular_; }
  /// Of the determinant; 0 for a singular matrix.
  [[nodiscard]] int sign() const { return singular_ ? 0 : lu_.sign(); }

 private:
  LuFactors<double> lu_;
  std::unique_ptr<Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>> decomposition_;
  double rounding_;
  bool singular_ = false;
};

}  // namespace microslip
