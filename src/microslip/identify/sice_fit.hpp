#pragma once
// Polynomial of a conservative restoring force from points of its curve (SICE: single-mode implicit condensation and
// expansion),
//
//   P(x) = k_1 x + k_2 x^2 + ... + k_n x^n
//
// by linear least squares. `secant` weighs by 1/x^2, a fit of the secant stiffness P/x, so that small deflections,
// where frequencies are measured, count as much as large ones (Park and Allen divide by the force instead, (IV-7);
// where the force falls to zero that has no meaning). Order, where it is not given: leave-one-out cross-validation,
// exact from the leverages, e_i/(1 - h_i); the lowest order whose mean square is within two
// standard errors of the best (of the difference, point by point; two, since several orders are tried), or within
// rounding of the data.

#include <optional>
#include <span>
#include <vector>

namespace microslip {

enum class SiceWeights { secant, points };

struct SiceOptions {
  std::optional<int> order;         ///< n; else the best of 1 to highest
  int highest = 9;                  ///< order that is tried
  bool odd = false;                 ///< odd powers only
  std::optional<double> stiffness;  ///< k_1, if known [force/length]
  SiceWeights weights = SiceWeights::secant;
};

struct SiceOrder {
  int order = 0;
  double misfit = 0.0;      ///< weighted root mean square of P - f over that of f
  double validation = 0.0;  ///< the same for points that were left out
};

struct SiceFit {
  std::vector<double> k;  ///< k_1 .. k_n
  int order = 0;
  std::vector<SiceOrder> tried;  ///< ascending
};

/// Points x != 0 of either sign, weights > 0 or none. Throws std::invalid_argument where there are not more points than
/// coefficients or k_1 does not come out positive.
[[nodiscard]] SiceFit fit_sice(std::span<const double> x, std::span<const double> f, std::span<const double> weight,
                               const SiceOptions& options = {});

}  // namespace microslip
