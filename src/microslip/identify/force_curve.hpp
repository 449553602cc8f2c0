#pragma once
// A measured curve of force over deflection.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace microslip {

struct ForceCurve {
  std::vector<double> u;       ///< deflection [length]
  std::vector<double> f;       ///< force [force]
  std::vector<double> weight;  ///< > 0, 1/variance of f up to a factor; empty: all alike

  [[nodiscard]] std::size_t size() const { return u.size(); }
};

/// Why a curve is not what it should be.
struct CurveFault {
  std::size_t point = 0;  ///< counted from 0
  std::string message;    ///< without the point
};

/// A first loading: at least `fewest` points with u >= 0 strictly increasing, everything finite, weights > 0. Nothing
/// when it is; f may scatter.
[[nodiscard]] std::optional<CurveFault> first_loading_fault(const ForceCurve& curve, std::size_t fewest);

}  // namespace microslip
