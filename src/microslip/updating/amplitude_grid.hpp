#pragma once
// Amplitudes at which a modal curve is computed, whatever the parameters: interpolation to the amplitudes of a test and
// the first harmonic of the Masing loop are then fixed sums, whose derivatives are the same sums of derivatives.
//
// With s = alpha - omega_0^2 q, what the joints take from the stuck line, the loop of amplitude Q has
//
//   K1(Q) = omega_0^2 + 8/(pi Q^2) * integral from 0 to Q of s'(y) sqrt(y (Q - y)) dy
//
// Between nodes s/y^m is the cubic of ln y through values and slopes, m = 1.75: s of an Iwan element in microslip is a
// power of y between 1 and 2.5, so that little is left to the cubic. Where s' jumps between two nodes (a joint goes
// into macroslip) that part of the integral is taken piece by piece, HarmonicSegment.

#include <Eigen/Core>
#include <array>
#include <vector>

namespace microslip {

/// The integral between two amplitudes, as a sum over s and s' at both.
class HarmonicSegment {
 public:
  HarmonicSegment(double from, double to);

  /// 8/(pi top^2) times the integral: of s(from), s'(from), s(to), s'(to).
  [[nodiscard]] std::array<double, 4> weights(double top) const;

 private:
  static constexpr int count = 8;
  using Parts = std::array<double, 4>;
  /// s'(y) dt at y = from e^(h t), by s and s' at both ends.
  [[nodiscard]] Parts parts_at(double t, double y) const;
  [[nodiscard]] Parts weights_near(double top) const;

  double from_, to_, h_;
  std::array<double, count> y_{};
  std::array<Parts, count> part_{};
};

/// What a jump of s' at y, by -1, adds to the derivative of K1(top) when it moves up: 8/(pi top^2) sqrt(y (top - y)).
[[nodiscard]] double harmonic_of_jump(double y, double top);

class AmplitudeGrid {
 public:
  /// Of amplitudes > 0, sorted: each is a node, up to `most_own` of them; beyond, and between those that lie far apart,
  /// there are `per_decade` nodes a decade. Some lie below the first.
  AmplitudeGrid(const std::vector<double>& amplitudes, int per_decade);
  static constexpr std::size_t most_own = 100;

  [[nodiscard]] int size() const { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] const std::vector<double>& nodes() const { return nodes_; }
  /// The first node that is not below `low`; rows are interpolated from it on.
  [[nodiscard]] int first() const { return first_; }

  /// K1 - omega_0^2 at node i: sum over nodes k <= i of by_excess(i, k) s_k + by_slope(i, k) s'_k. Rows before first()
  /// are empty.
  [[nodiscard]] const Eigen::MatrixXd& by_excess() const { return by_excess_; }
  [[nodiscard]] const Eigen::MatrixXd& by_slope() const { return by_slope_; }

  /// A value at an amplitude, from those at nodes first() to `reached` - 1: at a node its own, else the cubic of ln q
  /// through nodes between which none of the `jumps` lies.
  struct Interpolation {
    int node = 0;   ///< the first of `count`
    int count = 0;  ///< 0: not reached
    double weight[4] = {};
  };
  [[nodiscard]] Interpolation at(double q, int reached, const std::vector<double>& jumps) const;

 private:
  void set_harmonic();

  std::vector<double> nodes_;
  int first_ = 0;
  Eigen::MatrixXd by_excess_, by_slope_;
};

}  // namespace microslip
