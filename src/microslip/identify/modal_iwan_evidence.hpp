#pragma once
// How many of the rows of a curve are independent. Neighbours in a ring-down share the half-cycles of their windows and
// the memory of a band-pass; where the model is wrong they share its error.

#include <array>
#include <vector>

#include "microslip/identify/modal_iwan_residuals.hpp"

namespace microslip {

struct RowEvidence {
  std::array<double, 2> alike = {1.0, 1.0};  ///< rows that share an error, of frequencies and of damping ratios
  double independent = 0.0;                  ///< residuals of both kinds that do not: sum of rows/alike
  double bias_cost = 0.0;                    ///< half the sum of squares that errors of form and windows alone make
  std::vector<double> variance;              ///< of each residual over its e, weight taken out; 2 a row

  /// Correlation of residuals one row apart, if it falls from row to row by the same factor.
  [[nodiscard]] double correlation(int kind) const { return (alike[kind] - 1.0) / (alike[kind] + 1.0); }
  /// Independent residuals left over by so many parameters; 1 at least.
  [[nodiscard]] double left_by(int parameters) const;
};

/// At the minimum x of so many free parameters. With r the correlation of residuals at a distance,
///   alike = 1 + 2 sum of r over the distances up to the first pair of them where it is not positive,
/// 1 at least (Geyer's initial positive sequence). The variance of a row is what it states of its own noise, the
/// squares of zeta^2 for the closed forms of a ring-down and of what its window smooths, and one rest for all of a kind
/// that makes the mean of residual^2/variance what that of so many independent ones would be.
[[nodiscard]] RowEvidence row_evidence(const ModalIwanResiduals& residuals, const FitVector& x, int parameters);

}  // namespace microslip
