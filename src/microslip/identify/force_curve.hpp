#pragma once
// A measured curve of force over deflection.

#include <cstddef>
#include <optional>
#include <span>
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

/// Third divided differences of four neighbours each, scaled so that white noise keeps its size: what is smooth is
/// gone.
[[nodiscard]] std::vector<double> third_differences(std::span<const double> u, std::span<const double> f);

/// Standard deviation of white noise on a curve that is smooth but for a few kinks: median of its third differences.
/// Infinite for fewer than four points.
[[nodiscard]] double scatter(const ForceCurve& curve);

/// Why a first loading is none of sliders in parallel: it lies below its concave hull, in the root mean square, by more
/// than six times its scatter and more than 1e-4 of its largest force. Nothing when it does not.
[[nodiscard]] std::optional<std::string> concavity_fault(const ForceCurve& curve);

}  // namespace microslip
