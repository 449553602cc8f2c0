#pragma once
// Amplitudes at which a modal curve is computed, whatever the parameters: interpolation to the amplitudes of a test and
// the first harmonic of the Masing loop are then fixed sums, whose derivatives are the same sums of derivatives.
//
// With s = alpha - omega_0^2 q, what the joints take from the stuck line, the loop of amplitude Q has
//
//   K1(Q) = omega_0^2 + 8/(pi Q^2) * integral from 0 to Q of s'(y) sqrt(y (Q - y)) dy
//
// Between nodes s/y^m is the cubic of ln y through values and slopes, m = 1.75: s of an Iwan element in microslip is a
// power of y between 1 and 2.5, so that little is left to the cubic.

#include <Eigen/Core>
#include <vector>

namespace microslip {

class AmplitudeGrid {
 public:
  /// Of amplitudes 0 < low <= high; `per_decade` nodes between them, and some below.
  AmplitudeGrid(double low, double high, int per_decade);

  [[nodiscard]] int size() const { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] const std::vector<double>& nodes() const { return nodes_; }
  /// The first node that is not below `low`; rows are interpolated from it on.
  [[nodiscard]] int first() const { return first_; }

  /// K1 - omega_0^2 at node i: sum over nodes k <= i of by_excess(i, k) s_k + by_slope(i, k) s'_k. Rows before first()
  /// are empty.
  [[nodiscard]] const Eigen::MatrixXd& by_excess() const { return by_excess_; }
  [[nodiscard]] const Eigen::MatrixXd& by_slope() const { return by_slope_; }

  /// A value at an amplitude between nodes, from those at nodes first() to `reached` - 1: the cubic of ln q.
  struct Interpolation {
    int node = 0;   ///< the first of `count`
    int count = 0;  ///< 0: not reached
    double weight[4] = {};
  };
  [[nodiscard]] Interpolation at(double q, int reached) const;

 private:
  void set_harmonic();

  std::vector<double> nodes_;
  int first_ = 0;
  Eigen::MatrixXd by_excess_, by_slope_;
};

}  // namespace microslip
