#pragma once
// Hysteresis data for a fit: force and deflection along a path, from rest or around a steady loop.

#include <optional>
#include <string>
#include <vector>

#include "microslip/identify/force_curve.hpp"

namespace microslip {

enum class Motion {
  history,  ///< from rest at u = 0
  loop,     ///< one steady cycle; the last point leads back to the first
  masing,   ///< a first loading, made a steady loop by Masing's rules
};

struct HysteresisRecord {
  std::vector<double> u;       ///< [length]
  std::vector<double> f;       ///< [force]
  std::vector<double> weight;  ///< mean 1, or empty
  bool closed = false;         ///< a loop

  [[nodiscard]] std::size_t size() const { return u.size(); }
};

/// What a curve looks like: one that only rises from rest is a first loading; one that turns back at least once and
/// ends where it began (within a thousandth of its range, in u and f) is a loop; anything else is a history.
[[nodiscard]] Motion motion_of(const ForceCurve& curve);

/// Why the curve cannot be used so; nothing when it can. A history that never turns back is refused: the first loading
/// depends on beta + gamma alone.
[[nodiscard]] std::optional<CurveFault> record_fault(const ForceCurve& curve, Motion motion);

/// The record of a curve without fault. A first loading (u_i, f_i), i = 1..N, becomes the loop with the corners
/// (X, F) -> (X - 2 u_i, F - 2 f_i) -> (-X, -F) -> (-X + 2 u_i, -F + 2 f_i), X = u_N, F = f_N.
[[nodiscard]] HysteresisRecord record_of(const ForceCurve& curve, Motion motion);

/// Integral of f du by the trapezoidal rule: the area of a loop, the work along a history.
[[nodiscard]] double work(const HysteresisRecord& record, const std::vector<double>& f);

/// Root mean square distance of the points from the straight line through the origin that is nearest to them: what
/// there is to be explained by hysteresis, and the unit of misfits.
[[nodiscard]] double nonlinear_part(const HysteresisRecord& record);

}  // namespace microslip
