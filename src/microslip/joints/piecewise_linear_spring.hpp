#pragma once
// Conservative spring of straight lines through points (u_i, f_i):
//   F = slope(i) u + offset(i) on piece i,
// the first and the last line continue outside. Force continuous, slopes >= 0; F(0) may be anything, as for a preloaded
// gap: the stored energy then counts from u = 0.
//
// With breaks b_1 < ... < b_n, pieces 0 .. n: piece i is b_i < u <= b_{i+1}. Points on a line with their neighbours
// are no breaks.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "microslip/joints/spring_parts.hpp"
#include "microslip/numerics/dual.hpp"
#include "microslip/numerics/points_error.hpp"

namespace microslip {

template <class T = double>
class PiecewiseLinearSpring : public SpringParts<T> {
 public:
  using typename SpringParts<T>::State;
  using typename SpringParts<T>::Trial;
  static constexpr bool straight_pieces = true;
  /// Points count as points: neither straight nor odd, even where they happen to lie so.
  [[nodiscard]] static constexpr bool is_straight() { return false; }
  [[nodiscard]] static constexpr bool is_odd() { return false; }

  /// Two points or more, u strictly increasing [length], f not decreasing [force], all finite, slopes too.
  /// Throws PointsError.
  PiecewiseLinearSpring(std::span<const T> u, std::span<const T> f) {
    if (u.size() < 2) throw PointsError("u must have two points or more, got " + std::to_string(u.size()), true);
    if (u.size() != f.size()) {
      throw PointsError(
          "f must have as many points as u, " + std::to_string(u.size()) + ", got " + std::to_string(f.size()), false);
    }
    for (std::size_t i = 0; i + 1 < u.size(); ++i) {
      const std::string point = "point " + std::to_string(i + 2);
      if (!(u[i + 1] > u[i])) throw PointsError("u must increase, " + point + " does not", true);
      if (!(f[i + 1] >= f[i])) {
        throw PointsError("f must not decrease, " + point + " does: no slope may be negative", false);
      }
      const T slope = (f[i + 1] - f[i]) / (u[i + 1] - u[i]);
      if (!(slope < T(std::numeric_limits<double>::infinity()))) {
        throw PointsError("the slope before " + point + " is not finite", false);
      }
      if (!slopes_.empty() && same_line(slope, slopes_.back())) continue;
      if (!slopes_.empty()) breaks_.push_back(u[i]);
      slopes_.push_back(slope);
      // From the end of the line that is nearer to zero: less is lost in the difference.
      const bool first = u[i] * u[i] <= u[i + 1] * u[i + 1];
      offsets_.push_back(first ? f[i] - slope * u[i] : f[i + 1] - slope * u[i + 1]);
    }
    set_works();
  }
  PiecewiseLinearSpring(const std::vector<T>& u, const std::vector<T>& f)
      : PiecewiseLinearSpring(std::span<const T>(u), std::span<const T>(f)) {}

  /// Where the slope changes, ascending.
  [[nodiscard]] const std::vector<T>& breaks() const { return breaks_; }
  [[nodiscard]] std::span<const T> corners() const { return breaks_; }
  [[nodiscard]] static int degree() { return 1; }
  /// 0 .. breaks().size(); a break belongs to the piece before it.
  [[nodiscard]] std::size_t piece(const T& u) const {
    return static_cast<std::size_t>(std::lower_bound(breaks_.begin(), breaks_.end(), u) - breaks_.begin());
  }
  [[nodiscard]] T slope(std::size_t piece) const { return slopes_[piece]; }
  [[nodiscard]] T offset(std::size_t piece) const { return offsets_[piece]; }

  [[nodiscard]] Trial evaluate(const State& /*committed*/, const JointInput<T>& input) const {
    const std::size_t i = piece(input.u);
    Trial trial;
    trial.u = input.u;
    trial.force = slopes_[i] * input.u + offsets_[i];
    trial.stiffness = slopes_[i];
    return trial;
  }

  /// Tangent at rest. At a break in u = 0 that of the left piece, as a gap that just touches counts nothing.
  [[nodiscard]] T stuck_stiffness() const { return slopes_[piece(T(0.0))]; }
  [[nodiscard]] T slipped_stiffness() const { return stuck_stiffness(); }
  [[nodiscard]] T stored_energy(const State& state) const { return work(state.u); }

  /// Neither odd nor through (0,0), unless the points are.
  [[nodiscard]] BackbonePoint<T> backbone(T u) const {
    const std::size_t i = piece(u);
    return {slopes_[i] * u + offsets_[i], slopes_[i], work(u)};
  }

 private:
  static bool same_line(const T& a, const T& b) {
    using std::abs;
    return abs(a - b) <= T(1e-14) * (a + b);
  }
  /// Integral of F from 0 to u.
  [[nodiscard]] T work(const T& u) const {
    const std::size_t i = piece(u);
    return works_[i] + u * (0.5 * slopes_[i] * u + offsets_[i]);
  }
  /// works_[i]: what makes the work continuous over the breaks and zero at u = 0.
  void set_works() {
    works_.assign(slopes_.size(), T(0.0));
    const auto step = [&](std::size_t i, std::size_t from) {  // over the break between two pieces
      const T& b = breaks_[std::min(i, from)];
      works_[i] = works_[from] + b * (0.5 * (slopes_[from] - slopes_[i]) * b + offsets_[from] - offsets_[i]);
    };
    const std::size_t home = piece(T(0.0));
    for (std::size_t i = home; i + 1 < works_.size(); ++i) step(i + 1, i);
    for (std::size_t i = home; i > 0; --i) step(i - 1, i);
  }

  std::vector<T> breaks_, slopes_, offsets_, works_;
};

}  // namespace microslip
