#include "microslip/modal/masing_harmonic.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace microslip {
namespace {

/// Gauss-Legendre on (0, 1).
constexpr int nodes = 4;
constexpr double gauss_node[nodes] = {0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970262};
constexpr double gauss_weight[nodes] = {0.17392742256872692, 0.32607257743127307, 0.32607257743127307,
                                        0.17392742256872692};

/// A cubic on (0, 1) by values and slopes at its ends.
struct Cubic {
  double c0, c1, c2, c3;
  Cubic(double value0, double value1, double slope0, double slope1)
      : c0(value0),
        c1(slope0),
        c2(3.0 * (value1 - value0) - 2.0 * slope0 - slope1),
        c3(2.0 * (value0 - value1) + slope0 + slope1) {}
  [[nodiscard]] double value(double t) const { return c0 + t * (c1 + t * (c2 + t * c3)); }
  [[nodiscard]] double slope(double t) const { return c1 + t * (2.0 * c2 + t * 3.0 * c3); }
  /// How far it is from a straight line.
  [[nodiscard]] double bend() const { return std::abs(c2) + std::abs(c3); }
};

/// Nodes of a segment at t = 1 - sigma^2 between its ends, dt = 2 sigma d sigma.
template <class AddNode>
void for_each_node(AddNode&& add_node) {
  for (int k = 0; k < nodes; ++k) {
    const double sigma = gauss_node[k];
    add_node(1.0 - sigma * sigma, 2.0 * sigma * gauss_weight[k]);
  }
}

}  // namespace

MasingHarmonic::MasingHarmonic(double stuck, std::size_t points) : stuck_(stuck) {
  node_.reserve(nodes * points + 1);
  weight_.reserve(nodes * points + 1);
}

void MasingHarmonic::add(double q, double excess, double slope, bool kink) {
  if (!(q > q_)) return;
  const auto power_like = [](double s, double s_slope) { return s * s_slope > 0.0; };
  const double h = q - q_;
  // The lines through both ends, each with its slope, meet at q_ + t h; a point may lie on the corner itself.
  constexpr double rounding = 1e-6;
  const double t_kink = (excess - excess_ - slope * h) / ((slope_ - slope) * h);
  if (q_ == 0.0) {
    // s' = s'_1 (y/q)^p, p + 1 = q s'_1/s_1: one node is right for s' sqrt(y), a power, times a straight line.
    if (power_like(excess, slope)) {
      const double p = q * slope / excess - 1.0;
      add_node(q * (p + 1.5) / (p + 2.5), slope * q * std::sqrt(q) / (p + 1.5));
    }
  } else if (kink && t_kink > -rounding && t_kink < 1.0 + rounding) {
    const double corner = q_ + std::clamp(t_kink, 0.0, 1.0) * h;
    add_line(q_, corner, slope_);
    add_line(corner, q, slope);
  } else {
    add_smooth(q, excess, slope, power_like(excess, slope) && power_like(excess_, slope_) && excess * excess_ > 0.0);
  }
  q_ = q;
  excess_ = excess;
  slope_ = slope;
}

/// A power has no bend in ln s over ln q; a line past a corner, where the exponent q s'/s begins at infinity, none in
/// s. The one that bends less, relative to s, is the better guess of what lies between.
void MasingHarmonic::add_smooth(double q, double excess, double slope, bool power_like) {
  const double h = q - q_;
  const Cubic plain(excess_, excess, h * slope_, h * slope);
  if (power_like) {
    const double log_h = std::log(q / q_);
    const Cubic power(0.0, std::log(excess / excess_), log_h * q_ * slope_ / excess_, log_h * q * slope / excess);
    if (power.bend() * 0.5 * std::abs(excess + excess_) < plain.bend()) {
      const double root_before = std::sqrt(q_);
      for_each_node([&](double t, double weight) {
        const double root = root_before * std::exp(0.5 * log_h * t);
        // ds = s' dy = s (d ln s/dt) dt
        add_node(root * root, weight * excess_ * std::exp(power.value(t)) * power.slope(t) * root);
      });
      return;
    }
  }
  for_each_node([&](double t, double weight) {
    const double y = q_ + h * t;
    add_node(y, weight * plain.slope(t) * std::sqrt(y));
  });
}

void MasingHarmonic::add_line(double from, double to, double slope) {
  for_each_node([&](double t, double weight) {
    const double y = from + (to - from) * t;
    add_node(y, weight * slope * (to - from) * std::sqrt(y));
  });
}

double MasingHarmonic::stiffness() const {
  if (q_ == 0.0) return stuck_;
  const auto count = static_cast<Eigen::Index>(node_.size());
  const Eigen::Map<const Eigen::ArrayXd> y(node_.data(), count), w(weight_.data(), count);
  const double total = (w * (q_ - y).sqrt()).sum();  // several roots at a time
  return stuck_ + 8.0 / (std::numbers::pi * q_ * q_) * total;
}

}  // namespace microslip
