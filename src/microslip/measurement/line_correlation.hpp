#pragma once
// Errors of lines that a window correlates: E[e_k conj e_l] = 2 c(k - l) of errors whose real and imaginary parts have
// variance 1, c(0) = 1, c(-m) = conj c(m). The covariance of Re(a^H e) and Re(b^H e) is Re(a^H C b); the Toeplitz
// matrix C is part of a circulant one, which the Fourier transform makes diagonal.

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "microslip/numerics/fft.hpp"

namespace microslip {

class LineCorrelation {
 public:
  /// `apart`: c(1), c(2), ...; empty: lines are not correlated.
  LineCorrelation(Eigen::Index lines, const Eigen::VectorXcd& apart);

  /// Re(A^H C A) of columns, each written as real parts above imaginary ones.
  [[nodiscard]] Eigen::MatrixXd gram(const Eigen::MatrixXd& columns);

 private:
  Eigen::Index lines_;
  bool none_;
  Fft fft_;
  Eigen::VectorXd spectrum_;  ///< eigenvalues of the circulant matrix, over its size
  std::vector<std::complex<double>> work_;
};

}  // namespace microslip
