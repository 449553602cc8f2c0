#pragma once
// P A P^T = L D L^T of a large sparse symmetric matrix, L unit lower triangular, D diagonal, without pivoting: exact
// for positive definite and semidefinite matrices; for indefinite ones (K - s M) as good as the pivots happen to be,
// which `growth` tells.
//
// Fill is kept small by nested dissection (METIS); columns of like structure are eliminated together in dense fronts,
// so that nearly all of the work is matrix products. Ref: Duff, Reid, The multifrontal solution of indefinite sparse
// symmetric linear equations, ACM TOMS 9 (1983) 302; Liu, The multifrontal method for sparse matrix solution, SIAM
// Review 34 (1992) 82.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <limits>
#include <vector>

namespace microslip {

/// What to do with a pivot that is nothing but rounding.
enum class TinyPivots {
  raise,  ///< to the size of the matrix there: the factors are of A + E, E diagonal with few entries (see raised())
  keep    ///< for counting signs; a zero becomes a rounding
};

class SparseLdlt {
 public:
  struct Raised {
    int row = 0;
    double by = 0.0;  ///< added to A(row, row)
  };

  /// `matrix` holds both halves; only the lower one is read. A pivot is tiny up to `tiny_share` of A's diagonal there:
  /// those of slender structures come down to 1e-8, rounding comes up to 1e-9. Throws std::invalid_argument unless the
  /// matrix is square.
  explicit SparseLdlt(const Eigen::SparseMatrix<double>& matrix, TinyPivots tiny = TinyPivots::raise,
                      double tiny_share = 1e-10);
  /// Another matrix, whose entries all stand where the first had one: keeps the ordering.
  void factor(const Eigen::SparseMatrix<double>& matrix, TinyPivots tiny = TinyPivots::raise);

  /// A^-1 of every column, in place.
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> columns) const;

  [[nodiscard]] int size() const { return static_cast<int>(order_.size()); }
  /// Pivots of D below zero: as many as negative eigenvalues (Sylvester).
  [[nodiscard]] int negative() const { return negative_; }
  [[nodiscard]] const std::vector<Raised>& raised() const { return raised_; }
  /// Largest entry of |L|^2 |D| over the largest of A: rounding errors are eps times this. 1 for definite matrices.
  [[nodiscard]] double growth() const { return growth_; }
  /// The error of A that rounding in the factors amounts to: eps times the largest entry of |L|^2 |D|.
  [[nodiscard]] double rounding() const { return std::numeric_limits<double>::epsilon() * growth_ * largest_; }
  /// Entries of L.
  [[nodiscard]] long long entries() const { return entries_; }

 private:
  /// Columns first .. first + width - 1 of P A P^T and the rows below them.
  struct Front {
    int first = 0;
    int width = 0;
    int parent = -1;
    std::vector<int> rows;      ///< sorted, the columns themselves first
    std::vector<int> children;  ///< fronts
    Eigen::MatrixXd panel;      ///< rows x width: L; the diagonal is D
  };

  void order(const Eigen::SparseMatrix<double>& matrix);
  void find_fronts(const Eigen::SparseMatrix<double>& permuted);
  void eliminate(Eigen::MatrixXd& front, const Front& of, TinyPivots tiny);
  double take_pivot(double pivot, int place, TinyPivots tiny);
  [[nodiscard]] Eigen::SparseMatrix<double> permuted_lower(const Eigen::SparseMatrix<double>& matrix) const;

  std::vector<int> order_;  ///< row of A at each place
  std::vector<int> place_;  ///< the inverse
  std::vector<Front> fronts_;
  std::vector<double> diagonal_;  ///< |A(i, i)| at each place: what is tiny
  std::vector<Raised> raised_;
  int negative_ = 0;
  double growth_ = 1.0, largest_ = 0.0, tiny_share_;
  long long entries_ = 0;
};

}  // namespace microslip
