#pragma once
// Masing law from points of its backbone: any concave curve through (0,0), with the slope `residual` beyond the last
// point.
//
// The residual spring is split off: the hysteretic part passes through (u_i, f_i - residual u_i), is concave and
// non-decreasing, and constant beyond the last point. Interpolation (numerics/concave_curve.hpp):
//   smooth   C1 quadratic spline; where the data still rise above the residual at the last point, the slope left there
//            belongs to a slider of that strength (as S of an Iwan element at phi_max) and the curve ends in a kink
//   linear   straight lines, exactly one slider a point: Jenkins elements in parallel with
//            k_j = slope left of u_j - slope right of it, slip force k_j u_j

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "microslip/joints/masing.hpp"
#include "microslip/numerics/concave_curve.hpp"

namespace microslip {

/// Copies share the table, which never changes.
template <class T = double>
class TableBackbone {
 public:
  using Scalar = T;

  /// Throws PointsError (std::invalid_argument), which names the offending point.
  TableBackbone(std::span<const T> u, std::span<const T> f, Interpolation interpolation, T residual)
      : curve_(std::make_shared<const ConcaveCurve<T>>(u, f, interpolation, residual)) {}

  [[nodiscard]] BackboneSlope<T> at(T x) const {
    const auto point = curve_->at(x);
    return {point.value, point.slope};
  }
  [[nodiscard]] T work(T x) const { return curve_->integral(x); }
  [[nodiscard]] T dissipation(T x) const { return curve_->dissipation(x); }
  [[nodiscard]] T yield() const { return curve_->end(); }
  [[nodiscard]] T initial_slope() const { return curve_->initial_slope(); }
  [[nodiscard]] T yield_force() const { return curve_->end_value(); }
  /// Ends of the pieces but the last.
  [[nodiscard]] std::vector<T> corners() const {
    std::vector<T> corners;
    const auto& pieces = curve_->pieces();
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) corners.push_back(pieces[i].x + pieces[i].length);
    return corners;
  }
  [[nodiscard]] const ConcaveCurve<T>& curve() const { return *curve_; }

 private:
  std::shared_ptr<const ConcaveCurve<T>> curve_;
};

template <class T = double>
using MasingTable = Masing<TableBackbone<T>>;

/// u [length], f [force]: points of the backbone, residual included; residual >= 0 [force/length].
template <class T>
[[nodiscard]] MasingTable<T> masing_table(const std::vector<T>& u, const std::vector<T>& f,
                                          Interpolation interpolation = Interpolation::smooth, T residual = T(0.0)) {
  return MasingTable<T>(TableBackbone<T>(std::span<const T>(u), std::span<const T>(f), interpolation, residual),
                        residual);
}

}  // namespace microslip
