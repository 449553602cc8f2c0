#pragma once
// First harmonic of the Masing loop of a modal curve alpha(q), for every amplitude on the curve.
//
// On the loop of amplitude Q, q = Q cos(t), the branch is alpha(Q) - 2 alpha((Q - q)/2). Its cosine coefficient over Q,
// integrated by parts, is a mean of the tangent,
//
//   K1(Q) = 8/(pi Q^2) * integral from 0 to Q of alpha'(y) sqrt(y (Q - y)) dy,
//
// so that only alpha' - 1/c, the part of the joints, needs quadrature. Between two points of the curve the excess
// s = alpha - q/c is a power of q whose exponent varies: the cubic of ln|s| in ln q through values and slopes, exact
// for an Iwan element in microslip; or, where that bends less, the cubic of s in q, exact for a line. The nodes of a
// segment stay where they are for all Q beyond it: sigma with y between its ends at 1 - sigma^2 makes the root at y = Q
// smooth.

#include <vector>

namespace microslip {

class MasingHarmonic {
 public:
  /// `stuck`: 1/c, the tangent at rest; `points`: how many to make room for.
  MasingHarmonic(double stuck, std::size_t points);

  /// The next point, by growing q: excess s = alpha - q/c and its slope ds/dq. Before the first, s is a power of q.
  /// `kink`: the slope jumps between the point before and this one.
  void add(double q, double excess, double slope, bool kink);

  /// K1 of the loop whose amplitude is the point added last.
  [[nodiscard]] double stiffness() const;

 private:
  void add_smooth(double q, double excess, double slope, bool power_like);
  void add_line(double from, double to, double slope);
  void add_node(double y, double weight) {
    node_.push_back(y);
    weight_.push_back(weight);
  }

  double stuck_;
  double q_ = 0.0, excess_ = 0.0, slope_ = 0.0;
  std::vector<double> node_;    ///< y
  std::vector<double> weight_;  ///< of s'(y) sqrt(y) dy, times s'(y) sqrt(y)
};

}  // namespace microslip
