#pragma once
// Which poles of rising orders are those of the structure: they come again from order to order, with the same
// frequency, damping and shape.

#include <Eigen/Core>
#include <complex>
#include <utility>
#include <vector>

#include "microslip/measurement/lscf.hpp"

namespace microslip {

enum class PoleKind : int { unstable = 0, frequency = 1, damping = 2, stable = 3 };

struct StabilisationOptions {
  double frequency = 0.01;  ///< largest relative difference from one order to the next
  double damping = 0.1;     ///< the same
  double shape = 0.95;      ///< least MAC
  double largest_zeta = 0.3;
};

/// A pole of one order beside those of the order below.
struct StabilisedPole {
  LscfPole pole;
  PoleKind kind = PoleKind::unstable;
  int cluster = -1;  ///< its place among the clusters; -1: none
};

/// The same pole at several orders.
struct PoleCluster {
  std::vector<std::size_t> members;  ///< places among the stabilised poles, orders rise
  std::complex<double> pole;         ///< medians of frequency and damping
  Eigen::VectorXcd shape;            ///< of the member nearest to that
};

struct Stabilisation {
  std::vector<StabilisedPole> poles;
  std::vector<PoleCluster> clusters;  ///< by frequency
};

/// `band` [1/time].
[[nodiscard]] Stabilisation stabilise(const std::vector<LscfPole>& poles, std::pair<double, double> band,
                                      const StabilisationOptions& options = {});

/// Clusters that come at enough of the orders that were computed, from the lowest to the highest; of two that differ
/// neither in pole nor in shape the one with more members.
[[nodiscard]] std::vector<std::size_t> physical_clusters(const Stabilisation& diagram, std::pair<int, int> orders);

/// MAC of two shapes.
[[nodiscard]] double shape_likeness(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b);

/// Less than this, over the larger of their decay rates, and two poles are as near as those that noise or a slight
/// nonlinearity makes of one.
inline constexpr double near_poles = 1.0;
/// MAC from which on two near poles are of one shape.
inline constexpr double same_shape = 0.9;

[[nodiscard]] inline double pole_distance(std::complex<double> a, std::complex<double> b) {
  return std::abs(a - b) / std::max(std::abs(a.real()), std::abs(b.real()));
}

}  // namespace microslip
