#pragma once
// Gauss-Legendre quadrature on (0, 1) with any number of nodes: exact for polynomials up to degree 2 n - 1.

#include <vector>

namespace microslip {

struct GaussRule {
  std::vector<double> node;    ///< in (0, 1), ascending
  std::vector<double> weight;  ///< their sum is 1
};

/// Zeros of the Legendre polynomial P_n by Newton from Tricomi's estimate; n >= 1.
[[nodiscard]] GaussRule gauss_legendre(int n);

/// The same, computed once in a program; may be called from several threads.
[[nodiscard]] const GaussRule& shared_gauss_legendre(int n);

}  // namespace microslip
