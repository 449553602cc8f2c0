#pragma once
// Errors of lines that a window correlates: E[e_k conj e_l] = 2 c(k - l) of errors whose real and imaginary parts have
// variance 1, c(0) = 1, c(-m) = conj c(m). The covariance of Re(a^H e) and Re(b^H e) is Re(a^H C b); the Toeplitz
// matrix C is part of a circulant one, which the Fourier transform makes diagonal. Where lines are left out, each run
// of lines without a gap has a matrix of its own.

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "microslip/numerics/fft.hpp"

namespace microslip {

class LineCorrelation {
 public:
  /// `apart`: c(1), c(2), ...; empty: lines are not correlated. `numbers` of the lines, rising; empty: 0, 1, 2, ...
  LineCorrelation(Eigen::Index lines, const Eigen::VectorXcd& apart, const std::vector<Eigen::Index>& numbers = {});

  /// Re(A^H C A) of columns, each written as real parts above imaginary ones.
  [[nodiscard]] Eigen::MatrixXd gram(const Eigen::MatrixXd& columns);

 private:
  /// Lines without a gap; the transform of their correlations.
  struct Run {
    Run(Eigen::Index first, Eigen::Index count, const Eigen::VectorXcd& apart);
    Eigen::Index first, count;
    Fft fft;
    Eigen::VectorXd spectrum;  ///< eigenvalues of the circulant matrix, over its size
    std::vector<std::complex<double>> work;
  };
  void add_gram(Run& run, const Eigen::MatrixXd& columns, Eigen::MatrixXd& sum) const;

  Eigen::Index lines_;
  std::vector<Run> runs_;              ///< of two lines and more
  std::vector<Eigen::Index> singles_;  ///< lines without a neighbour
};

}  // namespace microslip
